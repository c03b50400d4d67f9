"""Ways to bring something in: the demo, an upload, a path on the machine that runs the app."""

from __future__ import annotations

import streamlit as st

from core.errors import InputError
from core.jobs import JobError
from core.views import intake, work
from core.views.intake import Intake, Report
from core.views.serving import file_below
from core.words import plural, quantity
from pages.widgets import data, uploads
from pages.widgets.states import plain

_SCROLLS_FROM = 8
"""Rows with something to mend."""

FILE_TYPES = ["jsonl", "json", "gz", "zst", "parquet"]


def load_panel() -> None:
    """Three ways to bring something in, side by side, and the way to the fourth."""
    demo, upload, path = st.columns(3, gap="medium")
    with demo, st.container(border=True, height="stretch"):
        _demo()
    with upload, st.container(border=True, height="stretch"):
        _upload()
    with path, st.container(border=True, height="stretch"):
        _path()
    st.page_link(
        "pages/benchmark.py",
        label="Or build a benchmark from a data set of the Hugging Face hub",
        icon=":material/construction:",
    )


def report_panel(report: Report) -> None:
    """What validation found in a file: its format, its good rows, and what is wrong with the others."""
    if report.fatal:
        st.error("This file can't be used here:" if report.format else "This file can't be read:")
        st.text(report.fatal)
        return
    partial = f", {report.partial:,} more in part" if report.partial else ""
    rows = f"{quantity(report.rows, 'row')} {plural(report.rows, 'is', 'are')}"
    summary = f"{report.valid:,} of {rows} good{partial} · format {report.format}"
    (st.success if report.n_errors == 0 and report.usable else st.warning)(summary)
    if not report.usable and not report.n_errors:
        st.caption(f"Nothing in {plain(report.file)} can be used: see the notes.")
    if report.n_errors:
        used = "what is good is used" if report.usable else "nothing in it can be used as it is"
        things = quantity(report.n_errors, "thing")
        st.caption(f"{things} to mend in {plain(report.file)}; {used}.")
        height = "content" if report.n_errors < _SCROLLS_FROM else 300
        st.code(report.in_words(), language=None, wrap_lines=True, height=height)
    if report.warnings:
        notes = quantity(len(report.warnings), "note")
        with st.expander(f"{notes} on what was read"):
            st.text("\n".join(report.warnings))


def _demo() -> None:
    st.markdown("##### Build the demo")
    st.caption(
        "HumanEval's 164 problems with mutants of each reference solution, and four verifiers that need no "
        "model. About two minutes on two cores; it can be stopped and resumed."
    )
    problems = st.select_slider("Problems", [20, 50, 100, 164], value=164, key="demo-problems")
    building = work.demo_is_building(data.workspace())
    if st.button(
        "The demo is being built" if building else "Build the demo",
        type="primary",
        icon=":material/construction:",
        width="stretch",
        disabled=building,
        key="build-demo",
    ):
        try:
            work.start_demo(data.workspace(), int(problems), data.backend_for("auto"))
        except JobError as error:
            st.warning("The demo can't be built now:")
            st.text(str(error))
        else:
            st.rerun()


def _upload() -> None:
    st.markdown("##### Upload a file")
    st.caption(
        "A benchmark with scored solutions, or a verifier's tests: JSONL, JSON or Parquet, .gz or .zst."
    )
    file = st.file_uploader("File", FILE_TYPES, key="load-upload", label_visibility="collapsed")
    if file is not None:
        _show(uploads.taken_in(uploads.kept(file)))


def _path() -> None:
    st.markdown("##### Name a path")
    served = data.served()
    where = "in the data folder of this app" if served else "on the machine that runs Touchstone"
    st.caption(f"A file {where}; nothing is uploaded.")
    text = st.text_input(
        "Path",
        key="load-path",
        placeholder="uploads/benchmark.jsonl" if served else "/data/benchmark.jsonl",
        label_visibility="collapsed",
    )
    if not text:
        return
    try:
        path = file_below(data.workspace().root, text) if served else intake.named_path(text)
    except InputError as error:
        st.error("This path can't be used:")
        st.text(str(error))
    else:
        _show(uploads.taken_in(path))


def _show(found: Intake) -> None:
    report_panel(found.report)
    if found.saved is not None:
        st.caption(f"Kept as {plain(found.saved.name)} ({found.kind}). {plain(found.advice)}")
    elif found.advice:
        st.caption(plain(found.advice))
