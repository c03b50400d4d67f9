"""Says whether a file is good, before anything is run on it."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import listed
from core.formats.errors import RowError
from core.formats.load import load
from core.formats.loaded import Loaded
from core.formats.pairs import task_of
from core.formats.scores import notes, placed
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

    With a benchmark, a task_id or a scored solution that it doesn't have is an error, and a problem
    of it that the file says nothing about is a warning.

    Raises:
        FormatError: the file, or the benchmark's file, can't be read as a whole.
    """
    if isinstance(benchmark, str | Path):
        known = load(benchmark)
        benchmark = known.benchmark or known.problems
    if benchmark is not None and not isinstance(benchmark, Benchmark):
        benchmark = tuple(benchmark)
    problems = benchmark.problems if isinstance(benchmark, Benchmark) else benchmark
    loaded = load(source, benchmark=problems)
    file = str(source) if isinstance(source, str | Path) else "input"
    if isinstance(benchmark, Benchmark) and loaded.flat:
        loaded = _of_its_solutions(loaded, benchmark, file)
    warnings = list(loaded.warnings)
    if problems is not None:
        covered = covered_tasks(loaded, {problem.task_id for problem in problems})
        missing = [problem.task_id for problem in problems if problem.task_id not in covered]
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


def _of_its_solutions(loaded: Loaded, benchmark: Benchmark, file: str) -> Loaded:
    """Scores without those of solutions that the benchmark doesn't have, which become errors."""
    found = list(placed(loaded.flat, benchmark, file))
    strangers, doubtful = notes(found)
    return replace(
        loaded,
        flat=tuple(one.row for one in found if one.solution is not None),
        errors=tuple(sorted((*loaded.errors, *strangers), key=lambda error: error.line)),
        warnings=(*loaded.warnings, *doubtful),
    )


def covered_tasks(loaded: Loaded, known: Container[str]) -> set[str]:
    """The task_ids that a loaded file says something about, of a benchmark's `known` ones and others."""
    problems = loaded.benchmark.problems if loaded.benchmark else loaded.problems
    return {
        *(problem.task_id for problem in problems),
        *(suite.task_id for suite in loaded.suites),
        *loaded.solutions,
        *(row.task_id for row in loaded.flat),
        *(row.task_id for row in loaded.results),
        *(task_of(pair_id, known) for pair_id in loaded.answers),
    }
