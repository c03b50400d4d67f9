"""How far a long piece of work is: one value that terminals, files and pages all read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeAlias

from core.files import write_json

_FILE = "progress.json"


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
    write_json(folder / _FILE, asdict(progress))


def read_progress(folder: Path) -> Progress | None:
    """The progress last written in this folder; None where there is none that can be read."""
    try:
        return Progress(**json.loads((folder / _FILE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
