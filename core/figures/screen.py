"""Charts on screen: plotly figures for a light or for a dark page.

The background is transparent; ink and colours are those of `palette.screen`. Categories stand at whole
numbers with their names as tick labels, so that two names that look alike stay two. Every text of a chart
goes through `for_plotly`; none is put into a template.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import plotly.graph_objects as go

from core.figures.chart import Chart
from core.figures.charts import (
    Bars,
    Box,
    Heatmap,
    Histogram,
    Lines,
    OutcomeMatrix,
    RankingLines,
    Scatter,
    StackedBars,
)
from core.figures.labels import letter_room, value_text
from core.figures.palette import GRID, OUTCOMES, Screen, rgba, screen
from core.figures.screen_grids import heatmap, numbers, outcome_matrix, ranking_lines, ticks
from core.figures.text import for_plotly

_FEW_STEPS = 12
"""So many whole numbers on an axis are each named."""
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "cross", "pentagon")
_PATTERNS = ("", "/", "x", ".", "\\", "-", "+", "|")
_COUNTED_SINGLY = 5  # counts up to here have a tick each
_NAMED_COUNTS = 12  # bins that are counts and each have their number on the axis
_LETTER_SHARE = 0.03


def draw(chart: Chart, *, dark: bool = False, titled: bool = True) -> go.Figure:
    """The plotly figure of any chart, in the colours of a light or of a dark page.

    Without its title where the page writes it: plotly's toolbar would lie on a title of its own.
    `layout.meta` carries `alt` and `caption` for the page around it.
    """
    figure, page = go.Figure(), screen(dark=dark)
    if isinstance(chart, OutcomeMatrix):
        outcome_matrix(figure, chart, dark=dark)
    elif isinstance(chart, Heatmap):
        heatmap(figure, chart)
    elif isinstance(chart, StackedBars):
        _stacked_bars(figure, chart, page, dark=dark)
    else:
        _DRAWERS[type(chart)](figure, chart, page)
    if titled:
        title = {"text": for_plotly(chart.title, 120), "x": 0.01, "xanchor": "left", "font": {"size": 15}}
        figure.update_layout(title=title)
    figure.update_layout(
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"color": page.ink, "size": 13},
        margin={"l": 10, "r": 10, "t": 44 if titled else 30, "b": 10},
        legend={"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0},
        modebar={"bgcolor": "rgba(0,0,0,0)", "color": page.ink},
        hoverlabel={"align": "left"},
        meta={"alt": chart.alt, "caption": chart.caption},
    )
    ink = {"color": page.ink}  # said of each text: Streamlit's template has a paler one for axes and legends
    axes = {"gridcolor": GRID, "zerolinecolor": GRID, "automargin": True, "tickfont": ink, "title_font": ink}
    figure.update_xaxes(**axes)
    figure.update_yaxes(**axes)
    figure.update_layout(legend_font=ink)
    return figure


def _histogram(figure: go.Figure, chart: Histogram, page: Screen) -> None:
    centres = [(low + high) / 2 for low, high in zip(chart.edges, chart.edges[1:], strict=False)]
    widths = [high - low for low, high in zip(chart.edges, chart.edges[1:], strict=False)]
    bins = [f"{low:.3g} to {high:.3g}" for low, high in zip(chart.edges, chart.edges[1:], strict=False)]
    n = max(1, len(chart.series))
    for i, series in enumerate(chart.series):
        figure.add_bar(
            x=[c + w * ((i + 0.5) / n - 0.5) for c, w in zip(centres, widths, strict=True)],
            y=list(chart.heights(series)),
            width=[w / n for w in widths],
            name=for_plotly(series.name),
            customdata=list(zip(bins, series.counts, strict=True)),
            hovertemplate="%{customdata[0]}: %{customdata[1]}",
            marker=_marker(page, i, n),
        )
    _axes(figure, chart)
    figure.update_layout(barmode="overlay", showlegend=n > 1)
    if len(centres) <= _NAMED_COUNTS and all(centre.is_integer() for centre in centres):
        names = [f"{centre:.0f}" for centre in centres]
        figure.update_xaxes(tickmode="array", tickvals=centres, ticktext=names)
    if chart.share:
        figure.update_yaxes(tickformat=".0%")
    elif max((count for series in chart.series for count in series.counts), default=0) <= _COUNTED_SINGLY:
        figure.update_yaxes(dtick=1)


def _bars(figure: go.Figure, chart: Bars, page: Screen) -> None:
    positions = list(range(len(chart.categories)))
    along, across = ("x", "y") if chart.horizontal else ("y", "x")
    for i, series in enumerate(chart.series):
        error = _error(page, series.values, series.low, series.high)
        figure.add_bar(
            **{along: numbers(series.values), across: positions, f"error_{along}": error},
            orientation="h" if chart.horizontal else "v",
            name=for_plotly(series.name),
            customdata=[
                (for_plotly(c), value_text(series.values, series.low, series.high, j, share=chart.share))
                for j, c in enumerate(chart.categories)
            ],
            hovertemplate="%{customdata[0]}: %{customdata[1]}",
            marker=_marker(page, i, len(chart.series), pale=bool(series.low)),
        )
    for position in positions:
        if all(math.isnan(series.values[position]) for series in chart.series):
            spot = {along: 0, across: position}
            figure.add_annotation(**spot, text="undefined", showarrow=False, xanchor="left", yanchor="bottom")
    figure.update_layout(barmode="group", showlegend=len(chart.series) > 1)
    names = ticks(chart.categories)
    if chart.horizontal:
        figure.update_yaxes(title=for_plotly(chart.x_label), autorange="reversed", **names)
        figure.update_xaxes(title=for_plotly(chart.y_label), tickformat=_form(share=chart.share))
    else:
        figure.update_xaxes(title=for_plotly(chart.x_label), **names)
        figure.update_yaxes(title=for_plotly(chart.y_label), tickformat=_form(share=chart.share))


def _lines(figure: go.Figure, chart: Lines, page: Screen) -> None:
    for i, series in enumerate(chart.series):
        name, color = for_plotly(series.name), page.color(i)
        if series.low:
            for ends, fill in ((series.high, None), (series.low, "tonexty")):
                figure.add_scatter(
                    x=list(series.x),
                    y=numbers(ends),
                    mode="lines",
                    line={"width": 0},
                    fill=fill,
                    fillcolor=rgba(color, 0.2),
                    legendgroup=str(i),
                    showlegend=False,
                    hoverinfo="skip",
                    name=name,
                )
        figure.add_scatter(
            x=list(series.x),
            y=numbers(series.y),
            mode="lines+markers",
            line={"color": color, "dash": _DASHES[i % len(_DASHES)], "width": 2},
            marker={
                "symbol": [
                    _SYMBOLS[i % len(_SYMBOLS)] + ("-open" if hollow else "")
                    for hollow in chart.hollow(series)
                ],
                "size": 8,
            },
            legendgroup=str(i),
            name=name,
            customdata=[
                value_text(series.y, series.low, series.high, j, share=chart.share)
                + (f", n = {series.n[j]:,}" if series.n else "")
                for j in range(len(series.x))
            ],
            hovertemplate="%{x}: %{customdata}",
        )
    x = [value for series in chart.series for value in series.x]
    if x and max(x) - min(x) <= _FEW_STEPS and all(value == int(value) for value in x):
        figure.update_xaxes(dtick=1)
    if chart.rule is not None:
        figure.add_hline(
            y=chart.rule,
            line={"color": page.ink, "dash": "dot", "width": 1},
            annotation={"text": for_plotly(chart.rule_label), "font": {"color": page.ink}},
            annotation_position="bottom right",
        )
    _axes(figure, chart)
    figure.update_yaxes(tickformat=_form(share=chart.share))
    heights = {y for series in chart.series for y in (*series.y, *series.low, *series.high) if y == y}
    if chart.share and len(heights) == 1:  # left to itself, plotly would show shares below 0
        figure.update_yaxes(range=(-0.02, 1.02))
    figure.update_layout(showlegend=len(chart.series) > 1)


def _stacked_bars(figure: go.Figure, chart: StackedBars, page: Screen, *, dark: bool) -> None:
    room = letter_room(chart, _LETTER_SHARE)
    for i, part in enumerate(chart.parts):
        lengths = chart.lengths(part)
        style = OUTCOMES.get(part.outcome)
        letter = part.outcome or ""
        figure.add_bar(
            x=list(lengths),
            y=list(range(len(chart.categories))),
            orientation="h",
            name=for_plotly(f"{letter} {part.name}" if letter else part.name),
            marker={
                "color": style.fill(dark=dark) if style else page.color(i),
                "line": {"color": page.ink, "width": 1},
                "pattern": {
                    "shape": "" if style else _PATTERNS[i % len(_PATTERNS)],
                    "solidity": 0.25,
                    "fillmode": "overlay",
                },
            },
            text=[letter if length >= room else "" for length in lengths],
            textposition="inside",
            insidetextanchor="middle",
            insidetextfont={"color": style.ink(dark=dark) if style else None},
            customdata=[
                (for_plotly(c), f"{v:,.10g}" + (f" ({length:.1%})" if chart.share else ""))
                for c, v, length in zip(chart.categories, part.values, lengths, strict=True)
            ],
            hovertemplate="%{customdata[0]}: %{customdata[1]}",
        )
    figure.update_layout(barmode="stack", legend_traceorder="normal")
    figure.update_yaxes(title=for_plotly(chart.y_label), autorange="reversed", **ticks(chart.categories))
    figure.update_xaxes(title=for_plotly(chart.x_label), tickformat=_form(share=chart.share))


def _scatter(figure: go.Figure, chart: Scatter, page: Screen) -> None:
    for i, series in enumerate(chart.series):
        figure.add_scattergl(
            x=numbers(series.x),
            y=numbers(series.y),
            mode="markers",
            name=for_plotly(series.name),
            marker={
                "color": rgba(page.color(i), 0.75),
                "symbol": _SYMBOLS[i % len(_SYMBOLS)],
                "size": 8,
            },
            customdata=[for_plotly(label) for label in series.labels] or [""] * len(series.x),
            hovertemplate="%{customdata} (%{x:.3f}, %{y:.3f})",
        )
    if chart.diagonal:
        values = [v for s in chart.series for v in (*s.x, *s.y) if not math.isnan(v)]
        ends = [min(values, default=0.0), max(values, default=1.0)]
        figure.add_scatter(
            x=ends,
            y=ends,
            mode="lines",
            line={"color": page.ink, "dash": "dot", "width": 1},
            hoverinfo="skip",
            showlegend=False,
            name="equal",
        )
    _axes(figure, chart)
    figure.update_layout(showlegend=len(chart.series) > 1)


def _box(figure: go.Figure, chart: Box, page: Screen) -> None:
    for i, box in enumerate(chart.boxes):
        figure.add_box(
            y=[i],
            orientation="h",
            q1=[box.q1],
            median=[box.median],
            q3=[box.q3],
            lowerfence=[box.whisker_low],
            upperfence=[box.whisker_high],
            name=for_plotly(box.name),
            marker={"color": page.color(i)},
            showlegend=False,
        )
        if box.outliers:
            figure.add_scatter(
                x=list(box.outliers),
                y=[i] * len(box.outliers),
                mode="markers",
                name=for_plotly(box.name),
                marker={"color": page.color(i), "symbol": "circle-open", "size": 5},
                showlegend=False,
            )
    names = [box.name for box in chart.boxes]
    figure.update_yaxes(title=for_plotly(chart.x_label), autorange="reversed", **ticks(names))
    figure.update_xaxes(title=for_plotly(chart.y_label))


def _axes(figure: go.Figure, chart: Chart) -> None:
    figure.update_xaxes(title=for_plotly(chart.x_label))
    figure.update_yaxes(title=for_plotly(chart.y_label))


def _form(*, share: bool) -> str | None:
    """The format of an axis' numbers."""
    return ".0%" if share else None


def _marker(page: Screen, index: int, n_series: int, *, pale: bool = False) -> dict[str, Any]:
    """Look of a series of bars; pale ones let an interval be seen on them."""
    color = page.color(index)
    marker: dict[str, Any] = {
        "color": rgba(color, 0.55 if pale else 1),
        "line": {"color": color if pale else page.ink, "width": 1},
    }
    if n_series > 1:
        marker["pattern"] = {"shape": _PATTERNS[index % len(_PATTERNS)], "solidity": 0.25}
    return marker


def _error(
    page: Screen, values: Sequence[float], low: Sequence[float], high: Sequence[float]
) -> dict[str, Any] | None:
    if not low:
        return None
    return {
        "type": "data",
        "symmetric": False,
        "array": numbers([h - v for v, h in zip(values, high, strict=True)]),
        "arrayminus": numbers([v - lo for v, lo in zip(values, low, strict=True)]),
        "color": page.ink,
        "thickness": 1.5,
    }


_DRAWERS: dict[type[Chart], Callable[[go.Figure, Any, Screen], None]] = {
    Histogram: _histogram,
    Bars: _bars,
    Lines: _lines,
    RankingLines: ranking_lines,
    Scatter: _scatter,
    Box: _box,
}
