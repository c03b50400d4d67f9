"""Outcomes counted row by row, and scores made of the counts: numpy on whole part files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.model import Outcome
from core.store.files import StoreError
from core.store.tables import OUTCOMES

SCORE_COLUMNS = ("task_id", "solution_id", "score", "rank", "reference_score", "reference_rank")


@dataclass(frozen=True, slots=True)
class Tallies:
    """Outcomes of every solution, counted.

    Attributes:
        row: int64 [n], place of the solution among all solutions of the benchmark.
        position: int32 [n], place of its problem in the benchmark.
        counts: int32 [n, 8], cells with each code of `Outcome`.
        in_process: cells judged inside the program's own process.
        failing: position -> tests that fail at least one perfect solution (any outcome but
            passed and INTERNAL_ERROR); positions without any are left out.
    """

    row: npt.NDArray[np.int64]
    position: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]
    in_process: int
    failing: dict[int, int]

    def totals(self) -> dict[str, int]:
        """Outcome letter -> cells."""
        sums = self.counts.sum(axis=0, dtype=np.int64)
        return {outcome.letter: int(sums[outcome]) for outcome in Outcome}

    def scores(self) -> npt.NDArray[np.float64]:
        """Passed / (tests that are not INTERNAL_ERROR), [n]; NaN where there are none."""
        judged = self.counts.sum(axis=1) - self.counts[:, Outcome.INTERNAL_ERROR]
        scores = np.full(len(judged), np.nan)
        np.divide(self.counts[:, Outcome.PASSED], judged, out=scores, where=judged > 0)
        return scores

    def by_problem(self, n_problems: int) -> npt.NDArray[np.int64]:
        """Cells with each code of `Outcome`, [n_problems, 8]."""
        sums = [np.bincount(self.position, column, n_problems) for column in self.counts.T]
        return np.stack(sums, axis=1).astype(np.int64)


def tally(parts: Iterable[Path], starts: npt.NDArray[np.int64], perfect: npt.NDArray[np.bool_]) -> Tallies:
    """Count the outcomes in some `outcomes-*.parquet`, one part in memory at a time.

    Args:
        parts: the files; each has its problems' rows together, in the order of the solutions.
        starts: [problems], place of each problem's first solution among all solutions.
        perfect: [solutions], whether the reference score is 1.0.

    Raises:
        StoreError: a part can't be read; names it.
    """
    rows: list[npt.NDArray[np.int64]] = []
    positions: list[npt.NDArray[np.int32]] = []
    counts: list[npt.NDArray[np.int32]] = []
    failing: dict[int, int] = {}
    in_process = 0
    for part in parts:
        table = pa.Table.from_batches(
            batches([part], ["position", "outcomes", "in_process"]),
            OUTCOMES.empty_table().select(["position", "outcomes", "in_process"]).schema,
        ).combine_chunks()
        position = table["position"].to_numpy()
        order = np.arange(len(position))
        first = np.flatnonzero(np.diff(position, prepend=-1))
        within = order - np.repeat(first, np.diff(first, append=len(position)))
        row = starts[position] + within
        lists = table["outcomes"].chunk(0)
        sizes = np.diff(lists.offsets.to_numpy())
        codes = lists.flatten().to_numpy()
        flat = np.bincount(
            np.repeat(order * len(Outcome), sizes) + codes, minlength=len(position) * len(Outcome)
        )
        rows.append(row)
        positions.append(position)
        counts.append(flat.reshape(-1, len(Outcome)).astype(np.int32))
        marks = table["in_process"].chunk(0)
        in_process += int(marks.flatten().true_count) if marks.null_count < len(marks) else 0
        failing |= _failing(position, sizes, codes, perfect[row])
    if not rows:
        nothing = np.empty(0, np.int64)
        return Tallies(nothing, nothing.astype(np.int32), np.empty((0, len(Outcome)), np.int32), 0, {})
    return Tallies(
        np.concatenate(rows), np.concatenate(positions), np.concatenate(counts), in_process, failing
    )


def _failing(
    position: npt.NDArray[np.int32],
    sizes: npt.NDArray[np.int32],
    codes: npt.NDArray[np.uint8],
    wanted: npt.NDArray[np.bool_],
) -> dict[int, int]:
    """Position -> tests that fail at least one of the wanted rows."""
    starts = np.cumsum(sizes, dtype=np.int64) - sizes
    found: dict[int, set[int]] = {}
    for row in np.flatnonzero(wanted).tolist():
        cells = codes[starts[row] : starts[row] + sizes[row]]
        bad = np.flatnonzero((cells != Outcome.PASSED) & (cells != Outcome.INTERNAL_ERROR))
        if len(bad):
            found.setdefault(int(position[row]), set()).update(bad.tolist())
    return {place: len(tests) for place, tests in found.items()}


def batches(parts: Iterable[Path], columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """Batches of rows of some part files; StoreError names the one that can't be read."""
    for part in parts:
        try:
            with pq.ParquetFile(part) as file:
                yield from file.iter_batches(batch_size=65_536, columns=list(columns))
        except (OSError, pa.ArrowException) as error:
            raise StoreError(f"{part}: can't be read: {error}") from error


def ranked(frame: pd.DataFrame) -> pd.DataFrame:
    """Give solutions with a `score` their `rank` within the problem: 1 is best, ties share their average.

    Takes and returns the columns of `scores.parquet`; NaN for a NaN score.
    """
    rank = frame.groupby("task_id", sort=False)["score"].rank(method="average", ascending=False)
    return frame.assign(rank=rank)[list(SCORE_COLUMNS)]
