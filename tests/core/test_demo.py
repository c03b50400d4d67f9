"""The demo, executed for real on the first problems of HumanEval."""

from pathlib import Path

import pytest

from core.demo import build_demo
from core.formats import load
from core.progress import Progress
from core.store import open_run
from core.verifiers import BASELINES

PROBLEMS = 2


@pytest.mark.slow
def test_demo(tmp_path: Path) -> None:
    """It leaves a benchmark, four suites and four finished runs, the same ones in another folder."""
    seen: list[Progress] = []
    made = build_demo(tmp_path / "a", problems=PROBLEMS, on_progress=seen.append)
    again = build_demo(tmp_path / "b", problems=PROBLEMS)
    benchmark = load(made.benchmark).benchmark
    assert benchmark is not None
    assert [problem.task_id for problem in benchmark.problems] == ["HumanEval/0", "HumanEval/1"]
    assert made.benchmark.read_bytes() == again.benchmark.read_bytes()
    assert set(made.runs) == set(BASELINES)
    for name in BASELINES:
        assert made.tests[name].read_bytes() == again.tests[name].read_bytes()
        run = open_run(made.runs[name])
        assert run.finished
        assert run.manifest.outcome_counts == open_run(again.runs[name]).manifest.outcome_counts
        loaded = load(made.tests[name], benchmark=benchmark)
        assert [len(s.tests) for s in loaded.suites] == [len(run.suite(t).tests) for t in run.task_ids()]
        assert not loaded.errors
    assert {"checking reference solutions", "docstring: running tests"} <= {p.phase for p in seen}
    overall = [progress.overall for progress in seen if progress.overall is not None]
    assert overall == sorted(overall)
    assert overall[-1] == pytest.approx(1.0)


@pytest.mark.slow
def test_a_demo_that_is_there_runs_nothing_again(tmp_path: Path) -> None:
    """The second time every cell is known, and nothing on disk changes."""
    made = build_demo(tmp_path, problems=PROBLEMS)
    before = {path: path.stat().st_mtime_ns for path in made.runs["docstring"].glob("*.parquet")}
    again = build_demo(tmp_path, problems=PROBLEMS)
    assert again == made
    assert {path: path.stat().st_mtime_ns for path in before} == before
