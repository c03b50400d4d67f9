"""Problem: one problem under the verifier in focus, down to the cell that misled it."""

from __future__ import annotations

import streamlit as st

from core.views.code import side_by_side
from core.views.problem import ProblemView, explain, open_problem, ranking
from core.views.problems import NamedFilter, ProblemFilter, problem_table
from pages.widgets import data, frame, states
from pages.widgets.components import listing, ranking_lines
from pages.widgets.matrix_panel import matrix_panel
from pages.widgets.problem_link import choose_problem, stepper

frame.enter("pages/problem.py")
run = states.need_verifier()
benchmark = states.need_benchmark()

wanted = ProblemFilter(
    tuple(name for name in NamedFilter if name.value in st.query_params.get_all("in")),
    st.query_params.get("find", ""),
)
with states.reported():
    summary = data.summary(run, frame.undefined())
    listed = problem_table(summary, wanted, data.search(summary, wanted.text)).task_ids()
    task_id = choose_problem(listed, tuple(summary.problems["task_id"]))
    view = open_problem(run.name, run.label, run.folder, task_id)

heading, steps = st.columns([3, 2], vertical_alignment="bottom")
with heading:
    st.title(states.plain(task_id), anchor=False)
with steps:
    stepper(listed, task_id, wanted)

st.markdown(f"**{states.plain(run.label)}**: {states.plain(explain(view))}")

prompt, order = st.columns([1, 1], gap="medium")
with prompt:
    st.markdown("##### Prompt")
    st.code(
        view.problem.prompt,
        language="python" if view.problem.entry_point else None,
        height=view.prompt_height,
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


def solutions_side_by_side(view: ProblemView) -> None:
    """Two solutions of the problem as a diff."""
    ids = [solution.id for solution in view.solutions]
    left, right = st.columns(2)
    one = left.selectbox("Left", ids, key="left", bind="query-params")
    two = right.selectbox("Right", ids, index=min(1, len(ids) - 1), key="right", bind="query-params")
    old, new = view.solution(one), view.solution(two)
    if old is not None and new is not None:
        listing(side_by_side(old.id, old.code, new.id, new.code), key="solutions-diff")


def raw_answer(view: ProblemView) -> None:
    """What the verifier answered, and what of it could not be read."""
    if view.suite.unparsed:
        st.caption(f"{len(view.suite.unparsed)} pieces of the answer could not be read as a test:")
        st.dataframe(
            [{"text": text, "reason": reason} for text, reason in view.suite.unparsed], hide_index=True
        )
    if view.suite.response is None:
        st.caption("The tests file has no raw answer for this problem.")
    else:
        st.code(view.suite.response, language=None, wrap_lines=True, height=400)


compare_tab, answer_tab = st.tabs(["Solutions side by side", "Raw answer"], key="detail", on_change="rerun")
if compare_tab.open:
    with compare_tab:
        solutions_side_by_side(view)
if answer_tab.open:
    with answer_tab:
        raw_answer(view)
