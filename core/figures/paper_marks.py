"""How each chart is put on matplotlib axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

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
from core.figures.labels import letter_room
from core.figures.palette import OUTCOMES, series_color
from core.figures.paper_grids import heatmap, outcome_matrix, ranking_lines
from core.figures.paper_words import (
    figure_width,
    label_axes,
    legend_of,
    named,
    said,
    small,
)

NAMES = 0.36
"""Share of a figure's width that names at its side may take."""

_HATCHES = ("", "////", "xxxx", "....", "\\\\\\\\", "----", "++++", "||||")
_DASHES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)))
_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
_MOST_PLACES = 10  # values of x that get a tick each


def put(axes: Axes, chart: Chart) -> None:
    """Draw any chart on empty `axes`, under the settings of `core.figures.paper`."""
    _DRAWERS[type(chart)](axes, chart)


def _histogram(axes: Axes, chart: Histogram) -> None:
    edges = np.array(chart.edges)
    n = max(1, len(chart.series))
    widths = np.diff(edges) / n
    for i, series in enumerate(chart.series):
        axes.bar(
            edges[:-1] + i * widths,
            chart.heights(series),
            widths,
            align="edge",
            label=said(series.name, 40),
            **_fill(i, n),
        )
    axes.set_xlim(edges[0], edges[-1])
    if np.all(edges % 1 == 0.5):  # a bin for each whole number
        axes.xaxis.set_major_locator(_whole())
    axes.grid(axis="y")
    if chart.share:
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    else:
        axes.yaxis.set_major_locator(_whole())
    label_axes(axes, chart)
    _legend(axes, n)


def lies(chart: Bars, width: float) -> bool:
    """Whether bars are drawn to the side: where that was asked for, or names have no room under them."""
    return chart.horizontal or max(map(len, chart.categories), default=0) * len(chart.categories) > 13 * width


def _bars(axes: Axes, chart: Bars) -> None:
    n = max(1, len(chart.series))
    lying = lies(chart, figure_width(axes))
    thickness = 0.8 / n
    positions = np.arange(len(chart.categories), dtype=np.float64)
    for i, series in enumerate(chart.series):
        at = positions + (i - (n - 1) / 2) * thickness
        values = np.array(series.values)
        draw: Callable[..., Any] = axes.barh if lying else axes.bar
        draw(at, values, thickness * 0.92, label=said(series.name, 40), **_fill(i, n))
        if series.low:
            ends = np.array([values - np.array(series.low), np.array(series.high) - values])
            defined = ~np.isnan(ends).any(axis=0)
            x, y = (values, at) if lying else (at, values)
            error = {"xerr" if lying else "yerr": np.maximum(ends[:, defined], 0)}
            for color, rim in (("white", 1.3), ("black", 0.0)):  # legible on dark bars and hatches
                axes.errorbar(
                    x[defined],
                    y[defined],
                    fmt="none",
                    ecolor=color,
                    elinewidth=0.7 + rim,
                    capsize=1.6 + rim / 2,
                    capthick=0.7 + rim,
                    **error,
                )
        for x, value in zip(at, values, strict=True):
            if math.isnan(value):
                spot = (0, x) if lying else (x, 0)
                turn = 0 if lying or n == 1 else 90
                axes.annotate(
                    "undefined",
                    spot,
                    (2, 0 if lying else 2),
                    textcoords="offset points",
                    va="center" if lying else "bottom",
                    ha="left" if lying else "center",
                    rotation=turn,
                    fontsize=small(),
                )
    if lying:
        axes.set_yticks(positions, named(chart.categories, NAMES * figure_width(axes)))
        axes.set_ylim(len(positions) - 0.5, -0.5)
        axes.set_xlabel(said(chart.y_label))
        axes.set_ylabel(said(chart.x_label))
    else:
        axes.set_xlim(-0.5, len(positions) - 0.5)
        axes.set_xticks(positions, [said(category, 36) for category in chart.categories])
        label_axes(axes, chart)
    if chart.share:
        (axes.xaxis if lying else axes.yaxis).set_major_formatter(PercentFormatter(1, decimals=0))
    axes.grid(axis="x" if lying else "y")
    axes.tick_params(axis="y" if lying else "x", length=0)
    _legend(axes, n)


def _lines(axes: Axes, chart: Lines) -> None:
    for i, series in enumerate(chart.series):
        color = series_color(i)
        axes.plot(
            series.x,
            series.y,
            color=color,
            linestyle=_DASHES[i % len(_DASHES)],
            marker=_MARKERS[i % len(_MARKERS)],
            label=said(series.name, 40),
        )
        for x, y, hollow in zip(series.x, series.y, chart.hollow(series), strict=True):
            if hollow:
                axes.plot(x, y, color=color, marker=_MARKERS[i % len(_MARKERS)], markerfacecolor="white")
        if series.low:
            axes.fill_between(series.x, series.low, series.high, color=color, alpha=0.2, linewidth=0)
    if chart.rule is not None:
        axes.axhline(chart.rule, color="black", linewidth=0.6, linestyle=":")
        axes.annotate(
            said(chart.rule_label, 40),
            (1, chart.rule),
            xycoords=("axes fraction", "data"),
            xytext=(0, -2),
            textcoords="offset points",
            ha="right",
            va="top",
            fontsize=small(),
        )
    places = sorted({x for series in chart.series for x in series.x})
    if len(places) <= _MOST_PLACES:
        axes.set_xticks(places, [f"{x:g}" for x in places])
    elif all(float(x).is_integer() for x in places):
        axes.xaxis.set_major_locator(_whole())
    if chart.share:
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.grid(axis="y")
    label_axes(axes, chart)
    _legend(axes, len(chart.series))


def _stacked_bars(axes: Axes, chart: StackedBars) -> None:
    positions = np.arange(len(chart.categories), dtype=np.float64)
    start = np.zeros(len(chart.categories))
    room = letter_room(chart, 0.13 / (0.6 * figure_width(axes)))
    for i, part in enumerate(chart.parts):
        lengths = np.array(chart.lengths(part))
        style = OUTCOMES.get(part.outcome)
        axes.barh(
            positions,
            lengths,
            0.8,
            left=start,
            color=style.light if style else series_color(i),
            hatch=style.hatch if style else _HATCHES[i % len(_HATCHES)],
            edgecolor="white",
            hatchcolor=style.ink() if style else "white",
            linewidth=0.4,
            label=said(f"{part.outcome} {part.name}" if style else part.name, 40),
        )
        if style:
            for position, left, length in zip(positions, start, lengths, strict=True):
                if length >= room:
                    axes.text(
                        left + length / 2,
                        position,
                        style.letter,
                        ha="center",
                        va="center",
                        color=style.ink(),
                        fontsize="small",
                        fontweight="bold",
                        bbox={"facecolor": style.light, "edgecolor": "none", "pad": 1.6},
                    )
        start += lengths
    for position in positions[start == 0]:
        axes.text(0, position, " none", va="center", fontsize=small())
    axes.set_yticks(positions, named(chart.categories, NAMES * figure_width(axes)))
    axes.set_ylim(len(positions) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    if chart.share:
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    label_axes(axes, chart)
    legend_of(axes)


def _scatter(axes: Axes, chart: Scatter) -> None:
    for i, series in enumerate(chart.series):
        axes.scatter(
            series.x,
            series.y,
            s=12,
            color=series_color(i),
            alpha=0.75,
            marker=_MARKERS[i % len(_MARKERS)],
            linewidths=0,
            label=said(series.name, 40),
            rasterized=len(series.x) > 5_000,
        )
    if chart.diagonal:
        low = min(axes.get_xlim()[0], axes.get_ylim()[0])
        high = max(axes.get_xlim()[1], axes.get_ylim()[1])
        axes.set_xlim(low, high)
        axes.set_ylim(low, high)
        axes.axline((low, low), slope=1, color="black", linewidth=0.6, linestyle=":")
        axes.set_aspect("equal")
    axes.grid()
    label_axes(axes, chart)
    _legend(axes, len(chart.series))


def _box(axes: Axes, chart: Box) -> None:
    summaries = [
        {
            "label": named([box.name], NAMES * figure_width(axes))[0],
            "whislo": box.whisker_low,
            "q1": box.q1,
            "med": box.median,
            "q3": box.q3,
            "whishi": box.whisker_high,
            "fliers": list(box.outliers),
        }
        for box in chart.boxes
    ]
    if summaries:
        drawn = axes.bxp(
            summaries,
            orientation="horizontal",
            patch_artist=True,
            widths=0.55,
            boxprops={"linewidth": 0.7},
            whiskerprops={"linewidth": 0.7},
            capprops={"linewidth": 0.7},
            medianprops={"color": "black", "linewidth": 1.2},
            flierprops={"markersize": 2.2, "markeredgewidth": 0.4},
        )
        for i, patch in enumerate(drawn["boxes"]):
            patch.set_facecolor(series_color(i))
            patch.set_alpha(0.7)
    axes.invert_yaxis()
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel(said(chart.y_label))
    axes.set_ylabel(said(chart.x_label))


def _whole() -> MaxNLocator:
    return MaxNLocator(integer=True, steps=[1, 2, 5, 10])


def _fill(index: int, n_series: int) -> dict[str, Any]:
    hatch = _HATCHES[index % len(_HATCHES)] if n_series > 1 else ""
    return {"color": series_color(index), "hatch": hatch, "edgecolor": "white", "linewidth": 0.4}


def _legend(axes: Axes, n_series: int) -> None:
    if n_series > 1:
        legend_of(axes)


_DRAWERS: dict[type[Chart], Callable[[Axes, Any], None]] = {
    Histogram: _histogram,
    Bars: _bars,
    Lines: _lines,
    Heatmap: heatmap,
    OutcomeMatrix: outcome_matrix,
    RankingLines: ranking_lines,
    StackedBars: _stacked_bars,
    Scatter: _scatter,
    Box: _box,
}
