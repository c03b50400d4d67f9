"""`score`: metrics of runs and files."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

from core import terminal
from core.commands.common import Sheet, say_row_error, without_jobs
from core.scoring import Method, ScoreSet, Undefined, load_scores
from core.words import alone_in_words


def score(
    paths: Sequence[Path], method: Method | None, undefined: Undefined, bootstrap: int, seed: int
) -> Sheet:
    """Metrics of runs and of Scoring-Verifiers flat files.

    Among several paths the folder of a job that is no run is passed over: `runs/*` may hold one.
    """
    scored = load_scores(without_jobs(paths), method, say_row_error)
    return sheet_of(scored, undefined, bootstrap, seed)


def sheet_of(
    sets: Iterable[ScoreSet], undefined: Undefined = "nan", bootstrap: int = 2000, seed: int = 0
) -> Sheet:
    """The metrics of each set of scores."""
    entries = []
    for scores in sets:
        evaluation = scores.evaluate(undefined=undefined, bootstrap=bootstrap, seed=seed)
        if alone := evaluation.per_problem.n_alone:
            terminal.say(f"note: {scores.verifier}: {alone_in_words(alone)}.")
        entries.append(
            {
                "run": scores.run,
                "benchmark": scores.benchmark,
                "verifier": scores.verifier,
                "n_problems": int(scores.table["task_id"].nunique()),
                "n_solutions": len(scores.table),
                "metrics": {key: dataclasses.asdict(metric) for key, metric in evaluation.metrics.items()},
            }
        )
    return {"runs": entries}
