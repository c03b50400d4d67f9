"""Source code and values as lines of marked pieces: listings, side-by-side diffs, value diffs.

A piece is (class, text); the classes are those of assets/listing. Nothing here is HTML: the
component writes every text as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any

from pygments.lexers.python import PythonLexer
from pygments.token import Token

Piece = tuple[str, str]

_CLASSES = (
    (Token.Comment, "comment"),
    (Token.Literal.String, "string"),
    (Token.Literal.Number, "number"),
    (Token.Keyword, "keyword"),
    (Token.Operator.Word, "keyword"),
    (Token.Name.Function, "function"),
    (Token.Name.Class, "function"),
    (Token.Name.Builtin, "builtin"),
    (Token.Name.Decorator, "builtin"),
)
_COLOURED_UP_TO = 60_000
_COMPARED_UP_TO = 4_000
_WORDS = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\w+|\s+|[^\w\s]")
_LINES = re.compile(r".*\n|.+")
_ALIKE_FROM = 0.4
"""Share of words that two values have in common, from which their differences are worth marking."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a listing.

    Attributes:
        number: line number, None for filler and for values.
        kind: "" plain, "marked", "added", "removed", "filler".
        pieces: its text, cut where the class changes.
    """

    number: int | None
    kind: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Pane:
    """A listing with its title; panes of one diff have equally many lines."""

    title: str
    lines: tuple[Line, ...]

    def plain(self) -> dict[str, Any]:
        """The pane as the component takes it."""
        return {
            "title": self.title,
            "lines": [
                {"number": line.number, "kind": line.kind, "pieces": line.pieces} for line in self.lines
            ],
        }


def listing(title: str, source: str, marked: int | None = None) -> Pane:
    """Python source with line numbers, the line `marked` (1-based) standing out."""
    return Pane(
        title,
        tuple(
            Line(number, "marked" if number == marked else "", pieces)
            for number, pieces in enumerate(_highlight(source), start=1)
        ),
    )


def side_by_side(left_title: str, left: str, right_title: str, right: str) -> tuple[Pane, Pane]:
    """Two sources aligned line by line: what only the left has is removed, what only the right has added."""
    old, new = left.splitlines(), right.splitlines()
    old_lines, new_lines = _highlight(left), _highlight(right)
    filler = Line(None, "filler", ())
    ours: list[Line] = []
    theirs: list[Line] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        same = tag == "equal"
        ours += [Line(at + 1, "" if same else "removed", old_lines[at]) for at in range(a, b)]
        theirs += [Line(at + 1, "" if same else "added", new_lines[at]) for at in range(c, d)]
        ours += [filler] * (len(theirs) - len(ours))
        theirs += [filler] * (len(ours) - len(theirs))
    return Pane(left_title, tuple(ours)), Pane(right_title, tuple(theirs))


def highlighted(line: str) -> tuple[Piece, ...]:
    """One line of Python as coloured pieces."""
    found = _highlight(line)
    return found[0] if found else ()


def value_diff(expected: str, actual: str) -> tuple[Pane, Pane]:
    """Expected and actual value with what differs standing out, by words; by lines where there are several.

    Values that have little in common stand out whole; very long ones are not compared.
    """
    if max(len(expected), len(actual)) > _COMPARED_UP_TO:
        return _values("expected", [("", expected)]), _values("actual", [("", actual)])
    pattern = _LINES if "\n" in expected.strip() and "\n" in actual.strip() else _WORDS
    one, other = pattern.findall(expected), pattern.findall(actual)
    found = SequenceMatcher(None, one, other, autojunk=False)
    if found.ratio() < _ALIKE_FROM and pattern is _WORDS:
        return _values("expected", [("differs", expected)]), _values("actual", [("differs", actual)])
    ours: list[Piece] = []
    theirs: list[Piece] = []
    for tag, a, b, c, d in found.get_opcodes():
        kind = "" if tag == "equal" else "differs"
        ours.append((kind, "".join(one[a:b])))
        theirs.append((kind, "".join(other[c:d])))
    return _values("expected", ours), _values("actual", theirs)


def _values(title: str, pieces: Sequence[Piece]) -> Pane:
    return Pane(title, tuple(Line(None, "", line) for line in _split_lines(pieces)))


@lru_cache(maxsize=256)
def _highlight(source: str) -> tuple[tuple[Piece, ...], ...]:
    """One tuple of pieces for each of `source.splitlines()`."""
    plain = source.splitlines()
    if len(source) > _COLOURED_UP_TO:
        return tuple((("", line),) for line in plain)
    lexer = PythonLexer(stripnl=False, ensurenl=False)
    lines = _split_lines([(_class(kind), text) for kind, text in lexer.get_tokens("\n".join(plain))])
    if ["".join(text for _, text in line) for line in lines[: len(plain)]] != plain:
        return tuple((("", line),) for line in plain)
    return tuple(lines[: len(plain)])


def _split_lines(pieces: Sequence[Piece]) -> list[tuple[Piece, ...]]:
    lines: list[list[Piece]] = [[]]
    for kind, text in pieces:
        for index, part in enumerate(text.split("\n")):
            if index:
                lines.append([])
            if part:
                lines[-1].append((kind, part))
    return [tuple(line) for line in lines]


def _class(kind: Any) -> str:
    return next((name for token, name in _CLASSES if kind in token), "")
