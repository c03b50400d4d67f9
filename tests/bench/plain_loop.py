"""The plain way to check code: exec the program, exec each test in its namespace, catch what it raises.

It is the limit for speed and the example for what goes wrong; only an alarm bounds it.
"""

from __future__ import annotations

import contextlib
import copy
import io
import random
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


def check(program: str, checks: Sequence[str], seconds: float, *, once: bool = False) -> Iterator[str]:
    """Yield the outcome letter of each check.

    The program is executed anew for each check, as the usual scripts do, or `once` for all. A check that
    draws its inputs at random gets those that the sandbox gives it.
    """
    space: dict[str, Any] = {}
    for source in checks:
        with _letter() as letter, time_limit(seconds), contextlib.redirect_stdout(io.StringIO()):
            if not space or not once:
                space = {"__name__": "solution"}
                exec(program, space)
            if "random" in source:
                random.seed(0)
            exec(source, space)
        yield letter[0]


def call(source: str, entry_point: str, inputs: Sequence[Any], seconds: float) -> Iterator[str]:
    """Yield P, or how it failed, for each call of the entry point; returned values are not compared."""
    space: dict[str, Any] = {"__name__": "solution"}
    with _letter(), time_limit(seconds):
        exec(source, space)
    for arguments in inputs:
        with _letter() as letter, time_limit(seconds), contextlib.redirect_stdout(io.StringIO()):
            space[entry_point](*copy.deepcopy(arguments))
        yield letter[0]


@contextlib.contextmanager
def _letter() -> Iterator[list[str]]:
    letter = ["P"]
    try:
        yield letter
    except AssertionError:
        letter[0] = "F"
    except AlarmError:
        letter[0] = "T"
    except MemoryError:
        letter[0] = "M"
    except BaseException:  # noqa: BLE001 - SystemExit and its like are a program's failure too
        letter[0] = "E"
