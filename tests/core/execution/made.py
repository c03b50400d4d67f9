"""A benchmark whose outcomes a function of program and check decides, with nothing executed."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from core.execution import ExecutionRequest
from core.model import Assertion, Benchmark, Problem, Solution, TestSuite
from core.store import open_run
from sandbox.contract import AssertsJob, CallsJob, CheckResult, Job, Outcome
from sandbox.fake import FakeSandbox


def make_benchmark(n_problems: int = 6, n_solutions: int = 5) -> Benchmark:
    """Problems and solutions of different code each."""
    problems = tuple(
        Problem(f"P/{i}", f"prompt {i}", entry_point="f", reference_solution=f"# P/{i} reference")
        for i in range(n_problems)
    )
    return Benchmark(
        "made",
        problems,
        {
            p.task_id: tuple(
                Solution(f"s{k}", f"# {p.task_id} solution {k}", "m", 1 - k / n_solutions, k + 1.0)
                for k in range(n_solutions)
            )
            for p in problems
        },
    )


def make_suites(benchmark: Benchmark, n_tests: int = 4) -> tuple[TestSuite, ...]:
    """Some assertions for each problem."""
    return tuple(
        TestSuite(p.task_id, tuple(Assertion(f"assert f({i}) == '{p.task_id}'") for i in range(n_tests)))
        for p in benchmark.problems
    )


def probes(job: Job) -> Sequence[str]:
    """What the sandbox is to run of a job, whatever its kind."""
    if isinstance(job, AssertsJob):
        return job.checks
    return job.calls if isinstance(job, CallsJob) else job.stdins


def decide(program: str, check: str) -> CheckResult:
    """An outcome that depends on nothing but the program and the check."""
    digest = hashlib.sha256(f"{program}\0{check}".encode()).digest()
    outcome = Outcome(digest[0] % 7)
    if outcome is Outcome.PASSED:
        return CheckResult(outcome, digest[1] / 1000)
    return CheckResult(outcome, digest[1] / 1000, f"message {digest[2]}", "a", "b", "out", line=digest[3])


def deciding(job: Job) -> list[CheckResult]:
    """Answer a job by `decide`."""
    return [decide(job.program, check) for check in probes(job)]


def make_request(out: Path, **changes: Any) -> ExecutionRequest:
    """A request that the fake sandbox answers by `decide`."""
    benchmark = changes.pop("benchmark", None) or make_benchmark()
    fields = {
        "benchmark": benchmark,
        "suites": make_suites(benchmark),
        "out": out,
        "verifier": "v",
        "sandbox": FakeSandbox(deciding),
        "support": lambda prompt, entry_point: "",
        "part_cells": 50,
    }
    return ExecutionRequest(**(fields | changes))


def content(path: Path) -> dict[str, Any]:
    """All that a finished run says, apart from dates and how it is cut into files."""
    run = open_run(path)
    assert run.finished
    outcomes = pd.concat([pd.read_parquet(p) for p in sorted(path.glob("outcomes-*.parquet"))])
    outcomes = outcomes.sort_values(["position", "solution_id"]).drop(columns="in_process")
    return {
        "outcomes": [
            (row.task_id, row.solution_id, row.outcomes.tolist(), row.seconds.tolist())
            for row in outcomes.itertuples()
        ],
        "details": [detail for task_id in run.task_ids() for detail in run.details(task_id)],
        "scores": run.scores().to_dict("list"),
        "summary": run.problem_summary().fillna(-1).to_dict("list"),
        "counts": run.manifest.outcome_counts,
        "flaky": run.flaky().to_dict("list"),
    }
