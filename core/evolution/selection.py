"""Which five solutions a generator of tests is shown (EvolveCoder paper, section 2.3).

Where the paper's words leave a choice, the released pipeline's is taken: ties between equals go to
the solution that comes first; the adversarial step falls back on any solution above 0.1; without
identical solutions the five whose distances to all others have the smallest sum are shown.
Distances and rates treat missing cells as `core.evolution.patterns` says; solutions without a known
cell have no rate and are never chosen by it.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.evolution.patterns import (
    Outcomes,
    Trial,
    generator,
    hamming,
    pattern_groups,
    patterns,
    rates_of_solutions,
)

__all__ = ["Method", "Role", "Selection", "adversarial", "discriminative", "farthest_triple", "select"]

SHOWN = 5
"""How many solutions a prompt shows."""
_BEST, _DIVERSE = 2, 3
_LOW, _HIGH = 0.4, 0.9
_FLOOR = 0.1


class Method(enum.StrEnum):
    """The two ways of asking for new tests."""

    ADVERSARIAL = "adversarial"
    DISCRIMINATIVE = "discriminative"


class Role(enum.StrEnum):
    """Why a solution was chosen."""

    BEST = "best by pass rate"
    DIVERSE = "far from the other diverse ones"
    FILLED = "drawn from those above 10%"
    SAME = "same pass vector as its group"
    NEAR = "near to that group"
    CENTRAL = "small total distance"


@dataclass(frozen=True, slots=True)
class Selection:
    """The solutions chosen for one problem, in the order of its pool.

    Attributes:
        rows: their rows in the pass matrix, ascending; at most five, fewer where the pool or the
            rates don't give more.
        roles: why each was chosen.
    """

    task_id: str
    method: Method
    rows: tuple[int, ...]
    solution_ids: tuple[str, ...]
    roles: tuple[Role, ...]


def select(trial: Trial, method: Method, seed: int = 0) -> Selection:
    """Choose solutions of one problem; the same seed gives the same ones, whatever else is chosen."""
    choose = adversarial if method is Method.ADVERSARIAL else discriminative
    chosen = sorted(choose(trial.outcomes, generator(seed, trial.task_id, method)).items())
    rows = tuple(row for row, _ in chosen)
    names = tuple(trial.solutions[row].id for row in rows)
    return Selection(trial.task_id, method, rows, names, tuple(role for _, role in chosen))


def adversarial(outcomes: Outcomes, draw: np.random.Generator) -> dict[int, Role]:
    """The two best by pass rate, and three that disagree most among those in the middle.

    Of the others with 0.4 <= rate < 0.9 the triple with the largest minimum distance, among equals
    the one with the largest sum; with fewer than three of them, three drawn from all others above 0.1.

    Args:
        outcomes: uint8 [solutions, tests].
        draw: used only for the fallback.

    Returns:
        Row -> why it was chosen.
    """
    rates = rates_of_solutions(outcomes)
    ranked = np.argsort(-rates, kind="stable")  # NaN comes last
    best = [int(row) for row in ranked[:_BEST] if not np.isnan(rates[row])]
    others = np.setdiff1d(np.arange(len(rates)), best)
    middle = others[(rates[others] >= _LOW) & (rates[others] < _HIGH)]
    chosen = dict.fromkeys(best, Role.BEST)
    if len(middle) >= _DIVERSE:
        triple = farthest_triple(hamming(outcomes[middle]))
        return chosen | {int(middle[place]): Role.DIVERSE for place in triple}
    above = others[rates[others] > _FLOOR]
    drawn = draw.choice(above, min(_DIVERSE, len(above)), replace=False)
    return chosen | {int(row): Role.FILLED for row in drawn}


def farthest_triple(distances: npt.NDArray[np.int32]) -> tuple[int, int, int]:
    """The three rows with the largest minimum distance; ties: largest sum, then the first in order.

    Args:
        distances: symmetric [n, n], n >= 3, at least 0.
    """
    n = len(distances)
    wide = distances.astype(np.int64)
    base = 3 * int(wide.max(initial=0)) + 1  # minimum and sum as one number: min * base + sum
    best, triple = -1, (0, 1, 2)
    upper = np.triu(np.ones((n, n), dtype=bool), k=1)
    for first in range(n - 2):
        rest = slice(first + 1, n)
        near = wide[first, rest]
        if near.max() * base + base - 1 <= best:
            continue
        pairs = wide[rest, rest]
        lower = np.minimum(np.minimum.outer(near, near), pairs)
        score = np.where(upper[rest, rest], lower * base + np.add.outer(near, near) + pairs, -1)
        place = int(score.argmax())
        if score.flat[place] > best:
            best = int(score.flat[place])
            second, third = divmod(place, len(near))
            triple = (first, first + 1 + second, first + 1 + third)
    return triple


def discriminative(outcomes: Outcomes, draw: np.random.Generator) -> dict[int, Role]:
    """Five solutions that the suite can hardly tell apart.

    One group with identical pass vectors, drawn with its size as weight: five of it, or all of it
    and the nearest others (least distance to a member; equals drawn). Without such a group, the five
    with the smallest total distance to all.

    Args:
        outcomes: uint8 [solutions, tests].
        draw: chooses the group and among equals.

    Returns:
        Row -> why it was chosen.
    """
    groups = [group for group in pattern_groups(patterns(outcomes)) if len(group) > 1]
    distances = hamming(outcomes)
    if not groups:
        central = np.argsort(distances.sum(axis=1), kind="stable")[:SHOWN]
        return {int(row): Role.CENTRAL for row in central}
    sizes = np.array([len(group) for group in groups], dtype=np.float64)
    group = groups[int(draw.choice(len(groups), p=sizes / sizes.sum()))]
    if len(group) >= SHOWN:
        return {int(row): Role.SAME for row in draw.choice(group, SHOWN, replace=False)}
    others = draw.permutation(np.setdiff1d(np.arange(len(outcomes)), group))
    order = np.argsort(distances[np.ix_(others, group)].min(axis=1), kind="stable")
    filled = others[order[: SHOWN - len(group)]]
    return {int(row): Role.SAME for row in group} | {int(row): Role.NEAR for row in filled}


def splits(cells: Sequence[int] | Outcomes) -> bool:
    """Whether one test's outcomes hold both a pass and a failure (the split constraint)."""
    column = np.asarray(cells, dtype=np.uint8)
    marks = patterns(column)
    return bool((marks == 1).any() and (marks == 0).any())
