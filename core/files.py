"""Files that are either whole or not there: written beside, then renamed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def replacing(path: Path, *, durable: bool = False) -> Iterator[Path]:
    """A path to write to; what was written takes the place of `path` when the block ends well.

    Args:
        path: its folder is made if it is missing.
        durable: flush the file to the disk first, so that a power cut leaves the old or the new one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.new")
    try:
        yield beside
        if durable:
            with beside.open("rb") as file:
                os.fsync(file.fileno())
        beside.replace(path)
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise
    finally:
        beside.unlink(missing_ok=True)


def remove_unfinished(folder: Path) -> None:
    """Remove what a killed process left half-written in `folder`."""
    for path in folder.glob(".*.new"):
        with contextlib.suppress(OSError):
            path.unlink()


def write_json(path: Path, value: Any) -> None:
    """Write `value` as JSON, in one step for whoever reads."""
    with replacing(path) as beside:
        beside.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def sha256(path: Path) -> str:
    """Hex digest of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
