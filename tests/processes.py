"""Which processes are still there."""

from collections.abc import Iterable

import psutil


def living(processes: Iterable[psutil.Process]) -> list[str]:
    """Number and name of each process that runs; one that is gone, ends meanwhile or is a zombie does not."""
    found = []
    for process in processes:
        try:
            if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                found.append(f"{process.pid} {process.name()}")
        except psutil.NoSuchProcess:
            continue
    return found
