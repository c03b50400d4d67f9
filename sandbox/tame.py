"""Whether a check can run in the long-lived judge, told from its syntax; any other runs in a fork of it.

A hole in here would let a test change the verdicts of later ones. So it takes what `sandbox.stateless`
takes of programs, and of that only what makes no class and sets no attribute: classes of a check's own
would be asked by the library to compare, copy and show things, and by caches long after the check.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Final

from sandbox.stateless import nodes_are_stateless

_CLASS_MAKERS: Final = frozenset({"enum", "dataclasses", "abc", "__future__"})
_OF_ARRAYS: Final = frozenset({"ndarray", "resize", "type", "tofile", "dump"})
"""Of numpy: what makes objects of bytes (`ndarray`, `dtype.type`, `resize` below a view), and files."""
_TELLING: Final = frozenset({ast.Import, ast.ImportFrom, ast.ClassDef, ast.Attribute})


def is_tame(nodes: list[ast.AST], given: frozenset[str], imported: Mapping[str, str]) -> bool:
    """Whether a source can run in the judge.

    Args:
        nodes: all of it.
        given: names that others put into its namespace.
        imported: the modules among them, by these names.
    """
    return (
        not any(_makes_or_sets(node) for node in nodes if type(node) in _TELLING)
        and _only_compares_types(nodes)
        and nodes_are_stateless(nodes, given, imported)
    )


def imported_modules(nodes: list[ast.AST]) -> dict[str, str]:
    """The modules that a source imports, by the names that it gives them."""
    return {
        alias.asname or alias.name: alias.name
        for node in nodes
        if isinstance(node, ast.Import)
        for alias in node.names
    }


def _makes_or_sets(node: ast.AST) -> bool:
    """Whether it makes a class, imports what makes some, sets an attribute, or goes beneath objects."""
    if isinstance(node, ast.Import):
        return any(alias.name in _CLASS_MAKERS for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return node.module in _CLASS_MAKERS
    return isinstance(node, ast.ClassDef) or (
        isinstance(node, ast.Attribute) and (node.attr in _OF_ARRAYS or not isinstance(node.ctx, ast.Load))
    )


def _only_compares_types(nodes: list[ast.AST]) -> bool:
    """Whether `type` stands only in `type(x) == y` and the like: `type(type(x))` would make classes."""
    types = [node for node in nodes if type(node) is ast.Name and node.id == "type"]
    if not types:
        return True
    harmless = {
        id(side.func)
        for node in nodes
        if isinstance(node, ast.Compare)
        for side in (node.left, *node.comparators)
        if isinstance(side, ast.Call) and len(side.args) == 1 and not side.keywords
    }
    return all(id(node) in harmless for node in types)
