"""How each chart is put on matplotlib axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator, PercentFormatter

from core.figures.charts import (
    Bars,
    Box,
    Chart,
    Heatmap,
    Histogram,
    Lines,
    OutcomeMatrix,
    RankingLines,
    Scatter,
    StackedBars,
)
from core.figures.labels import letter_room, ranked_names, ranking_room, thinned
from core.figures.palette import MUTED, OUTCOMES, ink_on, series_color
from core.figures.paper_words import CHARACTER, figure_width, legend_above, legend_of, named, said
from core.figures.text import shorten

NAMES = 0.32
"""Share of a figure's width that names at its side may take."""
LABELLED = 30  # rows or columns of a grid that get a label each

_HATCHES = ("", "////", "xxxx", "....", "\\\\\\\\", "----", "++++", "||||")
_DASHES: tuple[Any, ...] = ("-", "--", ":", "-.", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)))
_MARKERS = ("o", "s", "D", "^", "v", "P", "X", "*")
_LETTERED_CELLS = 600
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
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y")
    if chart.share:
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    else:
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    _labels(axes, chart)
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
            axes.errorbar(
                x[defined], y[defined], fmt="none", ecolor="black", elinewidth=0.7, capsize=1.6, **error
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
                    fontsize="x-small",
                )
    if lying:
        axes.set_yticks(positions, named(chart.categories, NAMES * figure_width(axes)))
        axes.set_ylim(len(positions) - 0.5, -0.5)
        axes.set_xlabel(said(chart.y_label))
        axes.set_ylabel(said(chart.x_label))
    else:
        axes.set_xlim(-0.5, len(positions) - 0.5)
        axes.set_xticks(positions, [said(category, 36) for category in chart.categories])
        _labels(axes, chart)
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
            fontsize="x-small",
        )
    places = sorted({x for series in chart.series for x in series.x})
    if len(places) <= _MOST_PLACES:
        axes.set_xticks(places, [f"{x:g}" for x in places])
    elif all(float(x).is_integer() for x in places):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if chart.share:
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.grid(axis="y")
    _labels(axes, chart)
    _legend(axes, len(chart.series))


def _heatmap(axes: Axes, chart: Heatmap) -> None:
    values = np.array(chart.values, dtype=np.float64).reshape(len(chart.rows), len(chart.columns))
    image = axes.imshow(
        values,
        cmap="cividis",
        vmin=chart.low,
        vmax=chart.high,
        aspect="auto",
        interpolation="nearest",
    )
    axes.set_facecolor("#eeeeee")
    bar = axes.figure.colorbar(image, ax=axes, label=said(chart.value_label), pad=0.02)
    bar.outline.set_linewidth(0.6)
    if chart.annotate and values.size <= _LETTERED_CELLS:
        for (row, column), value in np.ndenumerate(values):
            ink, shown = "#000000", "\N{EN DASH}"
            if not np.isnan(value):
                color = image.to_rgba(np.array([value]))[0]
                ink = ink_on("#" + "".join(f"{round(255 * float(part)):02x}" for part in color[:3]))
                shown = f"{value:.2f}"
            axes.text(column, row, shown, ha="center", va="center", color=ink, fontsize="x-small")
    _grid(axes, chart, chart.rows, chart.columns)


def _outcome_matrix(axes: Axes, chart: OutcomeMatrix) -> None:
    letters = list(OUTCOMES)
    codes = np.array([[letters.index(letter) for letter in row] for row in chart.letters], dtype=np.float64)
    codes = codes.reshape(len(chart.rows), len(chart.columns))
    colors = ListedColormap([style.light for style in OUTCOMES.values()])
    axes.imshow(
        codes,
        cmap=colors,
        norm=BoundaryNorm(np.arange(len(letters) + 1) - 0.5, len(letters)),
        aspect="auto",
        interpolation="nearest",
    )
    if codes.size <= _LETTERED_CELLS:
        for (row, column), code in np.ndenumerate(codes):
            style = OUTCOMES[letters[int(code)]]
            axes.text(
                column, row, style.letter, ha="center", va="center", color=style.ink(), fontsize="x-small"
            )
        axes.set_xticks(np.arange(len(chart.columns) + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(len(chart.rows) + 1) - 0.5, minor=True)
        axes.grid(which="minor", color="white", linewidth=0.6)
        axes.tick_params(which="minor", length=0)
    _grid(axes, chart, chart.rows, chart.columns)
    styles = [OUTCOMES[letter] for letter in chart.present()]
    handles = [Patch(facecolor=s.light, edgecolor="none", label=f"{s.letter} {s.name}") for s in styles]
    legend_above(axes, handles)


def _ranking_lines(axes: Axes, chart: RankingLines) -> None:
    last = len(chart.items) + 1
    reference = chart.rankings[0].ranks
    defined = [rank for rank in reference if not math.isnan(rank)]
    best, worst = min(defined, default=math.nan), max(defined, default=math.nan)
    for i in range(len(chart.items)):
        ranks = [ranking.ranks[i] for ranking in chart.rankings]
        at = [last if math.isnan(rank) else rank for rank in ranks]
        is_best, is_worst = reference[i] == best, reference[i] == worst and worst > best
        color = series_color(0) if is_best else series_color(6) if is_worst else MUTED
        axes.plot(
            at,
            color=color,
            linewidth=1.8 if is_best or is_worst else 0.9,
            linestyle="--" if is_worst else "-",
            marker="o",
            zorder=3 if is_best or is_worst else 2,
        )
        for x, rank in enumerate(ranks):
            if math.isnan(rank):
                axes.plot([x], [last], marker="x", color="black", markersize=4, zorder=4)
    columns = len(chart.rankings)
    for side in sorted({0, columns - 1}):
        for rank, names in ranked_names(chart.items, chart.rankings[side].ranks, last):
            axes.annotate(
                said(names, 30),
                (side, rank),
                xytext=(-6 if side == 0 else 6, 0),
                textcoords="offset points",
                ha="right" if side == 0 else "left",
                va="center",
                fontsize="x-small",
            )
    unranked = any(math.isnan(rank) for ranking in chart.rankings for rank in ranking.ranks)
    ticks = [i + 1 for i in thinned(len(chart.items), 20)]
    tick_names = [str(tick) for tick in ticks]
    if unranked:
        ticks, tick_names = [*ticks, last], [*tick_names, "no score"]
    axes.set_yticks(ticks, tick_names)
    axes.set_ylim(last + 0.5 if unranked else last - 0.5, 0.5)
    ends = [
        ranked_names(chart.items, ranking.ranks, last) for ranking in (chart.rankings[0], chart.rankings[-1])
    ]
    sides = [0.12 + CHARACTER * max((len(shorten(names, 30)) for _, names in end), default=0) for end in ends]
    left, right, column = ranking_room(columns, figure_width(axes) - 0.6, *sides)
    heads = [said(ranking.name, 28) for ranking in chart.rankings]
    slanted = CHARACTER * max(map(len, heads)) > column
    axes.set_xticks(range(columns), heads, rotation=25 if slanted else 0, ha="left" if slanted else "center")
    axes.set_xlim(-left, columns - 1 + right)
    axes.xaxis.tick_top()
    axes.spines[["bottom", "left"]].set_visible(False)
    axes.tick_params(length=0)
    _labels(axes, chart)


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
        axes.text(0, position, " none", va="center", fontsize="x-small")
    axes.set_yticks(positions, named(chart.categories, NAMES * figure_width(axes)))
    axes.set_ylim(len(positions) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    if chart.share:
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    _labels(axes, chart)
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
    _labels(axes, chart)
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


def _labels(axes: Axes, chart: Chart) -> None:
    axes.set_xlabel(said(chart.x_label))
    axes.set_ylabel(said(chart.y_label))


def _grid(axes: Axes, chart: Chart, rows: Sequence[str], columns: Sequence[str]) -> None:
    fitting = max(2, int(5.5 * figure_width(axes)))
    for axis, names, most in ((axes.xaxis, columns, fitting), (axes.yaxis, rows, LABELLED)):
        shown = thinned(len(names), most)
        axis.set_ticks(shown, [said(names[i], 24) for i in shown])
    if max((len(shorten(name, 24)) for name in columns), default=0) * len(columns) > 11 * figure_width(axes):
        axes.tick_params(axis="x", rotation=90)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    _labels(axes, chart)


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
    Heatmap: _heatmap,
    OutcomeMatrix: _outcome_matrix,
    RankingLines: _ranking_lines,
    StackedBars: _stacked_bars,
    Scatter: _scatter,
    Box: _box,
}
