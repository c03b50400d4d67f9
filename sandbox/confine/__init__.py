"""Layers that take rights away from the current process, one module each.

Every layer is optional: it returns what it achieved, in words, and leaves the process as it was
where the system does not offer it. `base` is laid once under a whole host or judge, `seal` once more
on every process that is about to run code nobody trusts.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

from sandbox.confine import landlock, privileges, rlimits, seccomp


class Achieved:
    """What the layers achieved on this machine, in words for a person."""

    def __init__(self) -> None:
        self.guarantees: list[str] = []
        self.missing: list[str] = []

    def note(self, guarantee: str, missing: str | None) -> None:
        """Put down one layer: what it guarantees, or what is missing and why."""
        if missing is None:
            self.guarantees.append(guarantee)
        else:
            self.missing.append(missing)

    def told(self) -> dict[str, Any]:
        """The same as plain data, with the versions of what this process runs on."""
        versions = {"python": sys.version.split()[0], "kernel": os.uname().release}
        return {"guarantees": self.guarantees, "missing": self.missing, "versions": versions}


def base(readable: list[str], writable: str, achieved: Achieved, *, walled: bool = False) -> None:
    """Give up files, network and privileges, for this process and all that it forks.

    Args:
        readable: what may be read.
        writable: the one directory that may be written.
        achieved: takes what came of it.
        walled: no other files and no network are in sight to begin with, so that nothing is missing
            where Landlock is.
    """
    rlimits.limit_base()
    achieved.note("no core dumps, few open files", None)
    achieved.note("no new privileges, no capabilities, memory closed to other processes", privileges.drop())
    problem = landlock.restrict(readable, writable)
    if problem is None or not walled:
        achieved.note(
            "reads only Python and the system's libraries, writes only its own empty directory", problem
        )
    problem = seccomp.deny_base()
    achieved.note("no sockets, no tracing, no mounts, no kernel interfaces beyond plain work", problem)
    if problem is not None and not walled:
        achieved.missing.append("connections to other processes of this machine are not cut")


class Sealer:
    """Seals program processes, with all that can be prepared before the fork prepared.

    Whatever a forked child does for the first time costs it copies of the pages it touches on the way.
    """

    def __init__(self) -> None:
        self._filters = {0: seccomp.Seal(0)}
        self._counted: bool | None = None

    def prepare(self, memory_mb: int, file_mb: int, cpu_seconds: int, processes: int) -> Callable[[], None]:
        """What a forked child has to call: it sets the limits of a program and forbids it processes.

        Where the kernel would not keep a number of processes, none are allowed.
        """
        if processes and self._counted is None:
            self._counted = rlimits.binds_processes()
        allowed = processes if self._counted else 0
        if allowed not in self._filters:
            self._filters[allowed] = seccomp.Seal(allowed)
        lay = self._filters[allowed].lay
        limits = rlimits.of_program(memory_mb, file_mb, cpu_seconds)
        unfiltered = rlimits.of_processes(allowed)
        # among the processes of a user in a namespace, watcher, host and program count too
        filtered = rlimits.of_processes(allowed + 3) if allowed else ()

        def seal() -> None:
            os.setsid()
            rlimits.lower(limits)
            rlimits.lower(filtered if lay(os.getpid()) else unfiltered)

        return seal
