"""Resource limits: the layer that every POSIX system has."""

from __future__ import annotations

import os
import resource

_OPEN_FILES = 64
_MEBI = 1024 * 1024


def limit_base() -> None:
    """No core dumps, few descriptors."""
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)


def limit_program(memory_mb: int, file_mb: int, cpu_seconds: int) -> None:
    """Address space, size of one file, and processor time as a backstop of the clock."""
    _lower(resource.RLIMIT_AS, memory_mb * _MEBI)
    _lower(resource.RLIMIT_FSIZE, file_mb * _MEBI)
    _lower(resource.RLIMIT_CPU, cpu_seconds)


def limit_processes(processes: int) -> None:
    """Processes of this user; does not bind root, and counts what the user runs elsewhere too."""
    _lower(resource.RLIMIT_NPROC, processes)


def binds_processes() -> bool:
    """Whether the kernel holds this process's user to a number of processes: tried in a child."""
    pid = os.fork()
    if pid == 0:
        limit_processes(0)
        try:
            os.fork()
        except OSError:
            os._exit(0)
        os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


def limit_memory(memory_mb: int) -> None:
    """Address space of the current process."""
    _lower(resource.RLIMIT_AS, memory_mb * _MEBI)


def _lower(kind: int, value: int) -> None:
    # refused where a lower limit holds already, and on macOS for RLIMIT_AS
    # not `suppress`: this runs in every new process, where each page that is written costs
    try:  # noqa: SIM105
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError):
        pass
