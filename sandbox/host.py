"""The host: forks a process for each program, and ends it. It knows no program and no test.

A child inherits its parent's memory and may search it, so nothing worth finding is ever in here: the
program goes from the judge to the child over a socket that the host makes and hands over. The host
itself runs no code of others. One program process lives at a time; before the next one starts, the
last and all that it left behind are killed.

Requests on the control channel, and their answers, each a small JSON text, one at a time:

    {"op": "hello"}             -> {} with the descriptors that catch the program's stdout and stderr
    {"op": "spawn", limits...}  -> {} with the judge's end of a socket to a new program process; a
                                   descriptor that comes with the request is its standard input
    {"op": "fate"}              -> {"status": wait status or null, "peak_kb": memory} of a process that has
                                   closed its socket, which may take a moment to end by itself
    {"op": "end"}               -> {} when the program process and all it started are gone
"""

from __future__ import annotations

import _sitebuiltins
import builtins
import contextlib
import fcntl
import functools
import gc
import io
import json
import os
import signal
import socket
import sys
import time
from typing import Any, Final, NoReturn

from sandbox import confine, program
from sandbox.confine import namespaces, privileges
from sandbox.tidy import tidy
from sandbox.wire import write_frame

_STACK_OF_OUR_OWN: Final = 30
_CHANNEL: Final = 3
"""The descriptor on which a program's process is asked."""
_PRELOADED: Final = (
    "bisect", "collections", "copy", "functools", "heapq", "itertools", "math", "operator",
    "re", "string", "typing",
)  # fmt: skip
"""What programs import most: loaded once here instead of in every child."""

for _module in _PRELOADED:
    __import__(_module)


def run(
    requests: int, answers: int, control: socket.socket, options: dict[str, Any], achieved: confine.Achieved
) -> None:
    """Serve the judge until the control channel closes."""
    os.close(requests)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    write_frame(answers, json.dumps(achieved.told()).encode())
    os.close(answers)
    _dress_interpreter()
    program.warm_up()
    host = _Host(control, options["scratch"], alone=namespaces.alone())
    gc.collect()
    gc.freeze()
    host.serve()


class _Host:
    def __init__(self, control: socket.socket, scratch: str, *, alone: bool) -> None:
        self._control = control
        self._scratch = scratch
        self._alone = alone
        self._sealer = confine.Sealer()
        self._serve_program = program.prepared(_CHANNEL)
        self._child = 0
        self._status: int | None = None
        self._peak_kb = 0
        self._outputs = (_output_file("stdout"), _output_file("stderr"))

    def serve(self) -> None:
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._control, 4096, 1)
            if not data:
                self.leave()
            request = _read(data)
            if request["op"] == "spawn":
                self._spawn(request, descriptors)
            elif request["op"] == "fate":
                self._await_end()
                self._sweep()
                fate = {"status": self._status, "peak_kb": self._peak_kb}
                self._control.sendall(json.dumps(fate).encode())
            elif request["op"] == "end":
                self._sweep()
                self._control.sendall(b"{}")
            else:
                socket.send_fds(self._control, [b"{}"], list(self._outputs))

    def leave(self) -> None:
        """End the program and this process."""
        self._sweep()
        os._exit(0)

    def _spawn(self, request: dict[str, Any], stdin: list[int]) -> None:
        self._sweep()
        self._clean()
        processes = self._sealer.prepare(request["processes"])
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            self._enter(theirs.fileno(), request, processes, stdin)
        self._child, self._status, self._peak_kb = pid, None, 0
        theirs.close()
        for descriptor in stdin:
            os.close(descriptor)
        socket.send_fds(self._control, [b"{}"], [ours.fileno()])
        ours.close()

    def _enter(self, channel: int, request: dict[str, Any], processes: int, stdin: list[int]) -> NoReturn:
        """Become a program process; never returns."""
        try:
            if not self._alone:  # else the kernel ends everything with this host
                privileges.die_with_parent(signal.SIGKILL)
            for descriptor in stdin:
                os.dup2(descriptor, 0)
            os.dup2(self._outputs[0], 1)
            os.dup2(self._outputs[1], 2)
            if channel != _CHANNEL:
                os.dup2(channel, _CHANNEL)
            os.closerange(_CHANNEL + 1, 64)
            self._sealer.seal(request["memory_mb"], request["file_mb"], request["cpu_seconds"], processes)
            self._serve_program()
        finally:
            os._exit(1)

    def _await_end(self) -> None:
        """Give a process that has closed its socket a moment to end by itself."""
        for _ in range(50):
            if not self._child or self._reap(os.WNOHANG):
                return
            time.sleep(0.001)

    def _reap(self, flags: int) -> bool:
        pid, status, usage = os.wait4(self._child, flags)
        if pid != self._child:
            return False
        self._child, self._status = 0, status
        self._peak_kb = usage.ru_maxrss if sys.platform != "darwin" else usage.ru_maxrss // 1024
        return True

    def _sweep(self) -> None:
        """Kill the program process and, as process 1 of its namespace, whatever else it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._alone:
                os.kill(-1, signal.SIGKILL)
            elif self._child:
                os.killpg(self._child, signal.SIGKILL)
        if self._child:
            with contextlib.suppress(OSError):
                os.kill(self._child, signal.SIGKILL)
            self._reap(0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, 0 if self._alone else os.WNOHANG)[0]:
                pass

    def _clean(self) -> None:
        for output in self._outputs:
            if os.fstat(output).st_size:
                os.ftruncate(output, 0)
            fcntl.fcntl(output, fcntl.F_SETFL, os.O_APPEND)  # programs share it, and may have changed that
            os.lseek(output, 0, os.SEEK_SET)
        tidy(self._scratch)


@functools.lru_cache(maxsize=8)
def _read(request: bytes) -> dict[str, Any]:
    """A request; most are the same as the one before, and reading it again would cost pages."""
    found: dict[str, Any] = json.loads(request)
    return found


def _output_file(name: str) -> int:
    """A file without a name, opened to append, that catches what programs print."""
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create(name, os.MFD_CLOEXEC)
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    fcntl.fcntl(fd, fcntl.F_SETFL, fcntl.fcntl(fd, fcntl.F_GETFL) | os.O_APPEND)
    return fd


def _dress_interpreter() -> None:
    """What `site` would have set up, and streams on the descriptors that programs get."""
    builtins.exit = _sitebuiltins.Quitter("exit", "Ctrl-D")
    builtins.quit = _sitebuiltins.Quitter("quit", "Ctrl-D")
    sys.setrecursionlimit(1000 + _STACK_OF_OUR_OWN)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = io.TextIOWrapper(
        io.FileIO(2, "w", closefd=False), encoding="utf-8", errors="backslashreplace", write_through=True
    )
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
