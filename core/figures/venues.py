"""Widths and font sizes of the places that papers go to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from tueplots import figsizes, fontsizes


@dataclass(frozen=True, slots=True)
class Venue:
    """Where a figure is going to be printed.

    Attributes:
        name: as on screen.
        width: of the figure, in inches: the width of the text or of a column.
        sizes: font sizes as matplotlib rcParams, in points.
        spans: whether it is the width of both columns of a page.
    """

    name: str
    width: float
    sizes: Mapping[str, float]
    spans: bool = False


def _known(name: str, size: Mapping[str, Any], fonts: Mapping[str, float], *, spans: bool = False) -> Venue:
    return Venue(name, float(size["figure.figsize"][0]), dict(fonts), spans)


# ACL is not in tueplots: two columns of 7.7 cm 0.6 cm apart, 11 pt (the style files of *ACL).
_ACL_FONTS: Final = {
    "font.size": 9.0,
    "axes.labelsize": 9.0,
    "legend.fontsize": 7.0,
    "xtick.labelsize": 7.0,
    "ytick.labelsize": 7.0,
    "axes.titlesize": 9.0,
}

VENUES: Final[Mapping[str, Venue]] = {
    "neurips": _known("NeurIPS", figsizes.neurips2024(), fontsizes.neurips2024()),
    "iclr": _known("ICLR", figsizes.iclr2024(), fontsizes.iclr2024()),
    "icml": _known("ICML, one column", figsizes.icml2024_half(), fontsizes.icml2024()),
    "icml-wide": _known("ICML, both columns", figsizes.icml2024_full(), fontsizes.icml2024(), spans=True),
    "aaai": _known("AAAI, one column", figsizes.aaai2024_half(), fontsizes.aaai2024()),
    "aaai-wide": _known("AAAI, both columns", figsizes.aaai2024_full(), fontsizes.aaai2024(), spans=True),
    "acl": Venue("ACL, one column", 3.03, _ACL_FONTS),
    "acl-wide": Venue("ACL, both columns", 6.3, _ACL_FONTS, spans=True),
    "colm": _known("COLM", figsizes.colm2026(), fontsizes.colm2026()),
    "jmlr": _known("JMLR", figsizes.jmlr2001(), fontsizes.jmlr2001()),
    "tmlr": _known("TMLR", figsizes.tmlr2023(), fontsizes.tmlr2023()),
}

_FREE: Final = re.compile(r"(?P<width>\d+(?:\.\d+)?)(?P<unit>in|cm|mm)(?:,(?P<points>\d+(?:\.\d+)?)pt)?")
_PER_INCH: Final = {"in": 1.0, "cm": 2.54, "mm": 25.4}
NARROWEST, WIDEST = 1.5, 30.0
"""Inches that a figure of a free size may be wide."""
SMALLEST, LARGEST = 4.0, 40.0
"""Points of its type."""


def venue(name: str) -> Venue:
    """The venue that a key of `VENUES` names, or a free size: "4.5in", "11cm", "84mm,8pt".

    Raises:
        ValueError: it is neither; the message says what was expected.
    """
    if name in VENUES:
        return VENUES[name]
    if found := _FREE.fullmatch(name.replace(" ", "").lower()):
        width = float(found["width"]) / _PER_INCH[found["unit"]]
        points = float(found["points"] or 9)
        if not NARROWEST <= width <= WIDEST:
            raise ValueError(f"{name}: expected a width of {NARROWEST:g} to {WIDEST:g} inches")
        if not SMALLEST <= points <= LARGEST:
            raise ValueError(f"{name}: expected type of {SMALLEST:g} to {LARGEST:g} points")
        return Venue(name, width, _scaled(points))
    raise ValueError(
        f"no venue {name!r}; there are {', '.join(VENUES)}, or a free size such as 4.5in or 11cm,8pt"
    )


def _scaled(points: float) -> dict[str, float]:
    """Sizes of type around that of labels, small parts smaller as the venues have them."""
    return {key: points * size / _ACL_FONTS["font.size"] for key, size in _ACL_FONTS.items()}
