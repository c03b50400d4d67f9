"""Scoring-Verifiers' flat and ranked files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from core.formats import load
from sandbox.values import loads
from tests.core.formats.helpers import ADD, jsonl
from tests.core.formats.test_evalplus import HUMANEVAL
from tests.core.formats.test_mbpp import ROW

FLAT: dict[str, Any] = {
    "dataset": "HE_plus",
    "task_id": "HumanEval/1",
    "rank": 1,
    "ground_average_test_score": 1.0,
    "average_test_score": 0.5,
    "instruction": "Do it.",
    "output": "def f(): pass",
    "unit_test_responses": "<assertion>assert f()</assertion>",
    "unit_tests": ["assert f()"],
}
REWARD: dict[str, Any] = {
    "dataset": "MBPP_base",
    "task_id": 11,
    "rank": 2,
    "ground_average_test_score": 0,
    "reward": {"reward_score": -3.25, "response": "poor"},
}


def test_flat_rows_load_with_both_kinds_of_score() -> None:
    """A row carries tests' or a reward model's score; several data sets may stand in one file."""
    loaded = load(jsonl(FLAT, REWARD))
    assert loaded.format == "scoring-verifiers-flat"
    assert not loaded.errors
    tests, reward = loaded.flat
    assert (tests.dataset, tests.test_score, tests.reward_score, tests.code) == (
        "HE_plus",
        0.5,
        None,
        "def f(): pass",
    )
    assert (tests.unit_tests, tests.response) == (("assert f()",), FLAT["unit_test_responses"])
    assert (reward.task_id, reward.test_score, reward.reward_score) == ("Mbpp/11", None, -3.25)
    assert (reward.reference_score, reward.reference_rank, reward.response) == (0.0, 2.0, "poor")


def test_a_row_without_a_score_loads_and_is_told() -> None:
    """A verifier that gave no score is missing data, not zero."""
    loaded = load(jsonl({**FLAT, "average_test_score": None}))
    assert loaded.flat[0].test_score is None
    assert len(loaded.warnings) == 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"dataset": None}, "dataset"),
        ({"rank": "1"}, "rank"),
        ({"ground_average_test_score": 1.5}, "ground_average_test_score"),
        ({"ground_average_test_score": None}, "ground_average_test_score"),
        ({"average_test_score": "0.5"}, "average_test_score"),
        ({"reward": 0.5}, "reward"),
        ({"reward": {"reward_score": "high"}}, "reward.reward_score"),
        ({"unit_tests": "assert f()"}, "unit_tests"),
        ({"unit_tests": ["assert f()", None]}, "unit_tests[1]"),
        ({"average_test_score": float("nan")}, "average_test_score"),
    ],
)
def test_each_bad_field_of_a_flat_row_is_named(change: dict[str, Any], field: str) -> None:
    """Whatever is wrong with a row, the message names its field."""
    loaded = load(jsonl(FLAT, json.dumps({**FLAT, **change})))
    assert [(error.line, error.field) for error in loaded.errors] == [(2, field)]
    assert len(loaded.flat) == 1


def ranked(problem: dict[str, Any], *solutions: dict[str, Any]) -> dict[str, Any]:
    """A problem with solutions."""
    return {**problem, "all_solutions": list(solutions)}


def solution(
    rank: Any, score: Any, code: str, key: str = "canonical_solution", seconds: Any = 0.1
) -> dict[str, Any]:
    """One ranked solution."""
    return {"rank": rank, "average_test_score": score, "average_time_taken": seconds, "solution": {key: code}}


def test_ranked_problems_are_a_benchmark() -> None:
    """Solutions come best first, with whole programs: only the first has its prompt in the file."""
    row = ranked(
        ADD, solution(2, 0.5, "    return a\n"), solution(1, 1.0, ADD["prompt"] + ADD["canonical_solution"])
    )
    loaded = load(jsonl(row), name="HE-R")
    assert loaded.format == "scoring-verifiers-ranked"
    assert not loaded.errors
    assert loaded.benchmark is not None
    assert loaded.benchmark.name == "HE-R"
    assert len(loaded.benchmark.problems[0].reference_tests) == 2
    best, worse = loaded.benchmark.solutions["Own/1"]
    assert (best.source, best.reference_rank, best.reference_score, best.mean_seconds) == (
        "reference",
        1.0,
        1.0,
        0.1,
    )
    assert (worse.source, worse.reference_rank, worse.reference_score) == ("", 2.0, 0.5)
    for program, value in ((best.code, 3), (worse.code, 1)):
        namespace: dict[str, Any] = {}
        exec(program, namespace)
        assert namespace["add"](1, 2) == value


def test_ranked_problems_of_evalplus_have_inputs() -> None:
    """Where the benchmark is EvalPlus' the inputs come beside it."""
    loaded = load(jsonl(ranked(HUMANEVAL, solution(1, 1.0, "    return a + b\n"))))
    assert loaded.benchmark is not None
    assert [loads(call) for call in loaded.inputs["Own/1"].calls] == [[1, 2], [3, 4], [0.5, 1]]


def test_ranked_problems_of_mbpp_have_their_tests() -> None:
    """MBPP's own keys are read, and its solutions' code."""
    loaded = load(jsonl(ranked(ROW, solution(1, 1.0, ROW["code"], key="code"))))
    assert loaded.benchmark is not None
    assert loaded.benchmark.problems[0].task_id == "Mbpp/7"
    assert "def double" in loaded.benchmark.solutions["Mbpp/7"][0].code


def test_of_two_executions_that_of_the_plus_tests_counts() -> None:
    """The intermediate form has base and plus results; where plus is null base counts, and it is told."""
    both = {"base_execution": 1.0, "plus_execution": 0.25}
    base = {"base_execution": 0.5, "plus_execution": None}
    ranks = ({"base_execution": 1, "plus_execution": 2}, {"base_execution": 1, "plus_execution": None})
    row = ranked(ADD, solution(ranks[0], both, "    return a\n"), solution(ranks[1], base, "    return b\n"))
    loaded = load(jsonl(row))
    assert loaded.benchmark is not None
    found = loaded.benchmark.solutions["Own/1"]
    assert [(s.id, s.reference_rank, s.reference_score) for s in found] == [("1", 1.0, 0.5), ("0", 2.0, 0.25)]
    assert "base_execution: 1, plus_execution: 1" in loaded.warnings[0].message


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (solution(0, 1.0, ""), "rank"),
        (solution(1, None, ""), "average_test_score"),
        (
            solution(1, {"base_execution": None, "plus_execution": None}, ""),
            "average_test_score.base_execution",
        ),
        (solution(1, 1.0, "", seconds="1"), "average_time_taken"),
        ({**solution(1, 1.0, ""), "solution": {}}, "solution.code"),
        ({**solution(1, 1.0, ""), "solution": None}, "solution"),
    ],
)
def test_each_bad_solution_is_named(bad: dict[str, Any], field: str) -> None:
    """A solution that can't be read costs itself only, and is named by its path."""
    loaded = load(jsonl(ranked(ADD, solution(1, 1.0, "    return a + b\n"), bad)))
    assert [error.field for error in loaded.errors] == [f"all_solutions[1].{field}"]
    assert loaded.benchmark is not None
    assert len(loaded.benchmark.solutions["Own/1"]) == 1
