"""Data sets of others: what is written reads back as the same thing."""

import json
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats import load
from core.formats.touchstone import write_benchmark, write_rows, write_suites
from core.model import (
    Assertion,
    Benchmark,
    CallTest,
    Origin,
    Outcome,
    Problem,
    ProblemKind,
    Solution,
    StdioTest,
    TestSuite,
)
from core.publish import foreign
from sandbox.values import dumps

texts = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\x00\r\f\v\x1c\x1d\x1e\x85\u2028\u2029")
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=6,
)
names = st.sampled_from(["f", "add_all", "is_sorted"])
scores = st.floats(0, 1).map(lambda value: round(value, 3))


@st.composite
def problems(draw):
    """A function problem whose reference starts with its prompt, and tests that call it."""
    name = draw(names)
    doc = draw(st.sampled_from(["Do it.", "Say \N{EM DASH} something.", "a\n    b"]))
    prompt = f'from typing import List\n\n\ndef {name}(*values):\n    """{doc}"""\n'
    calls = draw(st.lists(st.tuples(st.lists(values, max_size=3), values), min_size=1, max_size=4))
    tests = tuple(
        CallTest(dumps(arguments), dumps(expected), 0.0, Origin(method="base"))
        for arguments, expected in calls
    )
    return Problem(
        f"T/{draw(st.integers(0, 999))}",
        prompt,
        entry_point=name,
        reference_solution=prompt + "    return 1\n",
        reference_tests=tests,
    )


@st.composite
def solved(draw):
    """A problem with solutions, ranked."""
    problem = draw(problems())
    count = draw(st.integers(1, 4))
    found = sorted(draw(st.lists(scores, min_size=count, max_size=count)), reverse=True)
    return problem, tuple(
        Solution(
            str(at),
            f"{problem.prompt}    return {at} + {draw(st.integers(0, 9))}\n",
            "reference" if at == 0 else "",
            score,
            at + 1.0,
            draw(st.none() | st.just(0.5)),
        )
        for at, score in enumerate(found)
    )


def read(rows, **options):
    """Rows as a file, loaded."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        write_rows(path, rows)
        loaded = load(path, **options)
    assert loaded.errors == ()
    return loaded


@given(solved())
def test_a_ranked_benchmark_reads_back(drawn):
    """Scoring-Verifiers: prompts, reference, assertions, programs, scores, ranks and seconds are the same."""
    problem, solutions = drawn
    row = foreign.ranked_row(problem, problem.reference_tests, solutions)
    if row is None:
        assert not all(foreign.as_assertion(problem, test) for test in problem.reference_tests)
        return
    benchmark = read([row]).benchmark
    back = benchmark.problems[0]
    assert (back.task_id, back.prompt, back.entry_point) == (
        problem.task_id,
        problem.prompt,
        problem.entry_point,
    )
    assert back.reference_solution == problem.reference_solution
    sources = [foreign.as_assertion(problem, test) for test in problem.reference_tests]
    assert [test.source for test in back.reference_tests] == sources
    for ours, theirs in zip(solutions, benchmark.solutions[problem.task_id], strict=True):
        assert theirs == replace(ours, code=theirs.code)
        assert theirs.code.rstrip() == ours.code.rstrip()


@given(solved(), st.one_of(st.none(), scores), st.booleans())
def test_a_flat_row_reads_back(drawn, score, reward):
    """Scoring-Verifiers: each solution with both scores; one without a score is left out."""
    problem, solutions = drawn
    texts = foreign.assertions_of(problem, problem.reference_tests)
    rows = [
        foreign.flat_row("tiny", problem, solution, texts, score, reward=reward) for solution in solutions
    ]
    if score is None:
        assert rows == [None] * len(solutions)
        return
    for ours, theirs in zip(solutions, read(rows).flat, strict=True):
        found = (theirs.dataset, theirs.task_id, theirs.code, theirs.reference_score, theirs.reference_rank)
        assert found == ("tiny", problem.task_id, ours.code, ours.reference_score, ours.reference_rank)
        assert (theirs.reward_score if reward else theirs.test_score) == score


@given(problems())
def test_evalplus_inputs_read_back(problem):
    """EvalPlus: the problem and every call's arguments; what JSON would change is counted."""
    row, lost = foreign.evalplus_row(problem, problem.reference_tests)
    loaded = read([row])
    back = loaded.problems[0]
    assert replace(back, metadata={}, reference_tests=problem.reference_tests) == problem
    calls = loaded.inputs[problem.task_id].base
    assert len(calls) + lost == len(problem.reference_tests)
    assert set(calls) <= {test.arguments for test in problem.reference_tests}


def test_evalplus_leaves_out_what_json_would_change():
    """A tuple would come back as a list: the call is left out and counted."""
    tests = (CallTest(dumps([(1, 2)]), dumps(3)), CallTest(dumps([[1, 2]]), dumps(3)))
    problem = Problem("T/1", "def f(x):\n", entry_point="f", reference_solution="def f(x):\n    return 3\n")
    row, lost = foreign.evalplus_row(problem, tests)
    assert (row["plus_input"], lost) == ([[[1, 2]]], 1)


@given(solved(), st.randoms())
def test_a_pass_matrix_reads_back_from_evolvecoder(drawn, random):
    """EvolveCoder's pipeline: tests, programs and outcomes; memory and output limits become failures."""
    problem, solutions = drawn
    tests = [Assertion(f"assert {problem.entry_point}({at}) == {at}") for at in range(4)]
    codes = np.array([[random.randrange(8) for _ in tests] for _ in solutions], dtype=np.uint8)
    loaded = read([foreign.pipeline_row(problem, solutions, tests, codes)]).evaluated[0]
    kept = {Outcome.MEMORY_LIMIT: Outcome.RUNTIME_ERROR, Outcome.OUTPUT_LIMIT: Outcome.RUNTIME_ERROR}
    expected = [[kept.get(Outcome(code), Outcome(code)) for code in row] for row in codes.tolist()]
    assert loaded.matrix.outcomes.tolist() == expected
    assert [s.code for s in loaded.solutions] == [s.code for s in solutions]
    assert [t.source for t in loaded.suite.tests] == [t.source for t in tests]
    assert (loaded.problem.task_id, loaded.problem.prompt) == (problem.task_id, problem.prompt)


@given(solved(), st.randoms())
def test_verdicts_read_back_from_evalplus(drawn, random):
    """EvalPlus' results: who passed all tests; a solution with nothing but passes and gaps is left out."""
    problem, solutions = drawn
    tests = [Assertion(f"assert {problem.entry_point}({at}) == {at}") for at in range(3)]
    codes = np.array([[random.randrange(8) for _ in tests] for _ in solutions], dtype=np.uint8)
    found = foreign.evalplus_results(solutions, codes, tests)
    back = read([{"date": "", "hash": "", "eval": {problem.task_id: found}}]).results
    gap = Outcome.INTERNAL_ERROR
    judged = [
        (s.code, all(c == Outcome.PASSED for c in row))
        for s, row in zip(solutions, codes.tolist(), strict=True)
        if any(c not in (Outcome.PASSED, gap) for c in row) or gap not in row
    ]
    assert [(one.solution.code, one.status["plus"] == "pass") for one in back] == judged


@given(problems())
def test_a_suite_reads_back_from_the_released_form(problem):
    """EvolveCoder-22K: the question and its assertions."""
    tests = [Assertion(f"assert {problem.entry_point}({at}) == {at}") for at in range(3)]
    back = read([foreign.released_row(problem, tests)]).problems[0]
    assert (back.task_id, back.prompt, back.reference_tests) == (
        problem.task_id,
        problem.prompt,
        tuple(tests),
    )


@given(solved())
def test_touchstones_own_files_read_back(drawn):
    """Benchmark and suites are equal, whatever is in them."""
    problem, solutions = drawn
    benchmark = Benchmark("made", (problem,), {problem.task_id: solutions})
    suite = TestSuite(problem.task_id, problem.reference_tests, (("asert", "no test"),), "raw")
    with TemporaryDirectory() as folder:
        write_benchmark(benchmark, Path(folder) / "made.jsonl")
        write_suites([suite], Path(folder) / "suites.jsonl")
        assert load(Path(folder) / "made.jsonl").benchmark == benchmark
        assert load(Path(folder) / "suites.jsonl").suites == (suite,)


@pytest.mark.parametrize("write", [foreign.released_row, foreign.problem_row])
def test_programs_that_read_input_are_left_out(write):
    """A format of assertions has no place for standard input."""
    problem = Problem("T/1", "Add.", ProblemKind.STDIO, reference_solution="print(1)")
    assert write(problem, [StdioTest("1", "1")]) is None


def test_prompts_in_prose_are_written_as_mbpp():
    """A prompt that is no start of the reference goes into MBPP's keys and reads back."""
    tests = (Assertion("assert add(1, 2) == 3"),)
    problem = Problem(
        "Mbpp/2",
        "Add two numbers.",
        entry_point="add",
        reference_solution="def add(a, b):\n    return a + b\n",
        reference_tests=tests,
    )
    solution = Solution("0", problem.reference_solution, "reference", 1.0, 1.0)
    row = foreign.ranked_row(problem, tests, [solution])
    assert "test_list" in row
    benchmark = read([json.loads(json.dumps(row))]).benchmark
    assert benchmark.problems == (problem,)
    assert benchmark.solutions["Mbpp/2"][0].code.strip() == solution.code.strip()
