"""How far an execution is, told to whoever listens and left in the run's folder."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

import numpy as np

from core.progress import OnProgress, Progress, write_progress
from sandbox.contract import Outcome

_INTERVAL_SECONDS = 0.4


class Reporter:
    """Counts cells and reports at most a few times a second."""

    def __init__(self, folder: Path, on_progress: OnProgress | None) -> None:
        self._folder = folder
        self._on_progress = on_progress
        self._message = ""
        self.begin("preparing", 0)

    def begin(self, phase: str, total: int) -> None:
        """Start a phase of so many cells."""
        self._phase, self._total = phase, total
        self._done = self._cached = 0
        self._outcomes = np.zeros(len(Outcome), np.int64)
        self._started = self._reported = time.monotonic()
        self.report("running")

    def count(self, outcome: int, cells: int, *, cached: bool) -> None:
        """Some more cells have this outcome."""
        self._outcomes[outcome] += cells
        self._done += cells
        if cached:
            self._cached += cells

    def note(self, message: str) -> None:
        """Something that went otherwise than meant; stays in sight."""
        self._message = message
        self.report("running")

    def tick(self) -> None:
        """Report, if the last report is long enough ago."""
        if time.monotonic() - self._reported >= _INTERVAL_SECONDS:
            self.report("running")

    def report(self, state: str, message: str = "") -> None:
        """Report now."""
        self._reported = time.monotonic()
        progress = Progress(
            phase=self._phase,
            done=self._done,
            total=self._total,
            cached=self._cached,
            seconds=self._reported - self._started,
            outcomes={outcome.letter: int(self._outcomes[outcome]) for outcome in Outcome},
            state=state,
            message=message or self._message,
        )
        # A full disk must not stop the run here: the parts that matter say so themselves.
        with contextlib.suppress(OSError):
            write_progress(self._folder, progress)
        if self._on_progress is not None:
            self._on_progress(progress)
