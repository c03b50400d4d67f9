"""A table as plain data, written as LaTeX (booktabs), as Markdown and as tidy CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from core.figures.labels import minus
from core.figures.text import clean, for_csv
from core.metrics import MARKED, comparable
from core.publish.escape import for_latex, for_markdown, label

PUBLISHED = "\N{DAGGER}"
"""Marks a row that is printed in a paper and no run of one's own."""
_ROOM = 58  # characters, about, that stay legible when they are made to fit a column of 3 in
_SCRIPT = 0.8  # width of a character of intervals, in those of numbers
_GAP = 2  # characters, about, between two columns


@dataclass(frozen=True, slots=True)
class Value:
    """One number of a table.

    Attributes:
        number: NaN where there is none.
        low, high: ends of its interval; NaN for none.
        place: 1 for the best of its column, 2 for the second, 0 for the others.
        n: what it rests on, problems or pairs; None where that is not known.
    """

    number: float
    low: float = math.nan
    high: float = math.nan
    place: int = 0
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers.

    Attributes:
        key: name in the CSV.
        head: name as printed, with its arrow.
        group: what stands above several columns (the benchmark); "" for nothing.
        scale: what numbers are multiplied by in print (100 for percent).
        digits: decimals in print.
    """

    key: str
    head: str
    group: str = ""
    scale: float = 1.0
    digits: int = 2


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its name, its numbers, and the group of rows it stands in.

    Attributes:
        published: taken from a paper.
    """

    name: str
    values: tuple[Value, ...]
    group: str = ""
    published: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of numbers.

    Attributes:
        key: name of its files and of its label.
        stub: head of the column of names.
        rows: those of one group beside one another.
        basis: n, seed and method of the intervals, for the caption.
    """

    key: str
    title: str
    stub: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    basis: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.values) != len(self.columns):
                raise ValueError(f"{row.name!r}: {len(row.values)} values for {len(self.columns)} columns")

    @property
    def file(self) -> str:
        """Name of its files, and of its label."""
        return label(self.key)

    @property
    def caption(self) -> str:
        """Title, basis and what the marks mean."""
        marks = []
        if any(value.place == 1 for row in self.rows for value in row.values):
            which = "" if self._all_compare() else f", of those {MARKED}"
            marks.append(f"Best in bold, second underlined{which}")
        if any(row.published for row in self.rows):
            marks.append(f"{PUBLISHED} published, no run of ours")
        said = [self.title, *([self.basis] if self.basis else []), *marks]
        return " ".join(f"{part.rstrip('.')}." for part in said)

    def _all_compare(self) -> bool:
        own = [row.values for row in self.rows if not row.published]
        return all(all(comparable([value.n or 0 for value in column])) for column in zip(*own, strict=True))


def printed(value: Value, column: Column) -> tuple[str, str]:
    """A number and its interval as texts, the second "" where there is none."""
    if math.isnan(value.number):
        return "\N{EN DASH}", ""
    number = minus(f"{column.scale * value.number:,.{column.digits}f}")
    if math.isnan(value.low):
        return number, ""
    low, high = (minus(f"{column.scale * end:.{column.digits}f}") for end in (value.low, value.high))
    return number, f"[{low}, {high}]"


def to_latex(table: Table, *, intervals: bool = True) -> str:
    """A `table` environment for a paper that uses booktabs; every text in it is printed as it is.

    Args:
        table: any table.
        intervals: whether to print them, in a line of their own under the numbers.

    A table that one of two columns has no room for goes over both; in a paper of one column nothing changes.
    """
    environment = "table*" if _characters(table, intervals) > _ROOM else "table"
    width = 1 + len(table.columns)
    lines = [
        "% needs \\usepackage{booktabs,graphicx}; a table wider than the text is made to fit",
        f"\\begin{{{environment}}}[t]",
        "\\centering",
        "\\small",
        "\\setlength{\\tabcolsep}{4pt}",
        f"\\caption{{{for_latex(table.caption)}}}",
        f"\\label{{tab:{table.file}}}",
        "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%",
        f"\\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        "\\toprule",
        *_latex_heads(table),
        "\\midrule",
    ]
    for at, (group, rows) in enumerate(groupby(table.rows, key=lambda row: row.group)):
        if group:
            lines += ["\\midrule"] if at else []
            lines.append(f"\\multicolumn{{{width}}}{{l}}{{\\textit{{{for_latex(group)}}}}} \\\\")
        for row in rows:
            lines += _latex_row(row, table.columns, intervals)
    lines += ["\\bottomrule", "\\end{tabular}}", f"\\end{{{environment}}}", ""]
    return "\n".join(lines)


def to_markdown(table: Table, *, intervals: bool = True) -> str:
    """A Markdown table with its caption; the best in bold, the second in italics."""
    heads = [table.stub, *(f"{c.group} {c.head}".strip() for c in table.columns)]
    lines = [
        for_markdown(table.caption.replace("second underlined", "second in italics")),
        "",
        f"| {' | '.join(map(for_markdown, heads))} |",
        f"| --- |{' ---: |' * len(table.columns)}",
    ]
    for group, rows in groupby(table.rows, key=lambda row: row.group):
        if group:
            lines.append(f"| *{for_markdown(group)}* |{'  |' * len(table.columns)}")
        for row in rows:
            cells = [for_markdown(_named(row))]
            for value, column in zip(row.values, table.columns, strict=True):
                number, interval = printed(value, column)
                mark = {1: "**", 2: "*"}.get(value.place, "")
                shown = f"{mark}{for_markdown(number)}{mark}"
                cells.append(f"{shown} {for_markdown(interval)}".strip() if intervals else shown)
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def to_csv(table: Table) -> str:
    """One number a row, unrounded and unscaled; text that a spreadsheet would run as a formula is defused."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(("group", "name", "published", "column_group", "column", "value", "low", "high"))
    for row in table.rows:
        for value, column in zip(row.values, table.columns, strict=True):
            texts = (for_csv(row.group), for_csv(row.name), "yes" if row.published else "no")
            numbers = ("" if math.isnan(n) else repr(n) for n in (value.number, value.low, value.high))
            writer.writerow((*texts, for_csv(column.group), column.key, *numbers))
    return buffer.getvalue()


def _characters(table: Table, intervals: bool) -> float:
    """Width of the printed table, about, in characters."""
    width = float(max(map(len, (table.stub, *map(_named, table.rows)))))
    for at, column in enumerate(table.columns):
        cells = [printed(row.values[at], column) for row in table.rows]
        longest = max((len(number) for number, _ in cells), default=0)
        ends = max((len(interval) for _, interval in cells), default=0) * _SCRIPT if intervals else 0.0
        width += _GAP + max(len(column.head), longest, ends)
    return width


def _named(row: Row) -> str:
    return f"{clean(row.name)} {PUBLISHED}" if row.published else row.name


def _latex_heads(table: Table) -> Iterator[str]:
    groups = [(name, len(list(columns))) for name, columns in groupby(table.columns, key=lambda c: c.group)]
    if any(name for name, _ in groups):
        heads = [
            f"\\multicolumn{{{n}}}{{c}}{{{for_latex(name)}}}" if name else "&" * (n - 1) for name, n in groups
        ]
        yield " & " + " & ".join(heads) + " \\\\"
        start = 2
        for name, n in groups:
            if name:
                yield f"\\cmidrule(lr){{{start}-{start + n - 1}}}"
            start += n
    yield " & ".join(map(for_latex, (table.stub, *(column.head for column in table.columns)))) + " \\\\"


def _latex_row(row: Row, columns: Sequence[Column], intervals: bool) -> Iterator[str]:
    cells, ends = [for_latex(_named(row))], [""]
    for value, column in zip(row.values, columns, strict=True):
        number, interval = (for_latex(text) for text in printed(value, column))
        command = {1: "\\textbf", 2: "\\underline"}.get(value.place)
        cells.append(f"{command}{{{number}}}" if command else number)
        ends.append(f"{{\\scriptsize {interval}}}" if interval else "")
    yield " & ".join(cells) + " \\\\"
    if intervals and any(ends):
        yield " & ".join(ends) + " \\\\"
