"""Charts on paper: matplotlib at the width and in the font sizes of a venue.

Type is STIX, which goes with Times, embedded as TrueType. Series differ by hatch, dash and marker as
well as by colour, so that a grey print can be read. A figure has no title unless it is asked for: in a
paper that is the caption's place. Files are the same whenever they are made from the same chart.
"""

from __future__ import annotations

import io
import math
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from core.figures.chart import Chart
from core.figures.charts import (
    Bars,
    Box,
    Heatmap,
    OutcomeMatrix,
    RankingLines,
    Scatter,
    StackedBars,
)
from core.figures.paper_marks import NAMES, lies, put
from core.figures.paper_words import CHARACTER, families, said, wrap
from core.figures.text import clean
from core.figures.venues import Venue
from core.figures.venues import venue as venue_named
from core.files import replacing

FORMATS = ("pdf", "svg", "png")

_GOLDEN = (math.sqrt(5) - 1) / 2
_CLOSE = 0.01  # inches
_MARGINS = 4.0  # inches, more than labels and legend ever take
_TALLEST_GRID = 30  # rows of a grid, of the height of a label each; more rows become thinner
_ROW = 0.22  # inches that a category with its label needs
_TO_LEGEND = 2.0  # height of free axes, at least, to that of their legend
_TALLEST = 4.0  # inches, of axes that grow for their legend
# matplotlib's settings belong to the process: one figure at a time.
_SETTINGS = threading.Lock()


def save(chart: Chart, path: str | os.PathLike[str], *, venue: str = "neurips", title: bool = False) -> Path:
    """Write `chart` as PDF, SVG or PNG (300 dpi), by the ending of `path`.

    Args:
        chart: any chart.
        path: where to; written beside and renamed, so that a reader never sees half a file.
        venue: a key of `core.figures.venues.VENUES`, or a free size.
        title: whether to print the chart's title above it.

    Returns:
        The path.

    Raises:
        ValueError: an unknown venue or ending.
    """
    target = Path(path)
    kind = target.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise ValueError(f"{target.name}: a figure is saved as one of {', '.join(FORMATS)}")
    with replacing(target) as beside:
        beside.write_bytes(render(chart, kind, venue=venue, title=title))
    return target


def render(chart: Chart, kind: str, *, venue: str = "neurips", title: bool = False) -> bytes:
    """The content of such a file, `kind` one of `FORMATS`; arguments and errors as for `save`."""
    where = venue_named(venue)
    content = io.BytesIO()
    with _SETTINGS, mpl.rc_context(cast("Any", settings(where))):
        figure = _figure(chart, where, title)
        figure.savefig(content, format=kind, dpi=300, metadata=_metadata(chart, kind))
    return content.getvalue()


def draw(chart: Chart, *, venue: str = "neurips", title: bool = False) -> Figure:
    """The matplotlib figure of any chart, for a look before saving; arguments as for `save`."""
    where = venue_named(venue)
    with _SETTINGS, mpl.rc_context(cast("Any", settings(where))):
        return _figure(chart, where, title)


def settings(venue: Venue) -> dict[str, Any]:
    """The rcParams that figures for `venue` are made with."""
    return {
        **venue.sizes,
        "font.family": list(families()),
        "mathtext.fontset": "stix",
        "pdf.fonttype": 42,
        "ps.fonttype": 42,
        "svg.fonttype": "path",
        "svg.hashsalt": "touchstone",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.linewidth": 0.6,
        "axes.axisbelow": True,
        "axes.grid": False,
        "grid.linewidth": 0.4,
        "grid.color": "#d9d9d9",
        "xtick.major.width": 0.6,
        "ytick.major.width": 0.6,
        "hatch.linewidth": 0.4,
        "legend.frameon": False,
        "legend.handlelength": 2.2,
        "lines.linewidth": 1.2,
        "lines.markersize": 3.5,
    }


def _metadata(chart: Chart, kind: str) -> dict[str, Any]:
    title, alt = clean(chart.title), clean(chart.alt)
    if kind == "pdf":
        return {"Title": title, "Subject": alt, "CreationDate": None}
    if kind == "svg":
        return {"Title": title, "Description": alt, "Date": None}
    return {"Title": title, "Description": alt}


def _figure(chart: Chart, venue: Venue, title: bool) -> Figure:
    given = _given_height(chart, venue.width)
    body = min(venue.width * _GOLDEN, 2.6) * 0.75 if given is None else given
    layout = ConstrainedLayoutEngine(w_pad=0.02, h_pad=0.03)
    figure = Figure(figsize=(venue.width, body + _MARGINS), layout=layout)
    axes = figure.add_subplot()
    put(axes, chart)
    wrap(axes.yaxis.label, body)
    wrap(axes.xaxis.label, venue.width)
    if title:
        axes.set_title(said(chart.title, 100), loc="left", fontsize=venue.sizes["axes.titlesize"])
    # The words around the axes take what they need; the figure shrinks until the axes have their height.
    for _ in range(3):
        figure.draw_without_rendering()
        if given is None:
            body = max(body, min(_TALLEST, _TO_LEGEND * _legend_height(figure)))
        missing = body - axes.get_position(original=True).height * figure.get_figheight()
        if abs(missing) < _CLOSE:
            break
        figure.set_figheight(max(0.5, figure.get_figheight() + missing))
    return figure


def _given_height(chart: Chart, width: float) -> float | None:
    """Height of the axes in inches, without labels and legend; None where no rows and no shape give one."""
    match chart:
        case Bars() if lies(chart, width):
            return max(
                0.5, _row(chart.categories, width) * len(chart.categories) * max(1.0, 0.6 * len(chart.series))
            )
        case StackedBars():
            return max(0.5, _row(chart.categories, width) * len(chart.categories))
        case Box():
            return max(0.7, 1.3 * _ROW * len(chart.boxes))
        case RankingLines():
            return min(7.0, max(1.0, 0.2 * (len(chart.items) + 1)))
        case Heatmap() | OutcomeMatrix():
            return max(0.5, 0.17 * min(len(chart.rows), _TALLEST_GRID))
        case Scatter(diagonal=True):
            return min(0.8 * width, 2.8)
        case _:
            return None


def _legend_height(figure: Figure) -> float:
    """Height of what stands above the axes, in inches."""
    return max((legend.get_window_extent().height / figure.dpi for legend in figure.legends), default=0.0)


def _row(names: Sequence[str], width: float) -> float:
    """Height of a row with its name, in inches: more where names take two lines."""
    return _ROW * (1.5 if max(map(len, names), default=0) * CHARACTER > NAMES * width else 1.0)
