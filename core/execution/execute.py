"""Running a verifier's tests on a benchmark: from a request to a finished run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from core.execution.cache import CellCache, remove_cache
from core.execution.engine import fill
from core.execution.executor import CachedExecutor
from core.execution.plan import ProblemPlan
from core.execution.report import Reporter
from core.execution.request import ExecutionRequest
from core.model import Problem, Solution
from core.progress import OnProgress, Progress, telling
from core.signals import stoppable, whole_step
from core.store import (
    Manifest,
    RunWriter,
    SolutionOutcomes,
    StoreError,
    WrongRunError,
    open_run,
    read_manifest,
)
from core.store.manifest import MANIFEST
from sandbox.contract import Outcome

_log = logging.getLogger(__name__)
_OWN_CACHE = "cells.sqlite"


def execute(request: ExecutionRequest, on_progress: OnProgress | None = None) -> Path:
    """Run every test on every solution of its problem, and write the run.

    Cells that the cache knows are not run. A run killed at any moment, or stopped by Ctrl-C or
    SIGTERM, is resumed by the same request with `resume`; the outcome is that of an undisturbed run.
    Progress goes to `on_progress` and to `progress.json` in the run's folder.

    Returns:
        The folder of the finished run; at once, if it is there with the same inputs already.

    Raises:
        InputError: the request can't be executed as it is meant.
        WrongRunError: the folder holds something else.
        StoreError: files can't be read or written.
        ExecutionError: the sandbox can't go on. The run can be resumed.
        KeyboardInterrupt: the run was stopped. It can be resumed.
    """
    request.check()
    manifest = request.manifest(on_progress)
    found = _found(request, manifest)
    if found is not None and found.finished:
        if on_progress:
            on_progress(Progress(phase="finished already: nothing was run"))
        return open_run(request.out).path
    inputs = request.benchmark.problems, request.benchmark.solutions, request.suites
    start = RunWriter.create if found is None else RunWriter.resume
    with (
        stoppable(),
        start(request.out, manifest, *inputs) as writer,
        telling(request.out, on_progress) as tell,
    ):
        _Execution(request, writer, Reporter(tell)).run()
    return request.out


def _found(request: ExecutionRequest, manifest: Manifest) -> Manifest | None:
    """The manifest of the run that is there, if it may be gone on with or is finished."""
    if not (request.out / MANIFEST).exists():
        return None
    found = read_manifest(request.out)
    if differences := found.differences(manifest):
        raise WrongRunError(f"{request.out}: holds a run of other inputs: {'; '.join(differences)}")
    if not found.finished and not request.resume:
        raise WrongRunError(
            f"{request.out}: holds an unfinished run of the same inputs: "
            "`run --resume` goes on with it; or remove it"
        )
    return found


class _Execution:
    """One request on its way."""

    def __init__(self, request: ExecutionRequest, writer: RunWriter, reporter: Reporter) -> None:
        self._request = request
        self._writer = writer
        self._reporter = reporter
        self._suites = {suite.task_id: suite for suite in request.suites}
        self._limits: dict[str, tuple[float, ...]] = {}
        self._rows: list[SolutionOutcomes] = []
        self._cells = 0
        self._cache = self._open_cache()
        self._executor = CachedExecutor(request.sandbox, self._cache)

    def run(self) -> None:
        """Fill what is missing and finish the run."""
        request = self._request
        try:
            if request.timeout_factor is not None:
                self._reporter.begin("timing the reference solutions", self._reference_cells())
                self._fill(self._reference_plans(), self._take_limits)
            self._begin()
            self._fill(self._plans(), self._take_rows)
            self._flush()
        except StoreError:
            raise  # the disk would refuse again
        except BaseException:
            self._flush()
            raise
        finally:
            with whole_step():
                self._executor.close()
        self._writer.finish()
        remove_cache(request.out / _OWN_CACHE)

    def _fill(self, plans: Iterable[ProblemPlan], take: Callable[[ProblemPlan], None]) -> None:
        with closing(fill(plans, self._executor, self._reporter)) as whole:
            for plan in whole:
                with whole_step():
                    take(plan)

    def _begin(self) -> None:
        """Start counting, with the cells of an earlier start as known."""
        self._reporter.begin("running tests", self._writer.manifest.n_cells * self._request.repeat)
        if self._writer.done:
            totals = open_run(self._request.out).outcome_totals()
            for letter, count in totals.items():
                code = Outcome.from_letter(letter)
                self._reporter.count(code, count * self._request.repeat, cached=True)

    def _plans(self) -> Iterator[ProblemPlan]:
        for problem in self._missing():
            solutions = self._request.benchmark.solutions[problem.task_id]
            limits = self._limits.pop(problem.task_id, None)
            yield self._plan(problem, solutions, self._request.repeat, limits)

    def _reference_plans(self) -> Iterator[ProblemPlan]:
        for problem in self._missing():
            if self._suites.get(problem.task_id):
                yield self._plan(problem, self._reference(problem), 1, None)

    def _plan(
        self,
        problem: Problem,
        solutions: tuple[Solution, ...],
        repeat: int,
        seconds: tuple[float, ...] | None,
    ) -> ProblemPlan:
        request = self._request
        suite = self._suites.get(problem.task_id)
        return ProblemPlan(
            problem, solutions, suite, request.limits, repeat=repeat, support=request.support, seconds=seconds
        )

    def _missing(self) -> Iterator[Problem]:
        """The problems without outcomes, in the order of the benchmark."""
        solutions = self._request.benchmark.solutions
        for problem in self._request.benchmark.problems:
            if solutions.get(problem.task_id) and problem.task_id not in self._writer.done:
                yield problem

    def _reference(self, problem: Problem) -> tuple[Solution, ...]:
        """The solution that a timeout factor counts from: the problem's own, else the best perfect one."""
        if problem.reference_solution:
            return (Solution("reference", problem.reference_solution),)
        perfect = [s for s in self._request.benchmark.solutions[problem.task_id] if s.reference_score == 1.0]
        return tuple(sorted(perfect, key=lambda s: s.reference_rank or float("inf"))[:1])

    def _reference_cells(self) -> int:
        return sum(
            len(suite.tests)
            for problem in self._missing()
            if (suite := self._suites.get(problem.task_id)) and self._reference(problem)
        )

    def _take_limits(self, plan: ProblemPlan) -> None:
        assert self._request.timeout_factor is not None
        self._limits[plan.task_id] = plan.reference_seconds(
            self._request.timeout_factor, self._request.timeout_floor
        )

    def _take_rows(self, plan: ProblemPlan) -> None:
        rows = plan.rows()
        self._rows += rows
        self._cells += sum(len(row.outcomes) for row in rows)
        # Without a cache the parts are all that a killed run keeps: write smaller ones.
        most = self._request.part_cells if self._cache.usable else self._request.part_cells // 10
        if self._cells >= most:
            self._flush()

    def _flush(self) -> None:
        with whole_step():
            self._writer.append(self._rows)
            self._rows, self._cells = [], 0

    def _open_cache(self) -> CellCache:
        own = self._request.out / _OWN_CACHE
        cache = CellCache(self._request.cache or own, self._say)
        return cache if cache.usable else CellCache(own, self._say)

    def _say(self, message: str) -> None:
        _log.warning(message)
        self._reporter.note(message)
