"""Fewer tests: the smallest suites that keep the ranking, and what they save."""

from __future__ import annotations

import streamlit as st

from core.metrics import GLOSSARY
from core.views.reduction import Reduction, reduce_suites, reduced_jsonl, reduction_chart
from core.views.runs import RunSummary
from pages.widgets import scope
from pages.widgets.chart import show_chart
from pages.widgets.measured import kept, key_of, progress, wanted
from pages.widgets.problem_link import chosen_row, go_to_problem
from pages.widgets.states import need_verifier, plain, reported


def subset_panel(summary: RunSummary) -> None:
    """Choose how much of the ranking to keep, and see what it costs."""
    run = need_verifier()
    if not run.manifest.n_cells:
        st.info(f"{plain(run.label)} ran no tests. Choose another verifier in the sidebar.")
        return
    keep = st.segmented_control(
        "Pairs of solutions that must stay in order",
        [1.0, 0.99, 0.95, 0.9],
        format_func=lambda share: f"{share:.0%}",
        default=1.0,
        required=True,
        key="keep",
        bind="query-params",
        help="At 100% every ranking stays as it is, ties included. Below that, a problem's subset may "
        "confuse the rest of its pairs.",
    )
    key = key_of(run, "subset", keep, scope.undefined())
    if not wanted(run, "small suites", key):
        return
    with reported(), progress("Problems reduced") as report:
        found = kept(
            key, lambda: reduce_suites(summary, float(keep), undefined=scope.undefined(), report=report)
        )
    _savings(found, summary)
    chart, table = st.columns([1, 1], gap="medium")
    with chart:
        show_chart(reduction_chart(found, run.label), key="subset-chart", where=run.label, height=360)
    with table:
        _table(found, run.label)
    st.download_button(
        "Download the small suites as a tests file",
        data=lambda: reduced_jsonl(run.folder, found),
        file_name="small-suites.jsonl",
        mime="application/jsonl",
        on_click="ignore",
        icon=":material/download:",
    )


def _savings(found: Reduction, summary: RunSummary) -> None:
    dropped = 1 - found.n_kept / max(1, found.n_tests)
    before = summary.evaluation.metrics
    top1, mae = GLOSSARY["top1"], GLOSSARY["mae"]
    figures = (
        ("Tests kept", f"{found.n_kept:,}", f"Of {found.n_tests:,}."),
        ("Tests saved", f"{dropped:.0%}", f"{found.cells_saved:,} cells need not be run."),
        (
            "Time saved",
            f"{found.seconds_saved:,.1f} s",
            f"Of {found.seconds:,.1f} s spent in tests, added up over all workers.",
        ),
        ("Top-1", f"{before['top1'].value:.3f} → {found.metrics['top1']:.3f}", top1.help()),
        ("MAE", f"{before['mae'].value:.3f} → {found.metrics['mae']:.3f}", mae.help()),
    )
    for column, (name, value, text) in zip(st.columns([2, 2, 2, 3, 3]), figures, strict=True):
        column.metric(name, value, help=text, border=True)


def _table(found: Reduction, label: str) -> None:
    event = st.dataframe(
        found.problems,
        hide_index=True,
        height=360,
        placeholder="",
        on_select="rerun",
        selection_mode="single-cell",
        key=f"subset-table-{label}-{found.keep}",
        alt="Tests that each problem keeps",
        column_config={
            "task_id": st.column_config.TextColumn("Problem"),
            "n_tests": st.column_config.NumberColumn("Tests"),
            "n_kept": st.column_config.NumberColumn("Kept"),
            "kept": st.column_config.NumberColumn(
                "In order", format="percent", help="Pairs of solutions that stay in the whole suite's order."
            ),
            "tests": st.column_config.TextColumn("Which", help="Numbers of the tests that are kept."),
        },
    )
    if (row := chosen_row(event)) is not None:
        go_to_problem(found.problems["task_id"][row], {"verifier": label})
