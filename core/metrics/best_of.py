"""What it is worth to choose one of N programs by a verifier's scores (HarnessLLM, section 4.2, table 3).

Of n programs drawn from a problem's candidates the one with the best score is taken; among programs
that tie for it, one at random. Both draws are averaged over exactly, nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from core.metrics import resampling
from core.metrics.comparison import Difference
from core.metrics.resampling import Floats
from core.model import Metric

__all__ = ["BestOf", "best_of", "best_of_each"]


@dataclass(frozen=True, slots=True)
class BestOf:
    """Choosing among n programs.

    Attributes:
        n: how many programs there are to choose from.
        original: share of problems solved by a program drawn at random (pass@1).
        selected: share solved by the program that the verifier prefers.
        oracle: share with a right program among the n (pass@n): nobody can choose better.
        gain: selected less original, paired by problem.
    """

    n: int
    original: Metric
    selected: Metric
    oracle: Metric
    gain: Difference


def best_of(
    problem: npt.ArrayLike,
    score: npt.ArrayLike,
    correct: npt.ArrayLike,
    ns: Sequence[int],
    *,
    bootstrap: int = 2000,
    seed: int = 0,
) -> list[BestOf]:
    """What choosing is worth, for each n on the problems that have at least n candidates.

    Args:
        problem: int [m], which problem each candidate is for.
        score: float [m], the verifier's; NaN counts as lower than any score.
        correct: bool [m], whether the candidate is right.
        ns: how many to choose from.
        bootstrap: resamples of problems for the 95% percentile intervals; 0 for none.
        seed: of the resamples.
    """
    codes = np.asarray(problem)
    scores = np.asarray(score, dtype=np.float64)
    right = np.asarray(correct, dtype=bool)
    order = np.argsort(codes, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1) if len(codes) else []
    found = []
    for n in ns:
        rows = [best_of_each(scores[one], right[one], n) for one in groups if len(one) >= n]
        found.append(_summed(n, np.asarray(rows, dtype=np.float64).reshape(-1, 3), bootstrap, seed))
    return found


def best_of_each(score: Floats, correct: npt.NDArray[np.bool_], n: int) -> tuple[float, float, float]:
    """One problem's (original, selected, oracle), averaged over all draws of n of its candidates.

    Raises:
        ValueError: n is not between 1 and the number of candidates.
    """
    total = len(score)
    if not 1 <= n <= total:
        raise ValueError(f"{n} of {total} candidates can't be drawn")
    known = np.where(np.isnan(score), -np.inf, score)
    draws = comb(total, n)
    selected = 0.0
    below = 0
    for value in np.unique(known):
        tied = known == value
        upto = below + int(tied.sum())
        chance = (comb(upto, n) - comb(below, n)) / draws
        selected += chance * float(correct[tied].mean())
        below = upto
    wrong = total - int(correct.sum())
    return float(correct.mean()), selected, 1 - comb(wrong, n) / draws


def _summed(n: int, rows: Floats, bootstrap: int, seed: int) -> BestOf:
    count = len(rows)
    columns = np.column_stack([rows, rows[:, 1] - rows[:, 0]])
    value = columns.mean(axis=0) if count else np.full(4, np.nan)
    ends = [(float("nan"), float("nan"))] * 4
    p_value = float("nan")
    if bootstrap > 0 and count >= 2:
        draws = resampling.replicates(columns, lambda sums: sums / count, bootstrap=bootstrap, seed=seed)
        ends = [resampling.interval(draws[:, i]) for i in range(4)]
        p_value = resampling.two_sided_p(draws[:, 3])
    original, selected, oracle = (Metric(float(value[i]), *ends[i], n=count, n_undefined=0) for i in range(3))
    return BestOf(n, original, selected, oracle, Difference(float(value[3]), *ends[3], p_value, count))
