"""Filling plans: their jobs out to the executor, its results back in."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing

from core.execution.executor import CachedExecutor
from core.execution.plan import PlannedJob, ProblemPlan
from core.execution.report import Reporter
from sandbox.contract import Job


def fill(
    plans: Iterable[ProblemPlan], executor: CachedExecutor, reporter: Reporter
) -> Generator[ProblemPlan, None, None]:
    """Fill every plan, and give each as soon as it is whole.

    Args:
        plans: of different problems; drawn as the executor takes jobs.
        executor: runs what it does not know; results may come in any order.
        reporter: told of every result.

    Raises:
        ExecutionError: as `CachedExecutor.run`.
    """
    asked: dict[str, tuple[ProblemPlan, PlannedJob]] = {}
    empty: deque[ProblemPlan] = deque()

    def jobs() -> Iterator[Job]:
        for plan in plans:
            if plan.whole:
                empty.append(plan)
            for planned in plan.jobs():
                job = planned.asked.job
                asked[job.key] = plan, planned
                yield job

    with closing(executor.run(jobs(), lambda job: asked[job.key][1].repetition)) as executions:
        for execution in executions:
            plan, planned = asked.pop(execution.key)
            for verdict in plan.verdicts(planned, execution):
                cells = plan.fill(planned, verdict)
                reporter.count(verdict.result.outcome, cells, cached=verdict.known)
            reporter.tell()
            if plan.whole:
                yield plan
            while empty:
                yield empty.popleft()
    yield from empty
