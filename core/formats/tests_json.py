"""Tests as JSON values: an assertion is text, the other kinds are objects."""

from __future__ import annotations

import ast
import math
from typing import Any

from core.formats import fields
from core.formats.assertions import parse_quietly
from core.formats.errors import FieldError
from core.model import Assertion, CallTest, Origin, StdioTest, TestCase
from sandbox.values import loads

__all__ = ["test_from_json", "test_to_json"]


def test_to_json(test: TestCase) -> str | dict[str, Any]:
    """The JSON value of a test; its origin is written if it says anything."""
    origin: dict[str, Any] = {}
    if test.origin != Origin():
        origin = {"verifier": test.origin.verifier, "method": test.origin.method, "round": test.origin.round}
    if isinstance(test, Assertion):
        return {"assertion": test.source, **origin} if origin else test.source
    if isinstance(test, StdioTest):
        return {"stdin": test.stdin, "stdout": test.expected_stdout, **origin}
    call = {"arguments": test.arguments, "expected": test.expected, "tolerance": test.tolerance}
    return {**call, **origin}


def test_from_json(value: object, where: str, origin: Origin) -> TestCase:
    """The test behind a JSON value; `origin` is used where the value says none.

    Raises:
        FieldError: it is no test, or an assertion that is no Python or asserts nothing.
    """
    if isinstance(value, str):
        return Assertion(_assertion(value, where), origin)
    if not isinstance(value, dict):
        raise FieldError(where, f"expected a test (text or an object), found {fields.found(value)}")
    prefix = f"{where}."
    if {"verifier", "method", "round"} & value.keys():
        step = fields.number(value, "round", where=prefix, low=0) if "round" in value else 0
        origin = Origin(
            fields.optional_text(value, "verifier", where=prefix) or "",
            fields.optional_text(value, "method", where=prefix) or "",
            int(step),
        )
    if "assertion" in value:
        return Assertion(
            _assertion(fields.text(value, "assertion", where=prefix), prefix + "assertion"), origin
        )
    if "stdin" in value:
        stdin = fields.text(value, "stdin", where=prefix)
        return StdioTest(stdin, fields.text(value, "stdout", where=prefix), origin)
    if "arguments" in value:
        tolerance = fields.optional_number(value, "tolerance", where=prefix, low=0, high=math.inf) or 0.0
        arguments = _value_text(value, "arguments", prefix, kind=list)
        return CallTest(arguments, _value_text(value, "expected", prefix), tolerance, origin)
    raise FieldError(where, "expected the keys stdin and stdout, or arguments and expected, or assertion")


test_to_json.__test__ = False  # type: ignore[attr-defined]  # pytest would take them for tests
test_from_json.__test__ = False  # type: ignore[attr-defined]


def _assertion(source: str, where: str) -> str:
    try:
        statements = parse_quietly(source)
    except SyntaxError as error:
        fenced = "; a model's answer with fences goes under `response`" if "```" in source else ""
        raise FieldError(where, f"expected Python that ends in an assertion: {error.msg}{fenced}") from error
    if not any(isinstance(n, ast.Assert | ast.Raise) for s in statements for n in ast.walk(s)):
        raise FieldError(where, "expected an assertion, this source can't fail as one")
    return source


def _value_text(value: dict[str, Any], key: str, where: str, kind: type | None = None) -> str:
    text = fields.text(value, key, where=where)
    try:
        content = loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise FieldError(where + key, f"expected a value as sandbox.values writes it: {error}") from error
    if kind is not None and not isinstance(content, kind):
        raise FieldError(where + key, f"expected a list of arguments, found {type(content).__name__}")
    return text
