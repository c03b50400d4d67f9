"""Whether what a program returned or printed is what a test expects. Runs in trusted code, on plain data.

Returned values are compared as EvalPlus compares them: `==` of Python values (1 == 1.0, a tuple is no
list), and within a tolerance only where the test gives one. Four differences, all on purpose: the
tolerance is absolute and applies to each number of a nested value rather than to the array that numpy
makes of it; a number within it may be of another type (the int 0 for 4e-17); a test without a tolerance
stays exact (EvalPlus allows floats 1e-6); NaN equals NaN.
Standard output is compared as LiveCodeBench's checker does: line by line, blanks at both ends of a
line and blank lines at both ends of the output don't count.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from numbers import Number
from typing import Any

import numpy as np

from sandbox.contract import CheckResult, Outcome
from sandbox.values import loads

_LONGEST_TEXT = 2000
_LONGEST_MESSAGE = 500
_SEQUENCES = (list, tuple, deque)
_SCALARS = (np.generic, Number, str, bytes)


def judge_call(result: CheckResult, expected: str, tolerance: float) -> CheckResult:
    """The verdict on a returned value; both values are `sandbox.values` text."""
    if result.outcome is not Outcome.PASSED:
        return result
    if result.value is None:
        return replace(result, outcome=Outcome.INTERNAL_ERROR, message="the sandbox gave no returned value")
    if result.value == expected:
        return replace(result, value=None)
    try:
        actual = loads(result.value)
    except ValueError as error:
        message = f"the returned value can't be read: {error}"
        return replace(result, outcome=Outcome.ASSERTION_FAILED, message=message, value=None)
    wanted = loads(expected)
    if equal(actual, wanted, tolerance):
        return replace(result, value=None)
    return replace(
        result,
        outcome=Outcome.ASSERTION_FAILED,
        message="the returned value is not the expected one",
        actual=_shown(actual, result.value),
        expected=_shown(wanted, expected),
        value=None,
    )


def judge_stdout(result: CheckResult, expected: str) -> CheckResult:
    """The verdict on what a program printed."""
    if result.outcome is not Outcome.PASSED:
        return result
    found, wanted = _lines(result.stdout), _lines(expected)
    if found == wanted:
        return result
    place = next(i for i, (a, b) in enumerate(zip_longest(found, wanted), 1) if a != b)
    return replace(
        result,
        outcome=Outcome.ASSERTION_FAILED,
        message=f"the output differs from line {place} on",
        actual=result.stdout,
        expected=expected,
    )


def shortened(result: CheckResult) -> CheckResult:
    """`result` as it is kept: texts cut to a readable length, time in whole microseconds."""
    if result.outcome is Outcome.PASSED:
        return CheckResult(Outcome.PASSED, round(result.seconds, 6), in_process=result.in_process)
    stdout = result.stdout
    return replace(
        result,
        seconds=round(result.seconds, 6),
        message=_cut(result.message, _LONGEST_MESSAGE),
        actual=_cut(result.actual, _LONGEST_TEXT),
        expected=_cut(result.expected, _LONGEST_TEXT),
        stdout=stdout if len(stdout) <= _LONGEST_TEXT else "…" + stdout[-_LONGEST_TEXT:],
        value=None,
    )


def equal(actual: Any, expected: Any, tolerance: float = 0.0) -> bool:
    """Whether two plain values are the same, numbers within `tolerance` of each other.

    Values that Python refuses to compare (a signaling NaN, arrays in a set) are not.
    """
    try:
        return _equal(actual, expected, tolerance)
    except Exception:  # noqa: BLE001 - the values are a program's: there is no end to what can't be compared
        return False


def as_python(text: str) -> str:
    """A `sandbox.values` text as Python shows its value; the text itself where that can not be shown."""
    try:
        return _shown(loads(text), text)
    except ValueError:
        return text


def _equal(actual: Any, expected: Any, tolerance: float) -> bool:
    if isinstance(actual, np.ndarray) or isinstance(expected, np.ndarray):
        return _equal_arrays(actual, expected, tolerance)
    if isinstance(actual, (int, float, complex)) and isinstance(expected, (int, float, complex)):
        return _equal_numbers(actual, expected, tolerance)
    for kind in _SEQUENCES:
        if isinstance(expected, kind) and isinstance(actual, kind):
            return len(actual) == len(expected) and all(
                _equal(a, b, tolerance) for a, b in zip(actual, expected, strict=True)
            )
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return actual.keys() == expected.keys() and all(
            _equal(actual[key], expected[key], tolerance) for key in expected
        )
    of_numpy = isinstance(actual, np.generic) or isinstance(expected, np.generic)
    if of_numpy and not (isinstance(actual, _SCALARS) and isinstance(expected, _SCALARS)):
        return False  # numpy would make an array of it, of a range of a billion too
    return bool(actual == expected)


def _equal_numbers(actual: complex, expected: complex, tolerance: float) -> bool:
    if actual == expected or (actual != actual and expected != expected):
        return True
    try:
        return tolerance > 0 and math.isfinite(gap := abs(actual - expected)) and gap <= tolerance
    except OverflowError:  # an int beyond the floats
        return False


def _equal_arrays(actual: Any, expected: Any, tolerance: float) -> bool:
    if type(actual) is not type(expected) or actual.shape != expected.shape:
        return False
    return _equal(actual.tolist(), expected.tolist(), tolerance)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def _shown(value: Any, text: str) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - an int of too many digits, a Counter that can't be sorted: no end here either
        return text


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[:length] + "…"
