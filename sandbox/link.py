"""The controller's end of a host or judge: bytes to it, bytes from it, and its end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
from typing import Protocol

from sandbox.wire import BrokenStreamError

_CHUNK = 1 << 18


class Link(Protocol):
    """One running host or judge.

    Attributes:
        input: descriptor to wait on before `send`.
        output: descriptor to wait on before `receive`.
    """

    input: int
    output: int

    def send(self, data: bytes) -> int:
        """Send what fits now; how many bytes that was.

        Raises:
            BlockingIOError: nothing fits.
            OSError: it is gone.
        """

    def receive(self) -> bytes:
        """What has come, maybe nothing yet.

        Raises:
            BrokenStreamError: it has ended; the message holds its last words, if it left any.
        """

    def kill(self) -> None:
        """End it at once; may be called from another thread."""


class PipeLink:
    """A process with pipes on standard input and output that leads a session of its own."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self.input = process.stdin.fileno()
        self.output = process.stdout.fileno()
        os.set_blocking(self.input, False)

    def send(self, data: bytes) -> int:
        """Send what fits now."""
        return os.write(self.input, data)

    def receive(self) -> bytes:
        """What has come."""
        data = os.read(self.output, _CHUNK)
        if not data:
            raise BrokenStreamError("its process ended")
        return data

    def kill(self) -> None:
        """End the process and its group."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def hang_up(self) -> None:
        """Close its standard input, which ends it."""
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def wait(self, seconds: float) -> None:
        """Wait for its end after `hang_up`; kill it when the time is over."""
        with contextlib.suppress(AttributeError, OSError):  # not on Linux, or gone
            _await_end(self._process.pid, seconds)
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            self._process.wait()
        finally:
            self.hang_up()
            if self._process.stdout is not None:
                with contextlib.suppress(OSError):
                    self._process.stdout.close()


def _await_end(pid: int, seconds: float) -> None:
    """Sleep until a process ends, which `Popen.wait` with a time limit asks for again and again instead."""
    descriptor = os.pidfd_open(pid)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        poll.poll(seconds * 1000)
    finally:
        os.close(descriptor)
