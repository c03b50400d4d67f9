"""A sandbox whose workers are the processors of a Ray cluster.

Jobs go out in batches, a Ray task each, and each node runs them in a sandbox of its own. What comes back
goes the way it goes on one machine: through the cache and the store of the process that asked. Ray schedules
a task again when its worker or node is lost, so that costs a batch and nothing that was finished. Batches
are counted in checks, not in problems: one problem may have a thousand programs.

This is the only module that imports Ray, and only when a cluster is opened.
"""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import sandbox
from core.errors import InputError
from core.words import quantity
from sandbox import node
from sandbox.contract import CheckResult, Execution, Isolation, Job, Outcome, SandboxError, checks_of

_BATCH_CHECKS: Final = 256
_BATCH_JOBS: Final = 32
_REACH_SECONDS: Final = 5.0
_START_SECONDS: Final = 300.0
_ALONE_SECONDS: Final = 60.0
"""How long to wait for a node when none is left."""
_TRIES: Final = 3
_LAST_PORT: Final = 65535
_LONGEST_PORT: Final = 9  # digits that are looked at: more are no port
_STORE_BYTES: Final = 200 * 2**20


class ClusterSandbox:
    """Runs jobs on a Ray cluster; opening one connects this process to it.

    Args:
        address: `local` starts a cluster here that ends with this process; `auto` takes the one that
            runs here; else HOST:PORT of a cluster's head.
        backend: of every node.
        workers: batches at once; None: one for each processor of the cluster, and as many waiting.

    Raises:
        InputError: Ray is not installed, no cluster answers at the address, or the nodes' sandboxes differ.
        SandboxUnavailableError: the backend can't run on one of the nodes.
    """

    def __init__(self, address: str, backend: str = "auto", workers: int | None = None) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray
        except ImportError:
            raise InputError(
                "a cluster needs Ray, which is not installed: pip install -r requirements-cluster.txt"
            ) from None
        self._ray: Any = ray
        self._workers = workers
        self._connect(address)
        try:
            self._isolation = self._survey(address, backend)
        except BaseException:
            self.close()
            raise
        retried = self._ray.remote(num_cpus=1, max_retries=_TRIES, retry_exceptions=[SandboxError])
        self._run = retried(node.run_batch)

    @property
    def isolation(self) -> Isolation:
        """What holds on every node."""
        return self._isolation

    def run(self, jobs: Iterable[Job]) -> Generator[Execution, None, None]:
        """Run the jobs; executions come as batches finish, in any order.

        Raises:
            SandboxError: the cluster can't go on.
        """
        batches = _batches(jobs)
        alone: deque[list[Job]] = deque()
        running: dict[Any, list[Job]] = {}
        try:
            while True:
                room = self._room()
                while len(running) < room and (batch := alone.popleft() if alone else next(batches, None)):
                    running[self._run.remote(self._isolation.backend, batch)] = batch
                if not running:
                    return
                for task in self._finished(running):
                    batch = running.pop(task)
                    try:
                        yield from self._ray.get(task)
                    except self._ray.exceptions.RayTaskError as error:
                        raise SandboxError(f"a node's sandbox failed: {_last_line(error)}") from error
                    except self._ray.exceptions.RayError as error:
                        if len(batch) > 1:  # one of them may be to blame: each on its own
                            alone += ([job] for job in batch)
                        else:
                            yield _lost(batch[0], error)
        finally:
            for task in running:
                with suppress(Exception):
                    self._ray.cancel(task, force=True)

    def close(self) -> None:
        """Leave the cluster; one that was started for this process ends."""
        self._ray.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _connect(self, address: str) -> None:
        options: dict[str, Any] = {"address": address}
        if address == "local":
            options |= {"num_cpus": self._workers, "object_store_memory": _STORE_BYTES}
            options["include_dashboard"] = False
        elif address != "auto":
            _reach(address)
        with _own_signals():
            try:
                self._ray.init(
                    **options,
                    log_to_driver=False,
                    logging_level="error",
                    runtime_env={"py_modules": [str(Path(sandbox.__file__).parent)]},
                )
            except (ConnectionError, RuntimeError, ValueError, TimeoutError) as error:
                raise InputError(f"no Ray cluster at {address}: {_last_line(error)}") from error

    def _survey(self, address: str, backend: str) -> Isolation:
        """Ask every node what its sandbox guarantees; all must run programs in the same way."""
        ray = self._ray
        pin = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        describe = ray.remote(num_cpus=1, max_retries=_TRIES)(node.describe)
        nodes = [found for found in ray.nodes() if found["Alive"] and found["Resources"].get("CPU", 0) >= 1]
        asked = [
            describe.options(scheduling_strategy=pin(found["NodeID"], soft=False)).remote(backend)
            for found in nodes
        ]
        rows: list[Isolation] = []
        for found, task in zip(nodes, asked, strict=True):
            name = found["NodeManagerHostname"]
            try:
                rows.append(ray.get(task, timeout=_START_SECONDS))
            except ray.exceptions.RayError as error:
                raise InputError(f"node {name} can't run programs: {_last_line(error)}") from error
        return _common(rows, [found["NodeManagerHostname"] for found in nodes], address)

    def _room(self) -> int:
        """How many batches may be under way now."""
        return self._workers or 2 * max(1, int(self._ray.cluster_resources().get("CPU", 0)))

    def _finished(self, running: dict[Any, list[Job]]) -> list[Any]:
        """Wait for a batch or more.

        Raises:
            SandboxError: no node is left to run any.
        """
        alone_since: float | None = None
        while True:
            done, _ = self._ray.wait(list(running), num_returns=1, timeout=2.0)
            if done:
                return list(done)
            if self._ray.cluster_resources().get("CPU", 0) >= 1:
                alone_since = None
            elif alone_since is None:
                alone_since = time.monotonic()
            elif time.monotonic() - alone_since > _ALONE_SECONDS:
                raise SandboxError("no node of the cluster is left")


def _batches(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    batch: list[Job] = []
    checks = 0
    for job in jobs:
        batch.append(job)
        checks += len(checks_of(job))
        if checks >= _BATCH_CHECKS or len(batch) >= _BATCH_JOBS:
            yield batch
            batch, checks = [], 0
    if batch:
        yield batch


def _common(rows: Sequence[Isolation], names: Sequence[str], address: str) -> Isolation:
    """What holds on all nodes; what is missing on any."""
    if not rows:
        raise InputError(f"the Ray cluster at {address} has no node with a processor")
    first = rows[0]
    for row, name in zip(rows, names, strict=True):
        if (row.backend, row.versions.get("python")) != (first.backend, first.versions.get("python")):
            raise InputError(
                f"the nodes would run programs differently: {names[0]} in {_told(first)}, "
                f"{name} in {_told(row)}; expected one backend (--sandbox) and one Python"
            )
    return replace(
        first,
        guarantees=tuple(p for p in first.guarantees if all(p in row.guarantees for row in rows)),
        missing=tuple(dict.fromkeys(phrase for row in rows for phrase in row.missing)),
        full=all(row.full for row in rows),
        why=f"on {quantity(len(rows), 'node')} of the Ray cluster at {address}",
    )


def _told(isolation: Isolation) -> str:
    return f"{isolation.backend} with Python {isolation.versions.get('python', 'unknown')}"


def _lost(job: Job, error: Exception) -> Execution:
    message = f"the cluster lost the worker of this program {_TRIES + 1} times: {_last_line(error)}"
    result = CheckResult(Outcome.INTERNAL_ERROR, 0.0, message)
    return Execution(job.key, (result,) * len(checks_of(job)))


def _reach(address: str) -> None:
    """Refuse an address at which nobody listens, before Ray waits a minute for it."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        raise InputError(f"cluster {address!r}: expected local, auto or HOST:PORT")
    if not 1 <= int(port[:_LONGEST_PORT]) <= _LAST_PORT:
        raise InputError(f"cluster {address!r}: expected a port from 1 to {_LAST_PORT}, found {port}")
    try:
        socket.create_connection((host, int(port)), _REACH_SECONDS).close()
    except OSError as error:
        raise InputError(f"no Ray cluster at {address}: {error}") from error


def _last_line(error: Exception) -> str:
    lines = str(getattr(error, "cause", None) or error).strip().splitlines()
    return lines[-1].strip() if lines else type(error).__name__


@contextmanager
def _own_signals() -> Iterator[None]:
    """Ray takes SIGTERM for itself when it starts; whoever had it keeps it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
