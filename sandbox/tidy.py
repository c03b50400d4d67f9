"""Makes a working directory again what it was before it was used: empty, open to its owner, unmarked."""

from __future__ import annotations

import contextlib
import os


def tidy(folder: str) -> None:
    """Empty a directory and take back what its user changed about the directory itself.

    Its mode could lock out the next program; its times and attributes could hold a note for it.
    """
    with contextlib.suppress(OSError):
        os.chmod(folder, 0o700)  # noqa: PTH101 - pathlib would be one more import in every program
    with os.scandir(folder) as entries:
        left = list(entries)
    for entry in left:
        with contextlib.suppress(OSError):
            _remove(entry)
    with contextlib.suppress(OSError, AttributeError):  # not on macOS
        for name in os.listxattr(folder):
            os.removexattr(folder, name)
    with contextlib.suppress(OSError):
        os.utime(folder, (0, 0))


def _remove(entry: os.DirEntry[str]) -> None:
    if not entry.is_dir(follow_symlinks=False):
        os.unlink(entry.path)  # noqa: PTH108
        return
    os.chmod(entry.path, 0o700)  # noqa: PTH101
    with os.scandir(entry.path) as entries:
        for inner in list(entries):
            _remove(inner)
    os.rmdir(entry.path)  # noqa: PTH106
