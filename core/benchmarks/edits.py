"""Single changes to a program's text, found on its syntax tree: the operators of mutation testing.

`first_order` lists every change that the operators offer for the chosen functions of a
program. A change replaces a span of the source, so that everything else keeps its
layout and a mutant differs from its program in the lines it says.

The operators are the usual ones of mutation testing (DeMillo, Lipton and Sayward 1978,
"Hints on test data selection"; the families of mutmut and Cosmic Ray), plus the slips that
people make in short functions: ends of ranges and slices, a return that sits in the loop.
Whether a change makes the program wrong is not known here: the tests say.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.benchmarks import operators

__all__ = ["Edit", "apply", "first_order", "inverted_answers"]

_MAX_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Edit:
    """One span of a program's UTF-8 source and what takes its place.

    Attributes:
        start, end: byte offsets of the span; equal for an insertion.
        text: the new text.
        family: the operator's family ("comparison", "partial", ...).
        description: what was done, for a person: "line 4: `a < b` became `a <= b`".
        may_loop: the change sits in a `while` loop, where it often makes it endless.
        guess: share of the reference tests that it should still pass, where that can be foreseen.
    """

    start: int
    end: int
    text: str
    family: str
    description: str
    may_loop: bool = False
    guess: float | None = None


class Source:
    """A program's text and the byte offset of each of its lines."""

    def __init__(self, program: str) -> None:
        self.data = program.encode()
        self._lines = [0]
        for line in self.data.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt) -> int:
        """Offset of the node's first byte."""
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        """Offset behind the node's last byte."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> str:
        """The node as it is written."""
        return self.data[self.start(node) : self.end(node)].decode()

    def opens_line(self, node: ast.stmt) -> bool:
        """Whether nothing but blanks stands before the statement on its line."""
        return not self.data[self._lines[node.lineno - 1] : self.start(node)].strip()


def apply(program: str, edits: Sequence[Edit]) -> str:
    """The program with the edits made; ValueError if two of them touch the same span."""
    data = program.encode()
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    for one, other in pairwise(ordered):
        if other.start < one.end or (other.start, other.end) == (one.start, one.end):
            raise ValueError("the edits overlap")
    for edit in reversed(ordered):
        data = data[: edit.start] + edit.text.encode() + data[edit.end :]
    return data.decode()


def first_order(program: str, functions: Sequence[ast.stmt]) -> list[Edit]:
    """Every single change to the given functions (or classes), in the order of the source.

    Args:
        program: the whole source.
        functions: nodes of `ast.parse(program)` in which changes are made.
    """
    source = Source(program)
    edits: list[Edit] = []
    for function in functions:
        _Walk(source, edits).visit(function)
    return edits


def inverted_answers(program: str, function: ast.FunctionDef) -> tuple[Edit, ...]:
    """Every answer of a yes-or-no function turned round: one mutant that is wrong wherever it answers."""
    source = Source(program)
    edits = []
    for answer in _own_answers(function.body):
        before = source.text(answer)
        text = ast.unparse(operators.negated(answer))
        description = f"line {answer.lineno}: `{_short(before)}` became `{_short(text)}`"
        edits.append(Edit(source.start(answer), source.end(answer), text, "negation", description))
    return tuple(edits)


def _own_answers(block: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """What the function returns; returns of inner functions left out."""
    for node in block:
        if isinstance(node, ast.Return) and node.value is not None:
            yield node.value
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            yield from _own_answers(list(ast.iter_child_nodes(node)))


class _Walk:
    """Visits code, skipping docstrings, annotations and f-strings (their positions are unreliable)."""

    def __init__(self, source: Source, edits: list[Edit]) -> None:
        self._source = source
        self._edits = edits
        self._whiles = 0

    def visit(self, node: ast.AST, parent: ast.AST | None = None) -> None:
        if isinstance(node, (ast.JoinedStr, ast.arg)) or _is_docstring(node):
            return
        loop = isinstance(node, ast.While)
        self._whiles += loop
        if isinstance(node, ast.expr):
            self._expression(node, parent)
        elif isinstance(node, ast.stmt):
            self._statement(node)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_comment"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child, node)
        self._blocks(node)
        self._whiles -= loop

    def _add(self, start: int, end: int, text: str, family: str, description: str) -> None:
        self._edits.append(Edit(start, end, text, family, description, self._whiles > 0))

    def _expression(self, node: ast.expr, parent: ast.AST | None) -> None:
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            return
        before = self._source.text(node)
        for family, new in operators.expression(node, parent):
            text = ast.unparse(new)
            if _needs_parentheses(node, new, parent):
                text = f"({text})"
            description = f"line {node.lineno}: `{_short(before)}` became `{_short(text)}`"
            self._add(self._source.start(node), self._source.end(node), text, family, description)

    def _statement(self, node: ast.stmt) -> None:
        if not self._source.opens_line(node):
            return
        before = _short(self._source.text(node))
        for family, text in operators.statement(node):
            what = "was removed" if text == "pass" else f"became `{_short(text)}`"
            description = f"line {node.lineno}: `{before}` {what}"
            self._add(self._source.start(node), self._source.end(node), text, family, description)
        if isinstance(node, ast.If) and node.orelse:
            last = node.orelse[-1]
            where = f"line {node.orelse[0].lineno}: the alternative of `if {_short(ast.unparse(node.test))}`"
            start, end = self._source.end(node.body[-1]), self._source.end(last)
            self._add(start, end, "", "branch", f"{where} was removed")

    def _blocks(self, node: ast.AST) -> None:
        """A `return` behind a loop moves into it: the answer of the first round."""
        for name in ("body", "orelse"):
            block = getattr(node, name, None)
            if not isinstance(block, list):
                continue
            for loop, after in pairwise(block):
                if isinstance(loop, (ast.For, ast.While)) and isinstance(after, ast.Return):
                    last = loop.body[-1]
                    if not self._source.opens_line(last):
                        continue
                    back = ast.unparse(after)
                    text = f"\n{' ' * last.col_offset}{back}"
                    end = self._source.end(last)
                    what = f"line {after.lineno}: `{_short(back)}` also ends the first round of the loop"
                    self._add(end, end, text, "early return", what)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


_OPERATIONS = (ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.IfExp, ast.Lambda)


def _needs_parentheses(old: ast.expr, new: ast.expr, parent: ast.AST | None) -> bool:
    tight = (*_OPERATIONS, ast.Attribute, ast.Subscript, ast.Call, ast.Starred, ast.comprehension)
    if not isinstance(new, _OPERATIONS) or not isinstance(parent, tight):
        return False
    if isinstance(parent, ast.Call) and old is not parent.func:
        return False
    if isinstance(parent, ast.Subscript) and old is parent.slice:
        return False
    return not (isinstance(old, ast.Compare) and isinstance(new, ast.Compare))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _MAX_SHOWN else line[: _MAX_SHOWN - 1] + "…"
