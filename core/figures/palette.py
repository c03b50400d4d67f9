"""Colours, letters and hatches: one place for screens, paper and the pass matrix.

The series colours are Petroff's ten (arXiv:2107.02270), chosen to stay apart under the common kinds of
colour blindness. An outcome is never shown by colour alone: its letter goes with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from core.model import Outcome

SERIES: Final = (
    "#3f90da",
    "#ffa90e",
    "#bd1f01",
    "#94a4a2",
    "#832db6",
    "#a96b59",
    "#e76300",
    "#b9ac70",
    "#717581",
    "#92dadd",
)

# Legible (contrast above 4) on Streamlit's white and on its dark background.
NEUTRAL: Final = "#777a82"
GRID: Final = "rgba(128, 128, 128, 0.22)"
MUTED: Final = "#94a4a2"


@dataclass(frozen=True, slots=True)
class OutcomeStyle:
    """How one outcome looks.

    Attributes:
        letter: P F E T M O C I.
        name: in words, for legends.
        color: fill, "#rrggbb".
        ink: colour of the letter on that fill, "#000000" or "#ffffff".
        hatch: matplotlib hatch where print is grey.
    """

    letter: str
    name: str
    color: str
    ink: str
    hatch: str


def luminance(color: str) -> float:
    """Relative luminance of "#rrggbb" in [0, 1] (WCAG 2, relative luminance)."""
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    """Contrast ratio of two colours "#rrggbb", 1 to 21 (WCAG 2)."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def ink_on(color: str) -> str:
    """Black or white, whichever reads better on `color`."""
    return max("#000000", "#ffffff", key=lambda ink: contrast(color, ink))


def rgba(color: str, alpha: float) -> str:
    """A color "#rrggbb" with an opacity, as CSS and plotly take it."""
    r, g, b = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({r}, {g}, {b}, {alpha:g})"


def series_color(index: int) -> str:
    """Colour of the series at `index`; after ten they come round again."""
    return SERIES[index % len(SERIES)]


def _style(outcome: Outcome, color: str, hatch: str) -> OutcomeStyle:
    name = outcome.name.replace("_", " ").capitalize()
    return OutcomeStyle(outcome.letter, name, color, ink_on(color), hatch)


_STYLES = (
    _style(Outcome.PASSED, SERIES[0], ""),
    _style(Outcome.ASSERTION_FAILED, SERIES[1], "////"),
    _style(Outcome.RUNTIME_ERROR, SERIES[2], "xxxx"),
    _style(Outcome.TIME_LIMIT, SERIES[4], "...."),
    _style(Outcome.MEMORY_LIMIT, SERIES[5], "\\\\\\\\"),
    _style(Outcome.OUTPUT_LIMIT, SERIES[7], "----"),
    _style(Outcome.COMPILE_ERROR, SERIES[6], "++++"),
    _style(Outcome.INTERNAL_ERROR, "#d5d9d8", "oo"),
)

OUTCOMES: Final[Mapping[str, OutcomeStyle]] = {style.letter: style for style in _STYLES}
