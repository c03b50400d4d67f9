"""Verifiers on the same problems: one against another or against a family, by the paired bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
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
    """Paired difference a - b of every metric; arguments and errors as for `compare_to_family`."""
    return compare_to_family(a, (b,), undefined=undefined, bootstrap=bootstrap, seed=seed)


def compare_to_family(
    a: Scores,
    family: Sequence[Scores],
    *,
    undefined: Undefined = "nan",
    bootstrap: int = 2000,
    seed: int = 0,
) -> dict[str, Difference]:
    """Paired difference of every metric between one verifier and the mean of some others.

    A problem counts for a metric when all verifiers define it there, so that none gains by being
    undefined on the hard ones; each resample takes the same problems for all. The family's metric is the
    mean of its members' metrics, each member counting alike.

    Args:
        a: the first verifier.
        family: the others, at least one.
        undefined: as in `evaluate`; "zero" makes every correlation defined.
        bootstrap: resamples of problems; 0 for no intervals and p-values.
        seed: of the resamples.

    Returns:
        By metric key. For MAE a negative difference favours the first.

    Raises:
        ValueError: as `evaluate`.
    """
    others = [_measured(scores) for scores in family]
    return compare_measured(_measured(a), others, undefined=undefined, bootstrap=bootstrap, seed=seed)


def compare_measured(
    a: Statistics,
    family: Sequence[Statistics],
    *,
    undefined: Undefined = "nan",
    bootstrap: int = 2000,
    seed: int = 0,
) -> dict[str, Difference]:
    """`compare_to_family` for verifiers that are measured already (`Evaluation.statistics`)."""
    if not family:
        raise ValueError("expected at least one verifier to compare with")
    all_of = [counting(one, undefined) for one in (a, *family)]
    p = min(len(one.present) for one in all_of)
    shared = np.flatnonzero(np.all([one.present[:p] for one in all_of], axis=0))
    paired = _paired(all_of, shared)
    columns = np.hstack([one.columns() for one in paired])
    n = len(shared) - paired[0].n_undefined()

    def difference(sums: Floats) -> Floats:
        first, *others = (aggregate(part) for part in np.split(sums, len(paired), axis=1))
        apart: Floats = first - np.mean(others, axis=0)
        return apart

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


def _measured(scores: Scores) -> Statistics:
    return measure(
        scores.problem, scores.score, scores.reference_score, scores.reference_rank, kind=scores.kind
    )[0]


def _paired(all_of: Sequence[Statistics], shared: npt.NDArray[np.intp]) -> list[Statistics]:
    """Each verifier's statistics on the shared problems, where all of them define the metric."""
    weight = np.min([one.weight[shared] for one in all_of], axis=0)
    pooled = np.all([one.pooled[shared, :1] > 0 for one in all_of], axis=0)
    present = np.ones(len(shared), dtype=np.bool_)
    return [
        Statistics(one.value[shared] * weight, weight, one.pooled[shared] * pooled, present) for one in all_of
    ]
