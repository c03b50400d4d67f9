"""Benchmarks and runs made up for these tests."""

from pathlib import Path

import numpy as np

from core.model import (
    Assertion,
    Benchmark,
    CallTest,
    Origin,
    Outcome,
    Problem,
    Solution,
    StdioTest,
    TestSuite,
    VerifierKind,
)
from core.store import (
    CellDetail,
    Manifest,
    RunWriter,
    SolutionOutcomes,
    benchmark_sha256,
    now,
    suites_sha256,
)
from sandbox.contract import Isolation


def make_benchmark(n_problems: int = 3, n_solutions: int = 4) -> Benchmark:
    """Problems whose first solution has reference score 1.0, the next ones less and less."""
    problems = tuple(
        Problem(
            f"T/{i}", f"prompt {i}", entry_point="f", reference_solution="def f(): pass", metadata={"d": i}
        )
        for i in range(n_problems)
    )
    solutions = {
        p.task_id: tuple(
            Solution(f"s{k}", f"def f(): return {k}", "model", 1 - k / n_solutions, k + 1.0, 0.01)
            for k in range(n_solutions)
        )
        for p in problems
    }
    return Benchmark("made", problems, solutions)


def make_suites(benchmark: Benchmark, n_tests: int = 5) -> tuple[TestSuite, ...]:
    """A suite of every kind of test for each problem, with one piece that could not be read."""
    kinds = (
        Assertion("assert f() == 0", Origin("v", "docstring", 1)),
        StdioTest("1\n", "2\n"),
        CallTest("[1]", "2", 0.5),
    )
    return tuple(
        TestSuite(
            p.task_id, tuple(kinds[i % 3] for i in range(n_tests)), (("asert x", "no test"),), "raw answer"
        )
        for p in benchmark.problems
    )


def make_manifest(benchmark: Benchmark, suites: tuple[TestSuite, ...]) -> Manifest:
    """A manifest of a run of a fake sandbox."""
    return Manifest(
        name="run",
        verifier="v",
        verifier_kind=VerifierKind.TESTS,
        benchmark=benchmark.name,
        benchmark_sha256=benchmark_sha256(benchmark),
        tests_sha256=suites_sha256(suites),
        isolation=Isolation("fake", ("runs nothing",), ("everything else",), True, {"python": "3.11"}),
        created=now(),
        command=("python", "-m", "core", "run"),
    )


def make_rows(
    benchmark: Benchmark, task_id: str, n_tests: int, rng: np.random.Generator
) -> list[SolutionOutcomes]:
    """Random rows of one problem's matrix, with a detail for each cell that did not pass."""
    rows = []
    for s in benchmark.solutions[task_id]:
        codes = rng.integers(0, 8, n_tests).astype(np.uint8)
        details = tuple(
            CellDetail(task_id, s.id, i, Outcome(int(code)), f"message {i}", line=i)
            for i, code in enumerate(codes)
            if code
        )
        seconds = rng.random(n_tests).astype(np.float32)
        rows.append(SolutionOutcomes(task_id, s.id, codes, seconds, details=details))
    return rows


def make_run(
    path: Path, benchmark: Benchmark, suites: tuple[TestSuite, ...], *, part: int = 2
) -> dict[str, list[SolutionOutcomes]]:
    """Write a finished run, `part` problems to a part; returns what was written."""
    rng = np.random.default_rng(0)
    sizes = {suite.task_id: len(suite.tests) for suite in suites}
    written = {
        p.task_id: make_rows(benchmark, p.task_id, sizes.get(p.task_id, 0), rng) for p in benchmark.problems
    }
    manifest = make_manifest(benchmark, suites)
    with RunWriter.create(path, manifest, benchmark.problems, benchmark.solutions, suites) as writer:
        tasks = list(written)
        for start in range(0, len(tasks), part):
            writer.append([row for task_id in tasks[start : start + part] for row in written[task_id]])
        writer.finish()
    return written
