"""Files of a run: errors that name them, and writing that leaves a whole file or none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.errors import InputError, TouchstoneError
from core.files import replacing


class StoreError(TouchstoneError):
    """A run's files can't be read, written or continued; the message names the file or folder."""


class WrongRunError(StoreError, InputError):
    """What the user named holds no run, or not the one that is asked for."""


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let `write` fill a file beside `path`, flush it to the disk, and rename it.

    Raises:
        StoreError: the file could not be written (disk full, no permission).
    """
    try:
        with replacing(path, durable=True) as beside:
            write(beside)
    except OSError as error:
        raise StoreError(f"{path}: could not be written: {error.strerror or error}") from error


def encodable(text: str) -> str:
    """`text` with lone surrogates, which UTF-8 files can't hold, written as escapes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text
