"""Programs against tests: jobs made from tests, outcomes made from executions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from core.execution.judge import judge_call, judge_stdout
from core.formats.support import support_source
from core.model import Assertion, CallTest, Outcome, Problem, StdioTest, TestCase
from sandbox.contract import AssertsJob, CallsJob, CheckResult, Execution, Job, Limits, StdioJob

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
    if isinstance(test, StdioTest):
        return judge_stdout(result, test.expected_stdout).outcome
    if isinstance(test, CallTest):
        return judge_call(result, test.expected, test.tolerance).outcome
    return result.outcome
