"""What both ways of drawing write beside the marks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.figures.charts import StackedBars


def ranked_names(items: Sequence[str], ranks: Sequence[float], unranked: float) -> list[tuple[float, str]]:
    """(rank, names of the items that hold it), best first; items without a rank at `unranked`."""
    places: dict[float, list[str]] = {}
    for item, rank in zip(items, ranks, strict=True):
        places.setdefault(unranked if math.isnan(rank) else rank, []).append(item)
    return [(rank, ", ".join(names)) for rank, names in sorted(places.items())]


def value_text(
    values: Sequence[float], low: Sequence[float], high: Sequence[float], index: int, *, share: bool = False
) -> str:
    """A value with its interval: "0.812 [0.790, 0.834]", a share "81.2% [79.0%, 83.4%]", or "undefined"."""
    form = ".1%" if share else ".3f"
    if math.isnan(values[index]):
        return "undefined"
    if not low or math.isnan(low[index]):
        return minus(f"{values[index]:{form}}")
    return minus(f"{values[index]:{form}} [{low[index]:{form}}, {high[index]:{form}}]")


def signed(value: float, form: str = ".3f") -> str:
    """A difference with its sign, a true minus: "+0.041", "\N{MINUS SIGN}0.029"; "n/a" where undefined."""
    return "n/a" if math.isnan(value) else minus(f"{value:+{form}}")


def minus(number: str) -> str:
    """A number with a true minus sign."""
    return number.replace("-", "\N{MINUS SIGN}")


def thinned(n: int, most: int) -> list[int]:
    """Evenly spaced indices of n labels, no more than `most`."""
    return list(range(0, n, max(1, math.ceil(n / most))))


def letter_room(chart: StackedBars, share: float) -> float:
    """The shortest drawn length of a part that has room for its letter: `share` of the longest bar."""
    columns = [chart.lengths(part) for part in chart.parts]
    longest = max((sum(bar) for bar in zip(*columns, strict=True)), default=0.0)
    return share * longest if longest > 0 else math.inf


def ranking_room(columns: int, width: float, left: float, right: float) -> tuple[float, float, float]:
    """Margins left and right of the rankings, in columns, and a column's width.

    `width` is of the axes, `left` and `right` what the labels want there, all in one unit.
    """
    if columns == 1:
        return 1.0, 1.0, width
    left, right = min(left, 0.4 * width), min(right, 0.4 * width)
    column = (width - left - right) / (columns - 1)
    return left / column, right / column, column
