"""The pass matrix with its controls, and what is known of the selected cell."""

from __future__ import annotations

import streamlit as st

from core.views.code import listing as code_listing
from core.views.code import value_diff
from core.views.pass_matrix import ColumnOrder, RowOrder, arrange
from core.views.problem import CellView, ProblemView, cell
from core.views.why import telling_cell
from pages.widgets.components import listing
from pages.widgets.pass_matrix import pass_matrix
from pages.widgets.states import plain

_NO_CELL = "none"


@st.fragment
def matrix_panel(view: ProblemView) -> None:
    """Draw the matrix of a problem, and the selected cell under it."""
    if view.matrix is None or not view.suite.tests:
        st.info("This verifier ran no tests on this problem: there is no pass matrix.")
        return
    rows, columns, fold = _controls()
    arranged = arrange(
        view.matrix,
        view.solutions,
        view.scores,
        view.tests(),
        score_name=view.label,
        rows=rows,
        columns=columns,
        fold=fold,
        in_process=view.in_process,
    )
    before = None if st.query_params.get("test") == _NO_CELL else _from_url() or telling_cell(view)
    selected = pass_matrix(arranged, before, key=f"matrix-{view.run}-{view.problem.task_id}")
    if selected != before:
        _to_url(selected)
    found = cell(view, *selected) if selected else None
    if found is None:
        st.caption("Click a cell, or move with the arrow keys, to see what happened there.")
    else:
        _cell(found)


def _controls() -> tuple[RowOrder, ColumnOrder, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        rows = st.segmented_control(
            "Sort rows by",
            list(RowOrder),
            default=RowOrder.REFERENCE,
            required=True,
            key="rows",
            bind="query-params",
        )
        columns = st.segmented_control(
            "Sort columns by",
            list(ColumnOrder),
            default=ColumnOrder.SUITE,
            required=True,
            key="columns",
            bind="query-params",
        )
        fold = st.toggle("Fold identical columns", key="fold", bind="query-params")
    return RowOrder(rows), ColumnOrder(columns), fold


def _cell(found: CellView) -> None:
    test, code = st.columns([1, 1], gap="medium")
    with test:
        st.markdown(
            f"**{found.style.letter} {found.style.name}** · {plain(found.solution.id)} "
            f"under test {found.test_index + 1}",
            help=found.style.help,
        )
        st.code(found.test, language="python", wrap_lines=True)
        if found.message:
            st.caption(plain(found.message))
        if found.actual or found.expected:
            listing(value_diff(found.expected, found.actual), key="values", wrapped=True)
        if found.stdout:
            st.caption("Printed output (its end)")
            st.code(found.stdout, language=None, height=150)
        st.caption("Time unknown" if found.seconds is None else f"Took {found.seconds:.3f} s")
        if found.in_process:
            st.warning(
                "Judged in the program's own process: this verdict could have been tampered with.",
                icon=":material/gpp_maybe:",
            )
    with code:
        score = found.solution.reference_score
        known = "unknown" if score is None else f"{score:.2f}"
        source = "" if found.solution.source in {"", found.solution.id} else f" · {found.solution.source}"
        title = f"{found.solution.id}{source} · reference score {known}"
        listing([code_listing(title, found.solution.code, found.line)], key="code")


def _from_url() -> tuple[str, int] | None:
    solution, test = st.query_params.get("solution"), st.query_params.get("test", "")
    return (solution, int(test) - 1) if solution and test.isdecimal() else None


def _to_url(selected: tuple[str, int] | None) -> None:
    if selected is None:
        st.query_params.pop("solution", None)
        st.query_params["test"] = _NO_CELL
    else:
        st.query_params.update({"solution": selected[0], "test": str(selected[1] + 1)})
