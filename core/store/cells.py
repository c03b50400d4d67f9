"""Rows of outcomes, as they are written, as the matrices that they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from core.model import PassMatrix
from core.store.parts import joined


def spans(table: pa.Table) -> Iterator[tuple[int, int, int]]:
    """Position, first row and number of rows of each problem in rows of outcomes."""
    position = table["position"].to_numpy() if table.num_rows else np.zeros(0, dtype=np.int32)
    starts = np.flatnonzero(np.diff(position, prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(position)], strict=False):
        yield int(position[start]), int(start), int(end - start)


def grid(cells: pa.Array, start: int, count: int) -> npt.NDArray[Any]:
    """Some rows of lists of one length as an array [rows, length]."""
    found: npt.NDArray[Any] = cells.slice(start, count).flatten().to_numpy()
    return found.reshape(count, len(found) // count)


def matrices_of(table: pa.Table) -> Iterator[tuple[int, PassMatrix]]:
    """Position and matrix of each problem in rows of outcomes."""
    if not table.num_rows:
        return
    outcomes, seconds = joined(table["outcomes"]), joined(table["seconds"])
    task_ids, solutions = table["task_id"], table["solution_id"].to_pylist()
    for position, start, count in spans(table):
        yield (
            position,
            PassMatrix(
                task_ids[start].as_py(),
                tuple(solutions[start : start + count]),
                grid(outcomes, start, count),
                grid(seconds, start, count),
            ),
        )


def no_rows(task_id: str, n_tests: int) -> PassMatrix:
    """The matrix of a problem without solutions."""
    return PassMatrix(task_id, (), np.zeros((0, n_tests), np.uint8), np.zeros((0, n_tests), np.float32))
