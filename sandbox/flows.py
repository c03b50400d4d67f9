"""Whether a program that sets attributes could set one on something of the standard library.

`self.x = 1` sets it on whatever is called self: `def plant(self): self.x = 1` and `plant(Counter)` would
leave state behind in a process that other checks share. It can't if nothing of the library that takes
attributes (classes and functions written in Python) ever is a value in the program: what it imports may be
called, decorate, stand in an annotation or be asked about (`isinstance`, `except`), and nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

_CONSTANTS: Final = frozenset(
    """
    pi e tau inf nan maxsize maxunicode ascii_lowercase ascii_uppercase ascii_letters digits punctuation
    whitespace printable hexdigits octdigits
    """.split()  # noqa: SIM905
)
_LEAKS: Final = frozenset({"obj", "type"})
"""Attributes that give a class as a value: AttributeError's `obj`, `type` of a dataclass's field."""
_ASKED: Final = frozenset({"isinstance", "issubclass"})
_CLASSES_OF_FUNCTIONS: Final = frozenset({"enum"})
"""Modules that make classes which hand on the module's own functions."""


def keeps_library_to_itself(nodes: list[ast.AST], bound: frozenset[str]) -> bool:
    """Whether no class or function of the standard library is ever a value among these nodes of a program.

    Args:
        nodes: all of them.
        bound: every name that the program binds.
    """
    if not bound.isdisjoint(_ASKED):
        return False
    imported = {"type"}
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            if getattr(node, "module", None) in _CLASSES_OF_FUNCTIONS:
                return False
            if any(alias.name in _CLASSES_OF_FUNCTIONS for alias in node.names):
                return False
            imported.update(
                alias.asname or alias.name for alias in node.names if alias.name not in _CONSTANTS
            )
    harmless = {id(name) for node in nodes for name in _harmless_uses(node)}
    return not any(
        (isinstance(node, ast.Attribute) and node.attr in _LEAKS)
        or (isinstance(node, ast.MatchClass) and not _LEAKS.isdisjoint(node.kwd_attrs))
        or (isinstance(node, ast.Name) and node.id in imported and id(node) not in harmless)
        for node in nodes
    )


def _harmless_uses(node: ast.AST) -> Iterator[ast.Name]:
    """Names that this node uses in a way that makes no value of what they stand for."""
    if isinstance(node, ast.Call):
        called = _root(node.func)
        if called is not None and called.id != "type":
            yield called
        if called is not None and called.id in _ASKED:
            yield from _all_names(node.args[1:])
    elif isinstance(node, ast.Compare) and all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops):
        for side in (node.left, *node.comparators):
            if isinstance(side, ast.Call) and isinstance(side.func, ast.Name):
                yield side.func
    elif isinstance(node, ast.Attribute):
        if node.attr in _CONSTANTS and isinstance(node.value, ast.Name):
            yield node.value
    elif isinstance(node, ast.FunctionDef):
        yield from _roots(node.decorator_list)
        yield from _all_names([node.returns])
    elif isinstance(node, ast.ClassDef):
        yield from _roots(node.decorator_list)
    elif isinstance(node, ast.arg | ast.AnnAssign):
        yield from _all_names([node.annotation])
    elif isinstance(node, ast.ExceptHandler):
        yield from _all_names([node.type])


def _root(node: ast.expr) -> ast.Name | None:
    """`a` of `a.b.c`."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node if isinstance(node, ast.Name) else None


def _roots(nodes: Iterable[ast.expr]) -> Iterator[ast.Name]:
    yield from (root for root in map(_root, nodes) if root is not None)


def _all_names(nodes: Iterable[ast.AST | None]) -> Iterator[ast.Name]:
    for node in nodes:
        if node is not None:
            yield from (inner for inner in ast.walk(node) if isinstance(inner, ast.Name))
