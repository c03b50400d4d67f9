"""Jobs out, results in: the loop between plans, cache and sandbox."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from core.errors import TouchstoneError
from core.execution.cache import CellCache, FinishedCell
from core.execution.plan import PlannedJob, ProblemPlan
from core.execution.report import Reporter
from core.execution.signals import StopSignals
from sandbox.contract import CheckResult, Execution, Job, Sandbox, SandboxError

OnComplete = Callable[[ProblemPlan], None]
_COMMIT_SECONDS = 0.2


class ExecutionError(TouchstoneError):
    """The execution can't go on; what is finished is kept and the run can be resumed."""


@dataclass(slots=True)
class _Open:
    """A plan on its way: how many of its jobs are out, one more while they are being planned."""

    plan: ProblemPlan
    pending: int = 1


class Engine:
    """Fills plans from the cache and the sandbox, whatever order the results come in.

    The sandbox may draw jobs in a thread of its own: everything that both sides touch is under
    one lock, and an error on the drawing side ends the jobs and is raised by `fill`.
    """

    def __init__(
        self,
        sandbox: Sandbox,
        cache: CellCache,
        reporter: Reporter,
        signals: StopSignals,
        clock: Callable[[], float],
    ) -> None:
        self._sandbox = sandbox
        self._cache = cache
        self._reporter = reporter
        self._signals = signals
        self._clock = clock
        self._lock = threading.RLock()
        self._out: dict[str, tuple[_Open, PlannedJob]] = {}
        self._failure: Exception | None = None
        self._committed = clock()

    def fill(self, plans: Iterable[tuple[str, ProblemPlan]], on_complete: OnComplete) -> None:
        """Fill every plan and hand it over as soon as it is whole.

        Args:
            plans: (key that begins the keys of its jobs, plan); drawn as the sandbox takes jobs.
            on_complete: called with each plan, once.

        Raises:
            ExecutionError: the sandbox can't go on, or did not answer as its contract says.
            KeyboardInterrupt: a stop was asked for.
        """
        executions = self._sandbox.run(self._jobs(plans, on_complete))
        try:
            for execution in executions:
                with self._signals.deferred(), self._lock:
                    self._take(execution, on_complete)
        except SandboxError as error:
            raise ExecutionError(f"the sandbox can't go on: {error}") from error
        finally:
            with self._signals.deferred():
                close = getattr(executions, "close", None)
                if close is not None:
                    close()
                self._cache.commit()
        if self._failure is not None:
            raise self._failure
        if self._out:
            raise ExecutionError(
                f"the sandbox gave no answer for {len(self._out)} jobs (first: {min(self._out)})"
            )

    def _jobs(self, plans: Iterable[tuple[str, ProblemPlan]], on_complete: OnComplete) -> Iterator[Job]:
        try:
            for key, plan in plans:
                opened = _Open(plan)
                for repetition in range(plan.repeat):
                    for program in range(len(plan.programs)):
                        with self._signals.deferred(), self._lock:
                            jobs = self._plan_program(key, opened, program, repetition)
                            self._reporter.tick()
                        for planned in jobs:
                            yield planned.job
                with self._signals.deferred(), self._lock:
                    self._settle(opened, on_complete)
        except Exception as error:  # noqa: BLE001 - `fill` raises it, in the thread that asked
            self._failure = error

    def _plan_program(self, key: str, opened: _Open, program: int, repetition: int) -> list[PlannedJob]:
        plan = opened.plan
        keys = {key: check for check, key in enumerate(plan.cell_keys(repetition))}
        for cell, result in self._cache.known(plan.program_key(program), keys).items():
            self._fill(plan, program, keys[cell], repetition, result, cached=True)
        jobs = list(plan.jobs(key, program, repetition))
        for planned in jobs:
            self._out[planned.job.key] = opened, planned
        opened.pending += len(jobs)
        return jobs

    def _take(self, execution: Execution, on_complete: OnComplete) -> None:
        try:
            opened, planned = self._out.pop(execution.key)
        except KeyError:
            raise ExecutionError(f"the sandbox answered job {execution.key!r}, which is not open") from None
        if len(execution.results) != len(planned.probes):
            raise ExecutionError(
                f"the sandbox gave {len(execution.results)} results for the {len(planned.probes)} checks "
                f"of job {execution.key}"
            )
        plan = opened.plan
        program = plan.program_key(planned.program)
        keys = plan.cell_keys(planned.repetition)
        finished = []
        for raw, checks in zip(execution.results, planned.probes, strict=True):
            for check in checks:
                result = plan.checks[check].judge(raw)
                self._fill(plan, planned.program, check, planned.repetition, result, cached=False)
                finished.append(FinishedCell(program, keys[check], result))
        self._cache.keep(finished)
        self._settle(opened, on_complete)
        if self._clock() - self._committed >= _COMMIT_SECONDS:
            self._cache.commit()
            self._committed = self._clock()
        self._reporter.tick()

    def _fill(
        self,
        plan: ProblemPlan,
        program: int,
        check: int,
        repetition: int,
        result: CheckResult,
        *,
        cached: bool,
    ) -> None:
        plan.fill(program, check, repetition, result)
        self._reporter.count(result.outcome, plan.weight(program, check), cached=cached)

    def _settle(self, opened: _Open, on_complete: OnComplete) -> None:
        opened.pending -= 1
        if not opened.pending:
            on_complete(opened.plan)
