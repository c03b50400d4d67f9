"""What of a prompt belongs to the problem and not to the solution: imports and helper definitions."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from core.formats.assertions import parse_quietly, unparse

_DEFINITION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SUPPORT = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)


def support_source(prompt: str, entry_point: str | None) -> str:
    """The prompt's imports, helpers and constants, without the entry point.

    Returns:
        Source, "" if the prompt has none or is no Python. A prompt that ends in an open
        signature is Python.
    """
    statements = prompt_statements(prompt)
    kept = [
        statement
        for statement in statements
        if isinstance(statement, _SUPPORT) and getattr(statement, "name", "") != (entry_point or "")
    ]
    return unparse(*kept) + "\n" if kept else ""


def entry_is_class(entry_point: str, sources: Iterable[str]) -> bool | None:
    """Whether the first source that defines the entry point makes a class of it; None if none defines it."""
    for source in sources:
        for statement in prompt_statements(source):
            if isinstance(statement, _DEFINITION) and statement.name == entry_point:
                return isinstance(statement, ast.ClassDef)
    return None


def prompt_statements(prompt: str) -> list[ast.stmt]:
    """The top-level statements of a prompt that is Python, [] of any other."""
    for ending in ("", "\n    pass\n", "\n        pass\n"):
        try:
            return parse_quietly(prompt.rstrip() + ending if ending else prompt)
        except SyntaxError:
            continue
    return []
