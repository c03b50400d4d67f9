"""Widths and font sizes of the places that papers go to."""

from __future__ import annotations

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
    """

    name: str
    width: float
    sizes: Mapping[str, float]


def _known(name: str, size: Mapping[str, Any], fonts: Mapping[str, float]) -> Venue:
    return Venue(name, float(size["figure.figsize"][0]), dict(fonts))


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
    "icml-wide": _known("ICML, both columns", figsizes.icml2024_full(), fontsizes.icml2024()),
    "aaai": _known("AAAI, one column", figsizes.aaai2024_half(), fontsizes.aaai2024()),
    "aaai-wide": _known("AAAI, both columns", figsizes.aaai2024_full(), fontsizes.aaai2024()),
    "acl": Venue("ACL, one column", 3.03, _ACL_FONTS),
    "acl-wide": Venue("ACL, both columns", 6.3, _ACL_FONTS),
    "colm": _known("COLM", figsizes.colm2026(), fontsizes.colm2026()),
    "jmlr": _known("JMLR", figsizes.jmlr2001(), fontsizes.jmlr2001()),
    "tmlr": _known("TMLR", figsizes.tmlr2023(), fontsizes.tmlr2023()),
}
