"""Words on matplotlib figures: fonts, text that keeps to its room, legends."""

from __future__ import annotations

import logging
import math
import textwrap
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from matplotlib import font_manager, rcParams
from matplotlib.axes import Axes
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.text import Text

from core.figures.chart import Chart
from core.figures.text import clean, for_matplotlib, shorten

_OWN: Final = ("STIXGeneral", "DejaVu Sans")
"""Come with matplotlib."""
_FALLBACKS: Final = (
    "Droid Sans Fallback",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "AR PL UMing CN",
    "Noto Sans SC",
    "Noto Emoji",
    "Symbola",
    "SimSun",
    "Microsoft YaHei",
    "Malgun Gothic",
    "Yu Gothic",
    "Arial Unicode MS",
)
"""For scripts and signs that those lack, where they are installed."""
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # a fallback has one weight: no news
_TRUETYPE: Final = (b"\0\1\0\0", b"true", b"ttcf")
CHARACTER: Final = 0.05
"""Width in inches, about, of a character in the small type of labels."""
_LONGEST: Final = 200
_MANY_ROWS: Final = 4
"""Rows of a legend from which on they stand close together."""
_LETTER: Final = 0.47
"""Width of a character as a part of the size of type, about."""


@cache
def families() -> tuple[str, ...]:
    """Fonts to draw with, one after the other where a character is missing: each can be embedded."""
    return (*_OWN, *(name for name in _FALLBACKS if _file(name) is not None))


def said(text: str, length: int = 80) -> str:
    """`text` as matplotlib prints it unchanged; characters that no font has are written by their numbers.

    "<U+9A8C 8BC1>" stands for two of them, so that names stay apart and nobody takes a box for a letter.
    """
    pieces = []
    for there, letters in groupby(clean(text), key=lambda letter: ord(letter) in _characters()):
        word = "".join(letters)
        pieces.append(word if there else f"<U+{' '.join(f'{ord(letter):04X}' for letter in word)}>")
    return for_matplotlib("".join(pieces), length)


def named(names: Sequence[str], room: float) -> list[str]:
    """Names for ticks that have `room` inches: longer ones in two lines, what is longer still cut inside."""
    fitting = max(12, int(room / CHARACTER))
    return ["\n".join(_lines(said(name, _LONGEST), fitting)) for name in names]


def wrap(label: Text, room: float) -> None:
    """Break a label into lines that are no longer than `room` inches."""
    text = label.get_text()
    longest = room * 72 / (_LETTER * float(label.get_fontsize()))
    label.set_text(textwrap.fill(text, max(8, int(longest))))


def small() -> float:
    """The venue's smallest type, in points."""
    return float(rcParams["xtick.labelsize"])


def figure_width(axes: Axes) -> float:
    """Width of the whole figure in inches."""
    figure = axes.get_figure(root=True)
    return figure.get_figwidth() if figure else 0.0


def label_axes(axes: Axes, chart: Chart) -> None:
    """What a chart says of its axes."""
    axes.set_xlabel(said(chart.x_label))
    axes.set_ylabel(said(chart.y_label))


def legend_above(axes: Axes, handles: Sequence[Any]) -> None:
    """A legend over the axes, read along its rows, in as many columns as the width of the figure holds."""
    figure = axes.get_figure(root=True)
    if not handles or figure is None:
        return
    size = FontProperties(size=rcParams["legend.fontsize"]).get_size_in_points()
    widths = [size * (3.7 + _LETTER * len(str(handle.get_label()))) for handle in handles]
    room = 72 * figure_width(axes)
    columns = next(
        (n for n in range(len(handles), 1, -1) if sum(max(widths[at::n]) for at in range(n)) <= room), 1
    )
    rows = math.ceil(len(handles) / columns)
    columns = math.ceil(len(handles) / rows)
    figure.legend(
        handles=[handle for at in range(columns) for handle in handles[at::columns]],
        loc="outside upper left",
        ncols=columns,
        borderaxespad=0,
        borderpad=0.3,
        columnspacing=1.0,
        labelspacing=0.2 if rows > _MANY_ROWS else None,
        handletextpad=0.5,
    )


def legend_of(axes: Axes) -> None:
    """A legend over the axes of everything in it that has a label."""
    legend_above(axes, axes.get_legend_handles_labels()[0])


def _lines(name: str, fitting: int) -> list[str]:
    if len(name) <= fitting:
        return [name]
    breaks = [at + 1 for at, letter in enumerate(name) if letter in " -_/," and at + 1 <= fitting]
    place = min(breaks, key=lambda at: max(at, len(name) - at), default=fitting)
    return [name[:place].rstrip(), shorten(name[place:], fitting)]


@cache
def _file(family: str) -> Path | None:
    """The font's file, if it is installed and of the kind that is embedded as TrueType."""
    try:
        path = Path(font_manager.findfont(family, fallback_to_default=False))
        with path.open("rb") as file:
            return path if file.read(4) in _TRUETYPE else None
    except (ValueError, OSError):
        return None


@cache
def _characters() -> frozenset[int]:
    """The code points that the fonts have."""
    files = filter(None, map(_file, families()))
    return frozenset().union(*(FT2Font(str(path)).get_charmap() for path in files))
