"""How far a long piece of work is: one value that terminals, files and pages all read."""

from __future__ import annotations

import contextlib
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from core.files import write_json

PROGRESS_FILE = "progress.json"
_INTERVAL_SECONDS = 0.4


@dataclass(frozen=True, slots=True)
class Progress:
    """A moment of a long piece of work.

    Attributes:
        phase: what is being done, for a person ("scoring candidates").
        done, total: units finished and in all; total 0 means not known yet.
        unit: what is counted ("cells", "problems", "answers").
        cached: how many of `done` were known before and not run again.
        seconds: wall time of this phase so far.
        outcomes: outcome letter -> number of cells so far.
        state: "running", "done", "stopped" or "failed".
        message: one line for a person, above all why it failed.
        overall: how much of the whole work is done, in [0, 1], where this phase is one of several known
            ones; None where it is not known.
    """

    phase: str
    done: int = 0
    total: int = 0
    unit: str = "cells"
    cached: int = 0
    seconds: float = 0.0
    outcomes: Mapping[str, int] = field(default_factory=dict)
    state: str = "running"
    message: str = ""
    overall: float | None = None

    @property
    def per_second(self) -> float:
        """Units run (not looked up) per second; 0 before anything is known."""
        return (self.done - self.cached) / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Time to the end at the speed so far; None while unknown."""
        rate = self.per_second
        return (self.total - self.done) / rate if rate > 0 and self.total else None


OnProgress: TypeAlias = Callable[[Progress], None]


def write_progress(folder: Path, progress: Progress) -> None:
    """Leave `progress` in the run's folder for whoever watches it."""
    write_json(folder / PROGRESS_FILE, asdict(progress))


def read_progress(folder: Path) -> Progress | None:
    """The progress last written in this folder; None where there is none that can be read."""
    try:
        return Progress(**json.loads((folder / PROGRESS_FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


@contextmanager
def telling(folder: Path, on_progress: OnProgress | None) -> Iterator[OnProgress]:
    """Pass progress on to `on_progress` and to the folder's `progress.json`, and say how it ended.

    What begins or ends a phase is passed on at once, the rest at most a few times a second. The
    end is "done", "stopped" after a KeyboardInterrupt, or "failed" with the error's message.
    """
    teller = _Teller(folder, on_progress)
    try:
        yield teller.tell
    except KeyboardInterrupt:
        teller.end("stopped", "stopped; resume it to go on")
        raise
    except BaseException as error:
        teller.end("failed", str(error))
        raise
    teller.end("done")


class _Teller:
    def __init__(self, folder: Path, on_progress: OnProgress | None) -> None:
        self._folder = folder
        self._on_progress = on_progress
        self._latest = Progress("preparing")
        self._told = -math.inf
        self._pass_on()

    def tell(self, progress: Progress) -> None:
        """Take progress; a part of the work that ended is not the end of it all."""
        turns = progress.phase != self._latest.phase or progress.message != self._latest.message
        self._latest = replace(progress, state="running")
        over = progress.done == progress.total
        if turns or over or time.monotonic() - self._told >= _INTERVAL_SECONDS:
            self._pass_on()

    def end(self, state: str, message: str = "") -> None:
        """Tell how the work ended."""
        self._latest = replace(self._latest, state=state, message=message or self._latest.message)
        self._pass_on()

    def _pass_on(self) -> None:
        self._told = time.monotonic()
        # A full disk must not stop the work here: the files that matter say so themselves.
        with contextlib.suppress(OSError):
            write_progress(self._folder, self._latest)
        if self._on_progress is not None:
            self._on_progress(self._latest)
