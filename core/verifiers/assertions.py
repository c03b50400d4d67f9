"""A known value as a test: how the assertion is written, and which values pass it.

Floats are never compared exactly, wherever in a value they stand: another order of sums is no fault.
Everything else is compared with `==`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from core.model import Assertion, Origin
from sandbox.values import loads

__all__ = ["LONGEST_TEST", "LONGEST_VALUE", "TOLERANCE", "agrees", "assertion", "is_constant", "leaves"]

TOLERANCE = 1e-6
"""Largest difference of floats that passes, relative to the expected value where that is above 1."""
LONGEST_VALUE = 400
"""Longest expected value, in characters of its literal."""
LONGEST_TEST = 2000
"""Longest test, in characters."""


def assertion(expression: str, expected: Any, origin: Origin) -> Assertion | None:
    """The test that an expression has the expected value.

    Args:
        expression: source of one expression.
        expected: a plain value.
        origin: where the test comes from.

    Returns:
        None where the value has no short literal that stands for it (NaN, infinities, objects, long
        texts), or holds a float where none can be compared within a tolerance (in a set, as a key).
    """
    if not is_constant(expected) or len(repr(expected)) > LONGEST_VALUE:
        return None
    if isinstance(expected, float) or not _has_float(expected):
        condition = _condition(expression, expected)
    elif condition := _condition("out", expected):
        condition = condition.replace("out", f"out := {expression}", 1)
    if condition is None or len(condition) > LONGEST_TEST:
        return None
    return Assertion(f"assert {condition}", origin)


def assertion_of_text(expression: str, expected: str, origin: Origin) -> Assertion | None:
    """The same for a value as `sandbox.values` text; None also where it can't be read."""
    try:
        return assertion(expression, loads(expected), origin)
    except ValueError:
        return None


def agrees(value: Any, expected: Any) -> bool:
    """Whether the assertion that `assertion` writes for `expected` passes on `value`.

    One that Python refuses to compare with it, as a signaling NaN, does not.
    """
    try:
        return _agrees(value, expected)
    except Exception:  # noqa: BLE001 - the value is a program's: the assertion would raise as well
        return False


def _agrees(value: Any, expected: Any) -> bool:
    if isinstance(expected, float):
        return isinstance(value, int | float | complex) and abs(value - expected) <= _tolerance(expected)
    if not _has_float(expected):
        return bool(value == expected)
    if type(value) is not type(expected) or len(value) != len(expected):
        return False
    if isinstance(expected, dict):
        return value.keys() == expected.keys() and all(_agrees(value[key], expected[key]) for key in expected)
    return all(_agrees(one, other) for one, other in zip(value, expected, strict=True))


def is_constant(value: Any) -> bool:
    """Whether `repr` of the value is a literal that stands for it: no NaN, no object."""
    try:
        back = ast.literal_eval(repr(value))
        return bool(back == value) and type(back) is type(value)
    except Exception:  # noqa: BLE001 - the value is a program's: there may be no repr of it
        return False


def leaves(value: Any) -> Iterator[Any]:
    """What a plain value holds, its keys among it, down to what holds nothing."""
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list | tuple | set | frozenset):
        for item in value:
            yield from leaves(item)
    else:
        yield value


def _condition(place: str, expected: Any) -> str | None:
    """Source that is true where `place` has the expected value; None where none can be written."""
    if isinstance(expected, float):
        number = f"({expected!r})" if expected < 0 else repr(expected)
        return f"abs({place} - {number}) <= {_tolerance(expected)!r}"
    if expected is None:
        return f"{place} is None"
    if not _has_float(expected):
        return f"{place} == {expected!r}"
    if isinstance(expected, list | tuple):
        parts = [f"type({place}) is {type(expected).__name__}", f"len({place}) == {len(expected)}"]
        inner = [_condition(f"{place}[{i}]", item) for i, item in enumerate(expected)]
    elif isinstance(expected, dict) and not _has_float(list(expected)):
        parts = [f"type({place}) is dict", f"{place}.keys() == {{{', '.join(map(repr, expected))}}}"]
        inner = [_condition(f"{place}[{key!r}]", item) for key, item in expected.items()]
    else:
        return None
    return None if None in inner else " and ".join([*parts, *(text for text in inner if text)])


def _tolerance(expected: float) -> float:
    return TOLERANCE * max(1.0, abs(expected))


def _has_float(value: Any) -> bool:
    return any(isinstance(leaf, float | complex) for leaf in leaves(value))
