"""Touchstone's own files."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats import load
from core.formats.touchstone import write_benchmark, write_solutions, write_suites
from core.model import (
    Assertion,
    Benchmark,
    CallTest,
    Origin,
    Problem,
    ProblemKind,
    Solution,
    StdioTest,
    TestSuite,
)
from sandbox.values import dumps
from tests.core.formats.helpers import jsonl

TEXT = st.text(st.characters(), max_size=20)
ID = TEXT.filter(str.strip)
ORIGINS = st.just(Origin()) | st.builds(Origin, TEXT, TEXT, st.integers(0, 9))
FINITE = st.floats(0, 1e300)
VALUES = st.recursive(
    st.integers() | st.text(max_size=5), lambda inner: st.lists(inner) | st.tuples(inner), max_leaves=5
)
TESTS = st.one_of(
    st.builds(Assertion, st.integers().map(lambda n: f"assert f({n}) == {n}, 'ü'"), ORIGINS),
    st.builds(StdioTest, TEXT, TEXT, ORIGINS),
    st.builds(CallTest, st.lists(VALUES, max_size=3).map(dumps), VALUES.map(dumps), FINITE, ORIGINS),
)
NAME = st.from_regex(r"[a-z_]\w*", fullmatch=True)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
SOLUTIONS = st.lists(
    st.builds(
        Solution,
        ID,
        TEXT,
        TEXT,
        st.none() | st.floats(0, 1),
        st.none() | st.floats(1, 99),
        st.none() | FINITE,
    ),
    unique_by=lambda solution: solution.id,
    max_size=3,
).map(tuple)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Any problem."""
    kind = draw(st.sampled_from(ProblemKind))
    return Problem(
        task_id=draw(ID),
        prompt=draw(TEXT),
        kind=kind,
        entry_point=draw(NAME) if kind == ProblemKind.FUNCTION else None,
        reference_solution=draw(TEXT),
        reference_tests=tuple(draw(st.lists(TESTS, max_size=3))),
        metadata=draw(st.dictionaries(TEXT, JSON, max_size=3)),
    )


@st.composite
def benchmarks(draw: st.DrawFn) -> Benchmark:
    """Any benchmark with at least one problem."""
    found = draw(st.lists(problems(), min_size=1, max_size=3, unique_by=lambda problem: problem.task_id))
    return Benchmark("b", tuple(found), {problem.task_id: draw(SOLUTIONS) for problem in found})


SUITES = st.lists(
    st.builds(
        TestSuite,
        ID,
        st.lists(TESTS, max_size=3).map(tuple),
        st.lists(st.tuples(TEXT, TEXT), max_size=2).map(tuple),
        st.none() | TEXT,
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda suite: suite.task_id,
).map(tuple)


@settings(deadline=None)
@given(benchmarks())
def test_a_benchmark_reads_back_the_same(benchmark: Benchmark) -> None:
    """Writing and reading a benchmark changes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "b.jsonl"
        write_benchmark(benchmark, path)
        loaded = load(path)
    assert not loaded.errors
    assert loaded.benchmark == benchmark


@settings(deadline=None)
@given(SUITES)
def test_suites_read_back_the_same(suites: tuple[TestSuite, ...]) -> None:
    """Writing and reading tests changes nothing, unparsed pieces and answers included."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        write_suites(suites, path)
        loaded = load(path)
    assert not loaded.errors
    assert loaded.suites == suites


@settings(deadline=None)
@given(st.dictionaries(ID, SOLUTIONS.filter(bool), min_size=1, max_size=3))
def test_solutions_read_back_the_same(solutions: dict[str, tuple[Solution, ...]]) -> None:
    """Writing and reading solutions changes nothing."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        write_solutions(solutions, path)
        loaded = load(path)
    assert not loaded.errors
    assert loaded.solutions == solutions


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    """A file is replaced only by a complete one."""
    path = tmp_path / "b.jsonl"
    write_benchmark(Benchmark("b", (Problem("a", "", entry_point="f"),), {}), path)
    before = path.read_bytes()
    bad = Problem("b", "", entry_point="f", metadata={"x": float("nan")})
    with pytest.raises(ValueError, match="JSON"):
        write_benchmark(Benchmark("b", (bad,), {}), path)
    assert path.read_bytes() == before
    assert [item.name for item in tmp_path.iterdir()] == ["b.jsonl"]


PROBLEM: dict[str, Any] = {
    "task_id": "a",
    "prompt": "",
    "kind": "function",
    "entry_point": "f",
    "reference_solution": "def f(): pass",
    "reference_tests": ["assert f() is None"],
    "solutions": [{"id": "0", "code": "", "reference_score": 1.0, "reference_rank": 1}],
    "metadata": {},
}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"task_id": " "}, "task_id"),
        ({"kind": "file"}, "kind"),
        ({"entry_point": None}, "entry_point"),
        ({"reference_tests": "assert f()"}, "reference_tests"),
        ({"reference_tests": ["assert f( "]}, "reference_tests[0]"),
        ({"reference_tests": ["f()"]}, "reference_tests[0]"),
        ({"reference_tests": [{"stdin": "1"}]}, "reference_tests[0].stdout"),
        ({"reference_tests": [{"arguments": "(", "expected": "1"}]}, "reference_tests[0].arguments"),
        (
            {"reference_tests": [{"arguments": dumps(1), "expected": dumps(1)}]},
            "reference_tests[0].arguments",
        ),
        ({"reference_tests": [{}]}, "reference_tests[0]"),
        ({"reference_tests": [3]}, "reference_tests[0]"),
        ({"solutions": [{"id": "0"}]}, "solutions[0].code"),
        ({"solutions": [{"id": "0", "code": "", "reference_score": 1.5}]}, "solutions[0].reference_score"),
        ({"solutions": [{"id": "0", "code": "", "reference_score": True}]}, "solutions[0].reference_score"),
        ({"solutions": [{"id": "0", "code": "", "reference_rank": 0}]}, "solutions[0].reference_rank"),
        ({"solutions": [{"id": "0", "code": ""}, {"id": "0", "code": ""}]}, "solutions[1].id"),
        ({"solutions": [7]}, "solutions[0]"),
        ({"metadata": []}, "metadata"),
    ],
)
def test_each_bad_field_of_a_benchmark_is_named(change: dict[str, Any], field: str) -> None:
    """Whatever is wrong with a problem, the message names its path."""
    loaded = load(jsonl({**PROBLEM, "task_id": "good"}, {**PROBLEM, **change}))
    assert [(error.line, error.field) for error in loaded.errors] == [(2, field)]
    assert loaded.benchmark is not None
    assert loaded.benchmark.problems[0].task_id == "good"


def test_one_test_a_line_makes_suites_in_the_order_of_the_file() -> None:
    """Rows with `test` are joined by task."""
    rows = [("a", "assert f(1)"), ("b", "assert g(1)"), ("a", "assert f(2)")]
    loaded = load(jsonl(*({"task_id": task_id, "test": test} for task_id, test in rows)), name="v")
    assert [(suite.task_id, len(suite.tests)) for suite in loaded.suites] == [("a", 2), ("b", 1)]
    assert loaded.suites[0].tests[1] == Assertion("assert f(2)", Origin("v"))


def test_a_row_without_tests_is_told_which_keys_may_hold_them() -> None:
    """It says all three spellings, not only that of a raw answer."""
    loaded = load(jsonl({"task_id": "a", "test": "assert f(1)"}, {"task_id": "a"}))
    (error,) = loaded.errors
    assert (error.line, error.field) == (2, "tests")
    assert "expected tests, a test or a response" in error.message


def test_a_bad_test_is_reported_and_kept_aside() -> None:
    """A test that is no Python is an error, and the suite shows it as unparsed."""
    loaded = load(jsonl({"task_id": "a", "tests": ["assert f(", "assert f(1)"]}))
    assert [error.field for error in loaded.errors] == ["tests[0]"]
    assert loaded.suites[0].tests == (Assertion("assert f(1)"),)
    assert loaded.suites[0].unparsed[0][0] == "assert f("


def test_rows_with_tests_for_one_task_are_joined_and_said_so() -> None:
    """Two rows with `tests` of one task are one suite, what both have counts once, the lines are named."""
    loaded = load(
        jsonl(
            {"task_id": "a", "tests": ["assert f(1)", "assert f(2)", "assert f(2)"]},
            {"task_id": "b", "tests": ["assert g(1)"]},
            {"task_id": "a", "tests": ["assert f(2)", "assert f(3)"]},
        )
    )
    assert not loaded.errors
    sources = [test.source for test in loaded.suites[0].tests if isinstance(test, Assertion)]
    assert sources == ["assert f(1)", "assert f(2)", "assert f(2)", "assert f(3)"]
    assert [(one.line, one.message) for one in loaded.warnings] == [
        (3, "joined with what 'a' has from line 1 on"),
        (3, "left out, as earlier lines of 'a' have them: 1 of 2 tests"),
    ]


def test_tests_of_two_verifiers_for_one_task_are_an_error() -> None:
    """Rows whose tests name different verifiers are no one suite: the error names both, and both lines."""
    first = [{"assertion": "assert f(1)", "verifier": "gpt"}]
    second = [{"assertion": "assert f(2)", "verifier": "llama"}]
    loaded = load(jsonl({"task_id": "a", "tests": first}, {"task_id": "a", "tests": second}))
    (error,) = loaded.errors
    assert (error.line, error.field) == (2, "tests")
    assert "llama here and of gpt on line 1" in error.message
    assert len(loaded.suites[0].tests) == 1


def test_an_answer_without_a_test_is_said_to_have_none() -> None:
    """A refusal gives an empty suite, and a warning with its line."""
    loaded = load(
        jsonl({"task_id": "a", "response": "I can't."}, {"task_id": "b", "response": "assert f(1)"})
    )
    assert [len(suite.tests) for suite in loaded.suites] == [0, 1]
    assert [one.line for one in loaded.warnings if one.message == "there is no test in it"] == [1]


def test_answers_are_parsed_with_the_entry_point_of_their_problem() -> None:
    """A raw answer becomes a suite; several answers to a task become one, without repetitions."""
    problem = Problem("a", "", entry_point="f")
    rows = [
        {"task_id": "a", "response": "def f(): pass\nassert f(1) == 2\nassert g(1)"},
        {"task_id": "a", "response": "```\nassert f(1) == 2\nassert f(2) == 3\n```"},
    ]
    loaded = load(jsonl(*rows), benchmark=[problem], name="v")
    (suite,) = loaded.suites
    assert [test.source for test in suite.tests if isinstance(test, Assertion)] == [
        "assert f(1) == 2",
        "assert f(2) == 3",
    ]
    assert suite.unparsed == (("assert g(1)", "it does not use f"),)
    assert suite.response == f"{rows[0]['response']}\n\n{rows[1]['response']}"
    assert not loaded.errors
    assert [(one.line, one.message.partition(":")[0]) for one in loaded.warnings] == [
        (1, "its own definition of the tested function is left out"),
        (1, "not usable"),
        (2, "joined with what 'a' has from line 1 on"),
        (2, "left out, as earlier lines of 'a' have them"),
    ]


def test_completions_are_joined_to_the_prompts_of_the_benchmark() -> None:
    """A completion becomes a whole program; without a benchmark it stays as it is, with a warning."""
    problem = Problem("a", "def f(x):\n", entry_point="f")
    content = jsonl(
        {"task_id": "a", "completion": "    return x", "sample": 3}, {"task_id": "a", "solution": "f = abs"}
    )
    loaded = load(content, benchmark=[problem])
    assert [solution.id for solution in loaded.solutions["a"]] == ["3", "1"]
    assert loaded.solutions["a"][0].code == "def f(x):\n    return x"
    assert not loaded.warnings
    alone = load(content)
    assert alone.solutions["a"][0].code == "    return x"
    assert "1 completion not joined" in alone.warnings[0].message


@pytest.mark.parametrize(
    ("row", "field"),
    [
        ({"task_id": "a", "solution": 1}, "solution"),
        ({"task_id": "a", "completion": None}, "completion"),
        ({"task_id": "a", "solution": "", "id": [1]}, "id"),
        ({"task_id": "a", "solution": "", "id": "0"}, "id"),
        ({"task_id": "z", "solution": ""}, "task_id"),
    ],
)
def test_each_bad_field_of_a_solution_is_named(row: dict[str, Any], field: str) -> None:
    """Whatever is wrong with a solution, the message names its field."""
    loaded = load(jsonl({"task_id": "a", "solution": ""}, row), benchmark=[Problem("a", "")])
    assert [(error.line, error.field) for error in loaded.errors] == [(2, field)]
    assert len(loaded.solutions["a"]) == 1


def test_a_bad_row_does_not_take_the_place_of_a_good_one() -> None:
    """A task whose first row holds no test is read from the rows that do."""
    rows = [
        {"task_id": "t", "tests": [test]} for test in ("print(1)", "assert f(1) == 1", "assert f(2) == 2")
    ]
    found = load(jsonl(*rows))
    assert [test.text for suite in found.suites for test in suite.tests] == [
        "assert f(1) == 1",
        "assert f(2) == 2",
    ]
    assert [error.line for error in found.errors] == [1]
    assert found.usable
