"""Two verifiers compared: paired differences, and the problems that changed hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.views.runs import RunSummary
from core.views.verifiers import Comparison
from core.words import quantity
from pages.widgets import data, scope
from pages.widgets.problem_link import chosen_row, go_to_problem
from pages.widgets.selection import chosen, select
from pages.widgets.states import plain

_FOCUS = "compared in focus"


def comparison_panel(summaries: Mapping[str, RunSummary], names: Sequence[str], focus: str) -> None:
    """Choose two of the verifiers and compare them.

    Args:
        summaries: by label.
        names: labels, best first.
        focus: the verifier in focus: one of the two until another one is chosen here.
    """
    if len(names) < 2:
        st.info("Run a second verifier on this benchmark to compare the two.")
        st.page_link("pages/run.py", label="Run a verifier", icon=":material/play_circle:")
        return
    left, right = st.columns(2)
    before, st.session_state[_FOCUS] = st.session_state.get(_FOCUS, focus), focus
    if before != focus and focus not in {chosen("first"), chosen("second")}:
        st.session_state["first"] = focus
    with left:
        first = select("First", names, "first", default=focus)
    with right:
        second = select("Second", [name for name in names if name != first], "second")
    compared = data.comparison(summaries[first], summaries[second], scope.undefined())
    _differences(compared)
    st.caption(
        "First minus second, on the problems that define the metric for both; 95% CI and two-sided p by "
        "the paired bootstrap over problems."
    )
    st.markdown("##### Problems that changed hands")
    st.caption(
        f"**{plain(first)}** picks the best solution more surely on {quantity(compared.n_first, 'problem')}, "
        f"**{plain(second)}** on {quantity(compared.n_second, 'problem')}. "
        "Click one to see both verifiers on it."
    )
    if compared.changed.empty:
        st.info("On every problem the two pick the best solution equally surely.")
    else:
        _changed(compared, first, second)


def _differences(compared: Comparison) -> None:
    for column, metric in zip(st.columns(len(compared.metrics)), compared.metrics, strict=True):
        with column.container(border=True, gap="xsmall", height="stretch"):
            st.metric(
                metric.name,
                metric.shown,
                help=f"{metric.help} It is defined for both on {quantity(metric.n, 'problem')}.",
            )
            st.caption(f"{metric.interval}  \nn = {metric.n:,}")
            st.markdown(f":small[**{plain(metric.verdict)}**]")


def _changed(compared: Comparison, first: str, second: str) -> None:
    def value(metric: str, verifier: str) -> st.column_config.NumberColumn:
        return st.column_config.NumberColumn(metric, format="%.3f", help=f"Of {plain(verifier)}")

    event = st.dataframe(
        compared.changed,
        hide_index=True,
        placeholder="",
        on_select="rerun",
        selection_mode="single-cell",
        key=f"changed-{first}-{second}",
        alt="Problems on whose best solution the two verifiers disagree",
        column_config={
            "task_id": st.column_config.TextColumn("Problem"),
            "right": st.column_config.TextColumn("Better here"),
            "top1_a": value("Top-1, first", first),
            "top1_b": value("Top-1, second", second),
            "spearman_a": value("Spearman, first", first),
            "spearman_b": value("Spearman, second", second),
        },
        column_order=["task_id", "right", "top1_a", "top1_b", "spearman_a", "spearman_b"],
    )
    if (row := chosen_row(event)) is not None:
        go_to_problem(compared.changed["task_id"][row], {"verifier": first, "also": [second]})
