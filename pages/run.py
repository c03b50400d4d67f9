"""Run: a verifier's tests on every solution of the selected benchmark, as a job."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.jobs import JobError
from core.views import work
from core.views.work import Backend, RunRequest
from pages.widgets import data, frame, states, uploads
from pages.widgets.job_panel import job_panel
from pages.widgets.load_panel import FILE_TYPES, report_panel
from pages.widgets.states import plain

frame.enter("pages/run.py")
st.title("Run a verifier's tests", anchor=False)
benchmark = states.need_benchmark()
job_panel(done=True)


def choose_tests() -> Path | None:
    """The tests file: an upload, or one that is there already."""
    kept = {path.name: path for path in sorted(data.workspace().tests_dir.glob("*")) if path.is_file()}
    if kept and st.segmented_control("Tests", ["Upload", "Kept here"], default="Upload", required=True) == (
        "Kept here"
    ):
        return kept.get(st.selectbox("Tests file", list(kept)) or "")
    file = st.file_uploader(
        "A verifier's tests as JSONL: `task_id` with `tests`, `test` or a raw `response`",
        FILE_TYPES,
        key="tests-upload",
    )
    return uploads.kept(file) if file else None


def choose_backend() -> str:
    """The backend, with what it guarantees here and what it does not."""
    found = {"auto": None} | {backend.name: backend for backend in data.backends()}
    name = st.selectbox("Backend", list(found), help="What keeps the programs away from this machine.")
    chosen = found[name] or next((backend for backend in data.backends() if backend.works), None)
    if chosen is None:
        st.error("No backend works on this machine.")
    else:
        with st.expander(f"What {plain(chosen.name)} guarantees here", icon=guarantee_icon(chosen)):
            st.markdown("\n".join(f"- {plain(text)}" for text in chosen.guarantees))
            if chosen.missing:
                st.markdown("Not guaranteed:\n" + "\n".join(f"- {plain(text)}" for text in chosen.missing))
    return name


def guarantee_icon(backend: Backend) -> str:
    """A shield where code that means harm may be run, a warning where it may not."""
    return ":material/verified_user:" if backend.full else ":material/gpp_maybe:"


if benchmark.file is None:
    st.info(
        f"The file of {plain(benchmark.name)} is not in the data folder, only runs on it. "
        "Load the benchmark on the Overview to run more verifiers."
    )
    st.stop()

tests_column, limits_column = st.columns([3, 2], gap="large")
with tests_column:
    st.markdown(f"##### 1 · The tests, for {plain(benchmark.name)}")
    tests = choose_tests()
    report = None
    if tests is not None:
        report = uploads.checked(tests, benchmark.file)
        report_panel(report)
with limits_column:
    st.markdown("##### 2 · Where and within which limits")
    backend = choose_backend()
    left, right = st.columns(2)
    timeout = left.number_input("Seconds per test", 0.1, 600.0, 3.0, 0.5, help="Wall time of one test.")
    memory = right.number_input("Memory, MiB", 64, 65_536, 1024, 64, help="Address space of one program.")
    workers = left.number_input(
        "Workers", 1, 256, None, placeholder="one per core", help="Programs that run at once."
    )
    stem = tests.name.split(".")[0] if tests else ""
    typed = right.text_input("Verifier's name", key="run-name", placeholder=stem or "my verifier")
    name = typed.strip() or stem

st.markdown("##### 3 · Start")
ready = report is not None and report.usable
if st.button("Start the run", type="primary", disabled=not ready, icon=":material/play_arrow:") and tests:
    try:
        allowed = data.backend_for(backend)
        request = RunRequest(benchmark.file, tests, name, allowed, timeout, int(memory), workers)
        started = work.start_run(data.workspace(), request)
    except JobError as error:
        st.error("The run could not be started:")
        st.text(str(error))
    else:
        st.toast(f"{plain(started)} is running; it goes on when this page is closed.")
        st.rerun()
if not ready:
    st.caption("Give a tests file with at least one good row first.")
