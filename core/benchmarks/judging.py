"""Programs against tests: jobs made from tests, outcomes made from executions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from core.formats.support import support_source
from core.model import Assertion, CallTest, Outcome, Problem, StdioTest, TestCase
from sandbox.contract import AssertsJob, CallsJob, CheckResult, Execution, Job, Limits, StdioJob
from sandbox.values import loads

__all__ = ["Executor", "job_for", "outcomes_of"]


class Executor(Protocol):
    """Whatever turns jobs into executions: a bare sandbox, or one behind a cache of finished cells."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """One execution for each job, in any order."""


def job_for(
    problem: Problem,
    program: str,
    tests: Sequence[TestCase],
    *,
    key: str,
    limits: Limits,
    seconds: tuple[float, ...] | None = None,
) -> Job:
    """The job that runs `program` against `tests`.

    Raises:
        ValueError: the tests are of several kinds, or call tests without an entry point.
    """
    entry_point = problem.entry_point
    assertions = tuple(test.source for test in tests if isinstance(test, Assertion))
    if len(assertions) == len(tests):
        support = support_source(problem.prompt, entry_point) if entry_point else ""
        return AssertsJob(key, program, assertions, entry_point, support, limits, seconds)
    stdins = tuple(test.stdin for test in tests if isinstance(test, StdioTest))
    if len(stdins) == len(tests):
        return StdioJob(key, program, stdins, limits, seconds)
    calls = tuple(test.arguments for test in tests if isinstance(test, CallTest))
    if len(calls) == len(tests) and entry_point:
        return CallsJob(key, program, entry_point, calls, limits, seconds)
    raise ValueError(f"{problem.task_id}: its tests are of several kinds, or calls without an entry point")


def outcomes_of(tests: Sequence[TestCase], execution: Execution) -> tuple[Outcome, ...]:
    """How each test ended, returned values and printed text compared with what was expected."""
    return tuple(_outcome(test, result) for test, result in zip(tests, execution.results, strict=True))


def _outcome(test: TestCase, result: CheckResult) -> Outcome:
    if result.outcome is not Outcome.PASSED or isinstance(test, Assertion):
        return result.outcome
    if isinstance(test, StdioTest):
        same = _lines(result.stdout) == _lines(test.expected_stdout)
    else:
        same = result.value is not None and _close(loads(result.value), loads(test.expected), test.tolerance)
    return Outcome.PASSED if same else Outcome.ASSERTION_FAILED


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _close(actual: Any, expected: Any, tolerance: float) -> bool:
    if isinstance(actual, float) and isinstance(expected, (int, float)) and tolerance > 0:
        return math.isclose(actual, expected, rel_tol=0, abs_tol=tolerance)
    if isinstance(expected, (list, tuple)) and type(actual) is type(expected):
        return len(actual) == len(expected) and all(
            _close(one, other, tolerance) for one, other in zip(actual, expected, strict=True)
        )
    return bool(actual == expected)
