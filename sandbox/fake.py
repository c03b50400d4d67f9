"""A sandbox made from a function, for tests of whatever uses a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Self

from sandbox.contract import CheckResult, Execution, Isolation, Job


class FakeSandbox:
    """Answers each job with what `handler` returns for it; runs nothing.

    Attributes:
        jobs: every job seen so far, in order.
    """

    def __init__(self, handler: Callable[[Job], Sequence[CheckResult]]) -> None:
        self._handler = handler
        self.jobs: list[Job] = []

    @property
    def isolation(self) -> Isolation:
        """Nothing runs, so nothing has to be kept apart."""
        return Isolation(backend="fake", guarantees=("runs nothing",), full=True)

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """Yield one Execution per job, in the order of the jobs."""
        for job in jobs:
            self.jobs.append(job)
            yield Execution(job.key, tuple(self._handler(job)))

    def close(self) -> None:
        """Nothing to end."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
