"""Rounds: start them as a job, and the numbers of those there are."""

from __future__ import annotations

import streamlit as st

from core.jobs import JobError
from core.views import rounds as views
from core.views.catalog import BenchmarkEntry, RunEntry
from core.views.rounds import RoundsRequest
from pages.widgets import data
from pages.widgets.chart import show_chart
from pages.widgets.evolve_filter import rules_in_force
from pages.widgets.evolve_trials import read
from pages.widgets.measured import kept, key_of, progress, wanted
from pages.widgets.states import plain

KEY_HELP = (
    "Given to this work alone, written nowhere. Empty: the environment's, on your own machine; an app that "
    "others can reach lends its key to nobody."
)


def rounds_panel(run: RunEntry, benchmark: BenchmarkEntry) -> None:
    """The rounds that the run in focus belongs to, and the form that starts new ones."""
    chain = views.lineage(run, benchmark.runs)
    if len(chain) > 1:
        _numbers(chain)
    else:
        st.info(
            f"{plain(run.label)} has no rounds yet. Each round makes tests that are hard for the best "
            "solutions, then tests that split those the suite can't tell apart, and is a run of its own."
        )
    with st.expander("Start rounds", icon=":material/autorenew:", expanded=len(chain) == 1):
        _start(run)


def _numbers(chain: tuple[RunEntry, ...]) -> None:
    label = chain[0].label
    rules = rules_in_force()
    st.caption(
        " → ".join(plain(one.label) for one in chain)
        + ". Each round under the filters of the Filter tab; what they remove comes back in the next round."
    )
    parent = views.lost_parent(chain)
    if parent:
        st.caption(
            f"{plain(label)} refines {plain(parent)}, which is not among the runs of this benchmark: the "
            "rounds before it are not shown."
        )
    key = ("rounds", rules, *(key_of(one) for one in chain))
    if not wanted(chain[-1], "the rounds", key):
        return
    rounds = [read(one) for one in chain]
    with progress("Rounds counted") as report:
        reports = kept(key, lambda: views.reports_of(rounds, rules, report, whole=not parent))
    st.dataframe(
        views.round_table(reports),
        hide_index=True,
        placeholder="",
        alt="Numbers of each round",
        column_config={
            "round": st.column_config.NumberColumn("Round", width=60),
            "source": st.column_config.TextColumn("Problems of"),
            "problems": st.column_config.NumberColumn("Problems", help="That the filters keep"),
            "tests": st.column_config.NumberColumn("Tests/problem", format="%.2f"),
            "pass@1": st.column_config.NumberColumn(
                "pass@1", format="%.1f%%", help="Of the pool, the reference left out; unbiased"
            ),
            "pass@4": st.column_config.NumberColumn("pass@4", format="%.1f%%"),
            "pass@8": st.column_config.NumberColumn("pass@8", format="%.1f%%"),
            "vectors": st.column_config.NumberColumn(
                "Vectors/problem",
                format="%.2f",
                help="Different pass vectors of a problem's tests; it rises as tests tell more apart",
            ),
            "test_diversity": st.column_config.NumberColumn(
                "Vectors/test",
                format="%.2f",
                help="The same over its tests; it falls where new tests repeat vectors that are there",
            ),
            "told_apart": st.column_config.NumberColumn(
                "Told apart", format="%.0f%%", help="Different pass vectors of solutions over solutions"
            ),
            "wrong": st.column_config.NumberColumn(
                "Wrong", format="%.1f%%", help="Share of the tests that fail the reference"
            ),
            "adversarial": st.column_config.TextColumn(
                "Adversarial", help="Kept of those made in this round"
            ),
            "discriminative": st.column_config.TextColumn(
                "Discriminative", help="Kept of those made in this round"
            ),
            "missing": st.column_config.NumberColumn("No verdict", help="Cells without an outcome"),
        },
    )
    if notes := views.dropped_notes(reports):
        st.caption("  \n".join([*notes, "The Filter tab sets how many tests a problem needs."]))
    charts = (views.difficulty_chart, views.diversity_chart, views.retention_chart)
    for column, chart in zip(st.columns(3, gap="medium"), charts, strict=True):
        with column:
            show_chart(chart(reports, label), key=f"rounds-{chart.__name__}", where=label, height=330)


def _start(run: RunEntry) -> None:
    left, middle, right = st.columns(3, gap="medium")
    count = left.number_input("Rounds", 1, 20, 3, help="Made after the run in focus; each is a run.")
    n_tests = left.number_input("New tests per problem and step", 1, 100, 20)
    who = middle.segmented_control(
        "Written by",
        ["no model", "a model"],
        default="no model",
        required=True,
        help="Without a model: inputs of present tests are varied, expected values are the reference's or "
        "the pool's majority, and what splits the chosen solutions stays.",
    )
    model = base_url = key = ""
    if who == "a model":
        model = middle.text_input("Model", placeholder="as the endpoint names it").strip()
        base_url = right.text_input("Base URL", placeholder="http://localhost:8000/v1; empty: OpenAI").strip()
        key = right.text_input(
            "API key",
            type="password",
            help=KEY_HELP,
        )
    backends = ["auto", *(one.name for one in data.backends() if one.works)]
    backend = middle.selectbox("Backend", backends) if who == "no model" else "auto"
    ready = who == "no model" or (bool(model) and (bool(key) or not data.served()))
    if st.button("Start the rounds", type="primary", icon=":material/play_arrow:", disabled=not ready):
        try:
            allowed = data.backend_for(backend)
            request = RoundsRequest(run, int(count), model, base_url, key, int(n_tests), allowed)
            started = views.start_rounds(data.workspace(), request)
        except JobError as error:
            st.error("The rounds could not be started:")
            st.text(str(error))
        else:
            st.toast(f"{plain(started)} is running; it goes on when this page is closed.")
            st.rerun()
