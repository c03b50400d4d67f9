"""One verifier against the reference on a whole benchmark.

How the open cases are settled:

* Missing scores. A solution whose score is NaN has none (all of its tests ended in an internal error):
  it is left out of its problem, and ranks and "best" are among the solutions that remain. It is never
  a score of 0. The same holds for a NaN reference rank, and in MAE and R2 for a NaN reference score.
* A problem with one solution left: it is the best and the worst, so Top-1 and Bottom-1 are 1 by their
  definition; both correlations are undefined. With none left all four are undefined.
* Several solutions tied for the reference best: Top-1 is the part of the verifier's tie that is
  reference best, i.e. the chance that a blind draw from the verifier's tie is right. With one reference
  best this is the rule of the paper (1 / size of the tie, or 0). Bottom-1 likewise.
* A code without any row is no problem of this verifier: it counts nowhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from core.metrics import ranking, resampling
from core.metrics.ranking import Floats, Ints, divide, group_sum
from core.model import Metric

Kind: TypeAlias = Literal["tests", "reward"]
Undefined: TypeAlias = Literal["nan", "zero"]

RANK_KEYS: Final = ("top1", "bottom1", "spearman", "kendall")
METRIC_KEYS: Final = (*RANK_KEYS, "mae", "r2")
CORRELATIONS: Final = [RANK_KEYS.index("spearman"), RANK_KEYS.index("kendall")]

# A sum of squares this much smaller than its terms is rounding, not spread.
_NO_SPREAD = 1e-12


@dataclass(frozen=True, slots=True)
class PerProblem:
    """What each problem contributes, indexed by its code; float arrays [P], NaN where undefined.

    `undefined="zero"` changes the aggregate only: here an undefined correlation stays NaN.

    Attributes:
        mae: mean absolute error over the problem's scored solutions.
        n_solutions: int [P], solutions that have a score.
        n_missing: int [P], solutions that have none and were left out.
    """

    top1: Floats
    bottom1: Floats
    spearman: Floats
    kendall: Floats
    mae: Floats
    n_solutions: Ints
    n_missing: Ints

    @property
    def n_alone(self) -> int:
        """Problems with one solution alone to order, where Top-1 and Bottom-1 are 1 whatever its score."""
        return int((self.n_solutions == 1).sum())


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A verifier's metrics on one benchmark.

    Attributes:
        metrics: by key (`METRIC_KEYS`). n counts all problems that have rows, n_undefined those of them
            on which the metric is undefined. With undefined="nan" the value is over n - n_undefined.
        per_problem: the values behind the metrics.
        undefined: how undefined correlations were counted.
        bootstrap: number of resamples behind the intervals.
        seed: of the resamples.
        statistics: the sums behind the metrics, before `undefined` is applied.
    """

    metrics: Mapping[str, Metric]
    per_problem: PerProblem
    undefined: Undefined
    bootstrap: int
    seed: int
    statistics: Statistics


@dataclass(frozen=True, slots=True)
class Statistics:
    """Per-problem sums from which every metric of any resample follows.

    Attributes:
        value: float [P, 4], values of `RANK_KEYS`, 0 where undefined.
        weight: float [P, 4], 1 where the value is defined, else 0 (a mean over draws: in between).
        pooled: float [P, 5], sums over solutions: count, |error|, error^2, reference, reference^2
            (the reference taken relative to a constant of the benchmark).
        present: bool [P], the problem has rows.
    """

    value: Floats
    weight: Floats
    pooled: Floats
    present: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, per_problem: PerProblem, pooled: Floats, present: npt.NDArray[np.bool_]) -> Statistics:
        """The statistics whose values of `RANK_KEYS` are those of `per_problem`."""
        values = np.column_stack([getattr(per_problem, key) for key in RANK_KEYS])
        defined = ~np.isnan(values)
        return cls(np.where(defined, values, 0.0), defined.astype(np.float64), pooled, present)

    def columns(self) -> Floats:
        """Sums of the problems that are present, float [present, 13], as `aggregate` takes them."""
        columns: Floats = np.hstack([self.value, self.weight, self.pooled])[self.present]
        return columns

    def n_undefined(self) -> Ints:
        """For each of `METRIC_KEYS`, the present problems on which it is undefined, int [6]."""
        undefined = np.hstack([self.weight, self.pooled[:, [0, 0]]])[self.present] == 0
        counts: Ints = undefined.sum(axis=0, dtype=np.int64)
        return counts

    def counting_zero(self) -> Statistics:
        """The same with undefined correlations counted as 0, as the published tables do."""
        weight = self.weight.copy()
        weight[:, CORRELATIONS] = 1.0
        return Statistics(self.value, weight, self.pooled, self.present)


def evaluate(
    problem: npt.ArrayLike,
    score: npt.ArrayLike,
    reference_score: npt.ArrayLike,
    reference_rank: npt.ArrayLike | None = None,
    *,
    kind: Kind = "tests",
    undefined: Undefined = "nan",
    bootstrap: int = 2000,
    seed: int = 0,
) -> Evaluation:
    """Measure how well a verifier's scores agree with the reference (scoring-verifiers v2, section 4.3).

    Args:
        problem: int [n], the code 0..P-1 of each solution's problem, in any order.
        score: float [n], the verifier's score, higher is better; NaN: it has none.
        reference_score: float [n], fraction of reference tests passed.
        reference_rank: float [n], 1 is best; None ranks by reference_score.
        kind: "reward" first min-max normalises the scores within each problem for MAE and R2
            (section 4.2); a constant problem becomes 0. Ranks are taken from the scores as given.
        undefined: "zero" counts an undefined correlation as 0, as the published tables do; "nan"
            leaves it out of the mean.
        bootstrap: resamples of problems behind the 95% percentile intervals; 0 for no intervals.
        seed: of the resamples.

    Returns:
        The metrics; intervals are NaN where fewer than two problems define the metric.

    Raises:
        ValueError: arrays of different lengths, a negative code, an infinite value, an unknown option.
    """
    statistics, per_problem = measure(problem, score, reference_score, reference_rank, kind=kind)
    metrics = summarise(statistics, undefined=undefined, bootstrap=bootstrap, seed=seed)
    return Evaluation(metrics, per_problem, undefined, bootstrap, seed, statistics)


def measure(
    problem: npt.ArrayLike,
    score: npt.ArrayLike,
    reference_score: npt.ArrayLike,
    reference_rank: npt.ArrayLike | None,
    *,
    kind: Kind,
    n_problems: int | None = None,
) -> tuple[Statistics, PerProblem]:
    """Per-problem statistics; arguments as in `evaluate`, with at least `n_problems` codes."""
    if kind not in ("tests", "reward"):
        raise ValueError(f"kind must be 'tests' or 'reward', not {kind!r}")
    code, given, reference, rank = _check(problem, score, reference_score, reference_rank)
    p = max(int(code.max(initial=-1)) + 1, n_problems or 0)
    rows = np.bincount(code, minlength=p)

    kept = ~np.isnan(given) & ~np.isnan(rank)
    group, size = code[kept], np.bincount(code[kept], minlength=p)
    best_first = ranking.rank_within(group, -given[kept], p)
    worst_first = ranking.Ranks(size[group] + 1 - best_first.rank, best_first.tie)
    truth = ranking.rank_within(group, rank[kept], p)
    truth_reversed = ranking.Ranks(size[group] + 1 - truth.rank, truth.tie)
    values = np.column_stack(
        [
            ranking.best_hit(group, best_first, truth, p),
            ranking.best_hit(group, worst_first, truth_reversed, p),
            ranking.spearman(group, best_first, truth, p),
            ranking.kendall(group, best_first, truth, p),
        ]
    )

    pooled = _pooled_sums(code, given, reference, kind, p)
    per_problem = PerProblem(
        top1=values[:, 0],
        bottom1=values[:, 1],
        spearman=values[:, 2],
        kendall=values[:, 3],
        mae=divide(pooled[:, 1], pooled[:, 0]),
        n_solutions=size.astype(np.int64),
        n_missing=(rows - size).astype(np.int64),
    )
    return Statistics.of(per_problem, pooled, rows > 0), per_problem


def summarise(
    statistics: Statistics, *, undefined: Undefined, bootstrap: int, seed: int
) -> dict[str, Metric]:
    """Metrics with intervals from per-problem statistics; options as in `evaluate`."""
    n_undefined = statistics.n_undefined()
    columns = counting(statistics, undefined).columns()
    n = len(columns)
    value = aggregate(columns.sum(axis=0, keepdims=True))[0]
    has_interval = bootstrap > 0 and n >= 2
    draws = (
        resampling.replicates(columns, aggregate, bootstrap=bootstrap, seed=seed) if has_interval else None
    )
    metrics = {}
    for i, key in enumerate(METRIC_KEYS):
        low = high = float("nan")
        metric = Metric(float(value[i]), low, high, n, int(n_undefined[i]))
        if draws is not None and counted(key, metric, undefined) >= 2:
            low, high = resampling.interval(draws[:, i])
            metric = replace(metric, low=low, high=high)
        metrics[key] = metric
    return metrics


def counted(key: str, metric: Metric, undefined: Undefined) -> int:
    """On how many problems a metric's value rests: all where undefined correlations count as 0."""
    as_zero = undefined == "zero" and METRIC_KEYS.index(key) in CORRELATIONS
    return metric.n if as_zero else metric.n - metric.n_undefined


def counting(statistics: Statistics, undefined: Undefined) -> Statistics:
    """`statistics` under the option `undefined`; ValueError for an unknown option."""
    if undefined not in ("nan", "zero"):
        raise ValueError(f"undefined must be 'nan' or 'zero', not {undefined!r}")
    return statistics.counting_zero() if undefined == "zero" else statistics


def aggregate(sums: Floats) -> Floats:
    """Metrics [resamples, 6] in the order of `METRIC_KEYS` from sums [resamples, 13] of `columns`."""
    means = divide(sums[:, :4], sums[:, 4:8])
    count, absolute, squared, reference, reference_squared = sums[:, 8:].T
    mae = divide(absolute, count)
    spread = reference_squared - divide(reference**2, count)
    spread = np.where(spread > _NO_SPREAD * reference_squared, spread, 0.0)
    r2 = 1 - divide(squared, spread)
    return np.column_stack([means, mae, r2])


def _pooled_sums(code: Ints, given: Floats, reference: Floats, kind: Kind, p: int) -> Floats:
    scored = ~np.isnan(given)
    estimate = given.copy()
    if kind == "reward":
        estimate[scored] = min_max(code[scored], given[scored], p)
    kept = scored & ~np.isnan(reference)
    group, truth = code[kept], reference[kept]
    error = estimate[kept] - truth
    relative = truth - truth[0] if len(truth) else truth
    terms = (np.ones(len(group)), np.abs(error), error**2, relative, relative**2)
    return np.column_stack([group_sum(group, term, p) for term in terms])


def min_max(group: Ints, value: Floats, n_groups: int) -> Floats:
    """Values scaled to 0..1 within each group, a constant group to 0 (scoring-verifiers v2, section 4.2)."""
    low, high = np.full(n_groups, np.inf), np.full(n_groups, -np.inf)
    halves = value / 2  # the range of halves can't overflow
    np.minimum.at(low, group, halves)
    np.maximum.at(high, group, halves)
    spread = high[group] - low[group]
    normalised: Floats = np.divide(halves - low[group], spread, out=np.zeros(len(value)), where=spread > 0)
    return normalised


def _check(
    problem: npt.ArrayLike,
    score: npt.ArrayLike,
    reference_score: npt.ArrayLike,
    reference_rank: npt.ArrayLike | None,
) -> tuple[Ints, Floats, Floats, Floats]:
    code = np.asarray(problem)
    if code.size and not np.issubdtype(code.dtype, np.integer):
        raise ValueError(f"problem must hold integer codes, not {code.dtype}")
    code = code.astype(np.int64)
    given = np.asarray(score, dtype=np.float64)
    reference = np.asarray(reference_score, dtype=np.float64)
    rank = -reference if reference_rank is None else np.asarray(reference_rank, dtype=np.float64)
    named = {"score": given, "reference_score": reference, "reference_rank": rank}
    for name, array in named.items():
        if array.shape != code.shape or array.ndim != 1:
            raise ValueError(f"{name} has shape {array.shape}, problem has {code.shape}: one flat array each")
        infinite = np.flatnonzero(np.isinf(array))
        if len(infinite):
            raise ValueError(f"{name}[{infinite[0]}] is infinite: give NaN where there is none")
    if len(code) and code.min() < 0:
        raise ValueError(f"problem[{int(code.argmin())}] is negative: codes are 0..P-1")
    return code, given, reference, rank
