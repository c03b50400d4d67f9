import json
from typing import Any

import pytest

from core.formats import load

TESTS = ["assert f(1) == 2", "assert f(2) == 4", "assert f(3) == 6"]


def status(word: str | None, message: str | None = None) -> dict[str, Any]:
    """A cell as the pipeline's evaluation writes it."""
    return {"pass": word == "pass", "reason": word, "error_message": message, "time_limit": 4.0}


def result(*words: str | None, code: str = "def f(x): return 2 * x") -> dict[str, Any]:
    """One solution's row."""
    return {
        "pass_rate": 0.0,
        "parse_code": code,
        "test_cases_pass_status": [status(word) for word in words],
    }


def row(**changes: Any) -> dict[str, Any]:
    """A row of the first evaluation, with changes; a key set to None is left out."""
    whole = {
        "id": 7,
        "problem": "Double x.",
        "tests": TESTS,
        "gen_result": {"eval_results": [result("pass", "pass", "pass"), result("pass", "fail", "timeout")]},
    } | changes
    return {key: value for key, value in whole.items() if value is not None}


def read(*rows: dict[str, Any]) -> Any:
    """The rows as a loaded file."""
    return load("\n".join(json.dumps(r) for r in rows).encode(), name="step.jsonl")


def letters(data: dict[str, Any]) -> list[str]:
    """The matrix of a file with one good row."""
    (found,) = read(data).evaluated
    matrix: list[str] = found.matrix.letters()
    return matrix


def test_a_row_of_the_first_evaluation() -> None:
    """A raw row gives its problem, solutions named by index, tests and matrix."""
    loaded = read(row())
    (found,) = loaded.evaluated
    assert (loaded.format, loaded.kind, loaded.errors) == ("evolvecoder-pipeline", "evaluated", ())
    assert (found.problem.task_id, found.problem.prompt, found.problem.entry_point) == ("7", "Double x.", "f")
    assert [s.id for s in found.solutions] == ["0", "1"]
    assert [t.source for t in found.suite.tests] == TESTS
    assert found.matrix.letters() == ["PPP", "PFT"]


def test_reasons() -> None:
    """Each reason has its outcome; what was not executed, and what nobody knows, is missing data."""
    words = ["pass", "fail", "timeout", "missing_dependency", "unexecuted", "syntax_error", None]
    data = row(tests=[f"assert f({i}) == 0" for i in range(7)], gen_result={"eval_results": [result(*words)]})
    assert letters(data) == ["PFTIICI"]


def test_unexecuted_tests_of_a_program_that_is_no_python() -> None:
    """Where the program is no Python, no test of it could have passed: that is known, not missing."""
    broken = result("unexecuted", "unexecuted", "unexecuted", code="def f(x) return")
    hung = result("pass", "unexecuted", "unexecuted")
    assert letters(row(gen_result={"eval_results": [broken, hung]})) == ["CCC", "PII"]


@pytest.mark.parametrize(
    ("message", "letter"),
    [
        (None, "F"),
        ("", "F"),
        ("name 'g' is not defined", "E"),
        ("AssertionError: no", "F"),
        ("too small", "F"),
    ],
)
def test_an_exceptions_text_tells_errors_from_assertions(message: str | None, letter: str) -> None:
    """A failure with the text of another exception than the test's own assertion is an error."""
    found = result("fail")
    found["test_cases_pass_status"][0]["error_message"] = message
    data = row(tests=["assert f(1) == 2, 'too small'"], gen_result={"eval_results": [found]})
    assert letters(data) == [letter]


def test_a_status_without_a_reason() -> None:
    """A status that is only `pass` counts as a plain pass or failure."""
    found = {"parse_code": "", "test_cases_pass_status": [{"pass": True}, {"pass": False}, {"pass": True}]}
    assert letters(row(gen_result={"eval_results": [found]})) == ["PFP"]


def test_after_filtering_statuses_align_with_filtered_tests() -> None:
    """After the first filter the statuses belong to the filtered tests."""
    data = row(
        tests=None,
        raw_tests=TESTS,
        filtered_tests=TESTS[1:],
        gen_result={"eval_results": [result("pass", "fail")]},
    )
    (found,) = read(data).evaluated
    assert [t.source for t in found.suite.tests] == TESTS[1:]
    assert found.matrix.letters() == ["PF"]


def test_statuses_as_long_as_the_raw_tests() -> None:
    """Where a step left the statuses of all raw tests beside filtered ones, they stay with the raw tests."""
    data = row(tests=None, raw_tests=TESTS, filtered_tests=TESTS[1:])
    assert letters(data) == ["PPP", "PFT"]


def test_results_with_their_own_filter() -> None:
    """The latest filter that has results of its own is taken with them."""
    results = {
        "eval_results": [result("pass", "fail", "pass")],
        "eval_results_first": [result("fail", "pass")],
        "eval_results_second": [result("fail")],
    }
    names = {"raw_tests": TESTS, "filtered_tests_first": TESTS[1:], "filtered_tests_second": TESTS[1:2]}
    assert letters(row(tests=None, gen_result=results, **names)) == ["F"]
    results.pop("eval_results_second")
    assert letters(row(tests=None, gen_result=results, **names)) == ["FP"]


def test_steps_that_wrote_a_test_are_its_origin() -> None:
    """Tests that a row's synthesis results hold come from that step."""
    data = row(
        synthesis_result_first={"tests": [TESTS[1]]},
        synthesis_result_second={"tests": [TESTS[2]]},
        source="TACO",
    )
    (found,) = read(data).evaluated
    assert [t.origin.method for t in found.suite.tests] == ["", "adversarial", "discriminative"]
    assert found.problem.metadata == {"source": "TACO"}


def test_one_model_for_all_solutions() -> None:
    """The model that sampled every solution is their source; a row merged from several says nothing."""
    sampled = row()["gen_result"] | {"sampling_params": {"model_name_or_path": "m", "n": 2}}
    merged = row()["gen_result"] | {"sampling_params": {"model_name_or_path": "m", "n": 1}}
    for results, source in ((sampled, "m"), (merged, "")):
        (found,) = read(row(gen_result=results)).evaluated
        assert {s.source for s in found.solutions} == {source}


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"id": None}, "id", "the key is missing"),
        ({"problem": None}, "problem", "the key is missing"),
        ({"gen_result": {}}, "gen_result", "expected eval_results"),
        ({"gen_result": {"eval_results": []}}, "gen_result.eval_results", "at least one solution"),
        (
            {"gen_result": {"eval_results": [result("pass")]}},
            "gen_result.eval_results[0].test_cases_pass_status",
            "expected 3 statuses, one for each of tests, found 1",
        ),
        (
            {"gen_result": {"eval_results": [result("pass", "pass", "crash")]}},
            "gen_result.eval_results[0].test_cases_pass_status[2].reason",
            "expected one of pass, fail, timeout",
        ),
        (
            {"tests": ["a"], "gen_result": {"eval_results": [{"test_cases_pass_status": [{"pass": "yes"}]}]}},
            "gen_result.eval_results[0].test_cases_pass_status[0].pass",
            "expected true or false",
        ),
        (
            {"tests": ["a"], "gen_result": {"eval_results": [{"test_cases_pass_status": [None]}]}},
            "gen_result.eval_results[0].test_cases_pass_status[0]",
            "expected an object, found null",
        ),
        (
            {
                "tests": ["a"],
                "gen_result": {
                    "eval_results": [{"test_cases_pass_status": [{"pass": True, "reason": "fail"}]}]
                },
            },
            "gen_result.eval_results[0].test_cases_pass_status[0].reason",
            "agrees with pass",
        ),
    ],
)
def test_bad_rows_are_named_and_good_ones_load(changes: dict[str, Any], field: str, words: str) -> None:
    """A bad row is reported by line, field and expectation, and the others still load."""
    loaded = read(row(id="good"), row(**changes) if "id" in changes else row(id="bad", **changes))
    assert [e.problem.task_id for e in loaded.evaluated] == ["good"]
    (error,) = loaded.errors
    assert (error.line, error.field) == (2, field)
    assert words in error.message


def test_an_id_that_came_before_is_refused() -> None:
    """Two rows of one id are an error of the second, also where one says 7 and one "7"."""
    loaded = read(row(id=7), row(id="7"))
    assert (len(loaded.evaluated), loaded.errors[0].line, loaded.errors[0].field) == (1, 2, "id")


def test_released_rows() -> None:
    """Rows of the released set are problems whose tests are their reference tests."""
    loaded = read(
        {"id": "x-1", "question": "Double x.", "tests": TESTS}, {"id": 2, "question": "q", "tests": []}
    )
    (problem,) = loaded.problems
    assert (loaded.format, problem.task_id, problem.entry_point) == ("evolvecoder-22k", "x-1", "f")
    assert [t.source for t in problem.reference_tests] == TESTS
    assert [(e.line, e.field) for e in loaded.errors] == [(2, "tests")]


def test_entry_point_is_no_builtin() -> None:
    """The entry point is the function of the program, not a builtin around it."""
    tests = ["assert sorted(f([2, 1])) == [1, 2]", "assert len(f([])) == 0", "this is no Python"]
    (problem,) = read({"id": 1, "question": "q", "tests": tests}).problems
    assert problem.entry_point == "f"
