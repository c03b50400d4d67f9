"""One run as numbers: its metrics, and a row for every problem. The other views start from here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from core.metrics import Evaluation, Scores, evaluate
from core.model import VerifierKind
from core.store import Manifest, open_run

Undefined = Literal["nan", "zero"]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run's metrics and problems.

    Attributes:
        label: the run's name on screen.
        evaluation: metrics over problems, and their values for each problem.
        problems: a row for each problem, in the order of the benchmark. The columns of
            `Run.problem_summary`, and: top1, bottom1, spearman, kendall, mae (NaN where undefined),
            no_signal (the verifier scores every solution alike), best_tie (solutions that share
            its best score).
        scores: what the metrics were computed from; problem codes are positions in `problems`.
        mean_reference_score: over all solutions.
    """

    name: str
    label: str
    folder: Path
    manifest: Manifest
    evaluation: Evaluation
    problems: pd.DataFrame
    scores: Scores
    mean_reference_score: float


def summarise_run(name: str, label: str, folder: Path, *, undefined: Undefined = "nan") -> RunSummary:
    """Read a finished run and measure it.

    Raises:
        StoreError: the run can't be read; the message names the file.
    """
    run = open_run(folder)
    table = run.scores()
    problems = run.problem_summary()
    codes = pd.Series(range(len(problems)), index=problems["task_id"])
    scores = Scores(
        problem=codes.loc[table["task_id"]].to_numpy(),
        score=table["score"].to_numpy(np.float64),
        reference_score=table["reference_score"].to_numpy(np.float64),
        reference_rank=table["reference_rank"].to_numpy(np.float64),
        kind="reward" if run.manifest.verifier_kind is VerifierKind.REWARD else "tests",
    )
    evaluation = evaluate(
        scores.problem,
        scores.score,
        scores.reference_score,
        scores.reference_rank,
        kind=scores.kind,
        undefined=undefined,
    )
    return RunSummary(
        name=name,
        label=label,
        folder=folder,
        manifest=run.manifest,
        evaluation=evaluation,
        problems=_with_metrics(problems, table, evaluation),
        scores=scores,
        mean_reference_score=float(table["reference_score"].mean()),
    )


def _with_metrics(problems: pd.DataFrame, table: pd.DataFrame, evaluation: Evaluation) -> pd.DataFrame:
    by_task = table.groupby("task_id", sort=False)["score"]
    best = (table["score"] == by_task.transform("max")).groupby(table["task_id"], sort=False).sum()
    ties = best.reindex(problems["task_id"]).fillna(0)
    distinct = by_task.nunique().reindex(problems["task_id"]).fillna(0)
    measured = {
        key: pd.Series(getattr(evaluation.per_problem, key)).reindex(problems.index)
        for key in ("top1", "bottom1", "spearman", "kendall", "mae")
    }
    return problems.assign(
        **measured, no_signal=distinct.to_numpy() <= 1, best_tie=ties.to_numpy().astype(int)
    )
