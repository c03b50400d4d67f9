"""Files of harnesses: what `generate harness` writes, and what users collect by hand."""

import json
from typing import Any

import pytest

from core.formats import load
from core.formats.answers import holds_harness
from core.llm import Generation
from core.llm.asks import Ask, Kind, Shown
from core.llm.client import Answer
from core.llm.prompts import PromptName, load_template
from core.llm.records import answer_row
from core.model import Benchmark, Problem, Solution

HARNESS = (
    "```python\ndef generate_input_1():\n    return [{'x': 1}]\n\ndef check_output(a, b):\n    assert b\n```"
)
TESTS = "```python\nassert f(1) == 2\n```"


def read(*rows: dict[str, Any]) -> Any:
    """The rows as a loaded file."""
    return load("\n".join(json.dumps(row) for row in rows).encode(), name="answers.jsonl")


def test_what_generate_harness_writes_is_read_as_answers() -> None:
    """The rows of the generator give answers by pair: the task and the solution that was shown."""
    problem, solution = Problem("T/0", "Do.", entry_point="f"), Solution("m-1", "def f(x): return x")
    generation = Generation(Kind.HARNESS, "m", shown=Shown.EACH, samples=2)
    rows = [
        answer_row(
            Benchmark("b", (problem,), {"T/0": (solution,)}),
            Ask(generation, problem, solution, sample=sample),
            Answer(f"{HARNESS}\n{sample}"),
            generation.described(),
        )
        for sample in (0, 1)
    ]
    loaded = read(*rows)

    assert (loaded.format, loaded.kind) == ("touchstone-harnesses", "answers")
    assert loaded.answers == {"T/0:m-1": (f"{HARNESS}\n0", f"{HARNESS}\n1")}
    assert not loaded.suites


def test_harnesses_without_a_record_of_their_request_are_known_by_their_functions() -> None:
    """A response that defines generators and a check is a harness, one with assertions a suite."""
    assert read({"task_id": "T/0", "response": HARNESS}).answers == {"T/0": (HARNESS,)}
    assert read({"task_id": "T/0", "response": TESTS}).kind == "suites"
    assert read({"task_id": "T/0", "response": TESTS, "request": {"kind": "tests"}}).kind == "suites"


def test_a_harness_among_tests_is_reported_and_not_taken_for_a_suite() -> None:
    """In a file of tests the odd harness is an error with its line; its assertions are no tests."""
    loaded = read(
        {"task_id": "a", "response": TESTS},
        {"task_id": "b", "response": TESTS},
        {"task_id": "c", "response": HARNESS},
    )

    assert [suite.task_id for suite in loaded.suites] == ["a", "b"]
    assert [(error.line, error.field) for error in loaded.errors] == [(3, "response")]
    assert "found a test harness" in loaded.errors[0].message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HARNESS, True),
        ("def check_output(a): pass", False),
        ("I call generate_input_1() and check_output(x)", False),
        ("  def generate_input_2 ():\n  def check_output(x):", True),
    ],
)
def test_a_harness_is_known_by_two_definitions(text: str, expected: bool) -> None:
    """Both a generator and the check have to be defined, not only mentioned."""
    assert holds_harness(text) is expected


def test_a_harness_for_a_function_is_asked_for_as_hunts_run_it() -> None:
    """The prompt asks for arguments by name, which is what generators have to return."""
    (message,) = load_template(PromptName.HARNESS).fill(
        Problem("T", "p", entry_point="f"), n_tests=1, solution="def f(x): ..."
    )
    assert "Dict[str, Any]" in message["content"]
    assert "positional" not in message["content"]
