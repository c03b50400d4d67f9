"""Figures from tables that the user hands in: a CSV file is known by its columns, as every format is.

For those figures of the papers whose numbers come from elsewhere, or from no run that is here.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from core.errors import InputError
from core.figures import Basis, Chart
from core.figures import rows as charts
from core.formats import RowError
from core.publish.escape import label
from core.publish.papers import (
    BUGS,
    BY_DIFFICULTY,
    BY_TESTS,
    DIVERSITY,
    MODELS,
    OVERLAP,
    PROMPTING,
    STRATEGIES,
    Found,
    Named,
)

__all__ = ["KINDS", "SUFFIX", "Given", "TableKind", "figures", "read_given"]

SUFFIX: Final = ".csv"
_ENDS: Final = ("low", "high")
_LONGEST: Final = 10_000  # rows: more is no table of a paper


@dataclass(frozen=True, slots=True)
class TableKind:
    """A table that a figure is made from.

    Attributes:
        named: what the figure shows, and of which paper it is.
        texts: columns of words; with the rest of the key they name one mark of the figure.
        numbers: columns of numbers that belong to the key.
        value: column of the number that is drawn.
        share: whether that is a fraction, 0 to 1.
        make: the chart from its rows.
    """

    named: Named
    texts: tuple[str, ...]
    numbers: tuple[str, ...]
    value: str
    share: bool
    make: Callable[[charts.Rows, Basis | None], Chart]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it must have; `low` and `high` of an interval may stand beside."""
        return (*self.texts, *self.numbers, self.value)


KINDS: Final = (
    TableKind(PROMPTING, ("verifier", "prompting"), (), "top1", True, charts.with_and_without_solutions),
    TableKind(MODELS, ("model",), ("k",), "value", True, charts.pass_at_k_by_model),
    TableKind(OVERLAP, ("source", "other"), (), "share", True, charts.source_overlap),
    TableKind(BUGS, ("verifier", "rate"), (), "value", True, charts.bugs_found),
    TableKind(BY_TESTS, ("line",), ("n_tests",), "value", True, charts.rates_by_tests),
    TableKind(BY_DIFFICULTY, ("difficulty", "verifier"), (), "value", True, charts.rates_by_difficulty),
    TableKind(
        STRATEGIES,
        ("strategy", "group"),
        (),
        "share",
        True,
        lambda rows, basis: charts.strategies(rows, "answers", basis),
    ),
    TableKind(DIVERSITY, ("measure", "verifier"), (), "value", False, charts.input_diversity),
)
"""Every table that can be handed in."""


@dataclass(frozen=True, slots=True)
class Given:
    """A table that was handed in.

    Attributes:
        rows: those that can be drawn.
        errors: the others.
    """

    path: Path
    kind: TableKind
    rows: tuple[Mapping[str, Any], ...]
    errors: tuple[RowError, ...]


def read_given(path: Path) -> Given:
    """Read a table.

    Raises:
        InputError: it can't be read, is of no kind, or has no row that can be drawn.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            found = kind_of(path, reader.fieldnames or ())
            numbered = [(reader.line_num, row) for row, _ in zip(reader, range(_LONGEST + 1), strict=False)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: can't be read as CSV in UTF-8: {error}") from error
    if len(numbered) > _LONGEST:
        raise InputError(f"{path}: has more than {_LONGEST:,} rows; expected a table of a figure")
    rows: dict[tuple[str, ...], Mapping[str, Any]] = {}
    errors = []
    for line, row in numbered:
        fault = next(_faults(found, row), None)
        key = tuple(str(row[name]).strip() for name in (*found.texts, *found.numbers))
        if fault is None and key in rows:
            fault = "", f"a second row for {', '.join(key)}"
        if fault is not None:
            errors.append(RowError(path.name, line, *fault))
            continue
        rows[key] = {name: text.strip() for name, text in row.items() if name and isinstance(text, str)}
    if not rows:
        raise InputError(f"{path}: no row can be drawn{f'; {errors[0]}' if errors else ''}")
    return Given(path, found, tuple(rows.values()), tuple(errors))


def kind_of(path: Path, columns: Sequence[str]) -> TableKind:
    """The kind of table with these columns.

    Raises:
        InputError: there is none.
    """
    found = [kind for kind in KINDS if set(kind.columns) <= set(columns)]
    if not found:
        known = "; ".join(f"{kind.named[0]}: {', '.join(kind.columns)}" for kind in KINDS)
        raise InputError(
            f"{path}: has the columns {', '.join(columns) or 'of no header'}; expected those of a figure "
            f"({known})"
        )
    return found[0]


def figures(tables: Sequence[Given]) -> Iterator[Found]:
    """A figure for each table."""
    for table in tables:
        name, paper = table.kind.named
        make = partial(table.kind.make, table.rows, Basis(None, interval=_basis(table)))
        yield label("given", table.path.stem), f"{name}, {table.path.stem}", paper, make


def _basis(table: Given) -> str:
    has_ends = any(row.get(end) for row in table.rows for end in _ENDS)
    return f"numbers as given in {table.path.name}{', with their intervals' if has_ends else ''}"


def _faults(kind: TableKind, row: Mapping[str, str | None]) -> Iterator[tuple[str, str]]:
    """(field, what is wrong) of a row."""
    for name in kind.texts:
        if not (row[name] or "").strip():
            yield name, "expected a name, found nothing"
    for name in (*kind.numbers, kind.value, *(end for end in _ENDS if (row.get(end) or "").strip())):
        number = _number(row[name])
        if number is None:
            yield name, f"expected a number, found {row[name]!r}"
        elif name in kind.numbers and (number < 1 or not number.is_integer()):
            yield name, f"expected a whole number from 1, found {row[name]!r}"
        elif kind.share and name not in kind.numbers and not 0 <= number <= 1:
            yield name, f"expected a share from 0 to 1, found {row[name]!r}"


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None
