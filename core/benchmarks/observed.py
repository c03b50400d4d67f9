"""Which arguments and results the tests of a problem show, as far as they are literals."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from core.formats.assertions import parse_quietly
from core.model import Assertion, CallTest, TestCase
from sandbox.values import loads

__all__ = ["NO_RESULT", "ObservedCall", "observed_calls"]

NO_RESULT = object()
"""Stands for a result that the test does not spell out (None is a result)."""


@dataclass(frozen=True, slots=True)
class ObservedCall:
    """One call that a test makes: its positional arguments, and its expected result or `NO_RESULT`."""

    arguments: tuple[Any, ...]
    expected: Any = NO_RESULT


def observed_calls(tests: Iterable[TestCase], entry_point: str) -> tuple[ObservedCall, ...]:
    """The calls of `entry_point` (or `candidate`) with literal arguments, in the order of the tests."""
    calls: list[ObservedCall] = []
    for test in tests:
        if isinstance(test, CallTest):
            calls.append(ObservedCall(tuple(loads(test.arguments)), loads(test.expected)))
        elif isinstance(test, Assertion):
            calls.extend(_in_source(test.source, (entry_point, "candidate")))
    return tuple(calls)


def _in_source(source: str, names: tuple[str, ...]) -> Iterator[ObservedCall]:
    try:
        statements = parse_quietly(source)
    except SyntaxError:
        return
    nodes = [node for statement in statements for node in ast.walk(statement)]
    expected: dict[int, Any] = {}
    for node in nodes:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.Is)):
            for call, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
                expected.setdefault(id(call), _literal(other))
        elif isinstance(node, ast.Assert):
            expected.setdefault(id(node.test), True)
            if isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not):
                expected.setdefault(id(node.test.operand), False)
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names):
            continue
        arguments = tuple(_literal(argument) for argument in node.args)
        if not node.keywords and not any(value is NO_RESULT for value in arguments):
            yield ObservedCall(arguments, expected.get(id(node), NO_RESULT))


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return NO_RESULT
