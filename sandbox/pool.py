"""The sandbox that all backends share: workers in threads, jobs in, executions out."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import queue
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Final, Self

from sandbox.backend import Backend, Told
from sandbox.contract import Execution, Isolation, Job, SandboxError
from sandbox.worker import Running, Worker

_AHEAD: Final = 8
"""Jobs per worker beyond the one it is at: the next is there when one ends."""


class PooledSandbox:
    """Runs jobs on workers that a backend starts.

    Args:
        backend: starts host and judge of each worker.
        workers: how many; each keeps about one processor busy, and keeps to one if all are needed.

    Attributes:
        chosen: why `auto` took the backend, for `isolation`.
    """

    def __init__(self, backend: Backend, workers: int = 2) -> None:
        if workers < 1:
            backend.close()
            raise ValueError("a sandbox needs at least one worker")
        self.chosen = ""
        self._backend = backend
        self._told: list[dict[str, Any]] = []
        self._workers = [Worker(backend, number, workers, self._hear) for number in range(workers)]
        self._numbers = itertools.count(1)
        self._running = False
        self._closed = False
        try:
            self._workers[0].start()
        except BaseException:
            self.close()
            raise

    @property
    def isolation(self) -> Isolation:
        """What this sandbox guarantees here."""
        guarantees, missing = [
            tuple(dict.fromkeys(phrase for told in self._told for phrase in told[kind]))
            for kind in ("guarantees", "missing")
        ]
        versions = dict(item for told in self._told for item in told["versions"].items())
        isolation = self._backend.isolation(Told(guarantees, missing, versions))
        return dataclasses.replace(isolation, why=self.chosen)

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """Run the jobs; executions come as they finish. One run at a time."""
        if self._closed:
            raise SandboxError("the sandbox is closed")
        if self._running:
            raise SandboxError("this sandbox is running other jobs already")
        self._running = True
        crew = _Crew(self._workers)
        clean = False
        try:
            yield from crew.work(Running(next(self._numbers), job) for job in jobs)
            clean = True
        finally:
            crew.dismiss(clean=clean)
            self._running = False

    def close(self) -> None:
        """End every process and remove every file of the sandbox."""
        if not self._closed:
            self._closed = True
            for worker in self._workers:
                worker.abandoned = True
            with ThreadPoolExecutor(len(self._workers)) as threads:
                list(threads.map(Worker.stop, self._workers))
            self._backend.close()

    def _hear(self, told: list[dict[str, Any]]) -> None:
        if not self._told:
            self._told = told

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Todo:
    """Jobs that wait for a worker.

    A judge that goes on with the same checks has them prepared already, so a worker gets those, if there are
    any, else such as no other worker is at, else the oldest.
    """

    def __init__(self) -> None:
        self._jobs: list[Running] = []
        self._at: dict[Worker, tuple[str, ...]] = {}
        self._closed = False
        self._changed = threading.Condition()

    def put(self, job: Running) -> None:
        """One job more."""
        with self._changed:
            self._jobs.append(job)
            self._changed.notify()

    def close(self) -> None:
        """There is nothing more to do."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def take(self, worker: Worker, *, wait: bool) -> Running | None:
        """A job for this worker; None if there is none, and having waited, if there will be none."""
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: self._jobs or self._closed)
            if self._closed or not self._jobs:
                return None
            job = min(self._jobs, key=lambda job: self._distance(job, worker))
            self._jobs.remove(job)
            self._at[worker] = job.checks
            return job

    def _distance(self, job: Running, worker: Worker) -> int:
        if job.checks == self._at.get(worker):
            return 0
        return 2 if job.checks in self._at.values() else 1


class _Crew:
    """The threads of one run; jobs are pulled in the caller's thread, a few per worker ahead."""

    def __init__(self, workers: list[Worker]) -> None:
        self._workers = workers
        self._todo = Todo()
        self._done: queue.SimpleQueue[Execution | BaseException] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._serve, args=(worker,), name="touchstone-worker", daemon=True)
            for worker in workers
        ]

    def work(self, jobs: Iterator[Running]) -> Iterator[Execution]:
        """Feed the workers and yield what they finish."""
        outstanding, more = 0, True
        for thread in self._threads:
            thread.start()
        while True:
            while more and outstanding < len(self._workers) * (_AHEAD + 1):
                job = next(jobs, None)
                if job is None:
                    more = False
                else:
                    self._todo.put(job)
                    outstanding += 1
            if not outstanding:
                return
            done = self._done.get()
            if isinstance(done, BaseException):
                raise done
            outstanding -= 1
            yield done

    def dismiss(self, *, clean: bool) -> None:
        """End the threads; workers in the middle of a job are stopped, to be started again when needed."""
        self._todo.close()
        for worker in self._workers if not clean else ():
            worker.abandon()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()
        for worker in self._workers:
            worker.reset()

    def _serve(self, worker: Worker) -> None:
        try:
            while True:
                while worker.pending <= 1:
                    running = self._todo.take(worker, wait=not worker.pending)
                    if running is None:
                        break
                    worker.give(running)
                if not worker.pending:
                    return
                self._done.put(worker.finish_next())
        except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
            with contextlib.suppress(BaseException):
                worker.stop()
            if isinstance(error, Exception) and not isinstance(error, SandboxError):
                told = SandboxError(f"a worker failed: {type(error).__name__}: {error}")
                told.__cause__ = error
                self._done.put(told)
            else:
                self._done.put(error)
