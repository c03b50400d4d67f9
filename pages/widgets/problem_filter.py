"""The filter of the list of problems: its widgets, and its form in the URL of the other pages."""

from __future__ import annotations

import streamlit as st

from core.views.problems import FILTER_HELP, RANGED, NamedFilter, ProblemFilter, Range
from pages.widgets.states import plain

_STEPS = {"n_invalid_tests": 1.0}
_ENDS = ("min", "max")


def filter_controls(label: str) -> ProblemFilter:
    """Draw the named filters, the search and the ranges of columns; all of it is in the URL."""
    filters, search = st.columns([3, 2], vertical_alignment="bottom")
    with filters:
        named = st.pills(
            f"Where {plain(label)} …",
            list(NamedFilter),
            selection_mode="multi",
            key="filter",
            bind="query-params",
            help="  \n".join(f"**{name.value}**: {text}" for name, text in FILTER_HELP.items()),
        )
    with search:
        text = st.text_input(
            "Search",
            placeholder="text in a prompt, a solution or a test",
            key="q",
            bind="query-params",
            icon=":material/search:",
        )
    given = [_bound(column, end) for column in RANGED for end in _ENDS]
    with st.expander("Only values between", icon=":material/tune:", expanded=any(given), key="ranges"):
        ranges = [
            _range(column, name, place)
            for (column, name), place in zip(RANGED.items(), st.columns(len(RANGED)), strict=True)
        ]
    return ProblemFilter(tuple(named), text, tuple(part for part in ranges if part is not None))


def to_link(wanted: ProblemFilter) -> dict[str, str | list[str]]:
    """The filter as parameters of a link to the Problem page."""
    found: dict[str, str | list[str]] = {"in": [name.value for name in wanted.named], "find": wanted.text}
    for part in wanted.ranges:
        for end, value in (("min", part.low), ("max", part.high)):
            if value is not None:
                found[f"{part.column}_{end}"] = f"{value:g}"
    return found


def from_link() -> ProblemFilter:
    """The filter of a link to the Problem page."""
    ranges = [Range(column, _number(column, "min"), _number(column, "max")) for column in RANGED]
    return ProblemFilter(
        tuple(name for name in NamedFilter if name.value in st.query_params.get_all("in")),
        st.query_params.get("find", ""),
        tuple(part for part in ranges if (part.low, part.high) != (None, None)),
    )


def forget_filter() -> None:
    """Take the filter of the Problem page out of its link, and the cell."""
    for key in ("in", "find", "solution", "test", *(f"{column}_{end}" for column in RANGED for end in _ENDS)):
        st.query_params.pop(key, None)


def _range(column: str, name: str, place: st.delta_generator.DeltaGenerator) -> Range | None:
    with place:
        low, high = (
            st.number_input(
                f"{name}, {words}",
                value=None,
                step=_STEPS.get(column, 0.05),
                key=f"{column}_{end}",
                bind="query-params",
                placeholder="any",
            )
            for end, words in (("min", "at least"), ("max", "at most"))
        )
    return None if low is None and high is None else Range(column, low, high)


def _bound(column: str, end: str) -> bool:
    """Whether the link or the widget sets an end of a range."""
    return f"{column}_{end}" in st.query_params or st.session_state.get(f"{column}_{end}") is not None


def _number(column: str, end: str) -> float | None:
    try:
        return float(st.query_params.get(f"{column}_{end}", ""))
    except ValueError:
        return None
