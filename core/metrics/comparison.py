"""Two verifiers on the same problems: the paired bootstrap."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.metrics import resampling
from core.metrics.evaluation import METRIC_KEYS, Kind, Statistics, Undefined, aggregate, counting, measure
from core.metrics.ranking import Floats


@dataclass(frozen=True, slots=True)
class Scores:
    """One verifier's side of a comparison; the fields are the arguments of `evaluate`.

    Problem codes mean the same problem on both sides of a comparison.
    """

    problem: npt.ArrayLike
    score: npt.ArrayLike
    reference_score: npt.ArrayLike
    reference_rank: npt.ArrayLike | None = None
    kind: Kind = "tests"


@dataclass(frozen=True, slots=True)
class Difference:
    """First minus second on the problems that define the metric for both.

    Attributes:
        value: of the first less that of the second, both on the shared problems only.
        low, high: 95% percentile interval of the paired bootstrap; NaN with fewer than two problems.
        p_value: two-sided, of "no difference"; NaN where there is no interval.
        n: shared problems.
    """

    value: float
    low: float
    high: float
    p_value: float
    n: int


def compare(
    a: Scores, b: Scores, *, undefined: Undefined = "nan", bootstrap: int = 2000, seed: int = 0
) -> dict[str, Difference]:
    """Paired difference a - b of every metric.

    A problem counts for a metric when both verifiers define it there, so that neither gains by being
    undefined on the hard ones; each resample takes the same problems for both.

    Args:
        a: the first verifier.
        b: the second verifier.
        undefined: as in `evaluate`; "zero" makes every correlation defined.
        bootstrap: resamples of problems; 0 for no intervals and p-values.
        seed: of the resamples.

    Returns:
        By metric key. For MAE a negative difference favours the first.

    Raises:
        ValueError: as `evaluate`.
    """
    left = measure(a.problem, a.score, a.reference_score, a.reference_rank, kind=a.kind)[0]
    right = measure(b.problem, b.score, b.reference_score, b.reference_rank, kind=b.kind)[0]
    return compare_measured(left, right, undefined=undefined, bootstrap=bootstrap, seed=seed)


def compare_measured(
    a: Statistics, b: Statistics, *, undefined: Undefined = "nan", bootstrap: int = 2000, seed: int = 0
) -> dict[str, Difference]:
    """`compare` for two verifiers whose problems are measured already (`Evaluation.statistics`)."""
    left, right = counting(a, undefined), counting(b, undefined)
    p = min(len(left.present), len(right.present))
    shared = np.flatnonzero(left.present[:p] & right.present[:p])
    ours, theirs = _paired(left, right, shared)
    columns = np.hstack([ours.columns(), theirs.columns()])
    n = len(shared) - ours.n_undefined()

    def difference(sums: Floats) -> Floats:
        half = sums.shape[1] // 2
        return aggregate(sums[:, :half]) - aggregate(sums[:, half:])

    value = difference(columns.sum(axis=0, keepdims=True))[0]
    result = {}
    draws = None
    if bootstrap > 0 and len(shared) >= 2:
        draws = resampling.replicates(columns, difference, bootstrap=bootstrap, seed=seed)
    for i, key in enumerate(METRIC_KEYS):
        low = high = p_value = float("nan")
        if draws is not None and n[i] >= 2:
            low, high = resampling.interval(draws[:, i])
            p_value = resampling.two_sided_p(draws[:, i])
        result[key] = Difference(float(value[i]), low, high, p_value, int(n[i]))
    return result


def _paired(
    left: Statistics, right: Statistics, shared: npt.NDArray[np.intp]
) -> tuple[Statistics, Statistics]:
    weight = np.minimum(left.weight[shared], right.weight[shared])
    pooled = (left.pooled[shared, :1] > 0) & (right.pooled[shared, :1] > 0)

    def side(statistics: Statistics) -> Statistics:
        return Statistics(
            statistics.value[shared] * weight,
            weight,
            statistics.pooled[shared] * pooled,
            np.ones(len(shared), dtype=np.bool_),
        )

    return side(left), side(right)
