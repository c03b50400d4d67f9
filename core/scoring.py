"""What was said about solutions, from wherever it comes, as one table that metrics are computed from."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pandas as pd

from core.metrics import Evaluation, evaluate

Undefined = Literal["nan", "zero"]


@dataclass(frozen=True, slots=True)
class ScoreSet:
    """One verifier's scores on one benchmark.

    Attributes:
        run: name of the run or file.
        kind: "tests" (a score is a fraction of tests) or "reward" (any number).
        table: columns task_id, solution_id, score, reference_score, reference_rank.
    """

    run: str
    benchmark: str
    verifier: str
    kind: Literal["tests", "reward"]
    table: pd.DataFrame


def evaluate_scores(
    scores: ScoreSet, *, undefined: Undefined = "nan", bootstrap: int = 2000, seed: int = 0
) -> Evaluation:
    """The six metrics of one score set (Scoring Verifiers, section 4.3)."""
    codes, _ = pd.factorize(scores.table["task_id"])
    column = {
        name: scores.table[name].to_numpy(float) for name in ("score", "reference_score", "reference_rank")
    }
    return evaluate(
        codes,
        column["score"],
        column["reference_score"],
        column["reference_rank"],
        kind=scores.kind,
        undefined=undefined,
        bootstrap=bootstrap,
        seed=seed,
    )
