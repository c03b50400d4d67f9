"""Which tests of a suite are worth keeping (EvolveCoder paper, section 2.3).

Order, as in the paper and its released code: tests that fail the reference solution (if asked for),
then tests that almost no solution passes, then (if asked for) those that almost every solution
passes, then all but a few of each group with one pass vector; last, on what is left, whole problems
with too few tests or too many perfect solutions. Each test is removed for the first reason that
holds, so the counts never overlap.

Missing cells: rates are over known cells. A test without any known cell has no rate, and no rate
removes it. A solution with a missing cell is not counted as perfect.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from core.evolution.patterns import (
    RIGHT,
    Trial,
    generator,
    known,
    passed,
    pattern_groups,
    patterns,
    rates_of_tests,
    reference_failures,
    verdicts,
)
from core.words import quantity

__all__ = [
    "FilterCounts",
    "Filtered",
    "Reason",
    "Removal",
    "Rules",
    "filter_trial",
    "filter_trials",
]


class Reason(enum.StrEnum):
    """Why a test was removed. The last two drop a whole problem."""

    FAILS_REFERENCE = "fails_reference"
    LOW_PASS_RATE = "low_pass_rate"  # noqa: S105 - no password
    HIGH_PASS_RATE = "high_pass_rate"  # noqa: S105 - no password
    SAME_PATTERN = "same_pattern"
    TOO_FEW_TESTS = "too_few_tests"
    TOO_MANY_PERFECT = "too_many_perfect"


DROPS = (Reason.TOO_FEW_TESTS, Reason.TOO_MANY_PERFECT)
"""The reasons that drop a whole problem, in the order they are asked."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What to remove. The defaults are the final filter of the paper ("Test Suite Filtering").

    Attributes:
        min_pass: tests with a lower pass rate go; 0 keeps all.
        max_pass: tests with this pass rate or a higher one go; None (default) keeps them: the
            paper's text drops them before the adversarial step, its released code does not.
        per_pattern: how many tests with the same pass vector stay; None: all.
        min_tests: problems with fewer tests left are dropped; 0 drops none.
        max_perfect: problems with more solutions that pass all tests left are dropped; None: none.
        reference: remove the tests that the reference solution fails, where there is one.
        seed: chooses who represents a group.
    """

    min_pass: float = 0.1
    max_pass: float | None = None
    per_pattern: int | None = 5
    min_tests: int = 5
    max_perfect: int | None = 60
    reference: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value in (("min_pass", self.min_pass), ("max_pass", self.max_pass)):
            if value is not None and not 0 <= value <= 1:
                raise ValueError(f"{name} must lie in 0..1, not {value}")
        if self.per_pattern is not None and self.per_pattern < 1:
            raise ValueError(f"per_pattern must be at least 1, not {self.per_pattern}")
        for name, count in (("min_tests", self.min_tests), ("max_perfect", self.max_perfect)):
            if count is not None and count < 0:
                raise ValueError(f"{name} must be at least 0, not {count}")

    @classmethod
    def adversarial(cls, *, max_pass: float | None = None, seed: int = 0) -> Rules:
        """Before the adversarial step: no groups, no problem dropped ("Adversarial Test Case Generation")."""
        return cls(max_pass=max_pass, per_pattern=None, min_tests=0, max_perfect=None, seed=seed)

    @classmethod
    def discriminative(cls, *, seed: int = 0) -> Rules:
        """Before the discriminative step: one test per pass vector, no problem dropped."""
        return cls(per_pattern=1, min_tests=0, max_perfect=None, seed=seed)


@dataclass(frozen=True, slots=True)
class Removal:
    """A test that did not stay.

    Attributes:
        index: its place in the suite before.
        detail: the reason in words and numbers, for a person, who counts tests from 1.
    """

    index: int
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Filtered:
    """What the rules left of one problem.

    Attributes:
        trial: the problem as it was; nothing is lost, so taking a filter back is showing this.
        kept: places of the tests that stay, ascending; empty if the problem was dropped.
        removed: every other test, ascending.
        dropped: why the whole problem goes, None if it stays. Then the tests that the rules for
            single tests had left carry this reason.
    """

    trial: Trial
    kept: tuple[int, ...]
    removed: tuple[Removal, ...]
    dropped: Reason | None = None

    @property
    def after(self) -> Trial:
        """The problem with the tests that stay."""
        return self.trial.with_tests(self.kept)


@dataclass(slots=True)
class FilterCounts:
    """Totals over problems: before = after + removed, for the tests and for the problems.

    Attributes:
        tests_after: tests of the problems that stay.
        removed: reason -> tests; of a dropped problem those that were left when it was dropped.
        dropped: reason -> problems.
    """

    problems_before: int = 0
    tests_before: int = 0
    tests_after: int = 0
    removed: Counter[Reason] = field(default_factory=Counter)
    dropped: Counter[Reason] = field(default_factory=Counter)

    @property
    def problems_after(self) -> int:
        """Problems that stay."""
        return self.problems_before - self.dropped.total()

    def add(self, filtered: Filtered) -> None:
        """Count one more problem."""
        self.problems_before += 1
        self.tests_before += len(filtered.trial.tests)
        self.tests_after += len(filtered.kept)
        self.removed.update(removal.reason for removal in filtered.removed)
        if filtered.dropped is not None:
            self.dropped[filtered.dropped] += 1


def filter_trial(trial: Trial, rules: Rules) -> Filtered:
    """Apply the rules to one problem."""
    removed = _removals(trial, rules)
    kept = [place for place in range(len(trial.tests)) if place not in removed]
    dropped, detail = _drop(trial, kept, rules)
    if dropped is not None:
        removed |= dict.fromkeys(kept, (dropped, detail))
        kept = []
    removals = tuple(Removal(place, *removed[place]) for place in sorted(removed))
    return Filtered(trial, tuple(kept), removals, dropped)


def filter_trials(trials: Iterable[Trial], rules: Rules) -> tuple[list[Filtered], FilterCounts]:
    """Apply the rules to every problem, each by itself: the order of the problems changes nothing."""
    counts = FilterCounts()
    results = []
    for trial in trials:
        results.append(filter_trial(trial, rules))
        counts.add(results[-1])
    return results, counts


def _removals(trial: Trial, rules: Rules) -> dict[int, tuple[Reason, str]]:
    """Test -> why it goes, by the rules for single tests."""
    outcomes = trial.outcomes
    rates = rates_of_tests(outcomes)
    good, sure = passed(outcomes).sum(axis=0), known(outcomes).sum(axis=0)
    masks: list[tuple[Reason, npt.NDArray[np.bool_], str]] = []
    if rules.reference:
        masks.append((Reason.FAILS_REFERENCE, reference_failures(trial), "the reference solution fails it"))
    masks.append((Reason.LOW_PASS_RATE, rates < rules.min_pass, f"below {rules.min_pass:g}"))
    if rules.max_pass is not None:
        masks.append((Reason.HIGH_PASS_RATE, rates >= rules.max_pass, f"{rules.max_pass:g} or more"))
    removed: dict[int, tuple[Reason, str]] = {}
    for reason, mask, why in masks:
        for place in np.flatnonzero(mask).tolist():
            share = f"passed by {good[place]} of {sure[place]} solutions, "
            detail = why if reason is Reason.FAILS_REFERENCE else share + why
            removed.setdefault(place, (reason, detail))
    if rules.per_pattern is not None and trial.solutions:
        left = [place for place in range(len(trial.tests)) if place not in removed]
        removed |= _redundant(trial, left, rules.per_pattern, rules.seed)
    return removed


def _redundant(
    trial: Trial, places: Sequence[int], per_pattern: int, seed: int
) -> dict[int, tuple[Reason, str]]:
    """The tests beyond `per_pattern` of each pass vector; who stays is drawn by the seed."""
    columns = np.asarray(places, dtype=np.intp)
    draw = generator(seed, trial.task_id)
    removed: dict[int, tuple[Reason, str]] = {}
    for group in pattern_groups(patterns(trial.outcomes[:, columns]).T):
        if len(group) <= per_pattern:
            continue
        members = columns[group]
        stay = np.sort(draw.choice(members, per_pattern, replace=False)).tolist()
        others = len(members) - 1
        detail = f"passed and failed by the same solutions as {others} others; kept: {_listed(stay)}"
        removed |= dict.fromkeys(set(members.tolist()) - set(stay), (Reason.SAME_PATTERN, detail))
    return removed


def _drop(trial: Trial, kept: Sequence[int], rules: Rules) -> tuple[Reason | None, str]:
    """Why a problem with these tests left is dropped, None if it stays."""
    if len(kept) < rules.min_tests:
        return Reason.TOO_FEW_TESTS, f"{quantity(len(kept), 'test')} left, fewer than {rules.min_tests}"
    if rules.max_perfect is not None:
        perfect = int((verdicts(trial.outcomes[:, list(kept)]) == RIGHT).sum())
        if perfect > rules.max_perfect:
            return Reason.TOO_MANY_PERFECT, f"{perfect} perfect solutions, more than {rules.max_perfect}"
    return None, ""


def _listed(places: Sequence[int]) -> str:
    return ", ".join(str(place + 1) for place in places)
