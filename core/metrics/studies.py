"""How many tests are enough: metrics against suite size, and the saturation of a ranking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import stats

from core.metrics.evaluation import CORRELATIONS, Statistics, Undefined, measure, summarise
from core.metrics.ranking import Floats, divide
from core.metrics.suites import Outcomes, passed_fraction
from core.model import Metric, Outcome


@dataclass(frozen=True, slots=True)
class ScalingPoint:
    """A verifier's metrics with suites cut to a size.

    Attributes:
        n_tests: tests taken from each suite.
        metrics: by key; over draws, each problem's value is its mean over the draws that define it.
        n_short: problems whose suite has fewer tests than that: they take part with all they have.
    """

    n_tests: int
    metrics: Mapping[str, Metric]
    n_short: int


@dataclass(frozen=True, slots=True)
class SaturationPoint:
    """How well k random tests rank the solutions as all tests do (scoring-verifiers v2, Table 3).

    Attributes:
        k: tests drawn from each problem, without replacement.
        rho: mean over draws of the mean over problems of Spearman's rho.
        low, high: 95% interval of that mean, rho -+ 1.96 sigma / sqrt(draws); NaN for a single draw.
        sigma: standard deviation over draws.
        draws: number of draws.
        n: problems with at least k tests whose whole suite ranks the solutions at all.
        n_undefined: of the n x draws correlations, those undefined since the k tests rank nothing.
    """

    k: int
    rho: float
    low: float
    high: float
    sigma: float
    draws: int
    n: int
    n_undefined: int


def scaling(
    outcomes: Sequence[Outcomes],
    reference_score: Sequence[npt.ArrayLike],
    sizes: Sequence[int],
    *,
    order: Literal["first", "random"] = "first",
    draws: int = 20,
    undefined: Undefined = "nan",
    bootstrap: int = 2000,
    seed: int = 0,
) -> list[ScalingPoint]:
    """Metrics of test suites cut to each of `sizes` (scoring-verifiers v2, section 5.3).

    Args:
        outcomes: per problem uint8 [solutions, tests].
        reference_score: per problem float [solutions].
        sizes: numbers of tests, each at least 1.
        order: "first" takes the first n tests; "random" means over `draws` random subsets of n, where a
            larger subset of a draw contains its smaller ones.
        draws: random subsets per problem; of no effect with order="first".
        undefined: as in `evaluate`, within each draw.
        bootstrap: as in `evaluate`.
        seed: of the resamples and of the subsets.
    """
    if order not in ("first", "random"):
        raise ValueError(f"order must be 'first' or 'random', not {order!r}")
    if any(size < 1 for size in sizes):
        raise ValueError("sizes must be at least 1")
    if not outcomes:
        return []
    rng = np.random.default_rng(seed)
    problem = np.repeat(np.arange(len(outcomes)), [len(matrix) for matrix in outcomes])
    truth = np.concatenate([np.asarray(score, dtype=np.float64) for score in reference_score])
    n_tests = np.array([matrix.shape[1] for matrix in outcomes])
    totals: list[Statistics] = []
    n_draws = draws if order == "random" else 1
    for _ in range(n_draws):
        columns = [rng.permutation(t) if order == "random" else np.arange(t) for t in n_tests]
        scores = np.concatenate(
            [_nested_scores(m[:, c], sizes) for m, c in zip(outcomes, columns, strict=True)]
        )
        drawn = [
            measure(problem, score, truth, None, kind="tests", n_problems=len(outcomes))[0]
            for score in scores.T
        ]
        totals = [_add(a, b) for a, b in zip(totals, drawn, strict=True)] if totals else drawn
    return [
        ScalingPoint(
            n_tests=size,
            metrics=summarise(
                _mean(total, n_draws, undefined), undefined=undefined, bootstrap=bootstrap, seed=seed
            ),
            n_short=int(np.count_nonzero(n_tests < size)),
        )
        for size, total in zip(sizes, totals, strict=True)
    ]


def saturation(
    outcomes: Sequence[Outcomes],
    sizes: Sequence[int],
    *,
    draws: int = 100,
    undefined: Undefined = "nan",
    seed: int = 0,
    on_problem: Callable[[int, int], object] = lambda _done, _all: None,
) -> list[SaturationPoint]:
    """Rank agreement of k random tests with all tests (scoring-verifiers v2, section 3.1 and appendix B).

    A draw takes k tests of every problem; its rho is the mean over problems. Within a draw a larger k
    contains the smaller ones. The paper's table is reproduced by 100 draws: its intervals are
    1.96 sigma / 10 wide on either side.

    Args:
        outcomes: per problem uint8 [solutions, tests] of the reference tests.
        sizes: values of k, each at least 1.
        draws: number of draws.
        undefined: "nan" leaves a problem out of a draw's mean where the k tests rank nothing,
            "zero" counts it as 0.
        seed: of the draws.
        on_problem: told before each problem how many are done, and how many there are.
    """
    if any(size < 1 for size in sizes):
        raise ValueError("sizes must be at least 1")
    if undefined not in ("nan", "zero"):
        raise ValueError(f"undefined must be 'nan' or 'zero', not {undefined!r}")
    rng = np.random.default_rng(seed)
    ranked = [matrix for matrix in outcomes if np.unique(_scored(passed_fraction(matrix))).size >= 2]
    total = np.zeros((draws, len(sizes)))
    defined = np.zeros((draws, len(sizes)), dtype=np.int64)
    n = np.zeros(len(sizes), dtype=np.int64)
    for done, matrix in enumerate(ranked):
        on_problem(done, len(ranked))
        enough = np.array([matrix.shape[1] >= k for k in sizes])
        n += enough
        columns = rng.permuted(np.tile(np.arange(matrix.shape[1]), (draws, 1)), axis=1)
        scores = _nested_scores(matrix[:, columns], sizes)
        rho = _correlations(np.moveaxis(scores, 0, -1), passed_fraction(matrix))
        rho[:, ~enough] = np.nan
        total += np.nan_to_num(rho)
        defined += ~np.isnan(rho)
    counted = np.broadcast_to(n, defined.shape) if undefined == "zero" else defined
    mean = divide(total, counted.astype(np.float64))
    return [
        _point(k, mean[:, i], int(n[i]), int(draws * n[i] - defined[:, i].sum())) for i, k in enumerate(sizes)
    ]


def saturates_at(points: Sequence[SaturationPoint], threshold: float = 0.9) -> int | None:
    """The smallest k whose interval lies above `threshold` (0.9 in the paper); None if none does."""
    return min((point.k for point in points if point.low > threshold), default=None)


def _point(k: int, rho: Floats, n: int, n_undefined: int) -> SaturationPoint:
    drawn = _scored(rho)
    if len(drawn) == 0:
        nan = float("nan")
        return SaturationPoint(k, nan, nan, nan, nan, len(rho), n, n_undefined)
    mean = float(drawn.mean())
    sigma = float(drawn.std(ddof=1)) if len(drawn) > 1 else float("nan")
    half = 1.96 * sigma / float(np.sqrt(len(drawn)))
    return SaturationPoint(k, mean, mean - half, mean + half, sigma, len(rho), n, n_undefined)


def _correlations(score: Floats, full: Floats) -> Floats:
    """Spearman's rho of each row of scores [..., solutions] with `full` [solutions], NaN where undefined.

    A solution takes no part in a row that has no score for it.
    """
    known = ~np.isnan(full)
    score, full = score[..., known], full[known]
    missing = np.isnan(score)
    if missing.any():
        full = np.where(missing, np.nan, full)
    a, b = (_centred(stats.rankdata(side, axis=-1, nan_policy="omit")) for side in (score, full))
    scale = np.sqrt(np.nansum(a * a, axis=-1) * np.nansum(b * b, axis=-1))
    rho: Floats = np.clip(divide(np.nansum(a * b, axis=-1), scale), -1.0, 1.0)
    return rho


def _centred(rank: Floats) -> Floats:
    """Ranks less their mean in each row, which is that of 1 .. n for n ranks that are there."""
    centred: Floats = rank - (np.count_nonzero(~np.isnan(rank), axis=-1, keepdims=True) + 1) / 2
    return centred


def _nested_scores(outcomes: Outcomes, sizes: Sequence[int]) -> Floats:
    """Scores on the first `size` of outcomes [..., tests], float [..., sizes]; NaN without any cell."""
    longest = min(max(sizes), outcomes.shape[-1])
    cells = outcomes[..., :longest]
    passed, known = np.zeros((2, *cells.shape[:-1], longest + 1))
    np.cumsum(cells == Outcome.PASSED, axis=-1, out=passed[..., 1:])
    np.cumsum(cells != Outcome.INTERNAL_ERROR, axis=-1, out=known[..., 1:])
    at = np.minimum(sizes, longest)
    return divide(passed[..., at], known[..., at])


def _add(a: Statistics, b: Statistics) -> Statistics:
    return Statistics(a.value + b.value, a.weight + b.weight, a.pooled + b.pooled, a.present)


def _mean(total: Statistics, draws: int, undefined: Undefined) -> Statistics:
    """Mean over draws: every problem weighs 1 however many draws define it there."""
    value = np.nan_to_num(divide(total.value, total.weight))
    if undefined == "zero":
        value[:, CORRELATIONS] = total.value[:, CORRELATIONS] / draws
    return Statistics(value, (total.weight > 0).astype(np.float64), total.pooled / draws, total.present)


def _scored(values: Floats) -> Floats:
    return values[~np.isnan(values)]
