"""The errors that a user can do something about."""

from __future__ import annotations

from collections.abc import Sequence


class TouchstoneError(Exception):
    """Any error of Touchstone whose message is written for the user."""


class InputError(TouchstoneError):
    """What the user gave can't be used; the message says where and what was expected."""


class StoppedError(TouchstoneError):
    """The user stopped the work; the message says how it goes on."""


def message(error: BaseException) -> str:
    """What an error says; one of the system as "FILE: what is wrong", without its number."""
    if isinstance(error, OSError) and error.strerror and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def listed(names: Sequence[str], most: int = 3) -> str:
    """Some of `names` for a message: "a, b, c and 7 more"."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
