"""Programs of a build against the tests of their problems: all at once, or the first tests first."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from core.execution.checks import CheckSet
from core.execution.executor import Executor, run_each
from core.model import Problem, Solution
from core.progress import OnProgress
from sandbox.contract import CheckResult, Execution, Limits

__all__ = ["Keyed", "LimitedChecks", "Results", "Trial", "TrialRunner"]

_ENDS: Final = (0, 16, 64, 128, 256, 512, None)
_PARTS: Final = tuple(slice(start, end) for start, end in pairwise(_ENDS))

Results = tuple[CheckResult, ...]


class LimitedChecks(NamedTuple):
    """Checks with a time limit for each."""

    checks: CheckSet
    seconds: tuple[float, ...] | None = None


class Keyed(NamedTuple):
    """A solution of a problem."""

    problem: Problem
    solution: Solution

    @property
    def key(self) -> str:
        """What tells it from every other one."""
        return f"{self.problem.task_id}\n{self.solution.id}"

    def on(self, tests: LimitedChecks) -> Trial:
        """The trial of it on some of its problem's tests."""
        return Trial(self.key, self.solution.code, tests)


@dataclass(frozen=True, slots=True)
class Trial:
    """A program to be run against some of a problem's tests."""

    key: str
    program: str
    tests: LimitedChecks


class TrialRunner:
    """Runs trials, and tells of each phase how far it is.

    Args:
        limits: of every program; the seconds where a trial has none of its own.
        on_progress: called at the start of each phase and after each program.
    """

    def __init__(self, executor: Executor, limits: Limits, on_progress: OnProgress | None) -> None:
        self._executor = executor
        self._limits = limits
        self._on_progress = on_progress

    @property
    def seconds(self) -> float:
        """The time limit of a test that has none of its own."""
        return self._limits.seconds

    def run(self, trials: Sequence[Trial], phase: str) -> dict[str, Results]:
        """How each test of each trial ended, by the trials' keys."""
        asked = {
            one.key: tuple(one.tests.checks.jobs(one.key, one.program, self._limits, one.tests.seconds))
            for one in trials
        }
        jobs = [check_job.job for check_jobs in asked.values() for check_job in check_jobs]
        trial_of = {check_job.job.key: one for one in trials for check_job in asked[one.key]}
        ended: dict[str, dict[str, Execution]] = {one.key: {} for one in trials}
        found: dict[str, Results] = {one.key: () for one in trials}
        for execution in run_each(self._executor, jobs, phase, self._on_progress):
            one = trial_of[execution.key]
            ended[one.key][execution.key] = execution
            if len(ended[one.key]) == len(asked[one.key]):
                results = one.tests.checks.results(asked[one.key], ended.pop(one.key))
                found[one.key] = tuple(map(_in_brief, results))
        return found

    def run_in_parts(
        self, given: Sequence[Keyed], phase: str, goes_on: Callable[[Problem, Results], bool]
    ) -> tuple[dict[str, Results], set[str]]:
        """Run solutions on the first tests of their problems, then on more, while it is worth it.

        Args:
            given: the solutions.
            phase: what it is called in the progress.
            goes_on: told a problem and the results so far of one of its solutions, after each part.

        Returns:
            Results by key, and the keys of the solutions that were run on every test and would go on.
        """
        results: dict[str, Results] = {one.key: () for one in given}
        going = given
        most = max((len(problem.reference_tests) for problem, _ in given), default=0)
        parts = [part for part in _PARTS if part.start < most]
        for number, part in enumerate(parts, 1):
            checks = {problem.task_id: _part(problem, part) for problem, _ in going}
            trials = [
                one.on(LimitedChecks(some))
                for one in going
                if (some := checks[one.problem.task_id]) is not None
            ]
            found = self.run(trials, f"{phase}, part {number} of {len(parts)}" if len(parts) > 1 else phase)
            for key, more in found.items():
                results[key] += more
            going = [one for one in going if goes_on(one.problem, results[one.key])]
        return results, {one.key for one in going}


def _part(problem: Problem, part: slice) -> CheckSet | None:
    tests = problem.reference_tests[part]
    return CheckSet(problem, tests) if tests else None


def _in_brief(result: CheckResult) -> CheckResult:
    """The result without what was returned and printed: a build has a million, some of them megabytes."""
    return CheckResult(
        result.outcome, result.seconds, sys.intern(result.message), in_process=result.in_process
    )
