"""A run's metrics, kept beside the run once they are computed: 20,000 problems take seconds to measure.

`measured-<undefined>.parquet` has a row for each problem, and the metrics in its metadata. It belongs to
one content of `manifest.json`, whose hash it holds, and is written anew where it does not fit. A folder
that can't be written is measured each time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Final, Literal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.files import replacing
from core.metrics import Evaluation, PerProblem, Scores, Statistics, evaluate
from core.model import Metric, VerifierKind
from core.store import Run

Undefined = Literal["nan", "zero"]

_LAYOUT: Final = 2
_KEY: Final = b"touchstone"
_PER_PROBLEM: Final = tuple(field.name for field in fields(PerProblem))
_POOLED: Final = [f"pooled_{column}" for column in range(5)]


@dataclass(frozen=True, slots=True)
class Measures:
    """What is measured of a run.

    Attributes:
        evaluation: metrics over problems, and their values for each problem.
        problems: a row for each problem of the benchmark: the fields of `PerProblem`, no_signal (bool:
            the verifier scores every solution alike), best_tie (solutions that share its best score),
            and of `Statistics` pooled_0 .. pooled_4 and present.
        reference_mean: mean reference score of all solutions, NaN where none has one.
        reference_quartiles: 25%, 50% and 75% of them.
    """

    evaluation: Evaluation
    problems: pd.DataFrame
    reference_mean: float
    reference_quartiles: tuple[float, float, float]


def read_scores(run: Run) -> Scores:
    """Every score of a run as the metrics take them; problem codes are positions in the benchmark."""
    table = run.score_arrays()
    return Scores(
        problem=table["position"],
        score=table["score"],
        reference_score=table["reference_score"],
        reference_rank=table["reference_rank"],
        kind="reward" if run.manifest.verifier_kind is VerifierKind.REWARD else "tests",
    )


def measures(run: Run, undefined: Undefined) -> Measures:
    """The measures of a run: those kept beside it, else computed and kept.

    Raises:
        StoreError: the run can't be read.
    """
    path = run.path / f"measured-{undefined}.parquet"
    made_of = hashlib.sha256((run.path / "manifest.json").read_bytes()).hexdigest()
    found = _read(path, made_of, undefined)
    if found is None:
        found = _measure(run, undefined)
        if run.finished:
            with contextlib.suppress(OSError):
                _write(path, made_of, found)
    return found


def _measure(run: Run, undefined: Undefined) -> Measures:
    scores = read_scores(run)
    evaluation = evaluate(
        scores.problem,
        scores.score,
        scores.reference_score,
        scores.reference_rank,
        kind=scores.kind,
        undefined=undefined,
    )
    everything = pd.RangeIndex(run.manifest.n_problems)
    problems = pd.DataFrame(
        {key: pd.Series(getattr(evaluation.per_problem, key)) for key in _PER_PROBLEM}
    ).reindex(everything)
    counts = ["n_solutions", "n_missing"]
    problems[counts] = problems[counts].fillna(0).astype(np.int64)
    score = pd.Series(np.asarray(scores.score, dtype=np.float64))
    by_problem = score.groupby(np.asarray(scores.problem))
    ties = (score == by_problem.transform("max")).groupby(np.asarray(scores.problem)).sum()
    problems["no_signal"] = by_problem.nunique().reindex(everything).fillna(0).to_numpy() <= 1
    problems["best_tie"] = ties.reindex(everything).fillna(0).to_numpy().astype(np.int64)
    statistics = evaluation.statistics
    problems[_POOLED] = pd.DataFrame(statistics.pooled).reindex(everything).fillna(0.0).to_numpy()
    problems["present"] = pd.Series(statistics.present).reindex(everything, fill_value=False).to_numpy()
    reference = np.asarray(scores.reference_score, dtype=np.float64)
    known = reference[~np.isnan(reference)]
    low, middle, high = np.quantile(known, [0.25, 0.5, 0.75]) if len(known) else (np.nan,) * 3
    mean = float(known.mean()) if len(known) else float("nan")
    return Measures(evaluation, problems, mean, (float(low), float(middle), float(high)))


def _write(path: Path, made_of: str, found: Measures) -> None:
    kept = {
        "layout": _LAYOUT,
        "made_of": made_of,
        "metrics": {key: asdict(metric) for key, metric in found.evaluation.metrics.items()},
        "bootstrap": found.evaluation.bootstrap,
        "seed": found.evaluation.seed,
        "reference_mean": found.reference_mean,
        "reference_quartiles": found.reference_quartiles,
    }
    table = pa.Table.from_pandas(found.problems, preserve_index=False)
    table = table.replace_schema_metadata({_KEY: json.dumps(kept).encode()})
    with replacing(path) as beside:
        pq.write_table(table, beside, compression="zstd")


def _read(path: Path, made_of: str, undefined: Undefined) -> Measures | None:
    """What is kept; None where there is nothing, or nothing that fits."""
    try:
        table = pq.read_table(path)
        kept = json.loads((table.schema.metadata or {})[_KEY])
        if (kept["layout"], kept["made_of"]) != (_LAYOUT, made_of):
            return None
        problems = table.replace_schema_metadata(None).to_pandas()
        metrics = {key: Metric(**values) for key, values in kept["metrics"].items()}
        per_problem = PerProblem(**{key: problems[key].to_numpy() for key in _PER_PROBLEM})
        statistics = Statistics.of(per_problem, problems[_POOLED].to_numpy(), problems["present"].to_numpy())
        evaluation = Evaluation(metrics, per_problem, undefined, kept["bootstrap"], kept["seed"], statistics)
        low, middle, high = kept["reference_quartiles"]
        return Measures(evaluation, problems, kept["reference_mean"], (low, middle, high))
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        return None
