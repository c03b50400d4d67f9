"""Ranks and rank agreement of many problems at once.

A group is a problem; its members are the rows that carry its code. Every function works
on flat arrays of rows in any order and returns one number per row or per group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy import stats

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]

# Above this size of a group the pairs are counted by scipy's O(n log n) method, one group at a time.
_LARGEST_PAIRWISE_GROUP = 400


@dataclass(frozen=True, slots=True)
class Ranks:
    """Average ranks within groups.

    Attributes:
        rank: float [rows], 1 is the smallest value; tied rows share the average of their ranks.
        tie: int [rows], how many rows share this row's rank, itself included.
    """

    rank: Floats
    tie: Ints


def group_sum(group: Ints, value: npt.NDArray[np.float64] | npt.NDArray[np.bool_], n_groups: int) -> Floats:
    """Sum of `value` [rows] in each group, float [n_groups]; 0 for a group without rows."""
    total: Floats = np.bincount(group, weights=value, minlength=n_groups).astype(np.float64, copy=False)
    return total


def rank_within(group: Ints, value: Floats, n_groups: int) -> Ranks:
    """Average ranks of `value` [rows] among the rows of the same group; NaN is not allowed."""
    if len(value) == 0:
        return Ranks(np.zeros(0), np.zeros(0, dtype=np.int64))
    order = np.lexsort((value, group))
    sorted_group, sorted_value = group[order], value[order]
    opens_run = np.empty(len(value), dtype=np.bool_)
    opens_run[0] = True
    opens_run[1:] = (sorted_value[1:] != sorted_value[:-1]) | (sorted_group[1:] != sorted_group[:-1])
    run_start = np.flatnonzero(opens_run)
    run_length = np.diff(run_start, append=len(value))
    group_start = np.cumsum(np.bincount(group, minlength=n_groups)) - np.bincount(group, minlength=n_groups)
    run_rank = run_start - group_start[sorted_group[run_start]] + (run_length + 1) / 2
    run = np.cumsum(opens_run) - 1
    rank, tie = np.empty(len(value)), np.empty(len(value), dtype=np.int64)
    rank[order], tie[order] = run_rank[run], run_length[run]
    return Ranks(rank, tie)


def best_hit(group: Ints, picked: Ranks, truth: Ranks, n_groups: int) -> Floats:
    """The part of the rows tied for rank 1 in `picked` that hold rank 1 in `truth`.

    This is the chance that one of the tied rows, drawn blindly, is right. With a single true best it
    is 1 / (size of the tie) where the tie holds it, else 0: the rule of scoring-verifiers v2, section 4.3.

    Returns:
        float [n_groups]; NaN for a group without rows.
    """
    tied_best = picked.rank == (picked.tie + 1) / 2
    right = tied_best & (truth.rank == (truth.tie + 1) / 2)
    return divide(group_sum(group, right, n_groups), group_sum(group, tied_best, n_groups))


def spearman(group: Ints, a: Ranks, b: Ranks, n_groups: int) -> Floats:
    """Correlation of average ranks, float [n_groups]; NaN where a side is constant."""
    centre = (group_sum(group, np.ones(len(group)), n_groups) + 1) / 2
    da, db = a.rank - centre[group], b.rank - centre[group]
    covariance = group_sum(group, da * db, n_groups)
    scale = np.sqrt(group_sum(group, da * da, n_groups) * group_sum(group, db * db, n_groups))
    rho: Floats = np.clip(divide(covariance, scale), -1.0, 1.0)
    return rho


def kendall(group: Ints, a: Ranks, b: Ranks, n_groups: int) -> Floats:
    """Kendall's tau-b, float [n_groups]; NaN where a side is constant."""
    size = np.bincount(group, minlength=n_groups)
    n_rows = size[group]
    untied_a = group_sum(group, (n_rows - a.tie) / 2, n_groups)
    untied_b = group_sum(group, (n_rows - b.tie) / 2, n_groups)
    order = np.argsort(group, kind="stable")
    start = np.cumsum(size) - size
    tau = np.full(n_groups, np.nan)
    for n in np.unique(size[size >= 2]):
        members = np.flatnonzero(size == n)
        rows = order[start[members] + np.arange(n)[:, np.newaxis]]
        if n > _LARGEST_PAIRWISE_GROUP:
            for member, column in zip(members, rows.T, strict=True):
                if untied_a[member] and untied_b[member]:
                    tau[member] = stats.kendalltau(a.rank[column], b.rank[column]).statistic
            continue
        # Twice a rank is whole: small integers make the n(n-1)/2 comparisons cheap.
        balance = _concordant_minus_discordant(
            (2 * a.rank[rows]).astype(np.int16), (2 * b.rank[rows]).astype(np.int16)
        )
        tau[members] = divide(balance, np.sqrt(untied_a[members] * untied_b[members]))
    clipped: Floats = np.clip(tau, -1.0, 1.0)
    return clipped


def _concordant_minus_discordant(a: npt.NDArray[np.int16], b: npt.NDArray[np.int16]) -> Floats:
    """Concordant minus discordant pairs of each column of [members, groups] arrays."""
    balance = np.zeros(a.shape[1], dtype=np.int64)
    for i in range(len(a) - 1):
        sign = np.sign(a[i + 1 :] - a[i]) * np.sign(b[i + 1 :] - b[i])
        balance += sign.sum(axis=0, dtype=np.int64)
    return balance.astype(np.float64)


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """`numerator / denominator`, NaN where the denominator is 0."""
    out = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=out, where=denominator != 0)
    return out
