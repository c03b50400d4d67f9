"""Makes a working directory again what it was before it was used: empty, open to its owner, unmarked."""

from __future__ import annotations

import contextlib
import os
import time
from typing import Final

_TICK_NS: Final = 100_000_000
"""Longer than the step of the clock that changes are noted by."""


def tidy(folder: str, mark: int = 0) -> int:
    """Empty a directory and take back what its user changed about the directory itself.

    Its mode could lock out the next program; its times and attributes could hold a note for it.

    Args:
        folder: the directory.
        mark: what the last call gave.

    Returns:
        The time of its last change, which nobody can set: as long as that stands there is nothing to
        do. 0 while another change could bear the same time.
    """
    if mark and os.stat(folder).st_ctime_ns == mark:  # noqa: PTH116 - pathlib would be in every program
        return mark
    for step in (_open, _empty, _unmark):
        with contextlib.suppress(OSError):
            step(folder)
    changed = os.stat(folder).st_ctime_ns  # noqa: PTH116
    return changed if time.time_ns() - changed > _TICK_NS else 0


def _open(folder: str) -> None:
    if os.stat(folder).st_mode & 0o7777 != 0o700:  # noqa: PTH116
        os.chmod(folder, 0o700)  # noqa: PTH101


def _empty(folder: str) -> None:
    with os.scandir(folder) as entries:
        left = list(entries)
    for entry in left:
        with contextlib.suppress(OSError):
            _remove(entry)


def _unmark(folder: str) -> None:
    known = os.stat(folder)  # noqa: PTH116
    if known.st_mtime_ns:
        os.utime(folder, (0, 0))
    if hasattr(os, "listxattr"):  # not on macOS
        for name in os.listxattr(folder):
            os.removexattr(folder, name)


def _remove(entry: os.DirEntry[str]) -> None:
    if not entry.is_dir(follow_symlinks=False):
        os.unlink(entry.path)  # noqa: PTH108
        return
    os.chmod(entry.path, 0o700)  # noqa: PTH101
    with os.scandir(entry.path) as entries:
        for inner in list(entries):
            _remove(inner)
    os.rmdir(entry.path)  # noqa: PTH106
