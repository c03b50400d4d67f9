"""LiveCodeBench's problems and evaluations."""

import base64
import json
import os
import pickle
import zlib
from typing import Any

import pytest

from core.formats import load
from core.formats.livecodebench import IMPORTS
from core.formats.programs import extract_program
from core.model import Assertion, ProblemKind, StdioTest
from tests.core.formats.helpers import jsonl


def packed(value: object) -> str:
    """A value as private tests are packed."""
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


def case(given: str, expected: str, kind: str = "stdin") -> dict[str, str]:
    """A test as LiveCodeBench writes it."""
    return {"input": given, "output": expected, "testtype": kind}


READER: dict[str, Any] = {
    "question_id": "1_A",
    "question_title": "Echo",
    "question_content": "Print what you read.",
    "platform": "codeforces",
    "difficulty": "easy",
    "starter_code": "",
    "public_test_cases": json.dumps([case("a\n", "a\n")]),
    "private_test_cases": packed(json.dumps([case("b\n", "b\n"), case("a\n", "a\n")])),
    "metadata": "{}",
}
METHOD = {
    **READER,
    "question_id": "2",
    "question_content": "Which two?\n\nThe sum is known.",
    "starter_code": "class Solution:\n    def pick(self, nums: List[int], target: int) -> List:\n        ",
    "public_test_cases": json.dumps([case("[1, null]\n3", "[true, 0.5]", "functional")]),
    "private_test_cases": "[]",
    "metadata": json.dumps({"func_name": "pick"}),
}


def test_programs_that_read_have_texts_to_read_and_to_print() -> None:
    """Public and private tests together, each once, and what is known of the problem beside."""
    loaded = load(jsonl(READER))
    assert (loaded.format, loaded.errors) == ("livecodebench-problems", ())
    (problem,) = loaded.problems
    assert (problem.task_id, problem.kind, problem.entry_point) == ("1_A", ProblemKind.STDIO, None)
    assert problem.reference_tests == (StdioTest("a\n", "a\n"), StdioTest("b\n", "b\n"))
    assert (problem.prompt, problem.metadata["difficulty"]) == ("Print what you read.", "easy")


def test_methods_are_called_with_a_value_of_each_line() -> None:
    """Arguments and value are JSON there and Python here; a program gets the imports that it is used to."""
    (problem,) = load(jsonl(METHOD)).problems
    assert (problem.kind, problem.entry_point) == (ProblemKind.FUNCTION, "Solution")
    assert problem.reference_tests == (Assertion("assert Solution().pick([1, None], 3) == [True, 0.5]"),)
    assert "# Which two?\n#\n# The sum is known.\n" in problem.prompt
    answer = (
        "```python\nclass Solution:\n    def pick(self, nums: List[int], target):\n        return [True]\n```"
    )
    program: dict[str, Any] = {}
    exec(extract_program(answer, problem.prompt, "Solution"), program)
    assert program["Solution"]().pick([], 1) == [True]


class Harmful:
    """Runs a command where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("unpickled",)


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        (
            {"private_test_cases": packed(Harmful())},
            "private_test_cases",
            "expected one text and nothing else",
        ),
        ({"private_test_cases": packed(["[]"])}, "private_test_cases", "expected one text and nothing else"),
        (
            {"private_test_cases": READER["private_test_cases"][:-8]},
            "private_test_cases",
            "base64(zlib(pickle",
        ),
        ({"private_test_cases": "???"}, "private_test_cases", "base64(zlib(pickle"),
        ({"private_test_cases": packed("{")}, "private_test_cases", "expected JSON in the text"),
        ({"public_test_cases": "[1]"}, "public_test_cases[0]", "expected an object"),
        ({"public_test_cases": "[]", "private_test_cases": ""}, "public_test_cases", "found none"),
        (
            {"public_test_cases": json.dumps([case("", "", "file")])},
            "public_test_cases[0].testtype",
            "'file'",
        ),
        ({"public_test_cases": METHOD["public_test_cases"]}, "metadata.func_name", "the method's name"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_unpickled(
    change: dict[str, Any], field: str, message: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bad row costs one row; a pickle that would run something is refused unread."""
    monkeypatch.chdir(tmp_path)
    loaded = load(jsonl(READER | change, METHOD))
    assert [problem.task_id for problem in loaded.problems] == ["2"]
    (error,) = loaded.errors
    assert (error.line, error.field) == (1, field)
    assert message in error.message
    assert not list(tmp_path.iterdir())


def test_evaluations_are_solutions_whose_grades_are_not_believed() -> None:
    """`_eval_all.json` gives each program with LiveCodeBench's imports, and says that grades are left."""
    row = {"question_id": "1_A", "code_list": ["print(input())", ""], "graded_list": [True, False]}
    problems = load(jsonl(READER)).problems
    loaded = load(json.dumps([row, {**row, "question_id": "9"}], indent=4).encode(), benchmark=problems)
    assert (loaded.format, loaded.kind) == ("livecodebench-evaluations", "solutions")
    assert [one.code for one in loaded.solutions["1_A"]] == [f"{IMPORTS}\n\nprint(input())", f"{IMPORTS}\n\n"]
    assert [(error.field, "'9' is not in it" in error.message) for error in loaded.errors] == [
        ("question_id", True)
    ]
    assert [warning.field for warning in loaded.warnings] == ["graded_list"]
