"""EvalPlus as released on the hub: a `test` that loops over all inputs of a task at once.

`check(candidate)` of evalplus/humanevalplus and the script of evalplus/mbppplus hold `inputs = [...]`,
mostly `results = [...]`, and a loop over both. As one test it would give every solution 0 or 1, so
the inputs are taken out; what is expected of them is what the reference solution returns, which is
where `results` come from.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from typing import Any

from core.formats.assertions import parse_quietly
from core.formats.loaded import CallInputs
from sandbox.values import dumps

__all__ = ["looped_inputs"]

_NAMES = {"inf": math.inf, "nan": math.nan}


def looped_inputs(test: str) -> CallInputs | None:
    """The inputs that a released `test` loops over, with its tolerance; None for any other test.

    Which of them are HumanEval's or MBPP's own is not said there: all count as "plus".
    """
    if "inputs" not in test:
        return None
    try:
        statements = parse_quietly(test)
    except SyntaxError:
        return None
    scopes = [
        statements,
        *(s.body for s in statements if isinstance(s, ast.FunctionDef) and s.name == "check"),
    ]
    for scope in scopes:
        loop = next((s for s in scope if isinstance(s, ast.For) and _mentions(s.iter, "inputs")), None)
        listed = next((value for name, value in _assigned(scope) if name == "inputs"), None)
        if loop is None or listed is None:
            continue
        try:
            inputs = ast.literal_eval(_Named().visit(listed))
            calls = tuple(dumps(list(arguments)) for arguments in inputs)
        except (ValueError, TypeError, RecursionError):
            return None
        return CallInputs((), calls, _tolerance(loop))
    return None


class _Named(ast.NodeTransformer):
    """`inf` and `nan`, which are names and no literals."""

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Constant(_NAMES[node.id]) if node.id in _NAMES else node


def _assigned(scope: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for statement in scope:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            yield statement.targets[0].id, statement.value


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(node))


def _tolerance(loop: ast.For) -> float:
    """The last number of the loop's body: `assertion(out, exp, 1e-06)`, `assert _poly(...) <= 0.0001`."""
    numbers: list[Any] = [
        node.value
        for statement in loop.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float)
    ]
    return float(numbers[-1]) if numbers else 0.0
