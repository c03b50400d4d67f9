"""A sandbox behind the cache of finished cells: what ran once, with the same limits, never runs again."""

from __future__ import annotations

import platform
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Self

from core.execution.cache import CellCache, CellKey, FinishedCell, OnTrouble, ProgramKey, content_key
from sandbox.contract import AssertsJob, CallsJob, CheckResult, Execution, Job, Sandbox, StdioJob

__all__ = ["CachedExecutor"]

_COMMIT_SECONDS = 0.2
_KEPT_APART = "raw results"  # cells of runs hold verdicts, these hold what the sandbox said


@dataclass(slots=True)
class _Open:
    """A job on its way: what is known, and which checks are being run."""

    job: Job
    results: list[CheckResult | None]
    program: ProgramKey
    cells: tuple[CellKey, ...]

    def missing(self) -> list[int]:
        return [index for index, result in enumerate(self.results) if result is None]

    def execution(self) -> Execution:
        return Execution(self.job.key, tuple(result for result in self.results if result is not None))


class CachedExecutor:
    """An `Executor` (`core.benchmarks.judging`) that keeps every result of `sandbox` in a cache file.

    A killed build loses at most the last moment's results when it is started again. Use as a
    context manager, or call `close()`; the sandbox stays open.
    """

    def __init__(self, sandbox: Sandbox, path: Path, on_trouble: OnTrouble | None = None) -> None:
        self._sandbox = sandbox
        self._cache = CellCache(path, on_trouble or _ignore)
        isolation = sandbox.isolation
        self._setting = (isolation.backend, isolation.versions.get("python", platform.python_version()))

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """One execution for each job, in any order; only checks that are not known run."""
        waiting: dict[str, _Open] = {}
        ready: deque[Execution] = deque()
        committed = time.monotonic()
        try:
            for execution in self._sandbox.run(self._unknown(jobs, waiting, ready)):
                opened = waiting.pop(execution.key)
                self._take(opened, execution.results)
                if time.monotonic() - committed >= _COMMIT_SECONDS:
                    self._cache.commit()
                    committed = time.monotonic()
                yield opened.execution()
                while ready:
                    yield ready.popleft()
            yield from ready
        finally:
            self._cache.commit()

    def close(self) -> None:
        """Write what is not yet written and close the cache file."""
        self._cache.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _unknown(
        self, jobs: Iterable[Job], waiting: dict[str, _Open], ready: deque[Execution]
    ) -> Iterator[Job]:
        for job in jobs:
            opened = self._look_up(job)
            missing = opened.missing()
            if missing:
                waiting[job.key] = opened
                yield _part(job, missing)
            else:
                ready.append(opened.execution())

    def _look_up(self, job: Job) -> _Open:
        limits = replace(job.limits, seconds=0.0)
        about = ["", ""]
        if not isinstance(job, StdioJob):
            about[0] = job.entry_point or ""
        if isinstance(job, AssertsJob):
            about[1] = job.support
        kind = type(job).__name__
        program = content_key(_KEPT_APART, *self._setting, kind, job.program, *about, repr(limits))
        checks = _checks(job)
        seconds = job.seconds or (job.limits.seconds,) * len(checks)
        cells = tuple(content_key(check, limit) for check, limit in zip(checks, seconds, strict=True))
        known = self._cache.known(program, cells)
        return _Open(job, [known.get(cell) for cell in cells], program, cells)

    def _take(self, opened: _Open, results: Sequence[CheckResult]) -> None:
        finished = []
        for index, result in zip(opened.missing(), results, strict=True):
            opened.results[index] = result
            finished.append(FinishedCell(opened.program, opened.cells[index], result))
        self._cache.keep(finished)


def _ignore(_: str) -> None:
    """A cache that can't be used costs time, nothing else."""


def _checks(job: Job) -> tuple[str, ...]:
    if isinstance(job, AssertsJob):
        return job.checks
    return job.calls if isinstance(job, CallsJob) else job.stdins


def _part(job: Job, indices: Sequence[int]) -> Job:
    """The job with only these checks."""
    checks = _checks(job)
    kept = tuple(checks[index] for index in indices)
    seconds = tuple(job.seconds[index] for index in indices) if job.seconds else None
    if isinstance(job, AssertsJob):
        return replace(job, checks=kept, seconds=seconds)
    if isinstance(job, CallsJob):
        return replace(job, calls=kept, seconds=seconds)
    return replace(job, stdins=kept, seconds=seconds)
