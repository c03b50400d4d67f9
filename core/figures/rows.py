"""Charts of the papers from plain tables: a list of rows, each a mapping from column to value.

Each chart says which columns it takes; other columns are left alone, and a missing `low` and `high`
is a value without an interval. Rates are fractions, which figures show in percent. Tables of
`core.evolution` and `core.hunting` come in this shape, and so does a CSV read with `csv.DictReader`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from core.figures.chart import Basis
from core.figures.charts import Bars, BarSeries, Heatmap, Lines, LineSeries

Row: TypeAlias = Mapping[str, Any]
Rows: TypeAlias = Sequence[Row]


def bars_of(rows: Rows, category: str, series: str, value: str, **words: Any) -> Bars:
    """A bar for each row, by the columns that say its category, its series and its value.

    Args:
        rows: the table; a pair of category and series without a row is a gap.
        category: column of the category; `low` and `high` are columns of the interval.
        series: column of the series.
        value: column of the bar's length.
        words: further fields of the chart.
    """
    categories = _distinct(rows, category)
    found = {(str(row[category]), str(row[series])): row for row in rows}
    drawn = []
    for name in _distinct(rows, series):
        cells = [found.get((one, name), {}) for one in categories]
        ends = _ends(cells)
        drawn.append(BarSeries(name, tuple(_number(cell, value) for cell in cells), *ends))
    alt = f"{words['title']}: {_said(drawn, categories)}."
    return Bars(**{"alt": alt, **words}, categories=tuple(categories), series=tuple(drawn))


def lines_of(rows: Rows, x: str, series: str, y: str, **words: Any) -> Lines:
    """A line for each series of rows, in the order of x; arguments as for `bars_of`."""
    drawn = []
    for name in _distinct(rows, series):
        points = sorted((row for row in rows if str(row[series]) == name), key=lambda row: float(row[x]))
        ends = _ends(points)
        drawn.append(
            LineSeries(
                name,
                tuple(_number(row, x) for row in points),
                tuple(_number(row, y) for row in points),
                *ends,
            )
        )
    said = "; ".join(f"{one.name} from {one.y[0]:.3f} to {one.y[-1]:.3f}" for one in drawn)
    return Lines(**{"alt": f"{words['title']}: {said or 'no values'}.", **words}, series=tuple(drawn))


def with_and_without_solutions(rows: Rows, basis: Basis | None = None) -> Bars:
    """Tests written with and without seeing a solution (Scoring Verifiers v1, Figure 8; v2, Figure 7).

    Columns: verifier, prompting ("with solution" or "without"), top1.
    """
    return bars_of(
        rows,
        "verifier",
        "prompting",
        "top1",
        title="Tests written with and without a solution in the prompt",
        x_label="Verifier",
        y_label="Top-1",
        share=True,
        basis=basis or Basis(),
    )


def pass_at_k_by_model(rows: Rows, basis: Basis | None = None) -> Bars:
    """pass@k of each model that wrote solutions (EvolveCoder, Figure 6). Columns: model, k, value."""
    return bars_of(
        [{**row, "k": f"pass@{row['k']}"} for row in rows],
        "model",
        "k",
        "value",
        title="pass@k by model",
        x_label="Model",
        y_label="pass@k",
        share=True,
        basis=basis or Basis(),
    )


def source_overlap(rows: Rows, basis: Basis | None = None) -> Heatmap:
    """Share of each source's problems with a near duplicate in another (EvolveCoder, Figure 1).

    Columns: source, other, share. A pair without a row is a gap.
    """
    names = tuple(dict.fromkeys(str(row[column]) for column in ("source", "other") for row in rows))
    found = {(str(row["source"]), str(row["other"])): _number(row, "share") for row in rows}
    most = max(rows, key=lambda row: _number(row, "share"))
    return Heatmap(
        title="Overlap of sources",
        x_label="Has a near duplicate in",
        y_label="Problems of",
        alt=f"Share of each source's problems that have a near duplicate in another; the largest is "
        f"{_number(most, 'share'):.1%}, of {most['source']} in {most['other']}.",
        basis=basis or Basis(),
        rows=names,
        columns=names,
        values=tuple(tuple(found.get((row, column), math.nan) for column in names) for row in names),
        value_label="Share of problems",
        low=0.0,
        high=1.0,
        annotate=True,
    )


def bugs_found(rows: Rows, basis: Basis | None = None) -> Bars:
    """Rates of each kind of answers (HarnessLLM, Figure 2 and Table 1). Columns: verifier, rate, value."""
    return bars_of(
        rows,
        "verifier",
        "rate",
        "value",
        title="Bug finding",
        x_label="Verifier",
        y_label="Share of answers",
        share=True,
        basis=basis or Basis(unit="pairs"),
    )


def rates_by_tests(rows: Rows, basis: Basis | None = None) -> Lines:
    """Rates when only the first tests of each answer count (HarnessLLM, Figure 4, Tables 7 and 8).

    Columns: n_tests, line (which verifier and which rate), value.
    """
    return lines_of(
        rows,
        "n_tests",
        "line",
        "value",
        title="Bug finding by number of tests",
        x_label="Tests of an answer that count",
        y_label="Share of answers",
        share=True,
        basis=basis or Basis(unit="pairs"),
    )


def rates_by_difficulty(rows: Rows, basis: Basis | None = None) -> Bars:
    """True bug rate by group of problems (HarnessLLM, Figure 6). Columns: difficulty, verifier, value."""
    return bars_of(
        rows,
        "difficulty",
        "verifier",
        "value",
        title="True bug rate by difficulty",
        x_label="Difficulty",
        y_label="True bug rate",
        share=True,
        basis=basis or Basis(unit="pairs"),
    )


def strategies(rows: Rows, what: str, basis: Basis | None = None) -> Bars:
    """How answers make inputs or judge outputs (HarnessLLM, Figure 7). Columns: strategy, group, share.

    An answer may use several, so that shares need not add up to 1.

    Args:
        rows: the table.
        what: what the strategies are for: "input generators" or "output checkers".
        basis: what the shares rest on.
    """
    return bars_of(
        rows,
        "group",
        "strategy",
        "share",
        title=f"Strategies of {what}",
        x_label="Buggy program",
        y_label="Share of answers",
        share=True,
        basis=basis or Basis(unit="answers"),
    )


def input_diversity(rows: Rows, basis: Basis | None = None) -> Bars:
    """How different the inputs of a problem are (HarnessLLM, Table 4). Columns: measure, verifier, value."""
    return bars_of(
        rows,
        "measure",
        "verifier",
        "value",
        title="Diversity of inputs",
        x_label="Measure",
        y_label="Mean over pairs",
        basis=basis or Basis(unit="pairs"),
    )


def _distinct(rows: Rows, column: str) -> list[str]:
    return list(dict.fromkeys(str(row[column]) for row in rows))


def _number(row: Row, column: str) -> float:
    value = row.get(column)
    return math.nan if value is None or value == "" else float(value)


def _ends(rows: Rows) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Both ends of the intervals; () where no row has one."""
    low, high = (tuple(_number(row, end) for row in rows) for end in ("low", "high"))
    return ((), ()) if all(map(math.isnan, low)) else (low, high)


def _said(series: Sequence[BarSeries], categories: Sequence[str]) -> str:
    said = [
        f"{one.name} {value:.3g} for {category}"
        for one in series
        for category, value in zip(categories, one.values, strict=True)
        if not math.isnan(value)
    ]
    return ", ".join(said[:12]) + (" and more" if len(said) > 12 else "") if said else "no values"
