"""`evolve`: what the refinement of test suites leaves, shows and reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.commands.common import Sheet, say_row_error
from core.evolution import commands as evolution


def filter_suites(path: Path, **options: Any) -> Sheet:
    """What the filters of EvolveCoder leave of the suites of a run or pipeline file."""
    return evolution.filter_suites(path, evolution.rules_from(**options), say_row_error)


def select(path: Path, task_id: str, method: str, seed: int) -> Sheet:
    """The solutions of one problem that a test generator is shown."""
    return evolution.select_solutions(path, task_id, method, seed, say_row_error)


def report(paths: Sequence[Path]) -> Sheet:
    """Rounds of refinement side by side."""
    return evolution.report_rounds(paths, None, say_row_error)
