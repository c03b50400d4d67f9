"""What each test of the verifier in focus is worth, worst first; a row opens the cell to look at."""

from __future__ import annotations

import streamlit as st

from core.views.catalog import RunEntry
from core.views.diagnostics import Diagnosis, column_help, diagnose, diagnosis_chart
from pages.widgets.chart import show_chart
from pages.widgets.measured import kept, key_of, progress, wanted
from pages.widgets.problem_link import chosen_row, go_to_problem
from pages.widgets.states import plain, reported

_SHOWN = 2_000


def tests_panel(run: RunEntry) -> None:
    """Counts, the table and the scatter."""
    if not run.manifest.n_cells:
        st.info(f"{plain(run.label)} ran no tests. Choose another verifier in the sidebar.")
        return
    key = key_of(run, "tests")
    if not wanted(run, "single tests", key):
        return
    with reported(), progress("Problems read") as report:
        found = kept(key, lambda: diagnose(run.folder, report))
    _counts(found)
    chart, table = st.columns([2, 3], gap="medium")
    with chart:
        show_chart(diagnosis_chart(found, run.label), key="tests-scatter", where=run.label, height=460)
    with table:
        _table(found, run)


def _counts(found: Diagnosis) -> None:
    total = len(found.tests)
    figures = (
        ("Tests", total, "Of the verifier in focus, over all problems."),
        ("Invalid", found.n_invalid, "They fail a solution that is known to be right."),
        ("Misleading", found.n_misleading, "Valid, but passed more by worse solutions (discrimination < 0)."),
        ("Separate nothing", found.n_useless, "Every solution passes them, or none does."),
        ("Repeat another", found.n_spare, "Same verdicts as an earlier test of the same problem."),
    )
    for column, (name, count, text) in zip(st.columns(len(figures)), figures, strict=True):
        share = count / total if total else 0.0
        said = "<1%" if 0 < share < 0.005 else f"{share:.0%}"
        part = "" if name == "Tests" or not total else f" · {said}"
        column.metric(name, f"{count:,}{part}", help=text, border=True)


def _table(found: Diagnosis, run: RunEntry) -> None:
    shown = found.tests.head(_SHOWN)
    words = column_help()
    event = st.dataframe(
        shown,
        hide_index=True,
        height=460,
        placeholder="",
        on_select="rerun",
        selection_mode="single-cell",
        key=f"tests-table-{run.name}",
        alt="Tests of the verifier in focus, worst first",
        column_order=["task_id", "test", "fault", "discrimination", "pass_rate", "alike", "source"],
        column_config={
            "task_id": st.column_config.TextColumn("Problem"),
            "test": st.column_config.NumberColumn("Test", width=50),
            "fault": st.column_config.TextColumn("Fault", width=125, help=words["fault"]),
            "discrimination": st.column_config.NumberColumn(
                "Discrim.", format="%.2f", width=70, help=words["discrimination"]
            ),
            "pass_rate": st.column_config.NumberColumn(
                "Pass rate", format="percent", width=75, help=words["pass_rate"]
            ),
            "alike": st.column_config.NumberColumn("Alike", width=50, help=words["alike"]),
            "source": st.column_config.TextColumn("Test's source", width="large"),
        },
    )
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        cut = f"The worst {len(shown):,} of {len(found.tests):,}" if len(shown) < len(found.tests) else "All"
        st.caption(f"{cut} tests, worst first. Click one to see it in its matrix.", width="stretch")
        st.download_button(
            "CSV",
            data=found.to_csv,
            file_name="tests.csv",
            mime="text/csv",
            on_click="ignore",
            key="tests-csv",
            icon=":material/download:",
            type="tertiary",
            help="All tests with their numbers.",
        )
    if (row := chosen_row(event)) is not None:
        picked = shown.iloc[row]
        go_to_problem(
            picked["task_id"],
            {"verifier": run.label, "solution": picked["solution_id"], "test": str(picked["test"])},
        )
