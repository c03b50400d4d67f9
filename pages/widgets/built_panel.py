"""What a benchmark is made of: its size beside the published ones, what was dropped, what is missing."""

from __future__ import annotations

import streamlit as st

from core.views.benchmark import Built
from core.views.catalog import BenchmarkEntry
from core.views.published import SOURCE
from core.words import quantity
from pages.widgets.chart import show_chart
from pages.widgets.states import plain


def built_panel(built: Built, entry: BenchmarkEntry) -> None:
    """Sizes, then what the build dropped, then targets against chosen scores, then what is missing."""
    st.dataframe(
        built.sizes,
        hide_index=True,
        alt="Size of this benchmark, and of the published ones",
        column_config={
            "benchmark": st.column_config.TextColumn("Benchmark"),
            "problems": st.column_config.NumberColumn("Problems", format="localized"),
            "tests per problem": st.column_config.NumberColumn("Tests per problem", format="%.1f"),
            "solutions": st.column_config.NumberColumn("Solutions", format="localized"),
            "mean score": st.column_config.NumberColumn(
                "Mean score", format="%.2f", help="Over all solutions."
            ),
            "from": st.column_config.TextColumn("From"),
        },
    )
    st.caption(f"Published: {SOURCE}, Table 1; made with other solutions, by a model.")
    left, right = st.columns([3, 2], gap="large")
    with left:
        if built.chart is None:
            st.info(f"No problem has {built.k} solutions with different scores yet.")
        else:
            show_chart(built.chart, key="built-targets", where=entry.name, height=330)
    with right:
        _dropped(built)
    _missing(built)


def _dropped(built: Built) -> None:
    st.markdown("##### What was dropped, and why")
    if not built.has_report:
        st.info("No report of this benchmark's build is in the data folder: what it dropped is not known.")
        return
    chosen = sum(map(len, built.benchmark.solutions.values())) - len(built.benchmark.problems)
    st.caption(f"Judged: {quantity(built.tried, 'candidate')}; chosen beside the references: {chosen:,}.")
    if not built.dropped.empty:
        st.dataframe(
            built.dropped,
            hide_index=True,
            column_order=["candidates", "reason"],
            alt="Reasons for which candidates were dropped",
            column_config={
                "candidates": st.column_config.NumberColumn("Dropped", format="localized", width=70),
                "reason": st.column_config.TextColumn("Reason", width=330),
            },
        )
    if not built.failed_tests.empty:
        with st.expander(f"{len(built.failed_tests):,} reference tests that the reference solution fails"):
            st.caption("They were taken off their problems.")
            st.dataframe(built.failed_tests, hide_index=True, alt="Reference tests that the reference fails")
    if not built.left_out.empty:
        with st.expander(f"{quantity(len(built.left_out), 'problem')} left out"):
            st.dataframe(built.left_out, hide_index=True, alt="Problems left out, and why")


def _missing(built: Built) -> None:
    total = len(built.benchmark.problems)
    st.markdown(f"##### {built.complete:,} of {quantity(total, 'problem')} with {built.k} solutions")
    if built.unranked.problems:
        st.caption(
            f"{len(built.unranked.problems):,} more were left out: nothing but their reference solution is "
            "left. A solution added below brings a problem in."
        )
    if built.incomplete.empty:
        return
    st.caption(
        "The others, with the scores that are still wanted. More mutants or another model's solutions may "
        f"give them; the authors of {plain(SOURCE)} wrote the last ones by hand, which can be done below."
    )
    st.dataframe(
        built.incomplete,
        hide_index=True,
        height=min(260, 38 + 35 * len(built.incomplete)),
        alt="Problems with fewer solutions than wanted",
        column_config={
            "task_id": st.column_config.TextColumn("Problem"),
            "solutions": st.column_config.NumberColumn("Solutions"),
            "scores": st.column_config.TextColumn("Their scores"),
            "wanted": st.column_config.TextColumn("Wanted near"),
        },
    )
