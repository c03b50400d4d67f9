"""One problem's cells: which programs and checks there are, and what is known of them.

Solutions with the same code are one program, which is run once; its results stand in every
cell they belong to.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.execution.checks import CheckJob, CheckSet, Support, Verdict, distinct
from core.formats.support import support_source
from core.model import Limits, Problem, Solution, TestSuite
from core.store import CellDetail, FlakyCell, SolutionOutcomes
from sandbox.contract import CheckResult, Execution, Outcome

_MOST = 255  # above every outcome


@dataclass(frozen=True, slots=True)
class PlannedJob:
    """A job of a plan, and which cells its results fill."""

    asked: CheckJob
    program: int
    repetition: int


class ProblemPlan:
    """The cells of one problem.

    Attributes:
        task_id: the problem.
        programs: source of each distinct program.
        repeat: how often each cell runs.
    """

    def __init__(
        self,
        problem: Problem,
        solutions: Sequence[Solution],
        suite: TestSuite | None,
        limits: Limits,
        *,
        repeat: int = 1,
        support: Support = support_source,
        seconds: Sequence[float] | None = None,
    ) -> None:
        self.task_id = problem.task_id
        self.repeat = repeat
        self._limits = limits
        self._check_seconds = seconds
        self._solution_ids = tuple(solution.id for solution in solutions)
        self.programs, self._rows = distinct([solution.code for solution in solutions])
        self._checks = CheckSet(problem, suite.tests if suite else (), support)
        self._columns = self._checks.places
        n_programs, n_checks = len(self.programs), len(self._checks.checks)
        self._row_weight = np.bincount(self._rows, minlength=n_programs)
        self._column_weight = np.bincount(self._columns, minlength=n_checks)
        shape = repeat, n_programs, n_checks
        self._left = math.prod(shape)
        self._outcomes = np.zeros(shape, np.uint8)
        self._seconds = np.zeros(shape, np.float32)
        self._in_process = np.zeros(shape, bool)
        self._details: dict[tuple[int, int, int], CheckResult] = {}

    @property
    def whole(self) -> bool:
        """Whether every cell is filled."""
        return not self._left

    def jobs(self) -> Iterator[PlannedJob]:
        """What fills the cells; the jobs' keys tell problem, program and repetition."""
        for repetition in range(self.repeat):
            for place, program in enumerate(self.programs):
                key = f"{self.task_id}/{place}/{repetition}"
                for asked in self._checks.jobs(key, program, self._limits, self._check_seconds):
                    yield PlannedJob(asked, place, repetition)

    def verdicts(self, planned: PlannedJob, execution: Execution) -> Iterator[Verdict]:
        """What the results of a job say."""
        return self._checks.judge(planned.asked, execution)

    def fill(self, planned: PlannedJob, verdict: Verdict) -> int:
        """Take a verdict; returns how many cells of the pass matrix share it."""
        place = planned.repetition, planned.program, verdict.check
        result = verdict.result
        self._left -= 1
        self._outcomes[place] = result.outcome
        self._seconds[place] = result.seconds
        self._in_process[place] = result.in_process
        if result.outcome is not Outcome.PASSED:
            self._details[place] = result
        return int(self._row_weight[planned.program] * self._column_weight[verdict.check])

    def reference_seconds(self, factor: float, floor: float) -> tuple[float, ...]:
        """Time limit of each check, from a plan whose only program is the reference solution.

        `factor` times the seconds it took, rounded up to a multiple of `floor` so that small
        differences between two measurements give the same limit; at most the run's own limit.
        """
        most = self._limits.seconds
        if not self.programs:
            return (most,) * len(self._checks.checks)
        limits = []
        for outcome, seconds in zip(self._outcomes[0, 0].tolist(), self._seconds[0, 0].tolist(), strict=True):
            if Outcome(outcome) <= Outcome.RUNTIME_ERROR:  # it ended by itself
                limits.append(min(most, max(1, math.ceil(factor * seconds / floor)) * floor))
            else:
                limits.append(most)
        return tuple(limits)

    def rows(self) -> list[SolutionOutcomes]:
        """The problem's part of the run; every cell must be filled.

        Of a repeated cell the first outcome that is not INTERNAL_ERROR counts.
        """
        judged = self._outcomes != Outcome.INTERNAL_ERROR
        first = np.argmax(judged, axis=0)
        outcomes, seconds, in_process = (
            np.take_along_axis(values, first[None], axis=0)[0]
            for values in (self._outcomes, self._seconds, self._in_process)
        )
        highest = np.where(judged, self._outcomes, 0).max(axis=0)
        lowest = np.where(judged, self._outcomes, _MOST).min(axis=0)
        flaky = judged.any(axis=0) & (highest != lowest)
        rows = []
        for solution_id, program in zip(self._solution_ids, self._rows.tolist(), strict=True):
            marks = in_process[program][self._columns]
            rows.append(
                SolutionOutcomes(
                    self.task_id,
                    solution_id,
                    outcomes[program][self._columns],
                    seconds[program][self._columns],
                    marks if marks.any() else None,
                    tuple(self._cell_details(solution_id, program, outcomes[program], first[program])),
                    tuple(self._flaky_cells(solution_id, program, flaky[program])),
                )
            )
        return rows

    def _cell_details(
        self, solution_id: str, program: int, outcomes: npt.NDArray[np.uint8], first: npt.NDArray[np.intp]
    ) -> Iterator[CellDetail]:
        for index in np.flatnonzero(outcomes[self._columns]).tolist():
            check = int(self._columns[index])
            result = self._details[int(first[check]), program, check]
            yield CellDetail(
                self.task_id,
                solution_id,
                index,
                result.outcome,
                result.message,
                result.actual,
                result.expected,
                result.stdout,
                result.line,
            )

    def _flaky_cells(
        self, solution_id: str, program: int, flaky: npt.NDArray[np.bool_]
    ) -> Iterator[FlakyCell]:
        for index in np.flatnonzero(flaky[self._columns]).tolist():
            codes = self._outcomes[:, program, self._columns[index]].tolist()
            yield FlakyCell(self.task_id, solution_id, index, tuple(Outcome(code) for code in codes))
