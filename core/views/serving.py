"""What holds when others than the person at this machine use the app (DESIGN.md, invariant 9).

Served, the app reads uploads and its data folder only and starts programs only where nothing is within
their reach. The pages ask; the rules are here.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.jobs import JobError
from core.views.work import Backend

SERVED_VARIABLE = "TOUCHSTONE_SERVED"
"""Set to 1 where a proxy serves an app that itself is bound to loopback."""


def is_served(address: str | None) -> bool:
    """Whether others can reach a server that is bound to `address`; None is every address of the machine."""
    if os.environ.get(SERVED_VARIABLE, "") not in {"", "0"}:
        return True
    if not address:
        return True
    if address == "localhost":
        return False
    try:
        return not ipaddress.ip_address(address).is_loopback
    except ValueError:
        return True


def isolating_backend(name: str, found: Sequence[Backend]) -> str:
    """The backend to use where only a fully isolating one will do; "auto" takes the first.

    Args:
        name: of a backend, or "auto".
        found: every backend as it is on this machine.

    Raises:
        JobError: the backend, or every one, can't do it; says what is missing.
    """
    asked = [backend for backend in found if name in {"auto", backend.name}]
    for backend in asked:
        if backend.works and backend.full:
            return backend.name
    missing = (
        "; ".join(f"{backend.name}: {', '.join(backend.missing)}" for backend in asked) or "none is here"
    )
    raise JobError(
        "This app is served to others, so programs run only where they can reach nothing of this machine. "
        f"That is not so here ({missing}). Start the run from the command line, or serve from a machine "
        "where `python -m core sandboxes` shows full isolation."
    )


def file_below(folder: Path, text: str) -> Path:
    """The file that a visitor names, links followed; a relative path starts at `folder`.

    Raises:
        InputError: it is not below `folder` (whether it exists is not told), or is no file.
    """
    try:
        path = (folder / text.strip()).resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"{text.strip()!r} is not a path") from error
    if not path.is_relative_to(folder.resolve()):
        raise InputError(
            "This app is served to others: it reads files of its data folder only. Upload the file, or ask "
            "whoever runs the app to put it there."
        )
    if not path.is_file():
        raise InputError(f"{text.strip()}: there is no such file in the data folder")
    return path
