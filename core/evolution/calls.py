"""Calls for the offline generator, made in a sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.evolution.offline import Answer, Runner
from core.execution.executor import Executor
from core.model import Outcome
from sandbox.contract import CallsJob, CheckResult, Limits
from sandbox.values import dumps, loads

__all__ = ["sandbox_runner"]


def sandbox_runner(executor: Executor, limits: Limits | None = None) -> Runner:
    """A `Runner` that calls every program with the executor; the same program is run once.

    Args:
        executor: a sandbox, or one behind the cache; left open.
        limits: of each call.
    """
    bounds = limits or Limits()

    def run(
        programs: Sequence[str], entry_point: str, calls: Sequence[list[Any]]
    ) -> Sequence[Sequence[Answer]]:
        texts = tuple(dumps(arguments) for arguments in calls)
        different = list(dict.fromkeys(programs))
        jobs = [CallsJob(str(i), program, entry_point, texts, bounds) for i, program in enumerate(different)]
        rows = {
            different[int(execution.key)]: [_answer(result) for result in execution.results]
            for execution in executor.run(jobs)
        }
        return [rows[program] for program in programs]

    return run


def _answer(result: CheckResult) -> Answer:
    if result.outcome is not Outcome.PASSED:
        return Answer(result.outcome)
    try:
        return Answer(Outcome.PASSED, loads(result.value or ""))
    except ValueError:  # it returned what is no plain data, which no expected value can equal
        return Answer(Outcome.ASSERTION_FAILED)
