"""Two things of a problem beside each other, and the verifier's raw answer."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.views.beside import Beside, reference_beside, solutions_beside, suites_beside
from core.views.catalog import RunEntry
from core.views.problem import ProblemView, open_problem
from core.words import quantity
from pages.widgets.components import listing
from pages.widgets.states import plain, reported


def beside_panel(view: ProblemView, runs: Sequence[RunEntry]) -> None:
    """Choose what stands beside what, and draw the diff."""
    what = st.segmented_control(
        "Beside each other",
        list(Beside),
        default=Beside.SOLUTIONS,
        required=True,
        key="what",
        bind="query-params",
        label_visibility="collapsed",
    )
    if what == Beside.SUITES:
        _suites(view, runs)
    else:
        _solutions(view, Beside(what))


def answer_panel(view: ProblemView) -> None:
    """What the verifier answered, and what of it could not be read."""
    if view.suite.unparsed:
        st.caption(f"{len(view.suite.unparsed)} pieces of the answer could not be read as a test:")
        st.dataframe(
            [{"text": text, "reason": reason} for text, reason in view.suite.unparsed],
            hide_index=True,
            alt="Pieces of the answer that could not be read, and why",
        )
    if view.suite.response is None:
        st.caption("The tests file has no raw answer for this problem.")
    else:
        st.code(view.suite.response, language=None, wrap_lines=True, height=400)


def _solutions(view: ProblemView, what: Beside) -> None:
    ids = [solution.id for solution in view.solutions]
    second = min(1, len(ids) - 1)
    if what is Beside.SOLUTIONS:
        left, right = st.columns(2)
        one = left.selectbox("Left", ids, key="left", bind="query-params")
        two = right.selectbox("Right", ids, index=second, key="right", bind="query-params")
        panes = solutions_beside(view, one, two)
    else:
        one = st.selectbox("Solution", ids, index=second, key="right", bind="query-params")
        panes = reference_beside(view, one)
    if panes is None:
        st.info("The file gives no reference solution for this problem.")
    else:
        listing(panes, key="solutions-diff")


def _suites(view: ProblemView, runs: Sequence[RunEntry]) -> None:
    others = {run.label: run for run in runs if run.label != view.label and run.manifest.n_tests}
    if not others or not view.suite.tests:
        st.info("Two verifiers with tests for this problem are needed to compare their suites.")
        return
    name = st.selectbox("The other verifier", list(others), key="suite", bind="query-params")
    run = others[name]
    with reported():
        other = open_problem(run.name, run.label, run.folder, view.problem.task_id)
    found = suites_beside(view.label, view.suite, other.label, other.suite)
    st.caption(
        f"{quantity(found.shared, 'test')} in both, {found.left_only} only of {plain(view.label)}, "
        f"{found.right_only} only of {plain(other.label)}. Numbers are those of the tests."
    )
    listing(found.panes, key="suites-diff")
