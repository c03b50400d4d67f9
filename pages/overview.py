"""Overview: what is loaded, where each run comes from, and the headline metrics."""

from __future__ import annotations

import streamlit as st

from core.views.overview import BenchmarkCard, RunCard, benchmark_card, run_card
from core.views.verifiers import leaderboard
from pages.widgets import data, frame, scope, states
from pages.widgets.components import leaderboard_table
from pages.widgets.job_panel import job_panel
from pages.widgets.load_panel import load_panel

frame.enter("pages/overview.py")


def card(found: BenchmarkCard) -> None:
    """A benchmark in numbers."""
    low, middle, high = found.score_quartiles
    tests = "not known" if found.tests_per_problem is None else f"{found.tests_per_problem:.1f}"
    figures = (
        ("Problems", f"{found.n_problems:,}", None),
        ("Solutions", f"{found.n_solutions:,}", None),
        ("Solutions per problem", f"{found.solutions_per_problem:.1f}", "Mean over problems."),
        ("Tests per problem", tests, "Reference tests, mean over problems; read from the benchmark's file."),
        ("Mean score", f"{found.mean_score:.2f}", "Reference score, over all solutions."),
        (
            "Score quartiles",
            f"{low:.2f} · {middle:.2f} · {high:.2f}",
            "A quarter, half and three quarters of all solutions have at most this reference score.",
        ),
    )
    for column, (name, value, text) in zip(st.columns([7, 7, 13, 11, 9, 15]), figures, strict=True):
        column.metric(name, value, help=text, border=True)


def provenance(found: RunCard) -> dict[str, object]:
    """A row of the table of runs."""
    return {
        "Run": found.label,
        "Created (UTC)": found.created,
        "Backend": found.backend,
        "Limits": found.limits,
        "Tests": found.n_tests,
        "Cells": found.n_cells,
        "No verdict (I)": found.n_internal,
        "Unparsed": found.unparsed,
        "In process": found.in_process,
        "Folder": found.name,
    }


st.title("Can this verifier be trusted?", anchor=False)
catalog = data.catalog()
benchmark = scope.benchmark()

if benchmark is None:
    st.markdown(
        "Touchstone runs or loads what a verifier of code says about solutions whose quality is known, and "
        "shows where it is right, where it is fooled, and which test did it. Nothing is loaded yet:"
    )
    job_panel(done=True)
    load_panel()
    st.stop()

job_panel(done=True)
for name, reason in catalog.damaged:
    st.warning(f"The run {states.plain(name)} can't be read.")
    st.text(reason)

st.subheader(states.plain(benchmark.name), anchor=False)
if not benchmark.runs:
    st.info("No verifier has been run on this benchmark yet.")
    st.page_link("pages/run.py", label="Run a verifier's tests", icon=":material/play_circle:")
else:
    with states.reported():
        summaries = [data.summary(run, scope.undefined()) for run in benchmark.runs]
    card(benchmark_card(summaries, data.reference_tests(benchmark)))
    st.space("small")
    leaderboard_table(leaderboard(summaries), key="headline")
    st.caption(f"95% CI by bootstrap over problems. {scope.undefined_note()}")
    with st.container(horizontal=True):
        st.page_link("pages/verifiers.py", label="Compare verifiers", icon=":material/leaderboard:")
        st.page_link("pages/problems.py", label="Look at problems", icon=":material/list_alt:")
        st.page_link("pages/run.py", label="Run a verifier's tests", icon=":material/play_circle:")
    st.markdown("##### Runs")
    st.dataframe(
        [provenance(run_card(summary)) for summary in summaries],
        hide_index=True,
        alt="Runs of this benchmark and where they come from",
        column_config={
            "Limits": st.column_config.TextColumn(
                help="Wall time of one test, memory and output of one program."
            ),
            "Tests": st.column_config.NumberColumn(format="localized"),
            "Cells": st.column_config.NumberColumn(
                format="localized", help="A cell is one solution under one test."
            ),
            "No verdict (I)": st.column_config.NumberColumn(
                format="localized", help="Cells that ended in an internal error: missing data, not failures."
            ),
            "Unparsed": st.column_config.NumberColumn(
                format="localized", help="Pieces of the verifier's answers that could not be read as a test."
            ),
            "In process": st.column_config.NumberColumn(
                format="localized",
                help="Cells judged in the program's own process, where it could tamper with the verdict.",
            ),
        },
    )

with st.expander("Load something else: the demo, an upload, a path, a data set of the hub"):
    load_panel()
