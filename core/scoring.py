"""A verifier's scores beside the reference's, from runs and from files, as metrics take them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias

import pandas as pd

from core.errors import InputError
from core.formats import FlatRow, Loaded, RowError, load
from core.metrics import Evaluation, evaluate
from core.model import VerifierKind
from core.store import Run, open_run

Method: TypeAlias = Literal["tests", "reward"]
Undefined: TypeAlias = Literal["nan", "zero"]


@dataclass(frozen=True, slots=True)
class ScoreSet:
    """One verifier's scores on one benchmark.

    Attributes:
        run: name of the run, or of the file.
        method: "tests" (a score is a fraction of tests) or "reward" (any number).
        table: columns task_id, score, reference_score, reference_rank; a row a solution.
    """

    run: str
    benchmark: str
    verifier: str
    method: Method
    table: pd.DataFrame

    def evaluate(self, *, undefined: Undefined = "nan", bootstrap: int = 2000, seed: int = 0) -> Evaluation:
        """The six metrics with their intervals (Scoring Verifiers, section 4.3)."""
        codes, _ = pd.factorize(self.table["task_id"])
        score, reference, rank = (
            self.table[column].to_numpy(float) for column in ("score", "reference_score", "reference_rank")
        )
        return evaluate(
            codes,
            score,
            reference,
            rank,
            kind=self.method,
            undefined=undefined,
            bootstrap=bootstrap,
            seed=seed,
        )


def run_scores(run: Run, method: Method | None = None) -> ScoreSet:
    """The scores of a run.

    Raises:
        InputError: the run is unfinished.
    """
    if not run.finished:
        raise InputError(f"{run.path}: the run is not finished; `run --resume` goes on with it")
    kind: Method = "reward" if run.manifest.verifier_kind is VerifierKind.REWARD else "tests"
    return ScoreSet(
        run.manifest.name, run.manifest.benchmark, run.manifest.verifier, method or kind, run.scores()
    )


def flat_scores(loaded: Loaded, name: str, method: Method | None = None) -> Iterator[ScoreSet]:
    """The scores in a Scoring-Verifiers flat file, one set for each data set in it.

    Raises:
        InputError: no row has a score of the asked method.
    """
    ordered = sorted(loaded.flat, key=lambda row: row.dataset)
    for dataset, rows in groupby(ordered, key=lambda row: row.dataset):
        group = list(rows)
        kind: Method = method or ("reward" if all(row.test_score is None for row in group) else "tests")
        scores = [row.test_score if kind == "tests" else row.reward_score for row in group]
        if all(score is None for score in scores):
            field = "average_test_score" if kind == "tests" else "reward.reward_score"
            raise InputError(f"{name}: no row of {dataset} has {field}, which --method {kind} needs")
        yield ScoreSet(name, dataset, name, kind, _table(group, scores))


def load_scores(
    paths: Iterable[Path], method: Method | None, on_row_error: Callable[[RowError], None]
) -> Iterator[ScoreSet]:
    """The scores of runs (folders) and flat files, in the order given; bad rows go to `on_row_error`.

    Raises:
        InputError: a path is neither, or its scores can't be used.
    """
    for path in paths:
        if path.is_dir():
            yield run_scores(open_run(path), method)
            continue
        loaded = load(path)
        if not loaded.flat:
            raise InputError(
                f"{path}: is of the format {loaded.format}; expected the folder of a run or a file with "
                "the keys dataset, task_id, rank, ground_average_test_score and average_test_score or reward"
            )
        for error in loaded.errors:
            on_row_error(error)
        yield from flat_scores(loaded, path.name.split(".")[0], method)


def _table(rows: list[FlatRow], scores: list[float | None]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "task_id": [row.task_id for row in rows],
            "score": pd.array(scores, dtype="Float64").to_numpy(float, na_value=float("nan")),
            "reference_score": [row.reference_score for row in rows],
            "reference_rank": [
                float("nan") if row.reference_rank is None else row.reference_rank for row in rows
            ],
        }
    )
