"""Ctrl-C and SIGTERM, kept from striking in the middle of a step that must be whole."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopSignals:
    """While open, both signals raise KeyboardInterrupt, but never inside `deferred`.

    Outside the main thread, where Python delivers no signals, it does nothing.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._requested = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Take the signals over, and give them back."""
        if not _in_main_thread():
            yield
            return
        before = [signal.signal(number, self._handle) for number in _SIGNALS]
        try:
            yield
        finally:
            for number, handler in zip(_SIGNALS, before, strict=True):
                signal.signal(number, handler)

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """A step that is done whole; a signal that came meanwhile raises at its end."""
        if not _in_main_thread():
            yield
            return
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
        if self._requested and not self._depth:
            self._requested = False
            raise KeyboardInterrupt

    def _handle(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - as signal wants it
        if self._depth:
            self._requested = True
        else:
            raise KeyboardInterrupt


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()
