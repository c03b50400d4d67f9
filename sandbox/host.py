"""The host: forks a process for each program, and ends it. It knows no program and no test.

A child inherits its parent's memory and may search it, so nothing worth finding is ever in here: the
program goes from the judge to the child over a socket that the judge makes and hands over. The host
itself runs no code of others. One program process lives at a time; before the next one starts, the
last and all that it left behind are killed.

What costs here is memory: of each page that host or child writes after a fork, one of them gets a copy.
So whatever can be done once and before a fork is, and what remains makes few objects.

Requests on the control channel, and their answers, each a small JSON text, one at a time:

    {"op": "hello"}             -> {} with the descriptors that catch the program's stdout and stderr
    {"op": "spawn", limits...}  -> {} when the last program and all it started are gone; then a new program
                                   process is forked. With the request come its end of a socket to the judge
                                   and, if it has one, its standard input; `renew` has the answer come with
                                   new descriptors, for the last ones may bear marks
    {"op": "fate"}              -> {"status": wait status or null, "peak_kb": memory} of a process that has
                                   closed its socket, which may take a moment to end by itself
    {"op": "end"}               -> {} when the program process and all it started are gone
"""

from __future__ import annotations

import _sitebuiltins
import builtins
import fcntl
import functools
import gc
import io
import json
import os
import signal
import socket
import struct
import sys
import time
from collections.abc import Callable
from typing import Any, Final, NoReturn

from sandbox import confine, program
from sandbox.confine import namespaces, privileges
from sandbox.tidy import Mark, tidy
from sandbox.wire import write_frame

_STACK_OF_OUR_OWN: Final = 30
_OUTPUTS: Final = (1, 2)
_CHANNEL: Final = 3
"""The descriptor on which a program's process is asked; here it is held free for it."""
_PRELOADED: Final = (
    "bisect", "collections", "copy", "functools", "heapq", "itertools", "math", "operator",
    "re", "string", "typing",
)  # fmt: skip
"""What programs import most: loaded once here instead of in every child."""

_INT: Final = struct.calcsize("@i")
_ROOM: Final = socket.CMSG_SPACE(2 * _INT)

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
        self._control = _beyond(_CHANNEL, control)
        os.dup2(0, _CHANNEL)
        _open_streams()
        os.closerange(_CHANNEL + 1, _CHANNEL + 1)  # found in the C library once, not by every child
        self._scratch = scratch
        self._tidied: Mark | None = None
        self._alone = alone
        self._sealing = functools.lru_cache(maxsize=8)(confine.Sealer().prepare)
        self._serve_program = program.prepared(_CHANNEL)
        self._child = 0
        self._status: int | None = None
        self._peak_kb = 0

    def serve(self) -> None:
        while True:
            data, given, _, _ = self._control.recvmsg(4096, _ROOM)
            if not data:
                self.leave()
            request = _read(data)
            if request["op"] == "spawn":
                self._spawn(request, *_descriptors(given[0][2]))
            elif request["op"] == "fate":
                self._await_end()
                fate = {"status": self._status, "peak_kb": self._peak_kb}
                self._sweep()
                self._control.sendall(json.dumps(fate).encode())
            elif request["op"] == "end":
                self._sweep()
                self._control.sendall(b"{}")
            else:
                socket.send_fds(self._control, [b"{}"], list(_OUTPUTS))

    def leave(self) -> None:
        """End the program and this process."""
        self._sweep()
        os._exit(0)

    def _spawn(self, request: dict[str, Any], channel: int, *stdin: int) -> None:
        self._sweep()
        self._clean(renew=request["renew"])
        seal = self._sealing(
            request["memory_mb"], request["file_mb"], request["cpu_seconds"], request["processes"]
        )
        os.dup2(channel, _CHANNEL)
        os.close(channel)
        if request["renew"]:
            socket.send_fds(self._control, [b"{}"], list(_OUTPUTS))
        else:
            self._control.send(b"{}")
        pid = os.fork()
        if pid == 0:
            self._enter(seal, stdin)
        self._child, self._status, self._peak_kb = pid, None, 0
        os.dup2(0, _CHANNEL)
        for descriptor in stdin:
            os.close(descriptor)

    def _enter(self, seal: Callable[[], None], stdin: tuple[int, ...]) -> NoReturn:
        """Become a program process; never returns."""
        try:
            if not self._alone:  # else the kernel ends everything with this host
                privileges.die_with_parent(signal.SIGKILL)
            for descriptor in stdin:
                os.dup2(descriptor, 0)
            os.closerange(_CHANNEL + 1, 64)
            seal()
            self._serve_program()
        finally:
            os._exit(1)

    def _await_end(self) -> None:
        """Note how a process ends that has closed its socket; it has a moment to do so by itself."""
        for _ in range(50):
            if not self._child or self._reap(os.WNOHANG):
                return
            time.sleep(0.001)
        self._kill()
        self._reap(0)

    def _reap(self, flags: int) -> bool:
        pid, status, usage = os.wait4(self._child, flags)
        if pid != self._child:
            return False
        self._child, self._status = 0, status
        self._peak_kb = usage.ru_maxrss if sys.platform != "darwin" else usage.ru_maxrss // 1024
        return True

    def _sweep(self) -> None:
        """Kill the program process and, as process 1 of its namespace, whatever else it started."""
        self._kill()
        if self._child:
            os.waitpid(self._child, 0)
            self._child = 0
        try:
            while os.waitpid(-1, 0 if self._alone else os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            pass

    def _kill(self) -> None:
        try:
            if self._alone:
                os.kill(-1, signal.SIGKILL)
            elif self._child:
                os.killpg(self._child, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        if self._child:
            try:  # noqa: SIM105
                os.kill(self._child, signal.SIGKILL)
            except OSError:
                pass

    def _clean(self, *, renew: bool) -> None:
        if renew:
            _open_streams()
        else:
            for output in _OUTPUTS:
                os.ftruncate(output, 0)
        self._tidied = tidy(self._scratch, self._tidied)


def _descriptors(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"@{len(data) // _INT}i", data)


@functools.lru_cache(maxsize=8)
def _read(request: bytes) -> dict[str, Any]:
    """A request; most are the same as the one before, and reading it again would cost pages."""
    found: dict[str, Any] = json.loads(request)
    return found


def _beyond(descriptor: int, channel: socket.socket) -> socket.socket:
    """The same channel on a higher descriptor than this one."""
    given = channel.detach()
    moved = fcntl.fcntl(given, fcntl.F_DUPFD, descriptor + 1)
    os.close(given)
    return socket.socket(fileno=moved)


def _open_streams() -> None:
    """Open anew what the next program gets as its streams: place, owner and mode could hold a note for it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    for output, name in zip(_OUTPUTS, ("stdout", "stderr"), strict=True):
        _catch(output, name)


def _catch(output: int, name: str) -> None:
    """Make this descriptor one of a nameless file that catches what programs print."""
    if hasattr(os, "memfd_create"):
        caught = os.memfd_create(name, os.MFD_CLOEXEC)
    else:
        import tempfile

        with tempfile.TemporaryFile() as file:
            caught = os.dup(file.fileno())
    fcntl.fcntl(caught, fcntl.F_SETFL, os.O_APPEND)
    os.dup2(caught, output)
    os.close(caught)


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
