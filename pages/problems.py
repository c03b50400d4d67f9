"""Problems: every problem of the verifier in focus, filtered and searched; a row opens the problem."""

from __future__ import annotations

import streamlit as st

from core.views.problems import FILTER_HELP, NamedFilter, ProblemFilter, problem_csv, problem_table
from pages.widgets import data, frame, states
from pages.widgets.problem_link import chosen_row, go_to_problem

frame.enter("pages/problems.py")
run = states.need_verifier()
st.title("Problems")
with states.reported():
    summary = data.summary(run, frame.undefined())

everything = problem_table(summary, ProblemFilter(), None)
filters, search = st.columns([3, 2], vertical_alignment="bottom")
with filters:
    named = st.pills(
        f"Where {states.plain(run.label)} …",
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
with states.reported():
    table = problem_table(summary, ProblemFilter(tuple(named), text), data.search(summary, text))

counts = " · ".join(f"{name.value} {count:,}" for name, count in everything.counts.items())
st.caption(
    f"{counts}  \n{len(table.rows):,} of {table.total:,} problems. Click one to open it, a head to sort. "
    "Shares are of all cells (a solution under a test)."
)
if table.rows.empty:
    st.info("No problem passes these filters. Remove one, or search for something else.")
    st.stop()

share = {"format": "%.0f%%", "min_value": 0.0, "max_value": 100.0, "width": 120}
chosen = st.dataframe(
    table.rows,
    hide_index=True,
    height="content" if len(table.rows) < 15 else 600,
    placeholder="",
    lazy=False,
    on_select="rerun",
    selection_mode="single-cell",
    key="problems",
    alt="Problems of the verifier in focus",
    column_config={
        "task_id": st.column_config.TextColumn("Problem", pinned=True),
        "top1": st.column_config.NumberColumn(
            "Top-1", format="%.2f", help="1: the verifier's best is the reference best; a fraction: tied"
        ),
        "spearman": st.column_config.NumberColumn("Spearman", format="%.2f", help="Empty where undefined"),
        "mae": st.column_config.NumberColumn("MAE", format="%.3f"),
        "n_tests": st.column_config.NumberColumn("Tests"),
        "n_invalid_tests": st.column_config.NumberColumn(
            "Invalid", help="Tests that fail a solution known to be right"
        ),
        "n_solutions": st.column_config.NumberColumn("Solutions"),
        "passed": st.column_config.ProgressColumn("Passed (P)", **share),
        "assertion_failed": st.column_config.ProgressColumn("Assertion (F)", **share),
        "other_errors": st.column_config.ProgressColumn("Other (E T M O C)", **share),
        "no_verdict": st.column_config.NumberColumn("No verdict (I)", format="%.0f%%"),
        "reference_spread": st.column_config.NumberColumn(
            "Spread", format="%.2f", help="Highest less lowest reference score"
        ),
        "best_tie": st.column_config.NumberColumn(
            "Tied best", help="Solutions that share the verifier's best score"
        ),
    },
)
st.download_button(
    "CSV",
    data=lambda: problem_csv(table),
    file_name="problems.csv",
    mime="text/csv",
    on_click="ignore",
    icon=":material/download:",
)
if (row := chosen_row(chosen)) is not None:
    go_to_problem(table.rows["task_id"][row], {"in": [name.value for name in named], "find": text})
