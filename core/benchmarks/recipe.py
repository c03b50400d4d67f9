"""The recipe that picks which candidate solutions make a scoring and ranking benchmark.

Scoring-Verifiers v2, section 2.2, with its ambiguities settled:

- Of the solutions with one score the fastest stays. Times are compared in steps of
  `TIME_STEP` seconds, since smaller differences are the machine's noise and would make the
  choice change from run to run; within a step the first candidate stays.
- The target quantiles are taken over k' = min(n, k - 1), n being the solutions beside the
  reference: read over all k, the formula contradicts the paper's own example.
- Of two solutions equally near to a target the better one is taken.

Pure functions: scores in, a selection and the reasons for what was left out come back.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from core.model import Outcome, Solution

__all__ = [
    "TIME_STEP",
    "Candidate",
    "Dropped",
    "Reason",
    "Selected",
    "Selection",
    "select",
    "targets",
    "whole_steps",
]

TIME_STEP = 0.1
"""Seconds; mean times within one step count as equal."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A solution and how it fared on the reference tests.

    Attributes:
        outcomes: one per reference test, never empty.
        mean_seconds: mean time of a reference test.
    """

    solution: Solution
    outcomes: tuple[Outcome, ...]
    mean_seconds: float

    @property
    def score(self) -> float:
        """Fraction of the reference tests passed."""
        return self.outcomes.count(Outcome.PASSED) / len(self.outcomes)


class Reason(enum.StrEnum):
    """Why a candidate is not in the benchmark."""

    ONLY_ERRORS = "every test ended in a non-assertion error"
    MISSING_DATA = "a test could not be judged"
    TIME_LIMIT = "a mutant that ran into a time limit"
    MOSTLY_TIME_LIMITS = "ran into the time limit on too many tests to be run on all"
    REFERENCE_SCORE = "passes every test, as the reference solution does"
    SAME_SCORE = "another solution with the same score was kept"
    FAR_FROM_TARGETS = "others are nearer to the target scores"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that was left out, and why."""

    solution_id: str
    reason: Reason
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Selected:
    """A chosen candidate and the score that was wanted in its place."""

    candidate: Candidate
    target: float


@dataclass(frozen=True, slots=True)
class Selection:
    """What the recipe chose for one problem, best score first, and what it left out, in the given order."""

    selected: tuple[Selected, ...]
    dropped: tuple[Dropped, ...]


def targets(others: int, k: int, lowest: float) -> tuple[float, ...]:
    """The scores wanted beside the reference solution's 1.0, highest first; the last is `lowest`.

    Args:
        others: distinct scores below 1.0 that there are (n of the recipe).
        k: solutions wanted in all, the reference solution among them.
        lowest: m of the recipe.
    """
    count = min(others, k - 1)
    between = [1 - (i / count) * (1 - lowest) for i in range(1, count)]
    return (*between, lowest) if count > 0 else ()


def select(reference: Candidate, candidates: Sequence[Candidate], k: int = 5) -> Selection:
    """Choose up to `k` solutions whose scores are all different and spread as evenly as they can.

    Args:
        reference: the reference solution; it passes every test.
        candidates: the others, in an order that stays the same.
        k: solutions wanted, the reference among them.

    Raises:
        ValueError: `k` is below 1, or the reference solution fails a test.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    if reference.score < 1.0:
        raise ValueError("the reference solution fails a reference test")
    best, dropped = _one_per_score(candidates)
    pool = sorted(best.values(), key=lambda candidate: -candidate.score)
    chosen = [Selected(reference, 1.0)]
    if pool and k > 1:
        faint = [candidate for candidate in pool if 0 < candidate.score < 0.1]
        last = faint[-1] if faint else pool[-1]
        wanted = targets(len(pool), k, last.score)
        pool.remove(last)
        for target in wanted[:-1]:
            nearest = min(pool, key=lambda candidate: (abs(candidate.score - target), -candidate.score))
            pool.remove(nearest)
            chosen.append(Selected(nearest, target))
        chosen.append(Selected(last, last.score))
    dropped |= {c.solution.id: Dropped(c.solution.id, Reason.FAR_FROM_TARGETS, c.score) for c in pool}
    order = [candidate.solution.id for candidate in candidates]
    return Selection(
        tuple(sorted(chosen, key=lambda one: -one.candidate.score)),
        tuple(dropped[solution_id] for solution_id in order if solution_id in dropped),
    )


def _one_per_score(candidates: Sequence[Candidate]) -> tuple[dict[float, Candidate], dict[str, Dropped]]:
    best: dict[float, Candidate] = {}
    dropped: dict[str, Dropped] = {}
    for candidate in candidates:
        solution_id, score = candidate.solution.id, candidate.score
        if Outcome.INTERNAL_ERROR in candidate.outcomes:
            dropped[solution_id] = Dropped(solution_id, Reason.MISSING_DATA)
        elif all(outcome.is_non_assertion_error for outcome in candidate.outcomes):
            dropped[solution_id] = Dropped(solution_id, Reason.ONLY_ERRORS, score)
        elif score == 1.0:
            dropped[solution_id] = Dropped(solution_id, Reason.REFERENCE_SCORE, score)
        elif score not in best:
            best[score] = candidate
        else:
            loser = candidate
            if whole_steps(candidate.mean_seconds) < whole_steps(best[score].mean_seconds):
                best[score], loser = candidate, best[score]
            dropped[loser.solution.id] = Dropped(loser.solution.id, Reason.SAME_SCORE, score)
    return best, dropped


def whole_steps(seconds: float) -> int:
    """How many whole steps of `TIME_STEP` a mean time has: the only thing about it that counts."""
    return int(seconds / TIME_STEP)
