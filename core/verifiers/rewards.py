"""Scores that a file already holds, as a run: nothing is executed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.formats import Loaded
from core.formats.scores import Placed, placed
from core.model import Benchmark, VerifierKind
from core.store import write_scores_run

__all__ = ["scores_run"]


def scores_run(
    loaded: Loaded, benchmark: Benchmark, out: Path, *, file: str, name: str, command: Sequence[str] = ()
) -> tuple[Path, tuple[Placed, ...]]:
    """Write the run of a Scoring-Verifiers flat file, which is what `generate rewards` writes.

    Reward scores are taken where the file has any, else its test scores (`core.formats.scores` says which
    solution a row is about).

    Args:
        loaded: the file.
        benchmark: what was scored.
        out: folder of the run: missing or empty.
        file: what was loaded, for messages.
        name: the verifier's name, and the run's.
        command: command line that makes the run.

    Returns:
        The run's folder, and the rows that belong to no solution of the benchmark or may belong to another.

    Raises:
        InputError: no row has a score for a solution of the benchmark.
    """
    rewarded = any(row.reward_score is not None for row in loaded.flat)
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    found = list(placed(loaded.flat, benchmark, file))
    for row, solution, _ in found:
        value = row.reward_score if rewarded else row.test_score
        if solution is not None and value is not None:
            scores[row.task_id][solution.id] = value
    if not scores:
        notes = [f"; line {one.note.line}: {one.note.message}" for one in found if one.note is not None]
        first = notes[0] if notes else ""
        raise InputError(f"{file}: no row has a score for a solution of {benchmark.name}{first}")
    kind = VerifierKind.REWARD if rewarded else VerifierKind.TESTS
    folder = write_scores_run(
        out, name=name, verifier=name, benchmark=benchmark, scores=scores, kind=kind, command=command
    )
    return folder, tuple(one for one in found if one.note is not None)
