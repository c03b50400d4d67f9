"""Numbers on answers that hunt bugs: GI, ITR, TBR, the reward of Eq. 1, diversity of inputs (HarnessLLM).

A rate is the mean over pairs of the mean over a pair's answers: with the same number of answers for each
pair that is the paper's average over runs (section 4.1). Pairs are the unit of resampling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.stats import binomtest

from core.metrics import resampling
from core.metrics.comparison import Difference
from core.metrics.resampling import Floats
from core.model import AnswerClass, Metric

__all__ = [
    "HUNT_INTERVAL",
    "HUNT_KEYS",
    "Diversity",
    "HuntRates",
    "compare_hunts",
    "hunt_rates",
    "input_diversity",
    "rewards",
]

Codes = npt.NDArray[np.intp]

HUNT_INTERVAL: Final = (
    "95% CI, percentile bootstrap over pairs, exact (Clopper-Pearson) where all pairs agree"
)
"""How the intervals of `hunt_rates` are made."""
HUNT_KEYS: Final = ("good_input", "invalid_test_rate", "true_bug_rate", "format_error", "mean_reward")

_GOOD_INPUT = (AnswerClass.GOOD_INPUT_INVALID, AnswerClass.GOOD_INPUT_MISSED, AnswerClass.TRUE_BUG)
_INVALID = (AnswerClass.INVALID, AnswerClass.GOOD_INPUT_INVALID)
_PARTIAL_REWARD = 0.1


@dataclass(frozen=True, slots=True)
class HuntRates:
    """What the answers to many pairs are worth.

    Attributes:
        metrics: by the keys of `HUNT_KEYS`; the first four are fractions of answers. `n` counts pairs.
        classes: how many answers are of each class, all pairs together.
        n_pairs: pairs with at least one answer.
        exact: keys of the metrics whose interval is the exact one, not the bootstrap's.
    """

    metrics: dict[str, Metric]
    classes: dict[AnswerClass, int]
    n_pairs: int
    n_answers: int
    exact: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Diversity:
    """How different the inputs of one problem are (HarnessLLM, section 4.3, table 4).

    Attributes:
        unique_ratio: different inputs over all inputs, texts compared as they are.
        length_range: log(longest + 1) - log(shortest + 1), natural logarithm, lengths in characters.
        length_std: standard deviation (of a population) of log(length + 1). The paper says "the log of
            each input length"; one is added as in the range, so that an empty input has one.
    """

    unique_ratio: float
    length_range: float
    length_std: float


def rewards(classes: npt.ArrayLike, *, format_reward: float = 0.0) -> Floats:
    """The reward of each answer by Eq. 1 (section 3.3).

    Args:
        classes: int [n], codes of `AnswerClass`.
        format_reward: of an answer with a format error. Eq. 1 says 0 ("otherwise"), the released trainer
            gives -1.

    Returns:
        float [n]: 1 for a true bug; 0.1 where an input shows the bug, all inputs are valid, and the check is
        wrong or blind; else 0.
    """
    table = np.zeros(len(AnswerClass))
    table[AnswerClass.TRUE_BUG] = 1.0
    table[AnswerClass.GOOD_INPUT_INVALID] = table[AnswerClass.GOOD_INPUT_MISSED] = _PARTIAL_REWARD
    table[AnswerClass.FORMAT_ERROR] = format_reward
    return table[_checked(classes)]


def hunt_rates(
    pair: npt.ArrayLike,
    classes: npt.ArrayLike,
    *,
    format_reward: float = 0.0,
    bootstrap: int = 2000,
    seed: int = 0,
) -> HuntRates:
    """GI, ITR, TBR, the rate of format errors and the mean reward.

    Where a rate is 0 in every pair, or 1, all resamples are alike and their interval would say that the rate
    is known exactly. It gets the exact interval of a proportion (Clopper-Pearson), of 0 or all of the pairs;
    for the mean reward, which lies in 0..1 too as long as format errors get 0, it is an upper bound.

    Args:
        pair: int [n], which pair each answer is about; any codes, in any order.
        classes: int [n], codes of `AnswerClass`.
        format_reward: as in `rewards`.
        bootstrap: resamples of pairs for the 95% percentile intervals; 0 for none.
        seed: of the resamples.

    Raises:
        ValueError: the arrays are of different lengths, or a code is no class.
    """
    codes = _checked(classes)
    _, means = _pair_means(pair, codes, format_reward)
    n = len(means)
    value = means.mean(axis=0) if n else np.full(len(HUNT_KEYS), np.nan)
    ends = [(float("nan"), float("nan"))] * len(HUNT_KEYS)
    exact: list[str] = []
    if bootstrap > 0 and n >= 2:
        draws = resampling.replicates(means, lambda sums: sums / n, bootstrap=bootstrap, seed=seed)
        ends = [resampling.interval(draws[:, i]) for i in range(len(HUNT_KEYS))]
        for i in _constant(means, format_reward):
            found = binomtest(round(value[i] * n), n).proportion_ci(0.95, method="exact")
            ends[i] = (float(found.low), float(found.high))
            exact.append(HUNT_KEYS[i])
    metrics = {key: Metric(float(value[i]), *ends[i], n=n, n_undefined=0) for i, key in enumerate(HUNT_KEYS)}
    counts = np.bincount(codes, minlength=len(AnswerClass))
    return HuntRates(metrics, {one: int(counts[one]) for one in AnswerClass}, n, len(codes), frozenset(exact))


def compare_hunts(
    a: tuple[npt.ArrayLike, npt.ArrayLike],
    b: tuple[npt.ArrayLike, npt.ArrayLike],
    *,
    format_reward: float = 0.0,
    bootstrap: int = 2000,
    seed: int = 0,
) -> dict[str, Difference]:
    """Paired difference a - b of every rate, on the pairs that both have answers to.

    Args:
        a: (pair [n], classes [n]) of the first; pair codes mean the same pair on both sides.
        b: of the second.
        format_reward: as in `rewards`.
        bootstrap: resamples of pairs; 0 for no intervals and p-values.
        seed: of the resamples.

    Returns:
        By the keys of `HUNT_KEYS`. For the invalid test rate and format errors a negative one favours a.
    """
    ours, mine = _pair_means(a[0], _checked(a[1]), format_reward)
    theirs, other = _pair_means(b[0], _checked(b[1]), format_reward)
    _, left, right = np.intersect1d(ours, theirs, assume_unique=True, return_indices=True)
    gaps = mine[left] - other[right]
    n = len(gaps)
    draws = None
    if bootstrap > 0 and n >= 2:
        draws = resampling.replicates(gaps, lambda sums: sums / n, bootstrap=bootstrap, seed=seed)
    result = {}
    for i, key in enumerate(HUNT_KEYS):
        low = high = p_value = float("nan")
        if draws is not None:
            low, high = resampling.interval(draws[:, i])
            p_value = resampling.two_sided_p(draws[:, i])
        result[key] = Difference(float(gaps[:, i].mean()) if n else float("nan"), low, high, p_value, n)
    return result


def input_diversity(inputs: Sequence[str], lengths: npt.ArrayLike | None = None) -> Diversity:
    """How different the inputs of one problem are; NaN throughout where there are none.

    Args:
        inputs: texts [n].
        lengths: int [n], their lengths in characters where the texts are cut.
    """
    if not inputs:
        return Diversity(float("nan"), float("nan"), float("nan"))
    own = [len(one) for one in inputs] if lengths is None else lengths
    logs = np.log1p(np.asarray(own, dtype=np.float64))
    return Diversity(len(set(inputs)) / len(inputs), float(logs.max() - logs.min()), float(logs.std()))


def _pair_means(pair: npt.ArrayLike, codes: Codes, format_reward: float) -> tuple[Codes, Floats]:
    """The different pairs [P], and the mean of each rate over each one's answers [P, keys]."""
    pairs = np.asarray(pair, dtype=np.intp)
    if pairs.shape != codes.shape:
        raise ValueError(f"{pairs.size} pairs for {codes.size} answers")
    columns = np.column_stack(
        [
            np.isin(codes, _GOOD_INPUT),
            np.isin(codes, _INVALID),
            codes == AnswerClass.TRUE_BUG,
            codes == AnswerClass.FORMAT_ERROR,
            rewards(codes, format_reward=format_reward),
        ]
    ).astype(np.float64)
    found, place = np.unique(pairs, return_inverse=True)
    sums = np.zeros((len(found), columns.shape[1]))
    np.add.at(sums, place, columns)
    return found, sums / np.bincount(place, minlength=len(found))[:, None]


def _constant(means: Floats, format_reward: float) -> list[int]:
    """The columns of [P, keys] that are 0 in every pair, or 1, of those that lie in 0..1."""
    within = len(HUNT_KEYS) if format_reward == 0 else HUNT_KEYS.index("mean_reward")
    return [i for i in range(within) if means[0, i] in (0.0, 1.0) and (means[:, i] == means[0, i]).all()]


def _checked(classes: npt.ArrayLike) -> Codes:
    codes = np.asarray(classes, dtype=np.intp).reshape(-1)
    if len(codes) and not (codes.min() >= 0 and codes.max() < len(AnswerClass)):
        raise ValueError("a code that is no class of answers")
    return codes
