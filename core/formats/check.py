"""Says whether a file is good, before anything is run on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import listed
from core.formats.errors import RowError
from core.formats.load import load
from core.formats.loaded import Loaded
from core.model import Benchmark, Problem

__all__ = ["CheckReport", "report"]


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The outcome of `python -m core check`.

    Attributes:
        rows: rows of the file.
        valid: rows without an error.
        usable: whether anything was loaded; a row may have an error and usable parts.
        warnings: for people, not part of the JSON.
        partial: rows with an error of which the rest is used, not part of the JSON.
        kind: what the file holds (`Loaded.kind`), not part of the JSON.
    """

    format: str
    rows: int
    valid: int
    errors: tuple[RowError, ...]
    usable: bool
    warnings: tuple[RowError, ...] = ()
    kind: str = ""
    partial: int = 0

    def to_json(self) -> dict[str, Any]:
        """The JSON shape {"format", "rows", "valid", "errors": [{"line", "field", "message"}]}."""
        errors = [{"line": e.line, "field": e.field, "message": e.message} for e in self.errors]
        return {"format": self.format, "rows": self.rows, "valid": self.valid, "errors": errors}


def report(
    source: str | Path | bytes | BinaryIO,
    benchmark: str | Path | Benchmark | Iterable[Problem] | None = None,
) -> CheckReport:
    """Load a file and tell what is wrong with it.

    With a benchmark, a task_id it doesn't have is an error, and a problem of it that the
    file says nothing about is a warning.

    Raises:
        FormatError: the file, or the benchmark's file, can't be read as a whole.
    """
    problems: tuple[Problem, ...] | None = None
    if isinstance(benchmark, str | Path):
        known = load(benchmark)
        problems = known.benchmark.problems if known.benchmark else known.problems
    elif benchmark is not None:
        problems = tuple(benchmark.problems if isinstance(benchmark, Benchmark) else benchmark)
    loaded = load(source, benchmark=problems)
    warnings = list(loaded.warnings)
    if problems is not None:
        covered = covered_tasks(loaded)
        missing = [problem.task_id for problem in problems if problem.task_id not in covered]
        file = str(source) if isinstance(source, str | Path) else "input"
        if missing:
            message = f"nothing for {len(missing)} of {len(problems)} problems: {listed(missing)}"
            warnings.append(RowError(file, 0, "task_id", message))
    return CheckReport(
        loaded.format,
        loaded.rows,
        loaded.valid,
        loaded.errors,
        loaded.usable,
        tuple(warnings),
        loaded.kind,
        loaded.partial,
    )


def covered_tasks(loaded: Loaded) -> set[str]:
    """The task_ids that a loaded file says something about."""
    problems = loaded.benchmark.problems if loaded.benchmark else loaded.problems
    return {
        *(problem.task_id for problem in problems),
        *(suite.task_id for suite in loaded.suites),
        *loaded.solutions,
        *(row.task_id for row in loaded.flat),
        *(row.task_id for row in loaded.results),
    }
