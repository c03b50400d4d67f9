"""Data sets of runs: their rows against what the runs were made from."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from core.evolution.filters import Rules, filter_trial
from core.evolution.patterns import Trial
from core.formats.touchstone import suite_row
from core.model import Benchmark, Solution, TestSuite
from core.publish import foreign
from core.publish.datasets import Written, benchmark_of, write_run_files
from core.publish.source import gather
from core.store import open_run, write_scores_run
from tests.core.store.made import make_benchmark, make_run, make_suites

PROBLEMS = 300  # more than one query reads


def test_a_benchmark_comes_back_from_its_run(tmp_path: Path) -> None:
    """Problems and solutions in their order, over several queries, where no file has them."""
    benchmark = _benchmark()
    make_run(tmp_path / "run", benchmark, make_suites(benchmark), part=70)
    found, whole = benchmark_of(gather([tmp_path / "run"]).benchmarks[0], [])
    assert (found.problems, found.solutions, whole) == (benchmark.problems, benchmark.solutions, False)


def test_rows_of_a_reward_model_are_what_was_given(tmp_path: Path) -> None:
    """A row for each solution with both scores; those without are counted, and move no score elsewhere."""
    benchmark = _benchmark()
    scores = {
        problem.task_id: {
            solution.id: round(1 / (place + 2 * at + 1), 3)
            for at, solution in enumerate(benchmark.solutions[problem.task_id])
            if (place + at) % 5
        }
        for place, problem in enumerate(benchmark.problems)
    }
    folder = tmp_path / "reward"
    write_scores_run(folder, name="rm", verifier="rm", benchmark=benchmark, scores=scores)
    written = _written(folder, tmp_path / "out")
    flat = "scoring-verifiers/reward.flat.jsonl"
    suites = [TestSuite(problem.task_id, ()) for problem in benchmark.problems]
    wanted = _flat_rows(benchmark, suites, open_run(folder).scores(), reward=True)
    assert _rows(tmp_path / "out" / flat) == [row for row in wanted if row is not None]
    assert wanted.count(None) == written.left_out[flat]["solutions"] > 100
    assert written.files == [tmp_path / "out" / flat]


def test_rows_of_a_run_of_tests_are_what_was_given(tmp_path: Path) -> None:
    """Scored solutions with their tests, whole suites with raw answers, and what the filter leaves."""
    benchmark = _benchmark()
    given = make_suites(benchmark)
    suites = (TestSuite("T/0", ()), *given[1:-1], TestSuite(given[-1].task_id, ()))
    folder = tmp_path / "tests"
    cells = make_run(folder, benchmark, suites, part=70)
    written = _written(folder, tmp_path / "out")
    flat = "scoring-verifiers/tests.flat.jsonl"
    wanted = _flat_rows(benchmark, suites, open_run(folder).scores(), reward=False)
    assert _rows(tmp_path / "out" / flat) == [row for row in wanted if row is not None]
    assert written.rows[flat] == len(wanted) - wanted.count(None) > PROBLEMS
    own, filtered = "touchstone/tests.tests.jsonl", "touchstone/tests.filtered.jsonl"
    assert _rows(tmp_path / "out" / own) == list(map(suite_row, suites))
    assert written.rows[own] == PROBLEMS
    kept = []
    for problem, suite in zip(benchmark.problems, suites, strict=True):
        rows = [row.outcomes for row in cells[problem.task_id]]
        outcomes = np.array(rows, dtype=np.uint8).reshape(len(rows), len(suite.tests))
        trial = Trial(problem, benchmark.solutions[problem.task_id], suite.tests, outcomes)
        if tests := filter_trial(trial, Rules()).after.tests:
            kept.append(suite_row(TestSuite(problem.task_id, tuple(tests))))
    assert _rows(tmp_path / "out" / filtered) == kept
    assert written.left_out[filtered]["problems dropped by the filter"] == PROBLEMS - len(kept) > 0


def _benchmark() -> Benchmark:
    made = make_benchmark(PROBLEMS, 3)
    odd = {"T/5": (), "T/6": (Solution("s0", "def f(): return 0", "model"),)}
    return Benchmark("made", made.problems, made.solutions | odd)


def _written(folder: Path, out: Path) -> Written:
    written = Written(out)
    write_run_files(gather([folder]).runs[0], written)
    return written


def _rows(path: Path) -> list[object]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _flat_rows(
    benchmark: Benchmark, suites: Sequence[TestSuite], scores: pd.DataFrame, *, reward: bool
) -> list[object]:
    by_name = {(row.task_id, row.solution_id): row.score for row in scores.itertuples()}
    rows: list[object] = []
    for problem, suite in zip(benchmark.problems, suites, strict=True):
        for solution in benchmark.solutions[problem.task_id]:
            score = by_name[problem.task_id, solution.id]
            known = None if np.isnan(score) else score
            texts = [text for test in suite.tests if (text := foreign.as_assertion(problem, test))]
            rows.append(foreign.flat_row("made", problem, solution, texts, known, reward=reward))
    return rows
