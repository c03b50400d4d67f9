"""Runs opened once for the whole process: a run of 20,000 problems has hundreds of files to look into."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from core.store import Run, open_run

_AT_ONCE = 16


def opened(folder: Path) -> Run:
    """The run of a folder as it is now; opened anew when its manifest has changed.

    Raises:
        StoreError: the run can't be read.
    """
    return _open(folder, changed(folder))


def changed(folder: Path) -> int:
    """Changes with the run: when its manifest was written last, 0 where it has none."""
    manifest = folder / "manifest.json"
    return manifest.stat().st_mtime_ns if manifest.exists() else 0


@lru_cache(maxsize=_AT_ONCE)
def _open(folder: Path, changed: int) -> Run:  # noqa: ARG001 - a run that changed is opened again
    return open_run(folder)
