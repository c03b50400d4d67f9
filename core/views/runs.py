"""One run as numbers: its metrics, and a row for every problem. The other views start from here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.metrics import Evaluation, Scores
from core.model import VerifierKind
from core.store import Manifest
from core.views.measured import Undefined as Undefined
from core.views.measured import measures, read_scores
from core.views.opened import opened


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
        mean_reference_score: over all solutions.
        reference_quartiles: 25%, 50% and 75% of the reference scores of all solutions.
    """

    name: str
    label: str
    folder: Path
    manifest: Manifest
    evaluation: Evaluation
    problems: pd.DataFrame
    mean_reference_score: float
    reference_quartiles: tuple[float, float, float]

    @property
    def n_covered(self) -> int:
        """Problems that the verifier has tests for; a reward model's are all."""
        if self.manifest.verifier_kind is VerifierKind.REWARD:
            return self.manifest.n_problems
        return int((self.problems["n_tests"] > 0).sum())

    @property
    def scores(self) -> Scores:
        """What the metrics were computed from; problem codes are positions in `problems`.

        Read from the run each time: a million solutions are not kept in memory.

        Raises:
            StoreError: the run can't be read any more.
        """
        return read_scores(opened(self.folder))


def summarise_run(name: str, label: str, folder: Path, *, undefined: Undefined = "nan") -> RunSummary:
    """Read a finished run and measure it.

    Raises:
        StoreError: the run can't be read; the message names the file.
    """
    run = opened(folder)
    found = measures(run, undefined)
    columns = ["top1", "bottom1", "spearman", "kendall", "mae", "no_signal", "best_tie"]
    return RunSummary(
        name=name,
        label=label,
        folder=folder,
        manifest=run.manifest,
        evaluation=found.evaluation,
        problems=run.problem_summary().assign(**{key: found.problems[key].to_numpy() for key in columns}),
        mean_reference_score=found.reference_mean,
        reference_quartiles=found.reference_quartiles,
    )
