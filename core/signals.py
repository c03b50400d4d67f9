"""Ctrl-C and SIGTERM: both raise KeyboardInterrupt, but never in the middle of a step that must be whole.

Signals belong to the process, and so does the state here. Outside the main thread, where
Python delivers none, nothing happens.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class _Steps:
    """How many steps that must be whole are going on, and whether a signal waits for their end."""

    depth = 0
    stop_asked = False


@contextmanager
def stoppable() -> Iterator[None]:
    """While this is open, both signals raise KeyboardInterrupt."""
    if not _in_main_thread():
        yield
        return
    before = [signal.signal(number, _handle) for number in _SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(_SIGNALS, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def whole_step() -> Iterator[None]:
    """A step that is done whole; a signal that came meanwhile raises at its end."""
    if not _in_main_thread():
        yield
        return
    _Steps.depth += 1
    try:
        yield
    finally:
        _Steps.depth -= 1
    if _Steps.stop_asked and not _Steps.depth:
        _Steps.stop_asked = False
        raise KeyboardInterrupt


def _handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal wants it
    if _Steps.depth:
        _Steps.stop_asked = True
    else:
        raise KeyboardInterrupt


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
