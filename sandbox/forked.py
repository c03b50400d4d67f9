"""Runs a check in a fork of the judge: for tests that could exit, loop, or change the judge itself."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import time
from collections.abc import Callable
from typing import Any, Final

from sandbox.confine import namespaces
from sandbox.outcome import Outcome
from sandbox.replies import cleaned
from sandbox.verdict import Report

Found = tuple[Report, Report | None, bool]
_GRACE_SECONDS: Final = 0.2
_REPORT_LIMIT: Final = 1 << 20
_ANY: Final = frozenset(Outcome)


def run_forked(work: Callable[[], Found], seconds: float, keep: set[int]) -> Found:
    """Do the work in a child process; a child that gives nothing in time is killed.

    Args:
        work: gives what the check found, the program's verdict and whether its process died.
        seconds: wall time of the check; the child watches the program itself within it.
        keep: descriptors that the child needs; all others are closed in it.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _work(work, writing, keep | {writing})
    os.close(writing)
    try:
        text = _read(reading, time.monotonic() + seconds + _GRACE_SECONDS)
    finally:
        os.close(reading)
        _end(child)
    if text is None:
        late = {"outcome": Outcome.TIME_LIMIT}
        return late, late, False
    try:
        found, verdict, died = json.loads(text)
        return cleaned(found, _ANY), None if verdict is None else cleaned(verdict, _ANY), died is True
    except (ValueError, TypeError, RecursionError):
        return (
            {"outcome": Outcome.RUNTIME_ERROR, "message": "the check ended the judge's process"},
            None,
            False,
        )


def _work(work: Callable[[], Found], writing: int, keep: set[int]) -> None:
    try:
        os.setsid()
        for fd in range(3, 64):
            if fd not in keep:
                with contextlib.suppress(OSError):
                    os.close(fd)
        text = json.dumps(work()).encode()
        while text:
            text = text[os.write(writing, text) :]
    finally:
        os._exit(0)


def _read(fd: int, deadline: float) -> bytes | None:
    """All that comes until the end of the stream; None when the deadline passes first."""
    data = b""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    while len(data) < _REPORT_LIMIT:
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            return None
        more = os.read(fd, 1 << 16)
        if not more:
            break
        data += more
    return data


def _end(child: int) -> None:
    """Kill the child and, alone in a process namespace, whatever it started."""
    alone = namespaces.alone()
    targets: list[Any] = [lambda: os.kill(-1, signal.SIGKILL)] if alone else []
    targets += [lambda: os.killpg(child, signal.SIGKILL), lambda: os.kill(child, signal.SIGKILL)]
    for kill in targets:
        try:
            kill()
        except OSError:
            continue
    os.waitpid(child, 0)
    with contextlib.suppress(ChildProcessError):
        while alone:
            os.waitpid(-1, 0)
