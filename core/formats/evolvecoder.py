"""EvolveCoder: the files of its pipeline, which carry whole pass matrices, and the released data set.

A pipeline row names its problem in `id` and `problem`; `gen_result.eval_results` has a row of the
matrix for each solution, whose id here is its index as text. Which tests the statuses belong to
differs by step. Taken is the last of these pairs that a row has:

    filtered_tests_second   gen_result.eval_results_second
    filtered_tests_first    gen_result.eval_results_first
    filtered_tests          gen_result.eval_results
    tests                   gen_result.eval_results
    raw_tests               gen_result.eval_results

and where several lists of tests go with `eval_results`, the first of them that is as long as the
statuses.

Reasons, and what their evaluation means by them:

    pass                PASSED
    fail                the test raised. Its `error_message` is the exception's text, which a plain
                        `assert` leaves empty: ASSERTION_FAILED without a message or with one that
                        starts with "assert", RUNTIME_ERROR with any other, unless the test's own
                        source contains it
    timeout             TIME_LIMIT
    syntax_error        COMPILE_ERROR
    unexecuted          the evaluation ended before this test: missing data (INTERNAL_ERROR), but
                        COMPILE_ERROR where the program is no Python, so that no test could pass
    missing_dependency  a module was missing where the evaluation ran, which says nothing about the
                        program: missing data
    null, no reason     `pass` decides if it is true; else nobody knows why: missing data. A status
                        without the key `reason` is a plain failure (the pipeline adds some itself)
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from core.formats import fields
from core.formats.assertions import parse_quietly
from core.formats.errors import FieldError
from core.formats.loaded import Context, Evaluated, Format, Payload
from core.formats.reader import Row
from core.model import Assertion, Origin, Outcome, PassMatrix, Problem, Solution, TestSuite

__all__ = ["NEW", "PIPELINE", "RELEASED", "evaluated_rows"]

_PAIRS = (
    ("filtered_tests_second", "eval_results_second"),
    ("filtered_tests_first", "eval_results_first"),
    ("filtered_tests", "eval_results"),
    ("tests", "eval_results"),
    ("raw_tests", "eval_results"),
)
_REASONS = {
    "pass": Outcome.PASSED,
    "fail": Outcome.ASSERTION_FAILED,
    "timeout": Outcome.TIME_LIMIT,
    "syntax_error": Outcome.COMPILE_ERROR,
    "unexecuted": Outcome.INTERNAL_ERROR,
    "missing_dependency": Outcome.INTERNAL_ERROR,
    None: Outcome.INTERNAL_ERROR,
}
_STEPS = {"synthesis_result_second": "discriminative", "synthesis_result_first": "adversarial"}
NEW = 1
"""The round in the origin of tests that a row's own steps wrote; older ones have 0."""
_SOURCES = ("source", "dataset", "data_source")


def evaluated_rows(rows: Iterable[Row], context: Context) -> Iterator[Evaluated]:
    """Problems with their pass matrices, one a row, as the rows come; errors go to the context."""
    seen: set[str] = set()
    for row in rows:
        found: Evaluated | None = None
        with context.row(row):
            task_id = _task_id(row.data)
            fields.once("id", task_id, seen)
            found = _evaluated(row.data, task_id)
            seen.add(task_id)
        if found is not None:
            yield found


def _evaluated(data: Mapping[str, Any], task_id: str) -> Evaluated:
    prompt = fields.text(data, "problem")
    result = fields.mapping(data, "gen_result")
    tests_key, results_key = _pair(data, result)
    path = f"gen_result.{results_key}"
    results = [
        fields.as_object(value, f"{path}[{i}]")
        for i, value in enumerate(fields.items(result, results_key, where="gen_result."))
    ]
    if not results:
        raise FieldError(path, "expected at least one solution")
    tests = fields.texts(data, tests_key)
    programs = [
        fields.optional_text(r, "parse_code", where=f"{path}[{i}].") or "" for i, r in enumerate(results)
    ]
    cells = [
        _cells(one, f"{path}[{i}]", tests, tests_key, program)
        for i, (one, program) in enumerate(zip(results, programs, strict=True))
    ]
    outcomes = np.array(cells, dtype=np.uint8).reshape(len(results), len(tests))
    ids = tuple(str(i) for i in range(len(results)))
    model = _model(result, len(results))
    origins = _origins(data, tests)
    return Evaluated(
        _problem(data, task_id, prompt, tests),
        tuple(Solution(name, code, model) for name, code in zip(ids, programs, strict=True)),
        TestSuite(task_id, tuple(Assertion(t, o) for t, o in zip(tests, origins, strict=True))),
        PassMatrix(task_id, ids, outcomes, np.full(outcomes.shape, np.nan, dtype=np.float32)),
    )


def _task_id(data: Mapping[str, Any]) -> str:
    value = data.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return fields.text(data, "id", empty=False)


def _pair(data: Mapping[str, Any], result: Mapping[str, Any]) -> tuple[str, str]:
    """The keys of the tests and of the results that belong to them."""
    pairs = [pair for pair in _PAIRS if data.get(pair[0]) is not None and result.get(pair[1]) is not None]
    if not pairs:
        lists = sorted({tests for tests, _ in _PAIRS if data.get(tests) is not None})
        raise FieldError(
            "gen_result",
            "expected eval_results and the list of tests they belong to; "
            f"lists of tests found: {', '.join(lists) or 'none'}",
        )
    same = [pair for pair in pairs if pair[1] == pairs[0][1]]
    if len(same) > 1:
        try:
            width = len(result[same[0][1]][0]["test_cases_pass_status"])
            return next((pair for pair in same if len(data[pair[0]]) == width), same[0])
        except (LookupError, TypeError):
            pass  # said where the values are read
    return pairs[0]


def _cells(
    result: Mapping[str, Any], path: str, tests: Sequence[str], tests_key: str, program: str
) -> list[int]:
    """One row of the matrix, as codes of `Outcome`."""
    statuses = fields.items(result, "test_cases_pass_status", where=f"{path}.")
    if len(statuses) != len(tests):
        raise FieldError(
            f"{path}.test_cases_pass_status",
            f"expected {len(tests)} statuses, one for each of {tests_key}, found {len(statuses)}",
        )
    cells = []
    for place, (status, test) in enumerate(zip(statuses, tests, strict=True)):
        try:
            cells.append(_outcome(status, test))
        except FieldError as error:
            where = f"{path}.test_cases_pass_status[{place}]"
            raise FieldError(f"{where}.{error.field}".rstrip("."), error.message) from error
    if "unexecuted" in (status.get("reason") for status in statuses) and not _is_python(program):
        return [
            Outcome.COMPILE_ERROR if status.get("reason") == "unexecuted" else cell
            for status, cell in zip(statuses, cells, strict=True)
        ]
    return cells


def _outcome(status: object, test: str) -> int:
    found = fields.as_object(status, "")
    passes = found.get("pass")
    if not isinstance(passes, bool):
        raise FieldError("pass", f"expected true or false, found {fields.found(passes)}")
    reason = found.get("reason", "pass" if passes else "fail")
    if not (reason is None or isinstance(reason, str)) or reason not in _REASONS:
        known = ", ".join(name for name in _REASONS if name)
        raise FieldError("reason", f"expected one of {known} or null, found {fields.found(reason)}")
    if reason is not None and passes != (reason == "pass"):
        raise FieldError("reason", f"expected one that agrees with pass, found {reason!r}")
    if passes:
        return Outcome.PASSED
    if reason == "fail" and _raised(found.get("error_message"), test):
        return Outcome.RUNTIME_ERROR
    return _REASONS[reason]


def _raised(message: object, test: str) -> bool:
    """Whether the text of an exception is that of another one than the test's own assertion."""
    if not isinstance(message, str) or not message.strip():
        return False
    return not message.strip().lower().startswith("assert") and message.strip() not in test


def _is_python(program: str) -> bool:
    try:
        parse_quietly(program)
    except SyntaxError:
        return False
    return True


def _model(result: Mapping[str, Any], n: int) -> str:
    """The model that wrote all the solutions, "" where the row does not say so of all of them."""
    sampling = result.get("sampling_params")
    if not isinstance(sampling, dict) or sampling.get("n") != n:
        return ""
    name = sampling.get("model_name_or_path")
    return name if isinstance(name, str) else ""


def _origins(data: Mapping[str, Any], tests: Sequence[str]) -> list[Origin]:
    """Which step wrote each test, as far as the row keeps what the steps wrote."""
    written: dict[str, str] = {}
    for key, method in _STEPS.items():
        step = data.get(key)
        texts = step.get("tests") if isinstance(step, dict) else None
        if isinstance(texts, list):
            written.update((text, method) for text in texts if isinstance(text, str))
    return [Origin("", written.get(test, ""), NEW if test in written else 0) for test in tests]


def _problem(data: Mapping[str, Any], task_id: str, prompt: str, tests: Sequence[str]) -> Problem:
    source = next((data[key] for key in _SOURCES if isinstance(data.get(key), str)), "")
    return Problem(
        task_id, prompt, entry_point=_called_most(tests), metadata={"source": source} if source else {}
    )


def _called_most(tests: Iterable[str]) -> str | None:
    """The function, no builtin, that most assertions call; None if they call none."""
    votes = Counter[str]()
    for test in tests:
        try:
            statements = parse_quietly(test)
        except SyntaxError:
            continue
        asserted = statements[-1].test if statements and isinstance(statements[-1], ast.Assert) else None
        called = [
            node.func.id
            for node in (ast.walk(asserted) if asserted is not None else ())
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        votes.update(name for name in dict.fromkeys(called) if name not in _BUILTINS)
    return votes.most_common(1)[0][0] if votes else None


_BUILTINS = frozenset(dir(builtins))


def _read_pipeline(rows: Iterable[Row], context: Context) -> Payload:
    return Payload(evaluated=tuple(evaluated_rows(rows, context)))


def _read_released(rows: Iterable[Row], context: Context) -> Payload:
    problems: dict[str, Problem] = {}
    for row in rows:
        with context.row(row):
            task_id = _task_id(row.data)
            fields.once("id", task_id, problems)
            prompt = fields.text(row.data, "question")
            tests = fields.texts(row.data, "tests")
            if not tests:
                raise FieldError("tests", "expected at least one test")
            problems[task_id] = Problem(
                task_id,
                prompt,
                entry_point=_called_most(tests),
                reference_tests=tuple(Assertion(test) for test in tests),
            )
    return Payload(problems=tuple(problems.values()))


def _is_pipeline(row: Mapping[str, Any]) -> bool:
    return {"id", "gen_result"} <= row.keys() and any(tests in row for tests, _ in _PAIRS)


def _is_released(row: Mapping[str, Any]) -> bool:
    return {"id", "question", "tests"} <= row.keys()


PIPELINE = Format(
    "evolvecoder-pipeline",
    "evaluated",
    "id, problem, gen_result, and tests, raw_tests or filtered_tests",
    _is_pipeline,
    _read_pipeline,
)
RELEASED = Format("evolvecoder-22k", "problems", "id, question, tests", _is_released, _read_released)
