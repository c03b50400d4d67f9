"""What a build did, as plain data."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from core.benchmarks.recipe import Dropped, Reason
from core.model import Outcome, TestCase

__all__ = ["BuildReport", "FailedTest", "ProblemReport"]


@dataclass(frozen=True, slots=True)
class FailedTest:
    """A reference test that the reference solution itself does not pass."""

    index: int
    test: TestCase
    outcome: Outcome
    message: str


@dataclass(frozen=True, slots=True)
class ProblemReport:
    """What became of one problem.

    Attributes:
        problem_left_out: why it is not in the benchmark; "" if it is.
        failed_tests: reference tests taken off because the reference fails them.
        scores: scores of the chosen solutions, best first.
        targets: the score wanted in each place.
        tried: candidates and mutants judged.
        dropped: those left out, with the reason.
    """

    task_id: str
    problem_left_out: str = ""
    failed_tests: tuple[FailedTest, ...] = ()
    scores: tuple[float, ...] = ()
    targets: tuple[float, ...] = ()
    tried: int = 0
    dropped: tuple[Dropped, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did, problem by problem, in the order of the problems."""

    k: int
    seed: int
    problems: tuple[ProblemReport, ...]

    @property
    def complete(self) -> int:
        """Problems that reached `k` distinct scores."""
        return sum(len(problem.scores) == self.k for problem in self.problems)

    @property
    def incomplete(self) -> tuple[str, ...]:
        """task_ids of the problems in the benchmark with fewer than `k` solutions."""
        return tuple(p.task_id for p in self.problems if 0 < len(p.scores) < self.k)

    @property
    def left_out(self) -> tuple[str, ...]:
        """task_ids of the problems that are not in the benchmark."""
        return tuple(p.task_id for p in self.problems if p.problem_left_out)

    @property
    def dropped(self) -> dict[Reason, int]:
        """How many candidates were left out, for each reason."""
        counts = Counter(drop.reason for problem in self.problems for drop in problem.dropped)
        return {reason: counts[reason] for reason in Reason if counts[reason]}
