"""Scores that a file already holds, as a run: nothing is executed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from core.errors import InputError
from core.formats import FlatRow, Loaded
from core.model import Benchmark, Solution, VerifierKind
from core.store import write_scores_run

__all__ = ["scores_run"]


def scores_run(
    loaded: Loaded, benchmark: Benchmark, out: Path, *, name: str, command: Sequence[str] = ()
) -> tuple[Path, tuple[str, ...]]:
    """Write the run of a Scoring-Verifiers flat file, which is what `generate rewards` writes.

    A row belongs to the solution of its task with the same code, else to the one with the same
    reference rank. Reward scores are taken where the file has any, else its test scores.

    Args:
        loaded: the file.
        benchmark: what was scored.
        out: folder of the run: missing or empty.
        name: the verifier's name, and the run's.
        command: command line that makes the run.

    Returns:
        The run's folder, and notes on rows that belong to no solution of the benchmark.

    Raises:
        InputError: no row has a score for a solution of the benchmark.
    """
    rewarded = any(row.reward_score is not None for row in loaded.flat)
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    left = {task_id: list(solutions) for task_id, solutions in benchmark.solutions.items()}
    strangers: list[str] = []
    for row in loaded.flat:
        value = row.reward_score if rewarded else row.test_score
        solution = _take(row, left.get(row.task_id, []))
        if solution is None:
            strangers.append(f"line {row.line}: {row.task_id} has no (other) solution with this code or rank")
        elif value is not None:
            scores[row.task_id][solution.id] = value
    if not scores:
        raise InputError(f"{name}: no row has a score for a solution of {benchmark.name}")
    kind = VerifierKind.REWARD if rewarded else VerifierKind.TESTS
    folder = write_scores_run(
        out, name=name, verifier=name, benchmark=benchmark, scores=scores, kind=kind, command=command
    )
    return folder, tuple(strangers)


def _take(row: FlatRow, left: list[Solution]) -> Solution | None:
    """The solution that the row is about, taken out of those that are left."""
    found = [one for one in left if one.code == row.code][:1]
    if not found and row.reference_rank is not None:
        found = [one for one in left if one.reference_rank == row.reference_rank]
    if len(found) != 1:
        return None
    left.remove(found[0])
    return found[0]
