"""The errors that a user can do something about."""

from __future__ import annotations


class TouchstoneError(Exception):
    """Any error of Touchstone whose message is written for the user."""


class InputError(TouchstoneError):
    """What the user gave can't be used; the message says where and what was expected."""


class StoppedError(TouchstoneError):
    """The user stopped the work; the message says how it goes on."""
