"""Which of several verifiers is marked as the best: the one rule of screens, terminal and exports.

A mean over the three problems that a verifier covers does not compare with one over all 164. So only
those are marked, and listed first, that rest on nearly as many problems as the one that rests on most.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

__all__ = ["ENOUGH", "MARKED", "comparable", "places"]

ENOUGH: Final = 0.9
"""Of the problems behind the value that rests on most."""
MARKED: Final = f"on at least {ENOUGH:.0%} as many problems as the one measured on most"
"""Which verifiers can be marked, for captions and help."""
_SAME_DIGITS: Final = 12


def comparable(counts: Sequence[int]) -> list[bool]:
    """Which values rest on enough problems to stand beside the others.

    Args:
        counts: the problems behind each.
    """
    return [count >= ENOUGH * max(counts) for count in counts]


def places(values: Sequence[float], counts: Sequence[int], *, lower_is_better: bool) -> list[int]:
    """1 for the best of several values, 2 for the second, 0 for the others; equal values share a place.

    Args:
        values: NaN for none. One alone has no place.
        counts: the problems behind each; a value that rests on too few (`comparable`) has no place.
        lower_is_better: which end is the best.
    """
    sign = 1 if lower_is_better else -1
    enough = comparable(counts)
    ordered = [round(sign * value, _SAME_DIGITS) for value in values]
    known = sorted({one for one, fits in zip(ordered, enough, strict=True) if fits and not math.isnan(one)})
    if len(values) < 2:
        known = []
    return [
        known.index(one) + 1 if fits and one in known[:2] else 0
        for one, fits in zip(ordered, enough, strict=True)
    ]
