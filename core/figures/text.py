"""Text that nobody vouches for, made safe for where it is going to stand."""

from __future__ import annotations

import unicodedata
from typing import Final

_FORMULA_STARTS: Final = tuple(
    "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\uff20"
)
_BREAKS = "\t\n\r\v\f\x85\u2028\u2029"
_DIRECTION = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def clean(text: str) -> str:
    """`text` on one line and showing what it holds.

    Line breaks and tabs become spaces; other control characters, lone surrogates and marks that turn
    the direction of writing become U+FFFD.
    """
    spaced = "".join(" " if c in _BREAKS else c for c in text)
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(c) in ("Cc", "Cs") or c in _DIRECTION else c
        for c in spaced
    )


def shorten(text: str, length: int) -> str:
    """`text` cleaned and cut to `length` characters in its middle: the ends of names tell them apart."""
    line = clean(text)
    if len(line) <= length:
        return line
    head = (length - 1) // 2
    return line[:head] + "\N{HORIZONTAL ELLIPSIS}" + line[len(line) - (length - 1 - head) :]


def for_plotly(text: str, length: int = 80) -> str:
    """`text` as plotly shows it unchanged: plotly reads a subset of HTML, and MathJax between dollars."""
    line = shorten(text, length).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return line.replace("$", "&#36;")


def for_matplotlib(text: str, length: int = 80) -> str:
    """`text` as matplotlib shows it unchanged: matplotlib reads TeX between dollars."""
    return shorten(text, length).replace("$", r"\$")


def for_csv(text: str) -> str:
    """`text` that a spreadsheet shows as text: an apostrophe before what it would run as a formula."""
    if text.lstrip().startswith(_FORMULA_STARTS) or text.startswith(("\t", "\r", "\n")):
        return "'" + text
    return text
