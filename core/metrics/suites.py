"""What each test of a suite is worth, from one problem's outcomes (uint8 codes, solutions x tests).

An INTERNAL_ERROR cell is missing: in no count, neither passed nor failed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from core.metrics.ranking import Floats, Ints, divide
from core.model import Outcome

Outcomes: TypeAlias = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Subset:
    """Tests that keep a suite's ranking.

    Attributes:
        tests: int [k], column indices, in ascending order.
        kept: share of the pairs of solutions that the subset orders as the whole suite does.
    """

    tests: Ints
    kept: float


def passed_fraction(outcomes: Outcomes) -> Floats:
    """Score of each solution, float [solutions]: passed / not missing; NaN where all are missing."""
    passed, known = _cells(outcomes)
    return divide(passed.sum(axis=1, dtype=np.float64), known.sum(axis=1, dtype=np.float64))


def validity(outcomes: Outcomes, reference: int | None) -> Floats:
    """Whether the reference solution passes each test: float [tests], 1 valid, 0 invalid.

    NaN where that is not known: the cell is missing, or there is no reference solution (None).
    """
    if reference is None:
        return np.full(outcomes.shape[1], np.nan)
    passed, known = _cells(outcomes[reference])
    return np.where(known, passed, np.nan)


def difficulty(outcomes: Outcomes) -> Floats:
    """Pass rate of each test over the solutions, float [tests] (high is easy); NaN where all are missing."""
    passed, known = _cells(outcomes)
    return divide(passed.sum(axis=0, dtype=np.float64), known.sum(axis=0, dtype=np.float64))


def discrimination(outcomes: Outcomes, reference_score: npt.ArrayLike) -> Floats:
    """Point-biserial correlation of passing each test with the reference score, float [tests] in [-1, 1].

    Below 0 the test favours wrong solutions. NaN where all solutions pass, all fail, or all that ran
    have one reference score; solutions with a missing cell or a NaN reference score are left out.
    """
    truth = np.asarray(reference_score, dtype=np.float64)
    if truth.shape != outcomes.shape[:1]:
        raise ValueError(f"reference_score has shape {truth.shape}, outcomes {outcomes.shape}")
    passed, known = _cells(outcomes)
    known = known & ~np.isnan(truth)[:, np.newaxis]
    passed = passed & known
    n = known.sum(axis=0, dtype=np.float64)
    usable = np.where(known, np.nan_to_num(truth)[:, np.newaxis], 0.0)
    d_truth = np.where(known, usable - divide(usable.sum(axis=0), n), 0.0)
    d_passed = np.where(known, passed - divide(passed.sum(axis=0, dtype=np.float64), n), 0.0)
    # Constancy is decided on the data themselves: the deviations from a rounded mean are rarely exactly 0.
    lowest = np.where(known, usable, np.inf).min(axis=0, initial=np.inf)
    highest = np.where(known, usable, -np.inf).max(axis=0, initial=-np.inf)
    varies = (lowest < highest) & (passed.sum(axis=0) > 0) & (passed.sum(axis=0) < n)
    scale = np.sqrt((d_truth**2).sum(axis=0) * (d_passed**2).sum(axis=0))
    return np.clip(divide((d_truth * d_passed).sum(axis=0), np.where(varies, scale, 0.0)), -1.0, 1.0)


def redundancy(outcomes: Outcomes) -> Ints:
    """Group of each test, int [tests]: tests with the same number tell the solutions apart alike.

    Two tests are alike when they pass, fail and miss the same solutions, however they fail. Groups are
    numbered from 0 in order of their first test.
    """
    passed, known = _cells(outcomes)
    columns = np.packbits(np.vstack([passed, known]), axis=0).T
    seen: dict[bytes, int] = {}
    return np.array([seen.setdefault(column.tobytes(), len(seen)) for column in columns], dtype=np.int64)


def greedy_subset(outcomes: Outcomes, *, keep: float = 1.0) -> Subset:
    """A small set of tests that ranks the solutions as the whole suite does.

    Adds the test that brings the most pairs of solutions into the order (better, worse, tied) that the
    whole suite gives them until the share of such pairs is `keep`, then drops every test it can spare.
    No test of the result can be spared; a smaller set may exist (finding the smallest is set cover).
    Of tests that serve alike the first is taken. Solutions that the suite itself gives no score are
    left out; a solution that only the subset leaves without a score is in no pair's right order.
    Time grows with tests^2 x solutions^2 (200 tests of 100 solutions: about a second); `keep` below 1
    stops early.

    Args:
        outcomes: uint8 [solutions, tests].
        keep: share of pairs in (0, 1] to keep; 1 keeps the ranking exactly, ties included.
    """
    if not 0 < keep <= 1:
        raise ValueError(f"keep must be in (0, 1], not {keep}")
    scored = ~np.isnan(passed_fraction(outcomes))
    passed, known = (cells.astype(np.int32) for cells in _cells(outcomes[scored]))
    n = len(passed)
    if n < 2:
        return Subset(np.zeros(0, dtype=np.int64), 1.0)
    wanted = _order(passed.sum(axis=1), known.sum(axis=1))

    def share(passes: npt.NDArray[np.int32], cells: npt.NDArray[np.int32]) -> float:
        alike = np.count_nonzero(_order(passes, cells) == wanted) - n  # the diagonal says nothing
        return alike / (n * (n - 1))

    def share_of(tests: list[int]) -> float:
        return share(passed[:, tests].sum(axis=1), known[:, tests].sum(axis=1))

    group = redundancy(outcomes[scored])
    left = list(range(outcomes.shape[1]))
    chosen: list[int] = []
    while share_of(chosen) < keep:
        passes, cells = passed[:, chosen].sum(axis=1), known[:, chosen].sum(axis=1)
        candidates = sorted(left[i] for i in np.unique(group[left], return_index=True)[1])
        shares = [share(passes + passed[:, test], cells + known[:, test]) for test in candidates]
        chosen.append(candidates[int(np.argmax(shares))])
        left.remove(chosen[-1])
    while spared := next(
        (fewer for test in chosen if share_of(fewer := [t for t in chosen if t != test]) >= keep), None
    ):
        chosen = spared  # where cells are missing, one test less can make another one spare
    return Subset(np.array(sorted(chosen), dtype=np.int64), share_of(chosen))


def _order(passed: npt.NDArray[np.int32], known: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """-1, 0 or 1 for each pair of rows, by cross-multiplied fractions; 2 where one has no score."""
    cross = np.multiply.outer(passed.astype(np.int32), known.astype(np.int32))
    order: npt.NDArray[np.int32] = np.sign(cross - cross.T)
    unscored = known == 0
    order[unscored, :] = 2
    order[:, unscored] = 2
    np.fill_diagonal(order, 0)
    return order


def _cells(outcomes: Outcomes) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which cells passed, and which are not missing."""
    return outcomes == Outcome.PASSED, outcomes != Outcome.INTERNAL_ERROR
