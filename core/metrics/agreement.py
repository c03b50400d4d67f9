"""How far two raters agree on the same things."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

__all__ = ["Agreement", "agreement"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two raters compared.

    Attributes:
        n: things that both rated.
        share: fraction on which they say the same; NaN for none.
        kappa: Cohen's kappa, the agreement beyond chance: 1 is perfect, 0 what chance gives; NaN where
            both say the same of everything, so that chance would agree too.
    """

    n: int
    share: float
    kappa: float


def agreement(first: Sequence[Hashable], second: Sequence[Hashable]) -> Agreement:
    """The agreement of two ratings of the same things (Cohen, 1960).

    Raises:
        ValueError: the ratings are of different lengths.
    """
    n = len(first)
    if n != len(second):
        raise ValueError(f"{n} ratings against {len(second)}")
    if n == 0:
        return Agreement(0, float("nan"), float("nan"))
    share = sum(a == b for a, b in zip(first, second, strict=True)) / n
    words = {*first, *second}
    chance = sum(first.count(word) * second.count(word) for word in words) / n**2
    kappa = (share - chance) / (1 - chance) if chance < 1 else float("nan")
    return Agreement(n, share, kappa)
