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

SCORE_COLUMNS = ("task_id", "solution_id", "score", "rank", "reference_score", "reference_rank")


@dataclass(frozen=True, slots=True)
class Tallies:
    """Outcomes of every solution, counted.

    Attributes:
        position: int32 [n], place of the row's problem in the benchmark.
        solution_id: [n].
        counts: int32 [n, 8], cells with each code of `Outcome`.
        in_process: cells judged inside the program's own process.
    """

    position: npt.NDArray[np.int32]
    solution_id: npt.NDArray[np.object_]
    counts: npt.NDArray[np.int32]
    in_process: int

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


def tally(parts: Iterable[Path]) -> Tallies:
    """Count the outcomes in some `outcomes-*.parquet`, one batch of rows in memory at a time.

    Raises:
        StoreError: a part can't be read; names it.
    """
    positions: list[npt.NDArray[np.int32]] = []
    ids: list[npt.NDArray[np.object_]] = []
    counts: list[npt.NDArray[np.int32]] = []
    in_process = 0
    for batch in batches(parts, ["position", "solution_id", "outcomes", "in_process"]):
        positions.append(batch["position"].to_numpy())
        ids.append(batch["solution_id"].to_numpy(zero_copy_only=False))
        row, codes = _cells(batch["outcomes"])
        flat = np.bincount(row * len(Outcome) + codes, minlength=batch.num_rows * len(Outcome))
        counts.append(flat.reshape(-1, len(Outcome)).astype(np.int32))
        in_process += int(batch["in_process"].flatten().true_count)
    if not positions:
        return Tallies(
            np.empty(0, np.int32), np.empty(0, object), np.empty((0, len(Outcome)), np.int32), in_process
        )
    return Tallies(np.concatenate(positions), np.concatenate(ids), np.concatenate(counts), in_process)


def failing_tests(position: npt.NDArray[np.int32], outcomes: pa.ListArray) -> dict[int, int]:
    """Tests that fail at least one of some solutions (any outcome but passed and INTERNAL_ERROR).

    Args:
        position: [n], place of each row's problem.
        outcomes: [n], codes of the row's cells, one for each test.

    Returns:
        position -> how many tests of the problem; positions without any are left out.
    """
    row, codes = _cells(outcomes)
    bad = np.flatnonzero((codes != Outcome.PASSED) & (codes != Outcome.INTERNAL_ERROR))
    test = bad - np.searchsorted(row, row[bad])
    cells = np.unique(np.stack([position[row[bad]], test]), axis=1)
    places, counts = np.unique(cells[0], return_counts=True)
    return dict(zip(places.tolist(), counts.tolist(), strict=True))


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


def _cells(lists: pa.ListArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Row number and code of each cell of a list column."""
    offsets = lists.offsets.to_numpy()
    rows = np.repeat(np.arange(len(lists), dtype=np.int64), np.diff(offsets))
    return rows, lists.flatten().to_numpy(zero_copy_only=False)
