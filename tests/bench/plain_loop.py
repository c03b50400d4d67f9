"""The plain way to check code: exec the program, exec each test in its namespace, catch what it raises.

It is the limit for speed and the example for what goes wrong; only an alarm bounds it.
"""

from __future__ import annotations

import contextlib
import io
import signal
from collections.abc import Iterator, Sequence
from typing import Any


class AlarmError(Exception):
    """The time of one check is over."""


def _raise_alarm(*_: object) -> None:
    raise AlarmError


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise AlarmError after so many seconds of wall time."""
    signal.signal(signal.SIGALRM, _raise_alarm)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def check(program: str, checks: Sequence[str], seconds: float) -> Iterator[str]:
    """Yield the outcome letter of each check; nothing is shared between checks but the process."""
    for source in checks:
        try:
            with time_limit(seconds), contextlib.redirect_stdout(io.StringIO()):
                space: dict[str, Any] = {"__name__": "solution"}
                exec(program, space)
                exec(source, space)
            yield "P"
        except AssertionError:
            yield "F"
        except AlarmError:
            yield "T"
        except MemoryError:
            yield "M"
        except BaseException:  # noqa: BLE001 - SystemExit and its like are a program's failure too
            yield "E"
