"""Verifiers: the leaderboard, two verifiers compared, suite size, single tests, smaller suites."""

from __future__ import annotations

import streamlit as st

from core.metrics import MARKED
from core.views.published import SOURCE, published_benchmarks, published_rows
from core.views.verifiers import leaderboard
from pages.widgets import data, frame, scope, states
from pages.widgets.comparison_panel import comparison_panel
from pages.widgets.components import leaderboard_table
from pages.widgets.curves_panel import curves_panel
from pages.widgets.studies_panel import studies_panel
from pages.widgets.subset_panel import subset_panel
from pages.widgets.tests_panel import tests_panel

SECTIONS = ("Two compared", "How many tests", "Single tests", "Fewer tests", "More studies")

frame.enter("pages/verifiers.py")
benchmark = states.need_benchmark("Verifiers")
focus = states.need_verifier("Verifiers")
heading, choice = st.columns([3, 1], vertical_alignment="bottom")
heading.title("Verifiers", anchor=False)
published = choice.selectbox(
    "Published results beside",
    published_benchmarks(),
    index=None,
    key="published",
    bind="query-params",
    placeholder="none",
    help=f"Results that {SOURCE} prints for its own benchmarks. They are not runs of yours: compare them "
    "only with a benchmark of the same kind.",
)
with states.reported():
    summaries = {run.label: data.summary(run, scope.undefined()) for run in benchmark.runs}

st.markdown(
    "How well each verifier's scores agree with the reference. Under a value: where it lies on the scale of "
    "its head, better to the right, its 95% CI (bootstrap over problems), and the n problems that went in. "
    f"● marks the best of those {MARKED}; hover over a head for its definition and tie rule."
)
board = (
    leaderboard(list(summaries.values()), published_rows(published), f"Published for {published} in {SOURCE}")
    if published
    else leaderboard(list(summaries.values()))
)
leaderboard_table(board, key="leaderboard")
st.caption(scope.undefined_note())

names = [row.label for row in board.rows]
compare, curves, tests, fewer, more = st.tabs(SECTIONS, key="section", on_change="rerun", bind="query-params")
if compare.open:
    with compare:
        comparison_panel(summaries, names, focus.label)
if curves.open:
    with curves:
        curves_panel(benchmark.runs, names, benchmark.name, published)
if tests.open:
    with tests:
        tests_panel(focus)
if fewer.open:
    with fewer:
        subset_panel(summaries[focus.label])
if more.open:
    with more:
        studies_panel(benchmark.runs, focus)
