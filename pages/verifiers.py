"""Verifiers: the leaderboard, and two verifiers compared problem by problem."""

from __future__ import annotations

import streamlit as st

from core.views.verifiers import leaderboard
from pages.widgets import data, frame, states
from pages.widgets.components import leaderboard_table
from pages.widgets.problem_link import chosen_row, go_to_problem

frame.enter("pages/verifiers.py")
st.title("Verifiers")
benchmark = states.need_benchmark()
states.need_verifier()
with states.reported():
    summaries = {run.label: data.summary(run, frame.undefined()) for run in benchmark.runs}

st.markdown(
    "How well each verifier's scores agree with the reference. The bar under a value is its 95% interval "
    "(bootstrap over problems); ● marks the best; hover over a head for its definition and tie rule."
)
board = leaderboard(list(summaries.values()))
leaderboard_table(board, key="leaderboard")
st.caption(frame.undefined_note())

st.subheader("Two verifiers compared", anchor="compare")
if len(summaries) < 2:
    st.info("Run a second verifier on this benchmark to compare the two.")
    st.stop()

names = [row.label for row in board.rows]
left, right = st.columns(2)
first = left.selectbox(
    "First",
    names,
    key="first",
    bind="query-params",
)
second = right.selectbox(
    "Second",
    [name for name in names if name != first],
    key="second",
    bind="query-params",
)
with states.reported():
    compared = data.comparison(summaries[first], summaries[second], frame.undefined())

for column, metric in zip(st.columns(len(compared.metrics)), compared.metrics, strict=True):
    column.metric(
        metric.name,
        "n/a" if metric.value is None else f"{metric.value:+.3f}",
        help=f"First minus second, on the {metric.n} problems that define it for both. {metric.help}",
        border=True,
    )
    column.caption(
        "no interval"
        if metric.low is None or metric.high is None
        else f"{metric.low:+.3f} to {metric.high:+.3f}  \np = {metric.p_value:.3f}"
    )
    column.caption(f"**{states.plain(metric.verdict)}**")

st.markdown("##### Problems that changed hands")
st.caption(
    f"On {compared.n_first} problems {states.plain(first)} picks the best solution more surely, "
    f"on {compared.n_second} {states.plain(second)} does. Click one to open the problem."
)
chosen = st.dataframe(
    compared.changed,
    hide_index=True,
    placeholder="",
    on_select="rerun",
    selection_mode="single-cell",
    key="changed",
    alt="Problems on whose best solution the two verifiers disagree",
    column_config={
        "task_id": st.column_config.TextColumn("Problem", pinned=True),
        "top1_a": st.column_config.NumberColumn(f"Top-1, {first}", format="%.2f"),
        "top1_b": st.column_config.NumberColumn(f"Top-1, {second}", format="%.2f"),
        "spearman_a": st.column_config.NumberColumn(f"Spearman, {first}", format="%.2f"),
        "spearman_b": st.column_config.NumberColumn(f"Spearman, {second}", format="%.2f"),
        "right": st.column_config.TextColumn("Better here"),
    },
    column_order=["task_id", "right", "top1_a", "top1_b", "spearman_a", "spearman_b"],
)
if (row := chosen_row(chosen)) is not None:
    go_to_problem(compared.changed["task_id"][row], {"also": [first, second]})
