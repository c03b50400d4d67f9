"""Problem: one problem under the verifier in focus, down to the cell that misled it."""

from __future__ import annotations

import streamlit as st

from core.views.problem import open_problem, ranking
from core.views.problems import problem_table
from core.views.why import explain
from pages.widgets import data, frame, scope, states
from pages.widgets.beside_panel import answer_panel, beside_panel
from pages.widgets.components import ranking_lines
from pages.widgets.matrix_panel import matrix_panel
from pages.widgets.problem_filter import from_link
from pages.widgets.problem_link import choose_problem, outside, stepper

_LONG = 36  # characters of a name that would fill several lines as a title

frame.enter("pages/problem.py")
run = states.need_verifier("Problem")
benchmark = states.need_benchmark()

wanted = from_link()
with states.reported():
    summary = data.summary(run, scope.undefined())
    listed = problem_table(summary, wanted, data.search(summary, wanted.text)).task_ids()
    task_id = choose_problem(listed, tuple(summary.problems["task_id"]))
    view = open_problem(run.name, run.label, run.folder, task_id)

heading, steps = st.columns([2, 3], vertical_alignment="bottom")
with heading, st.container(key="long-title" if len(task_id) > _LONG else None):
    st.title(states.plain(task_id), anchor=False)
with steps:
    stepper(listed, task_id, wanted)

if wanted.words() and task_id not in listed:
    outside(run.label, listed, wanted)
st.markdown(f"**{states.plain(run.label)}**: {states.plain(explain(view))}")

prompt, order = st.columns([1, 1], gap="medium")
with prompt:
    st.markdown("##### Prompt")
    st.code(
        view.problem.prompt,
        language="python" if view.problem.entry_point else None,
        height=view.prompt_height,
        wrap_lines=True,
    )
with order:
    st.markdown("##### Ranking")
    others = {other.label: other for other in benchmark.runs if other.label != run.label}
    also = st.multiselect(
        "Also show",
        list(others),
        key="also",
        bind="query-params",
        placeholder="other verifiers",
        label_visibility="collapsed",
    )
    with states.reported():
        beside = [open_problem(others[name].name, name, others[name].folder, task_id) for name in also]
    ranking_lines(ranking([view, *beside]), key=f"ranking-{run.name}-{task_id}")

st.markdown("##### Pass matrix", help="Rows are solutions, best first; columns are the verifier's tests.")
matrix_panel(view)

compare_tab, answer_tab = st.tabs(
    ["Side by side", "Raw answer"], key="detail", on_change="rerun", bind="query-params"
)
if compare_tab.open:
    with compare_tab:
        beside_panel(view, benchmark.runs)
if answer_tab.open:
    with answer_tab:
        answer_panel(view)
