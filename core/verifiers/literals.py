"""Literals in running text: where a value ends and a remark begins."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

__all__ = ["NotLiteralError", "literal_prefix", "literal_value"]

_WORDS = {"true": True, "false": False, "null": None, "none": None}
_REMARK = re.compile(r"\s*(?:$|\n|#|\.\s|\.$|;|,?\s*\(|\band\b)")
_CHAIN = re.compile(r"\s+=\s+|\s+is\s+")
_SUM = re.compile(r"[-+*/() .\d]+")
_MAX_LINES = 6


class NotLiteralError(Exception):
    """The text is no literal; the message says what it is."""


def literal_value(text: str) -> Any:
    """The value of a text that is one literal (`true` and `false` of other languages count as one)."""
    text = " ".join(line.strip() for line in text.strip().splitlines())
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        raise NotLiteralError(f"{text[:60]!r} is no literal") from None


def literal_prefix(text: str) -> Any:
    """The value of the literal that `text` begins with, if only a remark follows it.

    `19 - 5 - 6 = 8` is 8: each link of such a chain has to have the same value.

    Raises:
        NotLiteralError: there is no literal, or something follows that is no remark.
    """
    lines = text.split("\n")
    for count in range(1, _MAX_LINES + 1):
        piece = "\n".join(lines[:count])
        if not _brackets_closed(piece):
            continue
        for end in _ends(piece):
            try:
                value = literal_value(piece[:end])
            except NotLiteralError:
                continue
            if _REMARK.match(piece[end:]):
                return value
        return _chain(piece)
    raise NotLiteralError(f"{lines[0].strip()[:60]!r} is no literal")


def _ends(piece: str) -> list[int]:
    """Where the literal may end, farthest first; a closing full stop belongs to the sentence."""
    whole = len(piece.rstrip())
    ends = [m.start() for m in re.finditer(r"\s|[.#;,(]", piece)]
    farthest = [whole - 1, whole] if piece.rstrip().endswith(".") else [whole]
    return [*farthest, *(end for end in reversed(ends) if 0 < end < whole)]


def _chain(piece: str) -> Any:
    links = _CHAIN.split(piece.strip().rstrip("."))
    values = [_sum(link) for link in links]
    if len(values) < 2 or len(set(values)) != 1:
        raise NotLiteralError(f"{piece.strip()[:60]!r} is no literal")
    return literal_value(links[-1])


def _sum(text: str) -> float:
    """The value of a sum of plain numbers."""
    if not _SUM.fullmatch(text):
        raise NotLiteralError(f"{text.strip()[:60]!r} is no sum of numbers")
    try:
        return _number(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ZeroDivisionError):
        raise NotLiteralError(f"{text.strip()[:60]!r} is no sum of numbers") from None


def _number(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_number(node.operand)
    if isinstance(node, ast.BinOp):
        left, right = _number(node.left), _number(node.right)
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div):
            return left / right
    raise NotLiteralError("no sum of numbers")


def _brackets_closed(text: str) -> bool:
    bare = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "", text)
    return sum(bare.count(opened) for opened in "([{") <= sum(bare.count(closed) for closed in ")]}")
