"""Colours, letters and hatches: one place for screens, paper and the pass matrix.

The series colours of paper are Petroff's ten (arXiv:2107.02270), chosen to stay apart under the common kinds
of colour blindness. Six of them are too pale for a white screen and two too dark for a dark one: screens have
the same hues at lightnesses that stand out 3:1 (WCAG 2, 1.4.11) and stay as far apart. An outcome is never
shown by colour alone: its letter goes with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
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

SERIES_LIGHT: Final = (
    "#3f90da",
    "#cf7a05",
    "#680216",
    "#849793",
    "#490e68",
    "#97644c",
    "#a24510",
    "#9c944f",
    "#6c6c7b",
    "#104a4e",
)
SERIES_DARK: Final = (
    "#3f90da",
    "#ffa90e",
    "#c93809",
    "#9da9a8",
    "#9544fc",
    "#91634f",
    "#f57957",
    "#ded6ae",
    "#686e7c",
    "#9bedfd",
)

GRID: Final = "rgba(128, 128, 128, 0.22)"
MUTED: Final = "#94a4a2"  # on paper


@dataclass(frozen=True, slots=True)
class OutcomeStyle:
    """How one outcome is named and looks, wherever it is shown.

    Attributes:
        letter: P F E T M O C I.
        name: a few words, for legends.
        help: one sentence that says what it means.
        light, dark: fill "#rrggbb" on a light page (and on paper), and on a dark one.
        hatch: matplotlib hatch where print is grey.
    """

    letter: str
    name: str
    help: str
    light: str
    dark: str
    hatch: str

    def fill(self, *, dark: bool = False) -> str:
        """Colour of the outcome on a light or on a dark page."""
        return self.dark if dark else self.light

    def ink(self, *, dark: bool = False) -> str:
        """Colour of the letter on that fill, "#000000" or "#ffffff"."""
        return ink_on(self.fill(dark=dark))


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
    """Colour of the series at `index` on paper; after ten they come round again."""
    return SERIES[index % len(SERIES)]


@dataclass(frozen=True, slots=True)
class Screen:
    """What charts are drawn with on a light or on a dark page.

    Attributes:
        background: of the pages with the least contrast to the rest: the theme's own, or its sidebar's.
        ink: of axes and their text; 4.5:1 at least.
        muted: of marks that are not the point; 3:1 at least.
        series: colours of series; 3:1 at least.
    """

    background: str
    ink: str
    muted: str
    series: tuple[str, ...]

    def color(self, index: int) -> str:
        """Colour of the series at `index`; after ten they come round again."""
        return self.series[index % len(self.series)]


LIGHT: Final = Screen("#ffffff", "#565b63", "#849793", SERIES_LIGHT)
DARK: Final = Screen("#1c2329", "#a8b0b8", "#9da9a8", SERIES_DARK)


def screen(*, dark: bool) -> Screen:
    """The colours of a light or of a dark page."""
    return DARK if dark else LIGHT


# Passed is quiet, so that failures stand out; no two are closer than 20 (CIE76) to normal, protanope,
# deuteranope and tritanope eyes.
_STYLES = (
    OutcomeStyle("P", "passed", "The test's own assertion ran to its end.", "#b5d3f0", "#2b5075", ""),
    OutcomeStyle(
        "F",
        "assertion failed",
        "The program answered, and the test says the answer is wrong.",
        "#f59a1f",
        "#f59a23",
        "////",
    ),
    OutcomeStyle("E", "runtime error", "The program raised an exception.", "#99120d", "#d8473f", "xxxx"),
    OutcomeStyle("T", "time limit", "The check did not end in time.", "#7b2fa8", "#a666d6", "...."),
    OutcomeStyle("M", "memory limit", "The program ran out of memory.", "#a96b59", "#c79a80", "\\\\\\\\"),
    OutcomeStyle("O", "output limit", "The program printed too much.", "#9c9440", "#dcd47a", "----"),
    OutcomeStyle("C", "compile error", "The program is not valid Python.", "#3d4451", "#98a2b2", "++++"),
    OutcomeStyle(
        "I",
        "no verdict",
        "The sandbox failed: missing data, never counted as failed.",
        "#f4f2ee",
        "#34373b",
        "ooo",
    ),
)

OUTCOMES: Final[Mapping[str, OutcomeStyle]] = MappingProxyType({style.letter: style for style in _STYLES})


def outcome_style(outcome: Outcome) -> OutcomeStyle:
    """Name and look of an outcome."""
    return OUTCOMES[outcome.letter]
