"""What of a prompt belongs to the problem and not to the solution: imports and helper definitions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from core.formats.assertions import parse_quietly, unparse

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITION = (*_FUNCTION, ast.ClassDef)
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


def tested(entry_point: str, source: str) -> tuple[str, str]:
    """What a program has to define at its top level, and what a test calls.

    Class problems name a method, as "Solution().depth" or bare: a program has to define
    the class then, and the class that a prompt shows is none of the prompt's helpers.

    Args:
        entry_point: a function's, class's or method's name as a file has it.
        source: the prompt, or the reference solution with it.

    Returns:
        (name, expression): the same text twice but for methods.
    """
    if method := re.fullmatch(r"([^\W\d]\w*)(\(\))?\.[^\W\d]\w*", entry_point):
        return method[1], entry_point
    if "class" not in source:  # then nothing owns a method, and a benchmark has thousands of prompts to parse
        return entry_point, entry_point
    statements = prompt_statements(source)
    if any(getattr(statement, "name", None) == entry_point for statement in statements):
        return entry_point, entry_point
    owners = [
        statement.name
        for statement in statements
        if isinstance(statement, ast.ClassDef)
        and any(isinstance(s, _FUNCTION) and s.name == entry_point for s in statement.body)
    ]
    return (owners[0], f"{owners[0]}().{entry_point}") if len(owners) == 1 else (entry_point, entry_point)


def prompt_statements(prompt: str) -> list[ast.stmt]:
    """The top-level statements of a prompt that is Python, [] of any other."""
    for ending in ("", "\n    pass\n", "\n        pass\n"):
        try:
            return parse_quietly(prompt.rstrip() + ending if ending else prompt)
        except SyntaxError:
            continue
    return []
