"""Grids and rankings on matplotlib axes."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.patches import Patch

from core.figures.chart import Chart
from core.figures.charts import Heatmap, OutcomeMatrix, RankingLines
from core.figures.labels import ranked_names, ranking_room, thinned
from core.figures.palette import MUTED, OUTCOMES, ink_on, series_color
from core.figures.paper_words import CHARACTER, figure_width, label_axes, legend_above, said, small
from core.figures.text import shorten

_LABELLED = 30  # rows or columns of a grid that get a label each
_LETTERED_CELLS = 600


def heatmap(axes: Axes, chart: Heatmap) -> None:
    """Numbers in a grid."""
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
            axes.text(column, row, shown, ha="center", va="center", color=ink, fontsize=small())
    _grid(axes, chart, chart.rows, chart.columns)


def outcome_matrix(axes: Axes, chart: OutcomeMatrix) -> None:
    """A pass matrix, lettered where its cells are few."""
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
                column, row, style.letter, ha="center", va="center", color=style.ink(), fontsize=small()
            )
        axes.set_xticks(np.arange(len(chart.columns) + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(len(chart.rows) + 1) - 0.5, minor=True)
        axes.grid(which="minor", color="white", linewidth=0.6)
        axes.tick_params(which="minor", length=0)
    _grid(axes, chart, chart.rows, chart.columns)
    styles = [OUTCOMES[letter] for letter in chart.present()]
    handles = [Patch(facecolor=s.light, edgecolor="none", label=f"{s.letter} {s.name}") for s in styles]
    legend_above(axes, handles)


def ranking_lines(axes: Axes, chart: RankingLines) -> None:
    """A line for each solution through its ranks."""
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
                fontsize=small(),
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
    label_axes(axes, chart)


def _grid(axes: Axes, chart: Chart, rows: Sequence[str], columns: Sequence[str]) -> None:
    fitting = max(2, int(5.5 * figure_width(axes)))
    for axis, names, most in ((axes.xaxis, columns, fitting), (axes.yaxis, rows, _LABELLED)):
        shown = thinned(len(names), most)
        axis.set_ticks(shown, [said(names[i], 24) for i in shown])
    if max((len(shorten(name, 24)) for name in columns), default=0) * len(columns) > 11 * figure_width(axes):
        axes.tick_params(axis="x", rotation=90)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    label_axes(axes, chart)
