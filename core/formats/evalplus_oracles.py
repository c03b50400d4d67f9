"""Which answers EvalPlus accepts: equality but for floats and for some tasks with rules of their own.

The rules are EvalPlus' own facts (version 0.3.1, evaluation of one input).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from core.model import Assertion, CallTest, Origin, TestCase
from sandbox.values import dumps, loads

__all__ = ["plain_program", "reference_test", "reference_test_of_texts"]


@dataclass(frozen=True, slots=True)
class _Case:
    """One input: source of the call, the arguments, what the reference returned, the file's atol."""

    call: str
    arguments: list[Any]
    expected: Any
    tolerance: float


_Rule: TypeAlias = Callable[[_Case], str]

_FLOAT_TOLERANCE = 1e-6
_RELATIVE = 1e-7


def reference_test(
    task_id: str, entry_point: str, arguments: list[Any], expected: Any, tolerance: float, method: str
) -> TestCase:
    """The test of one input: a `CallTest`, or an assertion where the task has a rule of its own.

    Args:
        task_id: "HumanEval/..." or "Mbpp/...".
        entry_point: the function under test.
        arguments: what it is called with.
        expected: what the reference solution returned.
        tolerance: the file's `atol`. Where it is 0 and the expected value is a float, or a
            list or tuple of floats, it is 1e-6. The relative part of EvalPlus' comparison
            (1e-7 of the expected value) is added; of several floats, that of the smallest.
        method: "base" or "plus"; becomes the test's origin.
    """
    origin = Origin(method=method)
    rules = _HUMANEVAL if task_id.startswith("HumanEval/") else _MBPP
    rule = rules.get(entry_point)
    if rule is not None:
        call = f"{entry_point}({', '.join(_literals(arguments))})"
        return Assertion(rule(_Case(call, arguments, expected, tolerance)), origin)
    floats = _floats(expected)
    if floats and all(map(math.isfinite, floats)):
        tolerance = (tolerance or _FLOAT_TOLERANCE) + _RELATIVE * min(map(abs, floats))
    return CallTest(dumps(arguments), dumps(expected), tolerance, origin)


def reference_test_of_texts(
    task_id: str, entry_point: str, arguments: str, expected: str, tolerance: float, method: str
) -> TestCase | None:
    """The same for values as `sandbox.values` texts.

    None where they can't be read or written, nested too deeply or without end.
    """
    try:
        return reference_test(task_id, entry_point, loads(arguments), loads(expected), tolerance, method)
    except (ValueError, RuntimeError):
        return None


def plain_program(task_id: str, entry_point: str, program: str) -> str:
    """The reference program to take expected values from.

    It is the program itself, but for the tasks whose reference returns a `re.Match`, which is no
    plain value: there it returns whether there is one.
    """
    if not task_id.startswith("Mbpp/") or entry_point not in _RETURN_A_MATCH:
        return program
    wrapped = f"def {entry_point}(text):\n    return _match(text) is not None\n"
    return f"{program}\n_match = {entry_point}\n\n\n{wrapped}"


def _floats(value: Any) -> list[float]:
    if isinstance(value, float):
        return [value]
    if isinstance(value, list | tuple) and value and all(isinstance(item, float) for item in value):
        return list(value)
    return []


def _literals(values: list[Any]) -> list[str]:
    return [_literal(value) for value in values]


def _literal(value: Any) -> str:
    """Python source of a plain value."""
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    if isinstance(value, list):
        return f"[{', '.join(_literals(value))}]"
    if isinstance(value, tuple):
        return f"({''.join(item + ', ' for item in _literals(list(value)))})"
    return repr(value)


def _same_set(case: _Case) -> str:
    return f"assert set({case.call}) == set({_literal(case.expected)})"


def _any_value(case: _Case) -> str:
    return f"assert [{case.call}]"


def _or_zero(case: _Case) -> str:
    return f"assert {case.call} in ({_literal(case.expected)}, 0)"


def _is_some(case: _Case) -> str:
    wanted = case.expected if isinstance(case.expected, bool) else case.expected is not None
    judged = "answer if isinstance(answer, bool) else answer is not None"
    return f"answer = {case.call}\nassert ({judged}) == {wanted}"


def _is_root(case: _Case) -> str:
    terms = f"c * x ** i for i, c in enumerate({_literal(case.arguments[0])})"
    return f"x = {case.call}\nassert abs(sum({terms})) <= {case.tolerance!r}"


def _pyramid(case: _Case) -> str:
    base, height = case.arguments
    other = round(base * base + 2 * base * math.sqrt((base / 2) ** 2 + height**2))
    same = f"answer == {_literal(case.expected)} or abs(answer - {other}) <= {case.tolerance!r}"
    return f"answer = {case.call}\nassert {same}"


def _digit_distance(case: _Case) -> str:
    left, right = (str(number) for number in case.arguments)
    if not (left.isdigit() and right.isdigit()):
        return f"assert {case.call} == {_literal(case.expected)}"
    width = max(len(left), len(right))
    other = sum(abs(int(a) - int(b)) for a, b in zip(left.zfill(width), right.zfill(width), strict=True))
    return f"assert {case.call} in ({_literal(case.expected)}, {other})"


_RETURN_A_MATCH = ("check_str", "text_match_three", "text_starta_endb")
_HUMANEVAL: dict[str, _Rule] = {"find_zero": _is_root}
_MBPP: dict[str, _Rule] = {
    "are_equivalent": _any_value,
    "sum_div": _or_zero,
    "surface_Area": _pyramid,
    "digit_distance_nums": _digit_distance,
    **dict.fromkeys(_RETURN_A_MATCH, _is_some),
    **dict.fromkeys(
        (
            "similar_elements",
            "find_char_long",
            "common_in_nested_lists",
            "extract_singly",
            "larg_nnum",
            "intersection_array",
            "find_dissimilar",
            "Diff",
        ),
        _same_set,
    ),
}
