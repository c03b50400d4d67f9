"""Resource limits: the layer that every POSIX system has."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable

_OPEN_FILES = 64
_MEBI = 1024 * 1024

Limits = tuple[tuple[int, tuple[int, int]], ...]
"""Resources and what `setrlimit` is to set them to."""


def limit_base() -> None:
    """No core dumps, few descriptors."""
    lower(_both(resource.RLIMIT_CORE, 0) + _both(resource.RLIMIT_NOFILE, _OPEN_FILES))


def of_program(memory_mb: int, file_mb: int, cpu_seconds: int) -> Limits:
    """Address space, size of one file, and processor time as a backstop of the clock."""
    return (
        _both(resource.RLIMIT_AS, memory_mb * _MEBI)
        + _both(resource.RLIMIT_FSIZE, file_mb * _MEBI)
        + _both(resource.RLIMIT_CPU, cpu_seconds)
    )


def of_processes(processes: int) -> Limits:
    """Processes of this user; does not bind root, and counts what the user runs elsewhere too."""
    return _both(resource.RLIMIT_NPROC, processes)


def binds_processes() -> bool:
    """Whether the kernel holds this process's user to a number of processes: tried in a child."""
    pid = os.fork()
    if pid == 0:
        lower(of_processes(0))
        try:
            os.fork()
        except OSError:
            os._exit(0)
        os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def limit_memory(memory_mb: int) -> None:
    """Address space of the current process."""
    lower(_both(resource.RLIMIT_AS, memory_mb * _MEBI))


def lower(limits: Limits, setrlimit: Callable[[int, tuple[int, int]], None] = resource.setrlimit) -> None:
    """Set limits of the current process, but for those the system refuses.

    It does where a lower one holds already, and on macOS for the address space.
    """
    for kind, value in limits:
        # not `suppress`: this runs in every new process, where each page that is written costs
        try:  # noqa: SIM105
            setrlimit(kind, value)
        except (ValueError, OSError):
            pass


def _both(kind: int, value: int) -> Limits:
    return ((kind, (value, value)),)
