"""Makes a working directory again what it was before it was used: empty, open to its owner, unmarked."""

from __future__ import annotations

import contextlib
import fcntl
import os
import struct
import time
from typing import Final, NamedTuple

_TICK_SECONDS: Final = 0.1
"""Longer than the step of the clock that changes are noted by."""

_GET_FLAGS, _SET_FLAGS, _FREE_FLAGS = 0x80086601, 0x40086602, 0xC0  # FS_NODUMP_FL, FS_NOATIME_FL: linux/fs.h


class Mark(NamedTuple):
    """What a tidy directory looks like.

    Attributes:
        changed: the time of its last change, in nanoseconds, which nobody can set.
        seen: since when that is known, on `time.monotonic`.
        settled: whether any later change would bear another time.
    """

    changed: int
    seen: float
    settled: bool


def tidy(folder: str, mark: Mark | None = None) -> Mark:
    """Empty a directory and take back what its user changed about the directory itself.

    Its mode could lock out the next program; its times and attributes could hold a note for it.

    Args:
        folder: the directory.
        mark: what the last call gave; where it is settled and still true there is nothing to do.
    """
    if mark and mark.settled and _changed(folder) == mark.changed:
        return mark
    for step in (_open, _empty, _unmark, _unflag):
        with contextlib.suppress(OSError):
            step(folder)
    changed, now = _changed(folder), time.monotonic()
    seen = mark.seen if mark and mark.changed == changed else now
    return Mark(changed, seen, now - seen > _TICK_SECONDS)


def _changed(folder: str) -> int:
    return os.stat(folder).st_ctime_ns  # noqa: PTH116 - pathlib would be one more import in every program


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


def _unflag(folder: str) -> None:
    """Take back the flags of `chattr` that need no privilege."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        (flags,) = struct.unpack("l", fcntl.ioctl(descriptor, _GET_FLAGS, bytes(struct.calcsize("l"))))
        if flags & _FREE_FLAGS:
            fcntl.ioctl(descriptor, _SET_FLAGS, struct.pack("l", flags & ~_FREE_FLAGS))
    finally:
        os.close(descriptor)


def _remove(entry: os.DirEntry[str]) -> None:
    if not entry.is_dir(follow_symlinks=False):
        os.unlink(entry.path)  # noqa: PTH108
        return
    os.chmod(entry.path, 0o700)  # noqa: PTH101
    with os.scandir(entry.path) as entries:
        for inner in list(entries):
            _remove(inner)
    os.rmdir(entry.path)  # noqa: PTH106
