"""Starting a hunt: pairs, answers, and how they are run; the same job as on the command line."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.jobs import JobError
from core.views import work
from core.views.work import HuntRequest
from pages.widgets import data, uploads
from pages.widgets.load_panel import FILE_TYPES
from pages.widgets.states import plain

_HERE, _UPLOAD, _OFFLINE, _SAME = "From a benchmark here", "Upload", "Without a model", "In the file of pairs"
_KINDS = {"harness": "Harnesses", "io": "Inputs and outputs"}


def hunt_start() -> None:
    """Draw the form; a started hunt shows up among the jobs."""
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("##### 1 · Pairs of programs")
        pairs = _pairs()
    with right:
        st.markdown("##### 2 · Answers about them")
        kind = str(
            st.segmented_control(
                "What they are",
                list(_KINDS),
                format_func=_KINDS.__getitem__,
                default="harness",
                required=True,
            )
        )
        answers = _answers(pairs)
    st.markdown("##### 3 · How they are run")
    request = _options(pairs, answers, kind)
    ready = pairs is not None and answers is not None
    if (
        st.button("Start the hunt", type="primary", disabled=not ready, icon=":material/bug_report:")
        and request
    ):
        try:
            started = work.start_hunt(data.workspace(), request)
        except JobError as error:
            st.error("The hunt could not be started:")
            st.text(str(error))
        else:
            st.toast(f"{plain(started)} is running; it goes on when this page is closed.")
            st.rerun()
    if not ready:
        st.caption("Choose pairs and answers first.")


def _pairs() -> Path | None:
    files = {path.stem: path for path in data.workspace().benchmark_files()}
    options = [_HERE, _UPLOAD] if files else [_UPLOAD]
    how = st.segmented_control(
        "Pairs", options, default=options[0], required=True, label_visibility="collapsed"
    )
    if how == _HERE:
        st.caption("Good: the reference solution. Buggy: the two that pass most tests, but not all.")
        return files.get(st.selectbox("Benchmark", list(files), key="hunt-benchmark") or "")
    file = st.file_uploader(
        "`pair_id`, `description`, `kind`, `good`, `buggy`, `entry_point`; or HarnessLLM's rows",
        FILE_TYPES,
        key="hunt-pairs",
    )
    return uploads.kept(file) if file else None


def _answers(pairs: Path | None) -> str | None:
    how = st.segmented_control(
        "Answers", [_OFFLINE, _UPLOAD, _SAME], default=_OFFLINE, required=True, label_visibility="collapsed"
    )
    if how == _OFFLINE:
        st.caption("Inputs and checks from each problem's types, examples and names: a baseline.")
        return "offline"
    if how == _SAME:
        st.caption("HarnessLLM's rows may hold the answers beside the programs, as `testcase`.")
        return str(pairs) if pairs else None
    file = st.file_uploader(
        "`pair_id` with `answers`, or what `generate harness` wrote", FILE_TYPES, key="hunt-answers"
    )
    return str(uploads.kept(file)) if file else None


def _options(pairs: Path | None, answers: str | None, kind: str) -> HuntRequest | None:
    one, two, three, four, five = st.columns([2, 2, 2, 2, 3], vertical_alignment="bottom")
    first = one.number_input(
        "First inputs only", 1, 100, None, placeholder="all", help="Of each answer; the paper takes 5 or 1."
    )
    repeat = two.number_input(
        "Runs of generators",
        1,
        20,
        1,
        disabled=kind != "harness",
        help="Each time with other seeds: more inputs of the same kind.",
    )
    seed = three.number_input("Seed", 0, 2**31 - 1, 42)
    backend = four.selectbox("Backend", ["auto", *(found.name for found in data.backends() if found.works)])
    typed = five.text_input("Name", placeholder="hunt", key="hunt-name")
    if pairs is None or answers is None:
        return None
    try:
        allowed = data.backend_for(backend)
    except JobError as error:
        st.text(str(error))
        return None
    return HuntRequest(
        pairs,
        answers,
        kind,
        typed.strip() or f"{pairs.name.split('.')[0]}-{kind}",
        int(first) if first else None,
        int(repeat) if kind == "harness" else 1,
        int(seed),
        allowed,
    )
