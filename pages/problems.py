"""Problems: every problem of the verifier in focus, filtered and searched; a row opens the problem."""

from __future__ import annotations

import streamlit as st

from core.metrics import GLOSSARY
from core.views.problems import ProblemFilter, problem_csv, problem_table
from core.words import quantity
from pages.widgets import data, frame, scope, states
from pages.widgets.problem_filter import filter_controls, to_link
from pages.widgets.problem_link import chosen_row, go_to_problem

frame.enter("pages/problems.py")
st.title("Problems", anchor=False)
run = states.need_verifier()
with states.reported():
    summary = data.summary(run, scope.undefined())

everything = problem_table(summary, ProblemFilter(), None)
wanted = filter_controls(run.label)
with states.reported():
    table = problem_table(summary, wanted, data.search(summary, wanted.text))

counts = " · ".join(f"{name.value} {count:,}" for name, count in everything.counts.items())
st.caption(
    f"{counts}  \n{len(table.rows):,} of {quantity(table.total, 'problem')}. Click one to open it, "
    "a head to sort. Shares are of all cells (a solution under a test)."
)
if table.rows.empty:
    st.info("No problem passes these filters. Remove one, or search for something else.")
    st.stop()

share = {"format": "%.0f%%", "min_value": 0.0, "max_value": 100.0, "width": 100}
chosen = st.dataframe(
    table.rows,
    hide_index=True,
    height="content" if len(table.rows) < 15 else 600,
    placeholder="",
    lazy=False,
    on_select="rerun",
    selection_mode="single-cell",
    key=f"problems-{wanted}",
    alt="Problems of the verifier in focus",
    column_config={
        "task_id": st.column_config.TextColumn("Problem"),
        "top1": st.column_config.NumberColumn("Top-1", format="%.3f", help=GLOSSARY["top1"].help()),
        "spearman": st.column_config.NumberColumn(
            "Spearman", format="%.3f", help=f"{GLOSSARY['spearman'].help()} Empty where undefined."
        ),
        "mae": st.column_config.NumberColumn("MAE", format="%.3f", help=GLOSSARY["mae"].help()),
        "n_tests": st.column_config.NumberColumn("Tests"),
        "n_invalid_tests": st.column_config.NumberColumn(
            "Invalid", help="Tests that fail a solution known to be right"
        ),
        "n_solutions": st.column_config.NumberColumn("Solutions"),
        "passed": st.column_config.ProgressColumn("Passed (P)", **share),
        "assertion_failed": st.column_config.ProgressColumn("Assertion (F)", **share),
        "other_errors": st.column_config.ProgressColumn(
            "Error (ETMOC)",
            help="Runtime error, time, memory or output limit, or a program that does not compile",
            **share,
        ),
        "no_verdict": st.column_config.NumberColumn("No verdict (I)", format="%.0f%%"),
        "reference_spread": st.column_config.NumberColumn(
            "Spread", format="%.2f", help="Highest minus lowest reference score"
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
    go_to_problem(table.rows["task_id"][row], to_link(wanted))
