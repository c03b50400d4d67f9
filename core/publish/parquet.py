"""A run as Parquet that any reader takes: a row a cell, and a row a solution."""

from __future__ import annotations

from pathlib import Path
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.evolution.patterns import Trial
from core.model import Outcome
from core.store import Run
from core.store.files import encodable

CELLS = pa.schema(
    [
        ("task_id", pa.string()),
        ("solution_id", pa.string()),
        ("test_index", pa.int32()),
        ("outcome", pa.string()),
        ("passed", pa.bool_()),
    ]
)
"""`outcome` is the outcome's letter; `passed` is null where the verdict is missing (I)."""
SCORES = pa.schema(
    [
        *((name, pa.string()) for name in ("task_id", "solution_id")),
        *((name, pa.float64()) for name in ("score", "rank", "reference_score", "reference_rank")),
    ]
)
_LETTERS = np.array([outcome.letter for outcome in Outcome])
_CELLS_AT_ONCE = 500_000


class CellWriter:
    """Writes the cells of problems as they come; to be closed."""

    def __init__(self, path: Path) -> None:
        self._writer = pq.ParquetWriter(path, CELLS, compression="zstd")
        self._waiting: list[pa.Table] = []

    def add(self, trial: Trial) -> None:
        """One problem's cells, solution by solution."""
        solutions, tests = trial.outcomes.shape
        if not trial.outcomes.size:
            return
        codes = trial.outcomes.ravel()
        ids = pa.array([encodable(solution.id) for solution in trial.solutions])
        columns = {
            "task_id": pa.repeat(encodable(trial.task_id), codes.size),
            "solution_id": ids.take(pa.array(np.repeat(np.arange(solutions), tests))),
            "test_index": pa.array(np.tile(np.arange(tests, dtype=np.int32), solutions)),
            "outcome": pa.array(_LETTERS[codes]),
            "passed": pa.array(codes == Outcome.PASSED, mask=codes == Outcome.INTERNAL_ERROR),
        }
        self._waiting.append(pa.table(columns, schema=CELLS))
        if sum(table.num_rows for table in self._waiting) >= _CELLS_AT_ONCE:
            self._flush()

    def close(self) -> None:
        """Write what waits, and the file's end."""
        self._flush()
        self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _flush(self) -> None:
        if self._waiting:
            self._writer.write_table(pa.concat_tables(self._waiting))
            self._waiting.clear()


def write_scores(run: Run, path: Path) -> None:
    """The verifier's and the reference's score and rank of every solution."""
    table = pa.Table.from_pandas(run.scores(), schema=SCORES, preserve_index=False)
    pq.write_table(table, path, compression="zstd")
