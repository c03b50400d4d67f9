"""Jobs in, executions out, and no check is run whose result is known.

Builds, baseline verifiers and runs all stand on `CachedExecutor`: what one of them ran, the
others know. The cache keeps what the sandbox said, not a verdict: a test whose expected value
changes is judged anew without being run.
"""

from __future__ import annotations

import platform
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import lru_cache
from itertools import chain
from types import TracebackType
from typing import Protocol, Self

from core.errors import TouchstoneError
from core.execution.cache import CellCache, CellKey, FinishedCell, ProgramKey, content_key
from core.execution.judge import shortened
from core.progress import OnProgress, Progress
from sandbox.contract import (
    AssertsJob,
    CallsJob,
    CheckResult,
    Execution,
    Isolation,
    Job,
    Outcome,
    Sandbox,
    SandboxError,
    StdioJob,
    checks_of,
)

_MEANING = 8  # part of every key: raise it when an outcome means something else than before
_COMMIT_SECONDS = 0.2
_MOST_WAITING = 256


class ExecutionError(TouchstoneError):
    """The execution can't go on; what is finished is kept and can be gone on with."""


class Executor(Protocol):
    """Whatever turns jobs into executions: a bare sandbox, or one behind a cache of finished cells."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """One execution for each job, in any order."""


@dataclass(frozen=True, slots=True)
class Executed(Execution):
    """A finished job.

    Attributes:
        known: which of its results were known before.
    """

    known: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Lookup:
    """A job with what is known of it."""

    job: Job
    program: ProgramKey
    cells: tuple[CellKey, ...]
    found: dict[CellKey, CheckResult]

    @property
    def unknown(self) -> list[int]:
        return [index for index, cell in enumerate(self.cells) if cell not in self.found]

    def executed(self, results: Iterable[CheckResult] = ()) -> Executed:
        """The whole job, given the results of what was unknown."""
        rest = iter(results)
        whole = tuple(self.found[cell] if cell in self.found else next(rest) for cell in self.cells)
        known = frozenset(index for index, cell in enumerate(self.cells) if cell in self.found)
        return Executed(self.job.key, whole, known)


class CachedExecutor:
    """An `Executor` that keeps every result of a sandbox in a cache file.

    Who is killed loses at most the last moment's results. As a context manager it closes the
    cache at its end; the sandbox stays open.
    """

    def __init__(self, sandbox: Sandbox, cache: CellCache) -> None:
        self._sandbox = sandbox
        self._cache = cache
        self._setting = sandbox.isolation.backend, python_version(sandbox.isolation)
        self._committed = time.monotonic()

    def run(
        self, jobs: Iterable[Job], repetition_of: Callable[[Job], int] = lambda _: 0
    ) -> Generator[Executed, None, None]:
        """One execution for each job, in any order; only checks that are not known run.

        Args:
            jobs: drawn as they are needed, their keys all different.
            repetition_of: which of several independent runs of the same cells a job is.

        Raises:
            ExecutionError: the sandbox can't go on, or did not answer as its contract says.
        """
        lookups = (self._look_up(job, repetition_of(job)) for job in jobs)
        try:
            for lookup in lookups:
                if lookup.unknown:
                    yield from self._run_unknown(chain([lookup], lookups))
                else:
                    yield lookup.executed()
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

    def _look_up(self, job: Job, repetition: int) -> _Lookup:
        entry_point = None if isinstance(job, StdioJob) else job.entry_point
        support = (job.support, job.entry_is_class) if isinstance(job, AssertsJob) else ""
        limits = astuple(replace(job.limits, seconds=0.0))
        program = content_key(
            _MEANING, *self._setting, type(job).__name__, job.program, entry_point, support, limits
        )
        cells = _cell_keys(checks_of(job), job.seconds or job.limits.seconds, repetition)
        return _Lookup(job, program, cells, self._cache.known(program, cells))

    def _run_unknown(self, lookups: Iterable[_Lookup]) -> Iterator[Executed]:
        """Run jobs side by side until there are no more, or too many known ones wait to be taken."""
        opened: dict[str, _Lookup] = {}
        known: deque[_Lookup] = deque()

        def unknown() -> Iterator[Job]:
            for lookup in lookups:
                if indices := lookup.unknown:
                    opened[lookup.job.key] = lookup
                    yield _part(lookup.job, indices)
                else:
                    known.append(lookup)
                    if len(known) >= _MOST_WAITING:
                        return

        executions = self._sandbox.run(unknown())
        try:
            for execution in executions:
                yield self._take(opened, execution)
                while known:
                    yield known.popleft().executed()
        except SandboxError as error:
            raise ExecutionError(f"the sandbox can't go on: {error}") from error
        finally:
            if isinstance(executions, Generator):
                executions.close()
        yield from (lookup.executed() for lookup in known)
        if opened:
            raise ExecutionError(f"the sandbox gave no answer for {len(opened)} jobs (first: {min(opened)})")

    def _take(self, opened: dict[str, _Lookup], execution: Execution) -> Executed:
        try:
            lookup = opened.pop(execution.key)
        except KeyError:
            raise ExecutionError(f"the sandbox answered job {execution.key!r}, which is not open") from None
        indices = lookup.unknown
        if len(execution.results) != len(indices):
            raise ExecutionError(
                f"the sandbox gave {len(execution.results)} results for the {len(indices)} checks "
                f"of job {execution.key}"
            )
        results = [_to_keep(lookup.job, result) for result in execution.results]
        self._cache.keep(
            FinishedCell(lookup.program, lookup.cells[index], result)
            for index, result in zip(indices, results, strict=True)
        )
        if time.monotonic() - self._committed >= _COMMIT_SECONDS:
            self._cache.commit()
            self._committed = time.monotonic()
        return lookup.executed(results)


def run_all(
    executor: Executor, jobs: Sequence[Job], phase: str, on_progress: OnProgress | None = None
) -> dict[str, Execution]:
    """Run jobs to the end, telling after each how far they are; executions by the keys of their jobs."""
    return {execution.key: execution for execution in run_each(executor, jobs, phase, on_progress)}


def run_each(
    executor: Executor, jobs: Sequence[Job], phase: str, on_progress: OnProgress | None = None
) -> Iterator[Execution]:
    """The same one by one as they end, for whoever needs little of each."""
    if not jobs:
        return
    started = time.monotonic()
    done = cached = 0

    def tell() -> None:
        if on_progress is not None:
            passed = time.monotonic() - started
            on_progress(Progress(phase, done, len(jobs), "programs", cached, passed))

    tell()
    for execution in executor.run(jobs):
        done += 1
        cached += isinstance(execution, Executed) and len(execution.known) == len(execution.results)
        tell()
        yield execution


def python_version(isolation: Isolation) -> str:
    """Version of the Python that runs the programs."""
    return isolation.versions.get("python", platform.python_version())


@lru_cache(maxsize=16)
def _cell_keys(
    checks: tuple[str, ...], seconds: tuple[float, ...] | float, repetition: int
) -> tuple[CellKey, ...]:
    """Stand for each check, its time limit and the repetition; the programs of a problem share them."""
    limits = seconds if isinstance(seconds, tuple) else (seconds,) * len(checks)
    return tuple(content_key(check, limit, repetition) for check, limit in zip(checks, limits, strict=True))


def _part(job: Job, indices: Sequence[int]) -> Job:
    """The job with only these checks."""
    checks = checks_of(job)
    if len(indices) == len(checks):
        return job
    kept = tuple(checks[index] for index in indices)
    seconds = tuple(job.seconds[index] for index in indices) if job.seconds else None
    if isinstance(job, AssertsJob):
        return replace(job, checks=kept, seconds=seconds)
    if isinstance(job, CallsJob):
        expected = tuple(job.expected[index] for index in indices) if job.expected else None
        return replace(job, calls=kept, seconds=seconds, expected=expected)
    return replace(job, stdins=kept, seconds=seconds)


def _to_keep(job: Job, result: CheckResult) -> CheckResult:
    """The result without what nobody will ask for: cut texts, but whole what is to be compared."""
    short = shortened(result)
    if isinstance(job, CallsJob):
        return replace(short, value=result.value)
    if isinstance(job, StdioJob) and result.outcome is Outcome.PASSED:
        return replace(short, stdout=result.stdout)
    return short
