"""Selecting with a verifier: how often the solution that it picks out of n is right (best-of-n).

Four ways to pick, from one problem's outcomes (uint8 codes, solutions x tests):

score      one of the solutions that pass most of the tests
majority   one of the largest group of solutions that pass the same tests: behaviour decides, not the verdicts
agreement  dual execution agreement (CodeT; Chen et al., 2022, section 2.2): of the groups that pass the
           same tests the one with the largest product of its size and the number of tests it passes
random     any of them, to compare with

A tie is drawn: between groups first, then within the group. "any" is what no picker can exceed: whether one
of the n is right at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
import numpy.typing as npt

from core.metrics import resampling
from core.metrics.ranking import Floats, Ints
from core.metrics.suites import Outcomes, passed_fraction
from core.model import Metric, Outcome

__all__ = ["PICKERS", "SelectionPoint", "best_of_n", "pick"]

PICKERS: Final = ("score", "majority", "agreement", "random")
_ALL: Final = (*PICKERS, "any")


@dataclass(frozen=True, slots=True)
class SelectionPoint:
    """How good the pick out of n solutions is.

    Attributes:
        n: solutions to pick from.
        accuracy: by picker, and "any": the chance that the pick is right, over problems, with its 95%
            interval (bootstrap over problems).
        reference: by picker, the mean reference score of the pick.
        problems: those that have n solutions.
        exact: whether all subsets of n were looked at, or as many as were to be drawn at random.
    """

    n: int
    accuracy: dict[str, Metric]
    reference: dict[str, float]
    problems: int
    exact: bool


def pick(outcomes: Outcomes, picker: str) -> Floats:
    """The chance of each solution to be picked out of all, float [solutions], of sum 1.

    Raises:
        ValueError: there is no such picker, or no solution.
    """
    subset = np.arange(len(outcomes))[np.newaxis, :]
    chances: Floats = _chances(outcomes, subset, picker)[0]
    return chances


def best_of_n(
    outcomes: Sequence[Outcomes],
    reference_score: Sequence[npt.ArrayLike],
    sizes: Sequence[int],
    *,
    draws: int = 50,
    bootstrap: int = 2000,
    seed: int = 0,
) -> list[SelectionPoint]:
    """Accuracy of the pick out of each number of solutions.

    Args:
        outcomes: per problem uint8 [solutions, tests].
        reference_score: per problem float [solutions]; a solution is right at 1.
        sizes: values of n, each at least 1; a problem with fewer solutions does not take part.
        draws: subsets of n solutions for each problem; all of them where there are no more.
        bootstrap: resamples of problems; 0 for no intervals.
        seed: of subsets and resamples.
    """
    rng = np.random.default_rng(seed)
    points = []
    for n in sizes:
        if n < 1:
            raise ValueError("sizes must be at least 1")
        rows, exact = [], True
        for matrix, given in zip(outcomes, reference_score, strict=True):
            truth = np.asarray(given, dtype=np.float64)
            if len(matrix) < n:
                continue
            exact &= comb(len(matrix), n) <= draws
            rows.append(_problem(matrix, truth, _subsets(len(matrix), n, draws, rng)))
        points.append(_point(n, rows, exact=exact, bootstrap=bootstrap, seed=seed))
    return points


def _problem(outcomes: Outcomes, truth: Floats, subsets: Ints) -> Floats:
    """Chance to be right of each of `_ALL`, then mean reference score of each picker; float [9]."""
    right, score = (truth >= 1.0)[subsets], np.nan_to_num(truth)[subsets]
    chances = [_chances(outcomes, subsets, picker) for picker in PICKERS]
    correct = [float((chance * right).sum(axis=1).mean()) for chance in chances]
    mean = [float((chance * score).sum(axis=1).mean()) for chance in chances]
    return np.array([*correct, float(right.any(axis=1).mean()), *mean])


def _point(n: int, rows: Sequence[Floats], *, exact: bool, bootstrap: int, seed: int) -> SelectionPoint:
    nan = float("nan")
    if not rows:
        nothing = Metric(nan, nan, nan, 0, 0)
        return SelectionPoint(n, dict.fromkeys(_ALL, nothing), dict.fromkeys(PICKERS, nan), 0, exact)
    values = np.stack(rows)
    means = values.mean(axis=0)
    columns = np.hstack([values[:, : len(_ALL)], np.ones((len(values), 1))])
    draws = None
    if bootstrap > 0 and len(values) >= 2:
        draws = resampling.replicates(
            columns, lambda sums: sums[:, :-1] / sums[:, -1:], bootstrap=bootstrap, seed=seed
        )
    accuracy = {}
    for place, name in enumerate(_ALL):
        low, high = (nan, nan) if draws is None else resampling.interval(draws[:, place])
        accuracy[name] = Metric(float(means[place]), low, high, len(values), 0)
    reference = dict(zip(PICKERS, map(float, means[len(_ALL) :]), strict=True))
    return SelectionPoint(n, accuracy, reference, len(values), exact)


def _subsets(solutions: int, n: int, draws: int, rng: np.random.Generator) -> Ints:
    """Subsets of n solutions, int [subsets, n]: all of them if there are at most `draws`."""
    if comb(solutions, n) <= draws:
        return np.array(list(combinations(range(solutions), n)), dtype=np.int64)
    return rng.permuted(np.tile(np.arange(solutions), (draws, 1)), axis=1)[:, :n]


def _chances(outcomes: Outcomes, subsets: Ints, picker: str) -> Floats:
    """The chance of each member of each subset to be picked, float [subsets, n]."""
    if picker not in PICKERS:
        raise ValueError(f"picker must be one of {', '.join(PICKERS)}, not {picker!r}")
    if subsets.shape[1] == 0:
        raise ValueError("expected at least one solution")
    group, passed, fraction = _behaviour(outcomes)
    mine = group[subsets]
    size = (mine[:, :, np.newaxis] == mine[:, np.newaxis, :]).sum(axis=2).astype(np.float64)
    each = np.ones(subsets.shape)
    if picker == "score":
        worth = fraction[subsets]
    elif picker == "random":
        worth = each
    else:
        worth = size if picker == "majority" else size * passed[subsets]
        each = 1 / size  # a group counts once in a tie, however many it has
    chance = np.where(worth == worth.max(axis=1, keepdims=True), each, 0.0)
    result: Floats = chance / chance.sum(axis=1, keepdims=True)
    return result


def _behaviour(outcomes: Outcomes) -> tuple[Ints, Floats, Floats]:
    """Group of solutions that pass (and miss) the same tests, tests passed, score (-1 for none)."""
    pattern = np.where(outcomes == Outcome.PASSED, 1, np.where(outcomes == Outcome.INTERNAL_ERROR, 2, 0))
    seen: dict[bytes, int] = {}
    group = [seen.setdefault(row.astype(np.uint8).tobytes(), len(seen)) for row in pattern]
    passed = (pattern == 1).sum(axis=1).astype(np.float64)
    return np.array(group, dtype=np.int64), passed, np.nan_to_num(passed_fraction(outcomes), nan=-1.0)
