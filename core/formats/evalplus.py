"""EvalPlus: HumanEval+ and MBPP+ problems, and both forms of its results.

A problem's file has inputs and no expected values. So loading gives problems without
reference tests and, in `Loaded.inputs`, the inputs of each; run `reference_program` on
`CallInputs.calls` and give what it returned to `attach_expected`.

Samples `{task_id, solution | completion}` are read by `core.formats.touchstone`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from core.formats import fields
from core.formats.errors import FieldError
from core.formats.evalplus_inputs import restore_arguments
from core.formats.evalplus_oracles import plain_program, reference_test_of_texts
from core.formats.humaneval import problem_from
from core.formats.loaded import CallInputs, Context, Format, Payload, ResultRow, has
from core.formats.reader import Row
from core.model import Problem, Solution
from sandbox.values import dumps

__all__ = ["PROBLEMS", "RESULTS", "attach_expected", "call_inputs", "reference_program"]


def reference_program(problem: Problem) -> str:
    """The program whose returned values are the expected ones."""
    return plain_program(problem.task_id, problem.entry_point or "", problem.reference_solution)


def attach_expected(problem: Problem, inputs: CallInputs, values: Sequence[str | None]) -> Problem:
    """The problem with its reference tests: base tests first, `origin.method` "base" or "plus".

    Args:
        problem: as loaded.
        inputs: its inputs.
        values: what the reference solution returned for each of `inputs.calls`, as
            `sandbox.values` text; None where it returned nothing usable: no test.

    Raises:
        ValueError: there are more or fewer values than calls.
    """
    methods = ["base"] * len(inputs.base) + ["plus"] * len(inputs.plus)
    tests = (
        reference_test_of_texts(
            problem.task_id, problem.entry_point or "", call, value, inputs.tolerance, method
        )
        for call, value, method in zip(inputs.calls, values, methods, strict=True)
        if value is not None
    )
    return replace(problem, reference_tests=tuple(test for test in tests if test is not None))


def call_inputs(data: Mapping[str, Any], task_id: str) -> CallInputs:
    """The inputs in a row's `base_input` and `plus_input`, with their types restored."""
    tolerance = fields.number(data, "atol", low=0) if "atol" in data else 0.0
    return CallInputs(_calls(data, "base_input", task_id), _calls(data, "plus_input", task_id), tolerance)


def _calls(data: Mapping[str, Any], key: str, task_id: str) -> tuple[str, ...]:
    if data.get(key) == {}:  # what EvalPlus writes for no inputs (Mbpp/793)
        return ()
    calls = []
    for index, arguments in enumerate(fields.items(data, key)):
        where = f"{key}[{index}]"
        if not isinstance(arguments, list):
            raise FieldError(where, f"expected a list of arguments, found {fields.found(arguments)}")
        try:
            calls.append(dumps(restore_arguments(task_id, arguments)))
        except (ValueError, RecursionError) as error:
            raise FieldError(where, f"expected arguments of {task_id}: {error}") from error
    return tuple(calls)


def _read_problems(rows: Iterable[Row], context: Context) -> Payload:
    problems: dict[str, Problem] = {}
    inputs: dict[str, CallInputs] = {}
    for row in rows:
        with context.row(row):
            kept = ("contract", "atol", "assertion", "test")
            problem = problem_from(row, (), {key: row.data[key] for key in kept if key in row.data})
            fields.once("task_id", problem.task_id, problems)
            inputs[problem.task_id] = call_inputs(row.data, problem.task_id)
            problems[problem.task_id] = problem
    return Payload(problems=tuple(problems.values()), inputs=inputs)


def _read_results(rows: Iterable[Row], context: Context) -> Payload:
    results: list[ResultRow] = []
    for row in rows:
        with context.row(row):
            for task_id, found in fields.mapping(row.data, "eval").items():
                where = f"eval.{task_id}"
                try:
                    results.extend(_task_results(task_id, found, where, context))
                except FieldError as error:
                    context.error(row.line, error.field, error.message)
    return Payload(results=tuple(results))


def _task_results(task_id: str, found: object, where: str, context: Context) -> Iterator[ResultRow]:
    context.known(task_id, where)
    if isinstance(found, list):
        for index, value in enumerate(found):
            yield _result(task_id, index, value, f"{where}[{index}]")
    elif isinstance(found, dict):
        yield from _legacy_results(task_id, found, where)
    else:
        raise FieldError(where, f"expected a list of results, found {fields.found(found)}")


def _result(task_id: str, index: int, value: object, where: str) -> ResultRow:
    if not isinstance(value, dict):
        raise FieldError(where, f"expected an object, found {fields.found(value)}")
    prefix = f"{where}."
    status: dict[str, str] = {}
    failed: dict[str, tuple[Any, ...]] = {}
    for name, key in (("base", "base_status"), ("plus", "plus_status"), ("all", "status")):
        word = fields.optional_text(value, key, where=prefix)
        if word is not None:
            status[name] = word
    for name in ("base", "plus"):
        if value.get(f"{name}_fail_tests") is not None:
            failed[name] = tuple(fields.items(value, f"{name}_fail_tests", where=prefix))
    if not status:
        raise FieldError(prefix + "base_status", "expected text, the key is missing")
    solution = Solution(str(index), fields.text(value, "solution", where=prefix))
    return ResultRow(task_id, solution, status, failed_inputs=failed)


def _legacy_results(task_id: str, value: dict[str, Any], where: str) -> Iterator[ResultRow]:
    """The older form, with a vector of 0 and 1 for each file of a task and without its code."""
    vectors = {
        name: fields.items(value, name, where=f"{where}.") for name in ("base", "plus") if value.get(name)
    }
    if not vectors:
        raise FieldError(f"{where}.base", "expected a list of results, the key is missing")
    count = max(map(len, vectors.values()))
    for index in range(count):
        status: dict[str, str] = {}
        passed: dict[str, tuple[bool, ...]] = {}
        for name, entries in vectors.items():
            place = f"{where}.{name}[{index}]"
            if index >= len(entries):
                raise FieldError(place, f"expected {count} results as in the other set of tests")
            entry = entries[index]
            if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str)):
                raise FieldError(place, "expected a pair: the status and a list of 0 and 1")
            vector = entry[1] or []
            if not isinstance(vector, list) or any(bit not in {0, 1} for bit in vector):
                raise FieldError(f"{place}[1]", "expected a list of 0 and 1")
            status[name], passed[name] = entry[0], tuple(map(bool, vector))
        yield ResultRow(task_id, Solution(str(index), ""), status, passed)


PROBLEMS = Format(
    "evalplus-problems",
    "problems",
    "task_id, prompt, entry_point, canonical_solution, base_input, plus_input",
    has("task_id", "prompt", "entry_point", "base_input", "plus_input"),
    _read_problems,
    nonfinite=frozenset({"base_input", "plus_input"}),
)
RESULTS = Format(
    "evalplus-results",
    "results",
    "eval, with date and hash",
    has("eval"),
    _read_results,
    nonfinite=frozenset({"eval"}),
)
