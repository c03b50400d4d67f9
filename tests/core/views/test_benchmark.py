"""The Benchmark page's numbers, and a build started from it as a job."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core import jobs
from core.benchmarks.build import build
from core.benchmarks.records import write_report
from core.errors import InputError
from core.formats.touchstone import write_benchmark
from core.jobs import JobState, job_folder
from core.model import Assertion, Benchmark, Problem, Solution
from core.views import benchmark, work
from core.views.benchmark import BuildRequest, read_built
from core.workspace import Workspace
from tests.core.benchmarks.runner import InProcess

SQUARE = Problem(
    "square",
    "def f(a):\n",
    entry_point="f",
    reference_solution="def f(a):\n    return a * a\n",
    reference_tests=tuple(Assertion(f"assert f({n}) == {n * n}") for n in range(8)),
)
GIVEN = {
    "square": [
        Solution("half", "def f(a):\n    return a * a if a < 4 else -1\n", "given"),
        Solution("twin", "def f(a):\n    return a * a if a > 3 else -1\n", "given"),
        Solution("raises", "def f(a):\n    return a / 0\n", "given"),
    ]
}


def built(path: Path, *, k: int = 5) -> Path:
    """A benchmark of SQUARE and GIVEN with its report."""
    result = build([SQUARE], GIVEN, InProcess(), k=k)
    write_benchmark(result.benchmark, path)
    write_report(path, result.report)
    return path


def test_what_was_dropped_and_what_is_missing(tmp_path: Path) -> None:
    """Reasons with counts, the scores still wanted, and this benchmark beside the published ones."""
    found = read_built(built(tmp_path / "squares.jsonl"))
    assert dict(found.dropped.itertuples(index=False)) == {
        "every test ended in a non-assertion error": 1,
        "another solution with the same score was kept": 1,
    }
    assert found.incomplete.to_dict("records") == [
        {"task_id": "square", "solutions": 2, "scores": "1.00, 0.50", "wanted": "0.75, 0.25, 0.00"}
    ]
    assert (found.complete, found.tried, found.chart) == (0, 3, None)
    assert found.sizes.iloc[0].tolist() == ["squares", 1, 8.0, 2, 0.75, "this one"]
    assert found.sizes["benchmark"].tolist()[1:] == ["HE-R", "HE-R+", "MBPP-R", "MBPP-R+"]


def test_targets_stand_beside_chosen_scores(tmp_path: Path) -> None:
    """For k = 2 the wanted scores are 1 and the lowest there is; the chosen ones meet them."""
    found = read_built(built(tmp_path / "squares.jsonl", k=2))
    assert found.complete == 1
    assert found.chart is not None
    assert [series.y for series in found.chart.series] == [(1.0, 0.5), (1.0, 0.5)]


def test_a_benchmark_from_elsewhere_has_no_report(tmp_path: Path) -> None:
    """Without a report nothing is claimed about what was dropped."""
    path = built(tmp_path / "squares.jsonl")
    (job_folder(path) / "report.json").unlink()
    found = read_built(path)
    assert not found.has_report
    assert found.dropped.empty
    assert found.wanted("square") == "0.75, 0.25, 0.00"


def test_a_file_without_a_benchmark_is_refused(tmp_path: Path) -> None:
    """Tests are no benchmark, and the message says so."""
    path = tmp_path / "tests.jsonl"
    path.write_text('{"task_id": "a", "tests": ["assert f(1)"]}\n', encoding="utf-8")
    with pytest.raises(InputError, match="expected a benchmark"):
        read_built(path)


def test_a_build_is_a_job_that_leaves_its_report(tmp_path: Path) -> None:
    """Started from the page it runs by itself, is listed while it does, and its benchmark has a report."""
    workspace = Workspace(tmp_path / "data")
    source = workspace.problems_dir / "squares.jsonl"
    write_benchmark(Benchmark("squares", (SQUARE,), {}), source)
    assert benchmark.problem_files(workspace) == (source,)
    request = BuildRequest(str(source), "mine", mutants=8, more_tests=4, timeout=1.0, workers=1)
    assert benchmark.start_build(workspace, request) == "mine"
    folder = job_folder(workspace.benchmark_file("mine"))
    (card,) = work.job_cards(workspace)
    assert card.title == "Building mine"
    deadline = time.monotonic() + 60
    while (job := jobs.read(folder)) is not None and job.state is JobState.RUNNING:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert job is not None
    assert job.state is JobState.DONE, job.log_tail
    found = read_built(workspace.benchmark_file("mine"))
    assert found.has_report
    assert len(found.problem("square").reference_tests) == 12
    assert work.finished_jobs(workspace) == {"mine.jsonl.job"}


def test_hub_datasets_are_offered_by_part() -> None:
    """Each part of a known dataset is a source; what somebody types is taken as a name of the hub."""
    offered = benchmark.hub_sources()
    assert offered["nvidia/Scoring-Verifiers · HE-R+"] == "hub:nvidia/Scoring-Verifiers:HE-R+"
    assert benchmark.hub_source("evalplus/mbppplus") == "hub:evalplus/mbppplus:test"
    assert benchmark.hub_source("someone/else") == "hub:someone/else"


def test_a_program_by_hand_that_does_not_compile_says_so(tmp_path: Path) -> None:
    """The line is named before anything runs; no other program is made of what can be read of it."""
    workspace, found = Workspace(tmp_path), read_built(built(tmp_path / "squares.jsonl"))
    with pytest.raises(InputError, match="Line 2: invalid syntax: retrn a"):
        benchmark.judge_by_hand(workspace, found, "square", "def f(a):\n    retrn a\n", "process")
    fine = benchmark.judge_by_hand(workspace, found, "square", "def f(a):\n    return 0\n", "process")
    assert (fine.compiles, fine.judged.score) == (True, 0.125)
    prose = benchmark.judge_by_hand(workspace, found, "square", "I can't do that.", "process")
    assert not prose.compiles
