"""How far an execution is, counted in cells."""

from __future__ import annotations

import time

import numpy as np

from core.progress import OnProgress, Progress
from sandbox.contract import Outcome


class Reporter:
    """Counts the cells of one phase after the other, and tells `on_progress` of them."""

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress = on_progress
        self._message = ""
        self.begin("preparing", 0)

    def begin(self, phase: str, total: int) -> None:
        """Start a phase of so many cells."""
        self._phase, self._total = phase, total
        self._done = self._cached = 0
        self._outcomes = np.zeros(len(Outcome), np.int64)
        self._started = time.monotonic()
        self.tell()

    def count(self, outcome: int, cells: int, *, cached: bool) -> None:
        """Some more cells have this outcome."""
        self._outcomes[outcome] += cells
        self._done += cells
        if cached:
            self._cached += cells

    def note(self, message: str) -> None:
        """Something that went otherwise than meant; stays in sight."""
        self._message = message
        self.tell()

    def tell(self) -> None:
        """Say how far it is."""
        self._on_progress(
            Progress(
                phase=self._phase,
                done=self._done,
                total=self._total,
                cached=self._cached,
                seconds=time.monotonic() - self._started,
                outcomes={outcome.letter: int(self._outcomes[outcome]) for outcome in Outcome},
                message=self._message,
            )
        )
