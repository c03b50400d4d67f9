"""One problem's cells: which programs and checks there are, what is known of them, what is left to run.

Solutions with the same code are one program, equal tests are one check, and call or stdio tests with
the same input are one probe: each is run once, and its result stands in every cell it belongs to.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from core.execution.cache import CellKey, ProgramKey, content_key
from core.execution.judge import judge_call, judge_stdout, shortened
from core.model import Assertion, Limits, Problem, Solution, StdioTest, TestCase, TestSuite
from core.store import CellDetail, FlakyCell, SolutionOutcomes
from sandbox.contract import AssertsJob, CallsJob, CheckResult, Job, Outcome, StdioJob

_JUDGE_VERSION = 1  # part of every key: raise it when an outcome means something else than before
_UNKNOWN = 255
_Item = TypeVar("_Item")
_Kind: TypeAlias = Literal["assertion", "call", "stdio"]


@dataclass(frozen=True, slots=True)
class Check:
    """A test without its origin.

    Attributes:
        probe: what the sandbox gets: assertion source, arguments, or standard input.
        expected: what a probe's value or output is compared with; "" for assertions.
    """

    kind: _Kind
    probe: str
    expected: str = ""
    tolerance: float = 0.0

    def judge(self, result: CheckResult) -> CheckResult:
        """The sandbox's result of the probe as this check's verdict."""
        if self.kind == "call":
            return shortened(judge_call(result, self.expected, self.tolerance))
        if self.kind == "stdio":
            return shortened(judge_stdout(result, self.expected))
        return shortened(result)


@dataclass(frozen=True, slots=True)
class Setting:
    """What all cells of a run have in common.

    Attributes:
        backend, python: name of the sandbox's backend and version of its Python.
    """

    limits: Limits
    backend: str
    python: str
    repeat: int = 1


@dataclass(frozen=True, slots=True)
class PlannedJob:
    """A job for the sandbox and the cells that its results fill.

    Attributes:
        probes: for each check of the job, the checks of the plan that it decides.
    """

    job: Job
    program: int
    repetition: int
    probes: tuple[tuple[int, ...], ...]


class ProblemPlan:
    """The cells of one problem.

    Attributes:
        task_id: the problem.
        programs: source of each distinct program.
        checks: each distinct check.
        seconds: time limit of each check.
    """

    def __init__(
        self,
        problem: Problem,
        solutions: Sequence[Solution],
        suite: TestSuite | None,
        setting: Setting,
        *,
        support: str = "",
        seconds: Sequence[float] | None = None,
    ) -> None:
        self.task_id = problem.task_id
        self._problem = problem
        self._setting = setting
        self._support = support
        self._solution_ids = tuple(solution.id for solution in solutions)
        self.programs, self._rows = _distinct([solution.code for solution in solutions])
        self.checks, self._columns = _distinct([_check(test) for test in suite.tests] if suite else [])
        self.seconds = tuple(seconds) if seconds is not None else (setting.limits.seconds,) * len(self.checks)
        self._row_weight = np.bincount(self._rows, minlength=len(self.programs))
        self._column_weight = np.bincount(self._columns, minlength=len(self.checks))
        shape = setting.repeat, len(self.programs), len(self.checks)
        self._outcomes = np.full(shape, _UNKNOWN, np.uint8)
        self._seconds = np.zeros(shape, np.float32)
        self._in_process = np.zeros(shape, bool)
        self._cell_keys: dict[int, tuple[CellKey, ...]] = {}
        self._details: dict[tuple[int, int, int], CheckResult] = {}

    @property
    def repeat(self) -> int:
        """How often each cell runs."""
        return self._setting.repeat

    def weight(self, program: int, check: int) -> int:
        """How many cells of the pass matrix share one result."""
        return int(self._row_weight[program] * self._column_weight[check])

    def program_key(self, program: int) -> ProgramKey:
        """Stands for the program and all that shapes its process, time limits aside."""
        limits = self._setting.limits
        return content_key(
            _JUDGE_VERSION,
            self._setting.backend,
            self._setting.python,
            self.programs[program],
            self._problem.entry_point,
            self._support,
            [limits.memory_mb, limits.output_kb, limits.file_mb, limits.processes, limits.seed],
        )

    def cell_keys(self, repetition: int) -> tuple[CellKey, ...]:
        """Stand for each check, its time limit and the repetition."""
        if repetition not in self._cell_keys:
            self._cell_keys[repetition] = tuple(
                content_key(c.kind, c.probe, c.expected, c.tolerance, seconds, repetition)
                for c, seconds in zip(self.checks, self.seconds, strict=True)
            )
        return self._cell_keys[repetition]

    def fill(self, program: int, check: int, repetition: int, result: CheckResult) -> None:
        """Take the result of one cell."""
        place = repetition, program, check
        self._outcomes[place] = result.outcome
        self._seconds[place] = result.seconds
        self._in_process[place] = result.in_process
        if result.outcome is not Outcome.PASSED:
            self._details[place] = result

    def jobs(self, key: str, program: int, repetition: int) -> Iterator[PlannedJob]:
        """What is left to run of one program, a job for each kind of check; `key` begins the jobs' keys."""
        left = np.flatnonzero(self._outcomes[repetition, program] == _UNKNOWN)
        by_kind: dict[_Kind, dict[str, list[int]]] = {}
        for check in left.tolist():
            c = self.checks[check]
            by_kind.setdefault(c.kind, {}).setdefault(c.probe, []).append(check)
        for kind, probes in by_kind.items():
            job = self._job(f"{key}/{program}/{repetition}/{kind}", kind, program, probes)
            yield PlannedJob(job, program, repetition, tuple(tuple(checks) for checks in probes.values()))

    def reference_seconds(self, factor: float, floor: float) -> tuple[float, ...]:
        """Time limit of each check, from a plan whose only program is the reference solution.

        `factor` times the seconds it took, rounded up to a multiple of `floor` so that small
        differences between two measurements give the same limit; at most the run's own limit.
        """
        most = self._setting.limits.seconds
        if not self.programs:
            return (most,) * len(self.checks)
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
        lowest = np.where(judged, self._outcomes, _UNKNOWN).min(axis=0)
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

    def _job(self, key: str, kind: _Kind, program: int, probes: dict[str, list[int]]) -> Job:
        source = self.programs[program]
        limits = self._setting.limits
        seconds: tuple[float, ...] | None = tuple(self.seconds[checks[0]] for checks in probes.values())
        if all(limit == limits.seconds for limit in seconds or ()):
            seconds = None
        if kind == "assertion":
            return AssertsJob(
                key, source, tuple(probes), self._problem.entry_point, self._support, limits, seconds
            )
        if kind == "call":
            assert self._problem.entry_point is not None
            return CallsJob(key, source, self._problem.entry_point, tuple(probes), limits, seconds)
        return StdioJob(key, source, tuple(probes), limits, seconds)


def _check(test: TestCase) -> Check:
    if isinstance(test, Assertion):
        return Check("assertion", test.source)
    if isinstance(test, StdioTest):
        return Check("stdio", test.stdin, test.expected_stdout)
    return Check("call", test.arguments, test.expected, test.tolerance)


def _distinct(items: Sequence[_Item]) -> tuple[tuple[_Item, ...], npt.NDArray[np.intp]]:
    """The different items, and for each item the place of its like among them."""
    places: dict[_Item, int] = {}
    where = [places.setdefault(item, len(places)) for item in items]
    return tuple(places), np.array(where, dtype=np.intp)
