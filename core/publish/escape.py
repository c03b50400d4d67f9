"""Text that nobody vouches for, made safe for LaTeX and Markdown. CSV's is `core.figures.text.for_csv`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from core.figures.text import clean

_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\texttt{\char34}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{EN DASH}": r"\textendash{}",
    "\N{EM DASH}": r"\textemdash{}",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
    "\N{BULLET}": r"\textbullet{}",
    "\N{MIDDLE DOT}": r"\textperiodcentered{}",
    "\N{DAGGER}": r"\dag{}",
    "\N{LEFT SINGLE QUOTATION MARK}": r"\textquoteleft{}",
    "\N{RIGHT SINGLE QUOTATION MARK}": r"\textquoteright{}",
    "\N{LEFT DOUBLE QUOTATION MARK}": r"\textquotedblleft{}",
    "\N{RIGHT DOUBLE QUOTATION MARK}": r"\textquotedblright{}",
    "\N{UPWARDS ARROW}": r"$\uparrow$",
    "\N{DOWNWARDS ARROW}": r"$\downarrow$",
    "\N{RIGHTWARDS ARROW}": r"$\rightarrow$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{MINUS SIGN}": r"$-$",
    "\N{SUPERSCRIPT TWO}": r"${}^2$",
    "\N{DEGREE SIGN}": r"${}^\circ$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\leq$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\geq$",
    "\N{MICRO SIGN}": r"$\mu$",
    "\N{LATIN SMALL LETTER SHARP S}": r"\ss{}",
    "\N{LATIN SMALL LETTER AE}": r"\ae{}",
    "\N{LATIN CAPITAL LETTER AE}": r"\AE{}",
    "\N{LATIN SMALL LETTER O WITH STROKE}": r"\o{}",
    "\N{LATIN CAPITAL LETTER O WITH STROKE}": r"\O{}",
    "\N{LATIN SMALL LETTER L WITH STROKE}": r"\l{}",
    "\N{LATIN CAPITAL LETTER L WITH STROKE}": r"\L{}",
} | {
    chr(code): rf"$\{unicodedata.name(chr(code)).rpartition(' ')[2].lower()}$"
    for code in range(0x3B1, 0x3CA)
    if unicodedata.name(chr(code)).count(" ") == 3 and code not in {0x3BB, 0x3BF}
}
_LATEX["\N{GREEK SMALL LETTER LAMDA}"] = r"$\lambda$"
_ACCENTS: Final = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
_MARKDOWN: Final = re.compile(
    r"""[\\`*\[\]<>|$~^&@]"""  # wherever they stand
    r"""|(?<![^\W_])_|_(?![^\W_])"""  # not within a word, as in he_r_plus
    r"""|:(?=//|[\w+-]+:)|(?<=\bwww)\."""  # addresses, :names: of pictures
    r"""|^(?:[-+=#]+|\d+[.)])(?=\s|$)"""  # a list, a heading or a rule begins with them
)
"""What Markdown acts on in a line of text or a cell of a table, GitHub's and pandoc's too."""


def for_latex(text: str) -> str:
    """`text` on one line as LaTeX prints it unchanged, in ASCII, for any engine and any encoding of fonts.

    A character that LaTeX's own fonts do not have is written as its number, <U+65E5>.
    """
    printed = "".join(map(_latex, unicodedata.normalize("NFC", clean(text))))
    for pair in ("--", ",,", "''"):  # else fonts join them to another letter
        while pair in printed:
            printed = printed.replace(pair, f"{pair[0]}{{}}{pair[1]}")
    return printed


def for_markdown(text: str) -> str:
    """`text` on one line as Markdown shows it unchanged: no links, no HTML, no cell of a table ends."""
    return _MARKDOWN.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", clean(text))


def label(*parts: str) -> str:
    """A name for files and for labels of LaTeX: lower-case letters, digits and dashes."""
    words = "".join(c if c.isalnum() and c.isascii() else " " for c in " ".join(parts).lower())
    return "-".join(words.split())[:80] or "unnamed"


def distinct(names: Sequence[str]) -> list[str]:
    """The names, with a number behind those that came before: two names can have one `label`."""
    taken: set[str] = set()
    found = []
    for name in names:
        free = next(
            one for n in range(1, len(names) + 1) if (one := name if n == 1 else f"{name}-{n}") not in taken
        )
        taken.add(free)
        found.append(free)
    return found


def _latex(letter: str) -> str:
    if letter in _LATEX:
        return _LATEX[letter]
    if letter.isascii():
        return letter
    base, accent = (*unicodedata.normalize("NFD", letter), "", "")[:2]
    if (
        len(unicodedata.normalize("NFD", letter)) == 2
        and base.isascii()
        and base.isalpha()
        and accent in _ACCENTS
    ):
        return rf"\{_ACCENTS[accent]}{{{_dotless(base)}}}"
    return rf"\textless{{}}U+{ord(letter):04X}\textgreater{{}}"


def _dotless(base: str) -> str:
    return rf"\{base}" if base in "ij" else base
