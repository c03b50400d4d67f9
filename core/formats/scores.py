"""Which solution of a benchmark each row of a file of scores is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from core.errors import listed
from core.formats.errors import RowError
from core.formats.loaded import FlatRow
from core.model import Benchmark, Solution

__all__ = ["Placed", "notes", "placed"]

_ROUNDED = 0.0051
"""How far two spellings of one reference score may be apart: released ones have two digits."""


class Placed(NamedTuple):
    """A row and the solution that it is about.

    Attributes:
        note: why there is no solution, or why it may be another one than the row means; None if it is sure.
    """

    row: FlatRow
    solution: Solution | None
    note: RowError | None


def placed(rows: Iterable[FlatRow], benchmark: Benchmark, file: str) -> Iterator[Placed]:
    """Each row with the solution of its task that has the same code, else the same rank and reference score.

    A solution is given away once: rows of equal code go to equal solutions in their order.
    """
    left = {task_id: list(solutions) for task_id, solutions in benchmark.solutions.items()}
    for row in rows:
        own = left.get(row.task_id, [])
        solution = _like(row, own)
        if solution is None:
            message = _why(row, benchmark.solutions.get(row.task_id, ()))
        else:
            own.remove(solution)
            message = _doubt(row, solution)
        yield Placed(row, solution, RowError(file, row.line, "output", message) if message else None)


def notes(found: Iterable[Placed]) -> tuple[list[RowError], list[RowError]]:
    """What is said of rows without a solution, and of rows whose solution may be another one."""
    strangers: list[RowError] = []
    doubtful: list[RowError] = []
    for one in found:
        if one.note is not None:
            (strangers if one.solution is None else doubtful).append(one.note)
    return strangers, doubtful


def _like(row: FlatRow, solutions: Sequence[Solution]) -> Solution | None:
    same = next((one for one in solutions if one.code == row.code), None)
    if same is not None:
        return same
    ranked = [one for one in solutions if one.reference_rank == row.reference_rank is not None]
    return ranked[0] if len(ranked) == 1 and _agrees(row, ranked[0]) else None


def _agrees(row: FlatRow, solution: Solution) -> bool:
    score = solution.reference_score
    return score is not None and abs(score - row.reference_score) < _ROUNDED


def _why(row: FlatRow, solutions: Sequence[Solution]) -> str:
    taken = _like(row, solutions)
    if taken is not None:
        return f"expected each solution once, an earlier row has {taken.id!r} of {row.task_id!r}"
    code = "other code" if row.code else "no code"
    own = _spelled(row.reference_rank, row.reference_score)
    there = listed([_spelled(one.reference_rank, one.reference_score) for one in solutions]) or "none"
    return (
        f"expected the code, or the rank (and reference score), of a solution of {row.task_id!r}; "
        f"found {code}, {own}; the benchmark has {there}"
    )


def _doubt(row: FlatRow, solution: Solution) -> str:
    if not row.code or row.code == solution.code:
        return ""
    where = _spelled(solution.reference_rank, solution.reference_score)
    return f"not the code of {solution.id!r} of {row.task_id!r}; taken for it by {where}"


def _spelled(rank: float | None, score: float | None) -> str:
    ranked = "no rank" if rank is None else f"rank {rank:g}"
    return ranked if score is None else f"{ranked} ({score:.3g})"
