"""Files of a run: errors that name them, and writing beside and renaming."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path

TEMPORARY = ".tmp"


class StoreError(Exception):
    """A run's files can't be read, written or continued; the message names the file or folder."""


def write_beside(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a file beside `path`, then rename it: `path` is whole or as it was before.

    Raises:
        StoreError: the file could not be written (disk full, no permission).
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        write(beside)
        with beside.open("rb") as handle:
            os.fsync(handle.fileno())
        beside.replace(path)
    except OSError as error:
        raise StoreError(f"{path}: could not be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a whole text file, beside and renamed; StoreError if it can't be."""
    write_beside(path, lambda beside: beside.write_text(text, encoding="utf-8"))


def remove_temporaries(folder: Path) -> None:
    """Remove what a killed writer left half-written in `folder`."""
    for path in folder.glob(f".*{TEMPORARY}"):
        with contextlib.suppress(OSError):
            path.unlink()


def encodable(text: str) -> str:
    """`text` with lone surrogates, which UTF-8 files can't hold, written as escapes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text
