"""MBPP's two forms."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.formats import load
from core.formats.mbpp import infer_entry_point
from core.model import Assertion
from tests.core.formats.helpers import jsonl

ROW: dict[str, Any] = {
    "text": "Write a function to double a number.",
    "code": "import math\r\ndef help(n):\r\n  return n\r\ndef double(n):\r\n  return help(n) * 2",
    "task_id": 7,
    "test_setup_code": "root = 4\nother = 5",
    "test_list": ["assert double(root) == 8", "assert math.isclose(double(1), 2)"],
    "challenge_test_list": ["assert double(0) == 0"],
}
SANITIZED: dict[str, Any] = {
    "source_file": "a.ipynb",
    "task_id": 8,
    "prompt": "Write a function to double a number.",
    "code": "def double(n):\n  return n * 2",
    "test_imports": ["import math"],
    "test_list": ["assert math.isclose(double(1), 2)", "assert set([double(2)]) == {4}"],
}


def test_plain_rows_load() -> None:
    """The number becomes "Mbpp/7", the tests give the entry point, and set-up goes where it is needed."""
    loaded = load(jsonl(ROW))
    assert loaded.format == "mbpp-problems"
    (problem,) = loaded.problems
    assert (problem.task_id, problem.entry_point, problem.prompt) == ("Mbpp/7", "double", ROW["text"])
    assert problem.reference_tests == (
        Assertion("root = 4\nassert double(root) == 8"),
        Assertion("assert math.isclose(double(1), 2)"),
    )
    assert "\r" not in problem.reference_solution
    assert problem.metadata == {"challenge_test_list": ["assert double(0) == 0"]}


def test_the_sanitized_array_loads() -> None:
    """Imports of the tests go with the tests that use them."""
    loaded = load(json.dumps([SANITIZED, {**SANITIZED, "task_id": 9}], indent=2).encode())
    assert [problem.task_id for problem in loaded.problems] == ["Mbpp/8", "Mbpp/9"]
    assert loaded.problems[0].reference_tests == (
        Assertion("import math\nassert math.isclose(double(1), 2)"),
        Assertion("assert set([double(2)]) == {4}"),
    )


@pytest.mark.parametrize(
    ("code", "tests", "expected"),
    [
        ("def a(): pass\ndef b(): pass", ["assert b(a()) == 1", "assert b(2) == 1"], "b"),
        ("def a(): pass\ndef b(): pass", ["assert a(b()) == 1"], "b"),
        (
            "class Pair: pass\ndef f(): pass",
            ["assert f([Pair(1, 2)]) == 1", "assert f([Pair(1, 2)]) == 1"],
            "f",
        ),
        ("f = lambda x: x", ["assert set(f(1)) == {1}"], "f"),
        ("def a(): pass", ["assert g(1)"], None),
    ],
)
def test_the_entry_point_is_what_most_tests_call(code: str, tests: list[str], expected: str | None) -> None:
    """Of the names the code defines, the one called by most tests, of equals the last."""
    assert infer_entry_point(code, tests) == expected


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"task_id": True}, "task_id"),
        ({"task_id": None}, "task_id"),
        ({"task_id": 7}, "task_id"),
        ({"code": "def double(n"}, "code"),
        ({"code": "x = 1"}, "test_list"),
        ({"test_list": []}, "test_list"),
        ({"test_list": ["assert double(1) ="]}, "test_list[0]"),
        ({"test_list": ["double(1)"]}, "test_list[0]"),
        ({"test_list": [1]}, "test_list[0]"),
        ({"text": 3}, "text"),
    ],
)
def test_each_bad_field_is_named(change: dict[str, Any], field: str) -> None:
    """Whatever is wrong with a problem, the message names its field."""
    loaded = load(jsonl(ROW, {**ROW, "task_id": 8, **change}))
    assert [(error.line, error.field) for error in loaded.errors] == [(2, field)]
    assert len(loaded.problems) == 1
