"""Solutions written by hand, the report of a build on disk, and tests made by mutation."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmarks.build import build
from core.benchmarks.by_hand import SOURCE, add, judge, missing_quantiles, syntax_error
from core.benchmarks.more_tests import METHOD, with_more_tests
from core.benchmarks.records import read_report, read_unranked, report_file, write_report, write_unranked
from core.errors import InputError
from core.formats import load
from core.formats.touchstone import write_benchmark
from core.model import Assertion, Benchmark, CallTest, Problem, Solution
from sandbox.values import loads
from tests.core.benchmarks.runner import InProcess

SQUARE = Problem(
    "square",
    "def f(a):\n",
    entry_point="f",
    reference_solution="def f(a):\n    return a * a\n",
    reference_tests=tuple(Assertion(f"assert f({n}) == {n * n}") for n in range(8)),
)


def solution(name: str, body: str) -> Solution:
    """A candidate for SQUARE."""
    return Solution(name, f"def f(a):\n    {body}\n", "given")


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A benchmark file of one problem with three of five solutions, and its report."""
    given = [solution("half", "return a * a if a < 4 else -1"), solution("zero", "return -1")]
    result = build([SQUARE], {"square": given}, InProcess())
    path = tmp_path / "b.jsonl"
    write_benchmark(result.benchmark, path)
    write_report(path, result.report)
    return path


def read(path: Path) -> Benchmark:
    """The benchmark in a file."""
    found = load(path).benchmark
    assert found is not None
    return found


def scores(path: Path) -> list[float | None]:
    """Reference scores of the one problem's solutions."""
    return [one.reference_score for one in read(path).solutions["square"]]


def test_a_report_reads_back_as_it_was(tmp_path: Path) -> None:
    """Everything that a build reports survives the disk: failed tests, reasons, scores, targets."""
    odd = replace(SQUARE, reference_tests=(*SQUARE.reference_tests, Assertion("assert f(3) == 10")))
    alone = replace(SQUARE, task_id="alone")
    report = build([odd, alone], {"square": [solution("zero", "return -1")]}, InProcess()).report
    write_report(tmp_path / "b.jsonl", report)
    assert report.problems[0].failed_tests
    assert report.left_out == ("alone",)
    assert read_report(tmp_path / "b.jsonl") == report
    assert read_report(tmp_path / "other.jsonl") is None


def test_a_damaged_report_is_named(tmp_path: Path) -> None:
    """A report that can't be read says which file it is."""
    path = report_file(tmp_path / "b.jsonl")
    path.parent.mkdir()
    path.write_text('{"k": 5}', encoding="utf-8")
    with pytest.raises(InputError, match=r"report.json: expected the report of a build"):
        read_report(tmp_path / "b.jsonl")


def test_a_solution_by_hand_is_scored_at_once() -> None:
    """A fenced answer is read as a program; its score and the messages of its failures come back."""
    judged = judge(SQUARE, "Here:\n```python\ndef f(a):\n    return a * a if a < 6 else 0\n```", InProcess())
    assert judged.score == 0.75
    assert sorted(judged.messages) == [6, 7]
    with pytest.raises(InputError, match="found nothing"):
        judge(SQUARE, "  \n", InProcess())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def f(a):\n    b = a\n    retrn b\n", "Line 3: invalid syntax: retrn b"),
        ("    b = a\n    return b +\n", "Line 2: invalid syntax: return b +"),
        (
            "Here:\n\n```python\ndef f(a):\n    return (a\n```\nDone.",
            "Line 5: '(' was never closed: return (a",
        ),
        ("def f(a):\n    return a\n", ""),
        ("Try:\n```\ndef f(:\n```\nor\n```\ndef f(a):\n    return a\n```\n", ""),
        ("I can't do that.\n", ""),
        ("def f(a):\n    return '\0'\n", "source code string cannot contain null bytes"),
    ],
)
def test_a_program_that_does_not_compile_says_where(text: str, said: str) -> None:
    """The line is that of the editor's text: of a program, the rest of one, or an answer with a fence."""
    assert syntax_error(text) == said
    if said:
        with pytest.raises(InputError, match=f"it does not compile. {re.escape(said)}"):
            judge(SQUARE, text, InProcess())


def test_a_solution_that_fills_a_gap_is_taken(built: Path) -> None:
    """The file gets the new solution in its place, and the report its scores."""
    assert scores(built) == [1.0, 0.5, 0.0]
    judged = judge(SQUARE, "def f(a):\n    return a * a if a < 6 else -1\n", InProcess())
    added = add(built, read(built), "square", judged, InProcess())
    assert (added.taken, added.gone) == (True, ())
    assert scores(built) == [1.0, 0.75, 0.5, 0.0]
    assert [one.source for one in read(built).solutions["square"]][1] == SOURCE
    report = read_report(built)
    assert report is not None
    assert report.problems[0].scores == (1.0, 0.75, 0.5, 0.0)
    assert report.problems[0].tried == 3


def test_a_solution_brings_in_a_problem_that_was_left_out(tmp_path: Path) -> None:
    """A problem with nothing to rank is kept beside; with a second score it joins the benchmark."""
    path = tmp_path / "b.jsonl"
    alone = replace(SQUARE, task_id="alone")
    result = build([SQUARE, alone], {"square": [solution("zero", "return -1")]}, InProcess())
    write_benchmark(result.benchmark, path)
    write_unranked(path, result.unranked)
    write_report(path, result.report)
    assert [one.task_id for one in read_unranked(path, read(path)).problems] == ["alone"]
    same = judge(alone, "def f(a):\n    return a ** 2\n", InProcess())
    assert not add(path, read(path), "alone", same, InProcess()).taken
    half = judge(alone, "def f(a):\n    return a * a if a < 4 else -1\n", InProcess())
    assert add(path, read(path), "alone", half, InProcess()).taken
    now = read(path)
    assert [one.task_id for one in now.problems] == ["square", "alone"]
    assert [one.reference_score for one in now.solutions["alone"]] == [1.0, 0.5]
    assert not read_unranked(path, now).problems
    report = read_report(path)
    assert report is not None
    assert report.left_out == ()


def test_a_solution_that_brings_nothing_is_refused_with_the_reason(built: Path) -> None:
    """One with a score that is there, or as good as the reference, changes no file."""
    before = built.read_bytes()
    for body, reason in (
        ("return a * a", "passes every test"),
        ("return -1 if a > 3 else a ** 2", "same score"),
    ):
        judged = judge(SQUARE, f"def f(a):\n    {body}\n", InProcess())
        added = add(built, read(built), "square", judged, InProcess())
        assert not added.taken
        assert reason in added.reason
    assert built.read_bytes() == before


def test_an_unknown_problem_is_bad_input(built: Path) -> None:
    """The message names the file and the problem."""
    judged = judge(SQUARE, "def f(a):\n    return 1\n", InProcess())
    with pytest.raises(InputError, match="has no problem cube"):
        add(built, read(built), "cube", judged, InProcess())


def test_missing_quantiles_are_those_without_a_score() -> None:
    """With 1, .5 and 0 there, .75 and .25 are missing; a low score stands for the lowest quantile."""
    assert missing_quantiles([1.0, 0.5, 0.0], 5) == (0.75, 0.25)
    assert missing_quantiles([1.0, 0.05], 5) == (0.75, 0.5, 0.25)


@given(st.sets(st.integers(0, 99), max_size=5), st.integers(2, 7))
def test_as_many_quantiles_are_missing_as_solutions(found: set[int], k: int) -> None:
    """However the scores lie, what is missing is k less what is there."""
    have = sorted({1.0, *(n / 100 for n in found)}, reverse=True)
    assert len(missing_quantiles(have, k)) == max(0, k - len(have))


def test_more_tests_keep_types_and_follow_the_reference() -> None:
    """New inputs are new integers, what the reference returns is expected, the seed decides them."""
    (more,) = with_more_tests([SQUARE], InProcess(), 10, seed=3)
    new = more.reference_tests[len(SQUARE.reference_tests) :]
    assert more.reference_tests[: len(SQUARE.reference_tests)] == SQUARE.reference_tests
    assert len(new) == 10
    for test in new:
        assert isinstance(test, CallTest)
        (argument,) = loads(test.arguments)
        assert type(argument) is int
        assert argument not in range(8)
        assert loads(test.expected) == argument**2
        assert test.origin.method == METHOD
    assert with_more_tests([SQUARE], InProcess(), 10, seed=3) == (more,)


def test_inputs_that_the_reference_refuses_give_no_test() -> None:
    """What raises in the reference breaks what the problem asks for, and is no test."""
    careful = "def f(a):\n    assert a >= 0\n    return a * a\n"
    (more,) = with_more_tests([replace(SQUARE, reference_solution=careful)], InProcess(), 10)
    new = more.reference_tests[len(SQUARE.reference_tests) :]
    assert new
    assert all(loads(test.arguments)[0] >= 0 for test in new if isinstance(test, CallTest))


def test_a_problem_whose_tests_show_no_call_stays_as_it_is() -> None:
    """Without a literal call there is nothing to vary."""
    hidden = replace(SQUARE, reference_tests=(Assertion("for n in range(3):\n    assert f(n) == n * n"),))
    assert with_more_tests([hidden], InProcess(), 5) == (hidden,)
