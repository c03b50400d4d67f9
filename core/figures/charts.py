"""Charts as plain data: what a figure says, apart from how it is drawn.

Each chart carries its words (title, axes, alternative text), what it rests on (n, seed, method of the
interval) and all its numbers, and writes them as tidy CSV: one observation a row. A NaN is a value that
is missing; it is drawn as a gap and written as an empty cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from core.figures.chart import Cell, Chart
from core.figures.palette import OUTCOMES

Numbers: TypeAlias = tuple[float, ...]


def _same_length(what: str, expected: int, *columns: Sequence[object]) -> None:
    for column in columns:
        if len(column) != expected:
            raise ValueError(f"{what}: {len(column)} values where there are {expected} places")


def _bounds(what: str, expected: int, low: Numbers, high: Numbers) -> None:
    if low or high:
        _same_length(what, expected, low, high)


def _bound(ends: Numbers, index: int) -> float:
    return ends[index] if ends else math.nan


@dataclass(frozen=True, slots=True)
class HistogramSeries:
    """Counts of one group in the bins of its histogram."""

    name: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Histogram(Chart):
    """How values are distributed.

    Attributes:
        edges: ends of the bins, ascending, one more than there are bins; the last bin holds its right end.
        series: one or more groups over the same bins.
        share: whether heights are shares of each group, for groups of different sizes, in place of counts.
    """

    edges: Numbers
    series: tuple[HistogramSeries, ...]
    share: bool = False

    def __post_init__(self) -> None:
        for one in self.series:
            _same_length(f"histogram {one.name!r}", len(self.edges) - 1, one.counts)

    def heights(self, series: HistogramSeries) -> Numbers:
        """What is drawn for `series`: counts, or shares of its total."""
        total = sum(series.counts) if self.share else 1
        return tuple(count / total if total else 0.0 for count in series.counts)

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        bins = list(zip(self.edges, self.edges[1:], strict=False))
        rows = [
            (s.name, low, high, count)
            for s in self.series
            for (low, high), count in zip(bins, s.counts, strict=True)
        ]
        return ("series", "bin_low", "bin_high", "count"), rows


@dataclass(frozen=True, slots=True)
class BarSeries:
    """One bar per category; empty `low` and `high` for bars without intervals."""

    name: str
    values: Numbers
    low: Numbers = ()
    high: Numbers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars(Chart):
    """Values with intervals, by category; several series stand beside one another.

    Attributes:
        horizontal: categories down the side, which suits long names. `x_label` still names the
            categories and `y_label` the values.
        share: whether values are shares of a whole, 0 to 1, which are shown in percent.
    """

    categories: tuple[str, ...]
    series: tuple[BarSeries, ...]
    horizontal: bool = False
    share: bool = False

    def __post_init__(self) -> None:
        for one in self.series:
            _same_length(f"bars {one.name!r}", len(self.categories), one.values)
            _bounds(f"bars {one.name!r}", len(self.categories), one.low, one.high)

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        rows = [
            (category, s.name, s.values[i], _bound(s.low, i), _bound(s.high, i))
            for s in self.series
            for i, category in enumerate(self.categories)
        ]
        return ("category", "series", "value", "low", "high"), rows


@dataclass(frozen=True, slots=True)
class LineSeries:
    """One line; empty `low` and `high` for a line without a band.

    Attributes:
        n: units behind each point; empty where all rest on the same, or where that isn't known.
    """

    name: str
    x: Numbers
    y: Numbers
    low: Numbers = ()
    high: Numbers = ()
    n: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines(Chart):
    """Values along an axis, with bands.

    Attributes:
        rule: a horizontal line to read against (a threshold); None for none.
        rule_label: what the rule is.
        share: as for `Bars`.
    """

    series: tuple[LineSeries, ...]
    rule: float | None = None
    rule_label: str = ""
    share: bool = False

    def __post_init__(self) -> None:
        for one in self.series:
            _same_length(f"line {one.name!r}", len(one.x), one.y)
            _bounds(f"line {one.name!r}", len(one.x), one.low, one.high)
            if one.n:
                _same_length(f"line {one.name!r}", len(one.x), one.n)

    def hollow(self, series: LineSeries) -> tuple[bool, ...]:
        """Which points of `series` rest on so few units that they are drawn hollow."""
        few = self.basis.few
        if few is None or not series.n:
            return (False,) * len(series.x)
        return tuple(n < few for n in series.n)

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        rows = [
            (s.name, x, y, _bound(s.low, i), _bound(s.high, i), s.n[i] if s.n else math.nan)
            for s in self.series
            for i, (x, y) in enumerate(zip(s.x, s.y, strict=True))
        ]
        return ("series", "x", "y", "low", "high", "n"), rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Heatmap(Chart):
    """Numbers in a grid.

    Attributes:
        rows: labels, top to bottom.
        columns: labels, left to right.
        values: one tuple a row.
        value_label: what the colours mean.
        low, high: ends of the colour scale; None takes them from the values.
        annotate: whether to write the numbers into the cells.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[Numbers, ...]
    value_label: str
    low: float | None = None
    high: float | None = None
    annotate: bool = False

    def __post_init__(self) -> None:
        _same_length("heatmap rows", len(self.rows), self.values)
        for row in self.values:
            _same_length("heatmap columns", len(self.columns), row)

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        rows = [
            (row, column, value)
            for row, values in zip(self.rows, self.values, strict=True)
            for column, value in zip(self.columns, values, strict=True)
        ]
        return ("row", "column", "value"), rows


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeMatrix(Chart):
    """A pass matrix: solutions x tests of outcomes.

    Attributes:
        rows: solutions, top to bottom.
        columns: tests, left to right.
        letters: one text of outcome letters a row, e.g. "PPFET".
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    letters: tuple[str, ...]

    def __post_init__(self) -> None:
        _same_length("outcome rows", len(self.rows), self.letters)
        for row in self.letters:
            _same_length("outcome columns", len(self.columns), row)
            if unknown := set(row) - set(OUTCOMES):
                raise ValueError(f"no outcome has the letter {min(unknown)!r}")

    def present(self) -> tuple[str, ...]:
        """Letters that occur, in the order of the outcomes."""
        found = set("".join(self.letters))
        return tuple(letter for letter in OUTCOMES if letter in found)

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        rows = [
            (row, column, letter)
            for row, letters in zip(self.rows, self.letters, strict=True)
            for column, letter in zip(self.columns, letters, strict=True)
        ]
        return ("solution", "test", "outcome"), rows


@dataclass(frozen=True, slots=True)
class Ranking:
    """One order of the items: rank 1 is best, ties share an average rank, NaN is unranked."""

    name: str
    ranks: Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingLines(Chart):
    """How verifiers order solutions against the reference: a line per solution (a slope chart).

    Attributes:
        items: names of the solutions.
        rankings: the reference first, then the verifiers.
    """

    items: tuple[str, ...]
    rankings: tuple[Ranking, ...]

    def __post_init__(self) -> None:
        if not self.rankings:
            raise ValueError("a ranking chart needs the reference ranking")
        for one in self.rankings:
            _same_length(f"ranking {one.name!r}", len(self.items), one.ranks)

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        rows = [
            (r.name, item, rank)
            for r in self.rankings
            for item, rank in zip(self.items, r.ranks, strict=True)
        ]
        return ("ranking", "solution", "rank"), rows


@dataclass(frozen=True, slots=True)
class Part:
    """One part of every stacked bar.

    Attributes:
        outcome: an outcome letter gives the part that outcome's colour and letter; "" for none.
    """

    name: str
    values: Numbers
    outcome: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StackedBars(Chart):
    """Wholes and their parts, a horizontal bar per category.

    Attributes:
        share: whether each bar is drawn to 100%, for wholes of different sizes.
    """

    categories: tuple[str, ...]
    parts: tuple[Part, ...]
    share: bool = True

    def __post_init__(self) -> None:
        for part in self.parts:
            _same_length(f"part {part.name!r}", len(self.categories), part.values)
            if part.outcome and part.outcome not in OUTCOMES:
                raise ValueError(f"no outcome has the letter {part.outcome!r}")

    def lengths(self, part: Part) -> Numbers:
        """What is drawn for `part`: its values, or their shares of the whole."""
        if not self.share:
            return part.values
        wholes = [sum(p.values[i] for p in self.parts) for i in range(len(self.categories))]
        return tuple(v / whole if whole else 0.0 for v, whole in zip(part.values, wholes, strict=True))

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        rows = [
            (category, part.name, part.values[i])
            for i, category in enumerate(self.categories)
            for part in self.parts
        ]
        return ("category", "part", "value"), rows


@dataclass(frozen=True, slots=True)
class ScatterSeries:
    """Points; empty `labels` for points without names."""

    name: str
    x: Numbers
    y: Numbers
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter(Chart):
    """Points in two dimensions.

    Attributes:
        diagonal: whether to draw the line of equal values, as for one verifier against another.
    """

    series: tuple[ScatterSeries, ...]
    diagonal: bool = False

    def __post_init__(self) -> None:
        for one in self.series:
            _same_length(f"points {one.name!r}", len(one.x), one.y, *([one.labels] if one.labels else []))

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        rows = [
            (s.name, s.labels[i] if s.labels else "", x, y)
            for s in self.series
            for i, (x, y) in enumerate(zip(s.x, s.y, strict=True))
        ]
        return ("series", "label", "x", "y"), rows


@dataclass(frozen=True, slots=True)
class BoxSummary:
    """One box: quartiles, whiskers (the furthest values within 1.5 box lengths) and values beyond them."""

    name: str
    n: int
    whisker_low: float
    q1: float
    median: float
    q3: float
    whisker_high: float
    outliers: Numbers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(Chart):
    """Distributions under one another, each by its five numbers.

    `x_label` names the groups and `y_label` the values, as for horizontal `Bars`.
    """

    boxes: tuple[BoxSummary, ...]

    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        names = ("n", "whisker_low", "q1", "median", "q3", "whisker_high")
        rows: list[tuple[Cell, ...]] = []
        for box in self.boxes:
            rows += [(box.name, name, getattr(box, name)) for name in names]
            rows += [(box.name, "outlier", value) for value in box.outliers]
        return ("group", "statistic", "value"), rows
