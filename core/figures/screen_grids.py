"""Grids and rankings in plotly, and ticks with names."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from core.figures.chart import Chart
from core.figures.charts import Heatmap, OutcomeMatrix, RankingLines
from core.figures.labels import ranked_names, ranking_room, thinned
from core.figures.palette import OUTCOMES, Screen
from core.figures.text import for_plotly

_MOST_TICKS = 25
_ANNOTATED_CELLS = 1_500
_LONGEST_NAMES = 28  # characters of the names beside a ranking
_USUAL_WIDTH = 560.0  # pixels, of the axes of a chart in a column of a page


def heatmap(figure: go.Figure, chart: Heatmap) -> None:
    """Numbers in a grid."""
    cells = len(chart.rows) * len(chart.columns)
    rows, columns = _escaped(chart.rows), _escaped(chart.columns)
    figure.add_heatmap(
        z=[numbers(row) for row in chart.values],
        zmin=chart.low,
        zmax=chart.high,
        colorscale="Cividis",
        colorbar={"title": {"text": for_plotly(chart.value_label), "side": "right"}, "outlinewidth": 0},
        customdata=[[(row, column) for column in columns] for row in rows],
        hovertemplate="%{customdata[0]}, %{customdata[1]}: %{z:.3f}<extra></extra>",
        texttemplate="%{z:.2f}" if chart.annotate and cells <= _ANNOTATED_CELLS else None,
        xgap=1 if cells <= _ANNOTATED_CELLS else 0,
        ygap=1 if cells <= _ANNOTATED_CELLS else 0,
    )
    _grid_axes(figure, chart, chart.rows, chart.columns)


def outcome_matrix(figure: go.Figure, chart: OutcomeMatrix, *, dark: bool) -> None:
    """A pass matrix, lettered where its cells are few."""
    letters = list(OUTCOMES)
    steps = [
        (edge / len(letters), OUTCOMES[letter].fill(dark=dark))
        for i, letter in enumerate(letters)
        for edge in (i, i + 1)
    ]
    shown = chart.present()
    rows, columns = _escaped(chart.rows), _escaped(chart.columns)
    small = len(chart.rows) * len(chart.columns) <= _ANNOTATED_CELLS
    figure.add_heatmap(
        z=[[letters.index(letter) for letter in row] for row in chart.letters],
        zmin=-0.5,
        zmax=len(letters) - 0.5,
        colorscale=steps,
        showscale=False,
        text=[list(row) for row in chart.letters],
        texttemplate="%{text}" if small else None,
        customdata=[
            [(row, column, OUTCOMES[letter].name) for column, letter in zip(columns, line, strict=True)]
            for row, line in zip(rows, chart.letters, strict=True)
        ],
        hovertemplate="%{customdata[0]}, %{customdata[1]}: %{customdata[2]}<extra></extra>",
        xgap=1 if small else 0,
        ygap=1 if small else 0,
    )
    for letter in shown:
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="markers",
            marker={"color": OUTCOMES[letter].fill(dark=dark), "symbol": "square", "size": 12},
            name=f"{letter} {OUTCOMES[letter].name}",
        )
    _grid_axes(figure, chart, chart.rows, chart.columns)


def ranking_lines(figure: go.Figure, chart: RankingLines, page: Screen) -> None:
    """A line for each solution through its ranks."""
    last = len(chart.items) + 1
    reference = chart.rankings[0].ranks
    defined = [rank for rank in reference if not math.isnan(rank)]
    best, worst = min(defined, default=math.nan), max(defined, default=math.nan)
    unranked = any(math.isnan(rank) for ranking in chart.rankings for rank in ranking.ranks)
    for i, item in enumerate(chart.items):
        ranks = [ranking.ranks[i] for ranking in chart.rankings]
        is_best, is_worst = reference[i] == best, reference[i] == worst and worst > best
        color = page.color(0) if is_best else page.color(6) if is_worst else page.muted
        figure.add_scatter(
            x=list(range(len(ranks))),
            y=[last if math.isnan(rank) else rank for rank in ranks],
            mode="lines+markers",
            line={
                "color": color,
                "width": 3 if is_best or is_worst else 1.5,
                "dash": "dash" if is_worst else "solid",
            },
            marker={
                "size": 9,
                "symbol": ["x-open" if math.isnan(rank) else "circle" for rank in ranks],
            },
            name=for_plotly(item),
            customdata=[
                (for_plotly(item), "no score" if math.isnan(rank) else f"rank {rank:g}") for rank in ranks
            ],
            hovertemplate="%{customdata[0]}: %{customdata[1]}<extra></extra>",
            showlegend=False,
        )
    sides = [0] if len(chart.rankings) == 1 else [0, len(chart.rankings) - 1]
    room = []
    for side in sides:
        names_at = ranked_names(chart.items, chart.rankings[side].ranks, last)
        room.append(20.0 + 7 * max((min(len(names), _LONGEST_NAMES) for _, names in names_at), default=0))
        for rank, names in names_at:
            figure.add_annotation(
                x=side,
                y=rank,
                text=for_plotly(names, _LONGEST_NAMES),
                xanchor="right" if side == 0 else "left",
                xshift=-10 if side == 0 else 10,
                showarrow=False,
            )
    left, right, _ = ranking_room(len(chart.rankings), _USUAL_WIDTH, room[0], room[-1])
    tickvals = [i + 1 for i in thinned(len(chart.items), 20)] + ([last] if unranked else [])
    figure.update_xaxes(
        tickvals=list(range(len(chart.rankings))),
        ticktext=[for_plotly(ranking.name, 32) for ranking in chart.rankings],
        range=[-left, len(chart.rankings) - 1 + right],
        showgrid=False,
        title=for_plotly(chart.x_label),
    )
    figure.update_yaxes(
        tickvals=tickvals,
        ticktext=[str(rank) if rank < last else "no score" for rank in tickvals],
        range=[last + 0.5 if unranked else last - 0.5, 0.5],
        zeroline=False,
        title=for_plotly(chart.y_label),
    )


def _grid_axes(figure: go.Figure, chart: Chart, rows: Sequence[str], columns: Sequence[str]) -> None:
    figure.update_xaxes(title=for_plotly(chart.x_label), showgrid=False, **ticks(columns))
    figure.update_yaxes(title=for_plotly(chart.y_label), showgrid=False, autorange="reversed", **ticks(rows))


def _escaped(names: Sequence[str]) -> list[str]:
    return [for_plotly(name) for name in names]


def ticks(names: Sequence[str]) -> dict[str, Any]:
    """Names at whole numbers, thinned out when there are too many to read."""
    shown = thinned(len(names), _MOST_TICKS)
    return {"tickvals": shown, "ticktext": [for_plotly(names[i], 40) for i in shown], "zeroline": False}


def numbers(values: Sequence[float]) -> list[float | None]:
    """Values as JSON has them: null for NaN."""
    return [None if math.isnan(value) else value for value in values]
