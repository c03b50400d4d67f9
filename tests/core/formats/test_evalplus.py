"""EvalPlus' problems and results."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats import CallInputs, load
from core.formats.evalplus import attach_expected, reference_program
from core.formats.evalplus_inputs import restore_arguments
from core.formats.evalplus_oracles import reference_test
from core.model import Assertion, CallTest, Origin, Problem
from sandbox.values import dumps, loads
from tests.core.formats.helpers import ADD, jsonl

HUMANEVAL: dict[str, Any] = {
    **ADD,
    "contract": "    assert a > 0\n",
    "base_input": [[1, 2]],
    "plus_input": [[3, 4], [0.5, 1]],
    "atol": 0,
}
MBPP: dict[str, Any] = {
    "task_id": "Mbpp/106",
    "prompt": '"""Add a tuple."""\n',
    "entry_point": "add_lists",
    "canonical_solution": "def add_lists(a, b):\n    return b + tuple(a)\n",
    "contract": "",
    "base_input": [[[5], [9]]],
    "plus_input": {},
    "atol": 0.5,
    "assertion": "assert add_lists([5], (9,)) == (9, 5)",
}


def test_problems_load_with_inputs_and_without_tests() -> None:
    """Expected values aren't in the file: the inputs come beside the problems."""
    loaded = load(jsonl(HUMANEVAL, MBPP))
    assert loaded.format == "evalplus-problems"
    assert not loaded.errors
    assert [problem.reference_tests for problem in loaded.problems] == [(), ()]
    inputs = loaded.inputs["Own/1"]
    assert [loads(call) for call in inputs.calls] == [[1, 2], [3, 4], [0.5, 1]]
    assert (len(inputs.base), len(inputs.plus), inputs.tolerance) == (1, 2, 0.0)
    assert loaded.problems[0].metadata["contract"] == HUMANEVAL["contract"]
    assert loads(loaded.inputs["Mbpp/106"].base[0]) == [[5], (9,)]
    assert loaded.inputs["Mbpp/106"].plus == ()


def test_expected_values_make_reference_tests() -> None:
    """What the reference returned becomes the tests, base first; what it could not return is left out."""
    loaded = load(jsonl(HUMANEVAL))
    problem = attach_expected(loaded.problems[0], loaded.inputs["Own/1"], [dumps(3), None, dumps(1.5)])
    assert problem.reference_tests == (
        CallTest(dumps([1, 2]), dumps(3), 0.0, Origin(method="base")),
        CallTest(dumps([0.5, 1]), dumps(1.5), 1e-6 + 1.5e-7, Origin(method="plus")),
    )
    with pytest.raises(ValueError, match="zip"):
        attach_expected(loaded.problems[0], CallInputs((), (), 0.0), [dumps(3)])


@pytest.mark.parametrize(
    ("task", "arguments", "restored"),
    [
        (1, [[1]], [[1]]),
        (2, [[1], [2]], [(1,), (2,)]),
        (63, [[[1, 2], [3]]], [[(1, 2), (3,)]]),
        (75, [[[1], [2]], 3], [[(1,), (2,)], 3]),
        (750, [[1], [2]], [[1], (2,)]),
        (115, [[[1], []]], [[{1}, {}]]),
        (124, ["1.5", "2j"], [1.5, 2j]),
        (252, ["(1+2j)"], [1 + 2j]),
        (307, [[1], 2, 3], [(1,), 2, 3]),
        (401, [[[1], [2]], [[3]]], [((1,), (2,)), ((3,),)]),
        (278, [[1, [2], 3]], [(1, (2,), 3)]),
        (580, [[1, [2, [3]]]], [(1, (2, (3,)))]),
        (722, [{"a": [1, 2]}, 3], [{"a": (1, 2)}, 3]),
    ],
)
def test_types_that_json_lost_come_back(task: int, arguments: list[Any], restored: list[Any]) -> None:
    """Each kind of task that EvalPlus restores is restored."""
    assert repr(restore_arguments(f"Mbpp/{task}", arguments)) == repr(restored)
    assert restore_arguments(f"HumanEval/{task}", arguments) == arguments


@pytest.mark.parametrize(
    ("task_id", "entry_point", "arguments", "expected", "right", "wrong"),
    [
        ("Mbpp/2", "similar_elements", [(1, 2), (2, 1)], (1, 2), (2, 1), (1,)),
        ("Mbpp/164", "are_equivalent", [1, 2], False, True, None),
        ("Mbpp/295", "sum_div", [8], 7, 0, 8),
        ("Mbpp/737", "check_str", ["a"], True, "match", None),
        ("Mbpp/581", "surface_Area", [3, 4], 33, 35, 34),
        ("Mbpp/558", "digit_distance_nums", [1, 20], 3, 3, 4),
        ("HumanEval/32", "find_zero", [[-2.0, 1.0]], 2.0, 2.00001, 2.1),
    ],
)
def test_tasks_with_a_rule_of_their_own_are_assertions(
    task_id: str, entry_point: str, arguments: list[Any], expected: Any, right: Any, wrong: Any
) -> None:
    """EvalPlus accepts more than equality in these tasks, and so do their tests."""
    test = reference_test(task_id, entry_point, arguments, expected, 1e-4, "plus")
    assert isinstance(test, Assertion)
    assert test.origin.method == "plus"
    exec(test.source, {entry_point: lambda *_: expected})
    exec(test.source, {entry_point: lambda *_: right})
    if wrong is not None or entry_point != "are_equivalent":
        with pytest.raises(AssertionError):
            exec(test.source, {entry_point: lambda *_: wrong})


@given(
    st.lists(
        st.floats(allow_nan=False) | st.tuples(st.text(max_size=3), st.floats(allow_nan=False)), max_size=4
    )
)
def test_arguments_in_assertions_are_the_arguments(argument: list[Any]) -> None:
    """Values are written as source that gives the same values, infinities included."""
    test = reference_test("Mbpp/164", "are_equivalent", [argument, tuple(argument)], True, 0.0, "base")
    seen: list[Any] = []
    assert isinstance(test, Assertion)
    exec(test.source, {"are_equivalent": lambda *arguments: seen.extend(arguments)})
    assert seen == [argument, tuple(argument)]


def test_expected_values_of_matches_are_plain() -> None:
    """Where the reference returns a match object, the program says whether there is one."""
    code = "import re\ndef check_str(s):\n    return re.search('a', s)\n"
    namespace: dict[str, Any] = {}
    exec(
        reference_program(Problem("Mbpp/737", "", entry_point="check_str", reference_solution=code)),
        namespace,
    )
    assert [namespace["check_str"]("a"), namespace["check_str"]("b")] == [True, False]
    assert reference_program(Problem("Mbpp/1", "", entry_point="f", reference_solution=code)) == code


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"plus_input": {"0": [1]}}, "plus_input"),
        ({"base_input": [3]}, "base_input[0]"),
        ({"base_input": [[1, 2]]}, "base_input[0]"),
        ({"atol": "0"}, "atol"),
        ({"atol": -1}, "atol"),
        ({"prompt": None}, "prompt"),
    ],
)
def test_each_bad_field_of_a_problem_is_named(change: dict[str, Any], field: str) -> None:
    """Whatever is wrong with a problem, the message names its field."""
    loaded = load(jsonl(HUMANEVAL, {**MBPP, **change}))
    assert [(error.line, error.field) for error in loaded.errors] == [(2, field)]
    assert list(loaded.inputs) == ["Own/1"]


def test_nan_is_allowed_in_inputs_only() -> None:
    """EvalPlus writes infinities among its inputs; elsewhere they are errors."""
    infinite = json.dumps({**MBPP, "task_id": "Mbpp/404", "base_input": [[float("-inf")]]})
    bad = json.dumps({**HUMANEVAL, "atol": float("nan")})
    loaded = load(jsonl(infinite, bad))
    assert list(loaded.inputs) == ["Mbpp/404"]
    assert [(error.line, error.field) for error in loaded.errors] == [(2, "atol")]


RESULT: dict[str, Any] = {
    "task_id": "Own/1",
    "solution": "def add(a, b): return a",
    "base_status": "pass",
    "plus_status": "fail",
    "base_fail_tests": [],
    "plus_fail_tests": [[3, 4]],
}


def test_results_load_with_status_and_failed_inputs() -> None:
    """Each solution of each task is a row; a bad one is named by its path and the others load."""
    bad = {**RESULT, "solution": None}
    document = {
        "date": "d",
        "hash": "h",
        "eval": {"Own/1": [RESULT, {**RESULT, "plus_status": None}], "Own/2": [bad]},
    }
    loaded = load(json.dumps(document, indent=1).encode())
    assert loaded.format == "evalplus-results"
    first, second = loaded.results
    assert first.status == {"base": "pass", "plus": "fail"}
    assert first.failed_inputs == {"base": (), "plus": ([3, 4],)}
    assert second.status == {"base": "pass"}
    assert [row.solution.id for row in loaded.results] == ["0", "1"]
    assert [error.field for error in loaded.errors] == ["eval.Own/2[0].solution"]


def test_legacy_results_load_with_their_vectors() -> None:
    """The older form has a vector for each file of a task."""
    found = {
        "Own/1": {
            "nfiles": 2,
            "base": [["pass", [1, 1]], ["fail", [0]]],
            "plus": [["fail", [1, 0]], ["fail", []]],
        },
        "Own/2": {"nfiles": 1, "base": [["pass", [2]]]},
        "Own/3": {"nfiles": 1},
        "Own/4": 3,
    }
    loaded = load(jsonl({"date": "d", "hash": "h", "eval": found}))
    assert [row.passed for row in loaded.results] == [
        {"base": (True, True), "plus": (True, False)},
        {"base": (False,), "plus": ()},
    ]
    assert [error.field for error in loaded.errors] == [
        "eval.Own/2.base[0][1]",
        "eval.Own/3.base",
        "eval.Own/4",
    ]
