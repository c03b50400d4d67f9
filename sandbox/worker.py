"""One worker as the controller sees it: its host and judge, the clock over them, restarts.

The judge watches the program's clock; the worker watches the judge's. A judge that says nothing for longer
than the check it is at may take, with some grace, is replaced together with its host, and the job goes on
from the first check without a result, with results one by one (`careful`). From then on a check at which it
falls silent, or dies twice, gets its verdict from here and the job goes on behind it. So a job always ends,
with a result for each check.
"""

from __future__ import annotations

import functools
import json
import select
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, Final

from sandbox.backend import Backend, Pair
from sandbox.contract import (
    AssertsJob,
    CallsJob,
    CheckResult,
    Execution,
    Job,
    Limits,
    Outcome,
    SandboxError,
    StdioJob,
    checks_of,
)
from sandbox.link import Link
from sandbox.values import fingerprint
from sandbox.wire import REPORT_LIMIT, BrokenStreamError, Frames, frame

_GRACE_SECONDS: Final = 3.0
_START_SECONDS: Final = 60.0
_START_ATTEMPTS: Final = 3
_VALUES_LIMIT: Final = 256 * 1024 * 1024
"""Characters of all values of a job that are not the expected ones: they wait here for the job's end."""
_FIELDS: Final[dict[str, type]] = {
    "seconds": float, "message": str, "actual": str, "expected": str, "stdout": str, "value": str,
    "line": int, "in_process": bool,
}  # fmt: skip


class _JudgeSilentError(Exception):
    """The judge gave no sign of life in time."""


class Running:
    """A job on its way, with the results it has so far.

    Attributes:
        careful: results are to come one by one.
        blamed: how often the judge was lost at the current check.
    """

    def __init__(self, number: int, job: Job) -> None:
        self.number = number
        self.job = job
        self.checks: tuple[str, ...] = checks_of(job)
        self.expected = job.expected if isinstance(job, CallsJob) else None
        self.results: list[CheckResult] = []
        self.careful = False
        self.blamed = 0
        self._values = 0

    @property
    def complete(self) -> bool:
        """Whether each check has its result."""
        return len(self.results) == len(self.checks)

    def seconds(self) -> float:
        """The time limit of the check whose result is next."""
        index = len(self.results)
        limits = self.job.seconds
        if limits is None or index >= len(limits):
            return self.job.limits.seconds
        return limits[index]

    def message(self) -> dict[str, Any]:
        """The job for the judge, from the first check without a result on."""
        job = self.job
        kind = {AssertsJob: "asserts", CallsJob: "calls", StdioJob: "stdio"}[type(job)]
        return {
            "job": self.number,
            "kind": kind,
            "program": job.program,
            "checks": self.checks,
            "start": len(self.results),
            "entry_point": None if isinstance(job, StdioJob) else job.entry_point,
            "support": job.support if isinstance(job, AssertsJob) else "",
            "entry_is_class": job.entry_is_class if isinstance(job, AssertsJob) else None,
            "limits": _limits(job.limits),
            "seconds": job.seconds,
            "expected": _fingerprints(self.expected) if self.expected else None,
            "careful": self.careful,
        }

    def take(self, told: list[Any]) -> None:
        """Add results as the judge told them."""
        for item in told:
            if len(self.results) < len(self.checks):
                expected = self.expected[len(self.results)] if self.expected else None
                result = read_result(item, expected)
                if result.value is not None and type(item) is dict:
                    result = self._weighed(result)
                self.results.append(result)
                self.blamed = 0

    def _weighed(self, result: CheckResult) -> CheckResult:
        """A result with a value of its own, while there is room for it."""
        assert result.value is not None
        self._values += len(result.value)
        if self._values <= _VALUES_LIMIT:
            return result
        message = f"the values of the program's checks are longer than {_VALUES_LIMIT} characters together"
        return CheckResult(Outcome.OUTPUT_LIMIT, result.seconds, message, stdout=result.stdout)


class Worker:
    """Does jobs one after the other; used by one thread.

    Args:
        backend: starts the processes.
        number: of this worker, from nought.
        workers: how many there are.
        told: takes what the first host and judge achieved.
    """

    def __init__(
        self, backend: Backend, number: int, workers: int, told: Callable[[list[dict[str, Any]]], None]
    ) -> None:
        self._backend = backend
        self._number, self._workers = number, workers
        self._told = told
        self._pair: Pair | None = None
        self._frames = Frames(REPORT_LIMIT)
        self._outbox = b""
        self._posted: dict[str, Any] = {}
        self._queue: deque[Running] = deque()
        self._heard = 0.0
        self.abandoned = False

    def start(self) -> None:
        """Start host and judge.

        Raises:
            SandboxError: they do not come up.
        """
        for attempt in range(_START_ATTEMPTS):
            self.stop()
            try:
                self._pair = self._backend.start(self._number, self._workers)
                hellos = [_hello(link) for link in (self._pair.host, self._pair.judge)]
                break
            except (OSError, SandboxError) as error:
                if self.abandoned or attempt + 1 == _START_ATTEMPTS:
                    self.stop()
                    raise SandboxError(f"a worker can't start: {error}") from error
        self._told(hellos)
        self._frames, self._outbox, self._posted = Frames(REPORT_LIMIT), b"", {}
        for running in self._queue:
            self._post(running)
        self._heard = time.monotonic()

    def stop(self) -> None:
        """End host and judge."""
        if self._pair is not None:
            self._backend.stop(self._pair)
            self._pair = None

    def give(self, running: Running) -> None:
        """Send a job ahead; it is done after those before it."""
        if not self._queue:
            self._heard = time.monotonic()
        self._queue.append(running)
        if self._pair is not None:
            self._post(running)

    def abandon(self) -> None:
        """Make the thread that waits for the judge give up; called from another thread."""
        self.abandoned = True
        if self._pair is not None:
            self._pair.judge.kill()

    def reset(self) -> None:
        """Forget what was not finished; a judge that was in the middle of it goes too."""
        if self._queue or self.abandoned:
            self.stop()
        self._queue.clear()
        self.abandoned = False

    @property
    def pending(self) -> int:
        """Jobs given and not finished."""
        return len(self._queue)

    def finish_next(self) -> Execution:
        """Wait until the oldest job is done.

        Raises:
            SandboxError: the worker can't be started.
        """
        running = self._queue[0]
        while not running.complete:
            if self._pair is None:
                self.start()
            try:
                self._listen(running)
            except (
                _JudgeSilentError,
                BrokenStreamError,
                OSError,
                ValueError,
                TypeError,
                LookupError,
            ) as error:
                if self.abandoned:
                    raise SandboxError("the sandbox was closed") from None
                self._recover(running, error)
        self._queue.popleft()
        return Execution(running.job.key, tuple(running.results))

    def _listen(self, running: Running) -> None:
        """Take one report, or find that the judge has been silent for too long."""
        while True:
            payload = self._frames.next()
            if payload is not None:
                break
            wait = self._heard + running.seconds() + _GRACE_SECONDS - time.monotonic()
            if wait <= 0:
                raise _JudgeSilentError
            self._exchange(wait)
        report = json.loads(payload)
        if type(report) is not dict or type(report["results"]) is not list:
            raise BrokenStreamError("the judge sent no report")
        if report["job"] == running.number:
            running.take(report["results"])
            if report["done"] and not running.complete:
                raise BrokenStreamError("the judge left checks out")

    def _exchange(self, wait: float) -> None:
        """Send what is waiting and read what has come."""
        judge = self._judge()
        events = {judge.output: select.POLLIN}
        if self._outbox:
            events[judge.input] = events.get(judge.input, 0) | select.POLLOUT
        poll = select.poll()
        for descriptor, mask in events.items():
            poll.register(descriptor, mask)
        ready = dict(poll.poll(wait * 1000))
        if ready.get(judge.output, 0) & ~select.POLLOUT:
            self._frames.feed(judge.receive())
            self._heard = time.monotonic()
        if ready.get(judge.input, 0) & ~select.POLLIN:
            self._send()

    def _post(self, running: Running) -> None:
        message = running.message()
        self._outbox += frame(json.dumps(news(message, self._posted)).encode())
        self._posted = message
        self._send()

    def _send(self) -> None:
        try:
            self._outbox = self._outbox[self._judge().send(self._outbox) :]
        except BlockingIOError:
            return
        except OSError:  # the judge has ended; reading says so
            self._outbox = b""

    def _recover(self, running: Running, error: Exception) -> None:
        """After the judge was lost: a fresh pair, and a verdict if it is known that this check lost it."""
        self.stop()
        running.blamed += 1
        silent = isinstance(error, _JudgeSilentError)
        if running.careful and (silent or running.blamed > 1):
            seconds = running.seconds()
            if silent:
                result = CheckResult(Outcome.TIME_LIMIT, seconds, f"no result within {seconds:g} s")
            else:
                result = CheckResult(Outcome.INTERNAL_ERROR, 0.0, f"the judge was lost: {error}")
            running.results.append(result)
            running.blamed = 0
        running.careful = True

    def _judge(self) -> Link:
        assert self._pair is not None
        return self._pair.judge


def news(message: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """What of a job is not as in the one before it, which the judge knows."""
    return {name: value for name, value in message.items() if name not in before or before[name] != value}


def _hello(link: Link) -> dict[str, Any]:
    frames, deadline = Frames(), time.monotonic() + _START_SECONDS
    poll = select.poll()
    poll.register(link.output, select.POLLIN)
    while (payload := frames.next()) is None:
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise SandboxError("a worker does not come up")
        try:
            frames.feed(link.receive())
        except BrokenStreamError as error:
            raise SandboxError(f"a worker ended while it came up: {error}") from error
    told: dict[str, Any] = json.loads(payload)
    return told


def read_result(told: Any, expected: str | None = None) -> CheckResult:
    """A result as the judge told it: a bare number of seconds is a pass, anything else says its outcome.

    What says none is an INTERNAL_ERROR. The value of a bare pass is the expected one, if there is one.
    """
    if type(told) in (int, float):
        return CheckResult(Outcome.PASSED, float(told), value=expected)
    outcome = told.get("outcome") if type(told) is dict else None
    if type(outcome) is not int or not 0 <= outcome < len(Outcome):
        return CheckResult(Outcome.INTERNAL_ERROR, 0.0, "the judge told no outcome")
    fields: dict[str, Any] = {
        name: value for name, value in told.items() if isinstance(value, _FIELDS.get(name, ()))
    }
    return CheckResult(Outcome(outcome), **fields)


@functools.lru_cache(maxsize=4)
def _fingerprints(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Of what is expected; the programs of a problem share it."""
    return tuple(map(fingerprint, texts))


@functools.lru_cache(maxsize=8)
def _limits(limits: Limits) -> dict[str, Any]:
    return asdict(limits)
