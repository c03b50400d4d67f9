"""Going to a problem: from a row of a table, and from one problem to the next of a filtered list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import streamlit as st

from core.views.problems import ProblemFilter
from core.words import quantity
from pages.widgets.problem_filter import forget_filter
from pages.widgets.states import plain

_LAST = "last problem"


def chosen_row(event: Any) -> int | None:
    """The row of the cell that was clicked in a table."""
    cells = event["selection"]["cells"]
    return int(cells[0][0]) if cells else None


def go_to_problem(task_id: str, parameters: Mapping[str, str | Sequence[str]]) -> NoReturn:
    """Open a problem; the benchmark and the verifier in focus stay as they are."""
    kept = {key: value for key, value in parameters.items() if value}
    st.switch_page("pages/problem.py", query_params={"problem": task_id, **kept})


def choose_problem(listed: Sequence[str], everything: Sequence[str]) -> str:
    """The problem of the link, else the last one looked at, else the first; the URL names it."""
    for wanted in (st.query_params.get("problem"), st.session_state.get(_LAST)):
        if wanted in everything:
            break
    else:
        if st.query_params.get("problem"):
            st.warning(f"This run has no problem {plain(st.query_params['problem'])}; this is the first one.")
        wanted = (listed or everything)[0]
    if st.query_params.get("problem") != wanted:
        st.query_params["problem"] = wanted
    st.session_state[_LAST] = wanted
    return str(wanted)


def stepper(listed: Sequence[str], task_id: str, wanted: ProblemFilter) -> None:
    """Buttons (and keys) to the previous and the next problem of the filtered list."""
    place = listed.index(task_id) if task_id in listed else None
    before = listed[place - 1] if place else None
    after = listed[place + 1] if place is not None and place + 1 < len(listed) else None
    within = ", ".join(wanted.words())
    with st.container(
        horizontal=True, horizontal_alignment="right", vertical_alignment="center", key="stepper"
    ):
        where = f"{place + 1:,} of {len(listed):,}" if place is not None else "outside the filter"
        st.caption(plain(f"{where} ({within})" if within else where), width="content")
        st.button(
            "Previous",
            shortcut="K",
            disabled=before is None,
            on_click=_show,
            args=(before,),
            icon=":material/arrow_back:",
        )
        st.button(
            "Next",
            shortcut="J",
            disabled=after is None,
            on_click=_show,
            args=(after,),
            icon=":material/arrow_forward:",
        )


def outside(label: str, listed: Sequence[str], wanted: ProblemFilter) -> None:
    """Say that the problem on show is not one that the filter keeps, and lead back."""
    within = plain(", ".join(wanted.words()))
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        if listed:
            st.markdown(
                f"The filter ({within}) keeps {quantity(len(listed), 'problem')} of {plain(label)}, "
                "but not this one.",
                width="stretch",
            )
            st.button(f"Go to {plain(listed[0])}", on_click=_show, args=(listed[0],), key="into-filter")
        else:
            st.markdown(
                f"The filter ({within}) keeps no problem of {plain(label)}. This is one of all problems.",
                width="stretch",
            )
        st.button("Drop the filter", on_click=forget_filter, key="drop-filter")
        st.page_link("pages/problems.py", label="All problems", icon=":material/list_alt:", width="content")


def _show(task_id: str) -> None:
    for key in ("solution", "test"):
        st.query_params.pop(key, None)
    st.query_params["problem"] = task_id
