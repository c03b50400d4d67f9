"""What all charts have: words, what they rest on, and their data as tidy CSV."""

from __future__ import annotations

import csv
import io
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from core.figures.text import for_csv

Cell: TypeAlias = str | float | int


@dataclass(frozen=True, slots=True)
class Basis:
    """What the numbers of a chart rest on.

    Attributes:
        n: number of units, of the series that has most; None where a single number would mislead.
        unit: what is counted.
        interval: how intervals and bands were made; "" where there are none.
        seed: of whatever was drawn at random; None where nothing was.
        least: the fewest units behind one of the marks; None where all rest on n.
        few: marks that rest on fewer units than this are drawn hollow; None where none is.
    """

    n: int | None = None
    unit: str = "problems"
    interval: str = ""
    seed: int | None = None
    least: int | None = None
    few: int | None = None

    def __str__(self) -> str:
        fewest = "" if self.least in (None, self.n) else f"{self.least:,} to "
        unit = self.unit.removesuffix("s") if self.n == 1 and self.unit.isalpha() else self.unit
        parts = [] if self.n is None else [f"n = {fewest}{self.n:,} {unit}"]
        parts += [] if self.few is None else [f"hollow marks: fewer than {self.few:,}"]
        parts += [self.interval] if self.interval else []
        parts += [] if self.seed is None else [f"seed {self.seed}"]
        return "; ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart(ABC):
    """What all charts have.

    Attributes:
        title: one line.
        x_label: what the x axis shows, with its unit.
        y_label: what the y axis shows, with its unit.
        alt: a sentence or two for whoever can't see the figure: what it shows and what stands out.
        basis: n, method of the intervals, seed.
        note: sentences that its caption has besides, as a paper needs them.
    """

    title: str
    x_label: str
    y_label: str
    alt: str
    basis: Basis = field(default_factory=Basis)
    note: str = ""

    @property
    def caption(self) -> str:
        """Title, note and basis as the text under a figure."""
        return " ".join(f"{part.rstrip('.')}." for part in (self.title, self.note, str(self.basis)) if part)

    def to_csv(self) -> str:
        """The data, tidy, with a header; text that a spreadsheet would run as a formula is defused."""
        header, rows = self._table()
        buffer = io.StringIO(newline="")
        writer = csv.writer(buffer, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([_cell(cell) for cell in row] for row in rows)
        return buffer.getvalue()

    @abstractmethod
    def _table(self) -> tuple[Sequence[str], Iterable[Sequence[Cell]]]:
        """Header and rows of the CSV."""


def _cell(value: Cell) -> str:
    if isinstance(value, str):
        return for_csv(value)
    return "" if math.isnan(value) else repr(value)
