"""What pages load, kept between reruns: the data folder, summaries of runs, text searches."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.benchmarks.records import report_file
from core.errors import InputError
from core.figures import Histogram
from core.model import Benchmark
from core.views import work
from core.views.benchmark import Built, read_built
from core.views.catalog import BenchmarkEntry, Catalog, RunEntry, read_catalog
from core.views.distributions import BenchmarkNumbers, numbers_of_file, numbers_of_run, score_chart
from core.views.generate import read_problems
from core.views.opened import changed
from core.views.overview import reference_tests as reference_tests_of
from core.views.problems import find_text
from core.views.runs import RunSummary, Undefined, summarise_run
from core.views.serving import is_served, isolating_backend
from core.views.verifiers import Comparison, compare_runs
from core.views.work import Backend
from core.words import quantity
from core.workspace import Workspace


def workspace() -> Workspace:
    """The data folder of this installation."""
    return Workspace.default()


def served() -> bool:
    """Whether others than the person at this machine can reach the app."""
    return is_served(st.get_option("server.address"))


def backend_for(name: str) -> str:
    """The backend to start with when `name` is asked for; JobError where it may not be used."""
    return isolating_backend(name, backends()) if served() else name


def catalog() -> Catalog:
    """The data folder as it is now."""
    return read_catalog(workspace())


def summary(run: RunEntry, undefined: Undefined) -> RunSummary:
    """A run's metrics and problems; StoreError if it can't be read."""
    cells, solutions = run.manifest.n_cells, run.manifest.n_solutions
    size = f"{quantity(solutions, 'solution')} and {quantity(cells, 'cell')}"
    words = f"Measuring a run of {size}; kept for the next time …"
    with st.spinner(words, show_time=True):
        return _summary(run.name, run.label, run.folder, undefined, changed(run.folder))


def comparison(first: RunSummary, second: RunSummary, undefined: Undefined) -> Comparison:
    """Two runs of one benchmark compared; StoreError if one can't be read."""
    key = (first.folder, first.label, second.folder, second.label)
    return _comparison(key, undefined, changed(first.folder), changed(second.folder), first, second)


def search(found: RunSummary, text: str) -> tuple[str, ...] | None:
    """The problems in which the text occurs; None for no text."""
    return _search(found.folder, text, changed(found.folder), found)


def benchmark_numbers(entry: BenchmarkEntry, undefined: Undefined) -> BenchmarkNumbers:
    """Sizes and reference scores of a benchmark, from a run on it, or from its file."""
    if entry.runs:
        run = entry.runs[0]
        return _run_numbers(entry.name, run.folder, changed(run.folder), summary(run, undefined))
    if entry.file is None:
        raise InputError(f"{entry.name} has neither a file nor a finished run")
    return _file_numbers(entry.name, entry.file, entry.file.stat().st_mtime_ns)


def reference_tests(entry: BenchmarkEntry) -> float | None:
    """Mean number of reference tests a problem, where the benchmark's file is here and not too large."""
    return _reference_tests(entry.file, entry.file.stat().st_mtime_ns) if entry.file else None


def scores_drawn(found: RunSummary) -> Histogram:
    """A verifier's scores beside the reference scores."""
    return _scores_drawn(found.folder, found.label, changed(found.folder), found)


def built(path: Path) -> Built:
    """A benchmark of the data folder with the report of its build; FormatError if it can't be read."""
    report = report_file(path)
    return _built(path, path.stat().st_mtime_ns, report.stat().st_mtime_ns if report.exists() else 0)


@st.cache_resource(max_entries=4, show_spinner="Reading the benchmark …", show_time=True)
def _built(path: Path, changed: int, reported: int) -> Built:  # noqa: ARG001
    return read_built(path)


def problems(source: str) -> Benchmark:
    """The problems of `humaneval` or of a file, with their solutions; InputError if there are none."""
    path = Path(source)
    return _problems(source, path.stat().st_mtime_ns if path.exists() else 0)


@st.cache_resource(max_entries=4, show_spinner="Reading the problems …", show_time=True)
def _problems(source: str, changed: int) -> Benchmark:  # noqa: ARG001
    return read_problems(source)


@st.cache_data(ttl=600, show_spinner="Trying the sandboxes of this machine …")
def backends() -> tuple[Backend, ...]:
    """What each sandbox guarantees on this machine."""
    return work.backends()


@st.cache_resource(max_entries=64, show_spinner=False)
def _summary(name: str, label: str, folder: Path, undefined: Undefined, changed: int) -> RunSummary:  # noqa: ARG001
    return summarise_run(name, label, folder, undefined=undefined)


@st.cache_resource(max_entries=32, show_spinner="Comparing the two on 2,000 resamples of the problems …")
def _comparison(
    key: tuple[Path, str, Path, str],  # noqa: ARG001
    undefined: Undefined,
    changed_first: int,  # noqa: ARG001
    changed_second: int,  # noqa: ARG001
    _first: RunSummary,
    _second: RunSummary,
) -> Comparison:
    return compare_runs(_first, _second, undefined=undefined)


@st.cache_data(max_entries=64, show_spinner="Searching prompts, solutions and tests …", show_time=True)
def _search(folder: Path, text: str, changed: int, _found: RunSummary) -> tuple[str, ...] | None:  # noqa: ARG001
    return find_text(_found, text)


@st.cache_data(max_entries=64, show_spinner="Counting the reference tests …")
def _reference_tests(path: Path, changed: int) -> float | None:  # noqa: ARG001
    return reference_tests_of(path)


@st.cache_resource(max_entries=16, show_spinner=False)
def _run_numbers(name: str, folder: Path, changed: int, _found: RunSummary) -> BenchmarkNumbers:  # noqa: ARG001
    return numbers_of_run(name, _found)


@st.cache_resource(max_entries=64, show_spinner=False)
def _scores_drawn(folder: Path, label: str, changed: int, _found: RunSummary) -> Histogram:  # noqa: ARG001
    return score_chart(_found)


@st.cache_resource(max_entries=16, show_spinner="Reading the benchmark …")
def _file_numbers(name: str, path: Path, changed: int) -> BenchmarkNumbers:  # noqa: ARG001
    return numbers_of_file(name, path)
