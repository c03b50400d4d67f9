"""Percentile bootstrap over problems, for any statistic that is a function of weighted sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]

LEVEL = 0.95
_CELLS_PER_CHUNK = 4_000_000


def in_words(resamples: int) -> str:
    """How an interval was made, as captions say it; "" for none."""
    return f"{LEVEL:.0%} CI, percentile bootstrap over problems, {resamples:,} resamples" if resamples else ""


def replicates(
    columns: Floats, statistic: Callable[[Floats], Floats], *, bootstrap: int, seed: int
) -> Floats:
    """Statistics of `bootstrap` resamples of the rows of `columns`.

    A resample is n rows drawn with replacement from the n rows; only the sum of each column over it
    is formed, so that a replicate costs one pass over the counts.

    Args:
        columns: float [n, columns], one row per problem.
        statistic: maps sums [resamples, columns] to statistics [resamples, statistics].
        bootstrap: number of resamples.
        seed: of numpy's default generator.

    Returns:
        float [bootstrap, statistics].
    """
    n = len(columns)
    rng = np.random.default_rng(seed)
    chunk = max(1, _CELLS_PER_CHUNK // max(1, n))
    parts = []
    for done in range(0, bootstrap, chunk):
        counts = np.empty((min(chunk, bootstrap - done), n))
        for row in counts:
            row[:] = np.bincount(rng.integers(n, size=n, dtype=np.int32), minlength=n)
        parts.append(statistic(counts @ columns))
    return np.concatenate(parts)


def interval(draws: Floats) -> tuple[float, float]:
    """The central 95% of `draws` [n]; undefined (NaN) draws are left out, NaN if all are."""
    defined = draws[~np.isnan(draws)]
    if len(defined) == 0:
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def two_sided_p(draws: Floats) -> float:
    """P-value of "the difference is 0" from bootstrap draws [n] of a difference.

    Twice the smaller share of draws on either side of 0 (draws at 0 count on both), the draw that was
    observed counted in, at most 1: it inverts the percentile interval, so that p < 0.05 and an interval
    without 0 say the same, and is never 0.
    """
    defined = draws[~np.isnan(draws)]
    if len(defined) == 0:
        return float("nan")
    smaller = min(int(np.count_nonzero(defined <= 0)), int(np.count_nonzero(defined >= 0)))
    return min(1.0, 2 * (smaller + 1) / (len(defined) + 1))
