"""MBPP: the plain rows and the sanitized ones.

The task_id is a number there; here it is "Mbpp/<number>", as EvalPlus writes it. The entry
point is the function of the reference code that most tests call. MBPP+ as released on the hub adds a
`test` with all inputs (`core.formats.evalplus_checks`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from core.formats import fields
from core.formats.assertions import parse_quietly, unparse
from core.formats.errors import FieldError
from core.formats.evalplus_checks import looped_inputs
from core.formats.loaded import CallInputs, Context, Format, Payload
from core.formats.names import needed_before
from core.formats.reader import Row
from core.model import Assertion, Problem

__all__ = ["PROBLEMS", "infer_entry_point", "problem_from", "task_name"]


def task_name(row: Mapping[str, Any]) -> str:
    """The task_id as text: "Mbpp/2" for the number 2, a text as it is."""
    value = row.get("task_id")
    if isinstance(value, int) and not isinstance(value, bool):
        return f"Mbpp/{value}"
    return fields.text(row, "task_id", empty=False)


def infer_entry_point(code: str, tests: Iterable[str]) -> str | None:
    """The function or class of the code that most tests call; of equals the one defined last.

    Raises:
        SyntaxError: the code or a test is no Python.
    """
    defined: dict[str, int] = {}
    for statement in parse_quietly(code):
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            defined[statement.name] = len(defined)
        elif isinstance(statement, ast.Assign):
            defined.update({t.id: len(defined) for t in statement.targets if isinstance(t, ast.Name)})
    votes = Counter[str]()
    for test in tests:
        called = {
            node.func.id
            for statement in parse_quietly(test)
            for node in ast.walk(statement)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        votes.update(called & defined.keys())
    return max(votes, key=lambda name: (votes[name], defined[name]), default=None)


def problem_from(row: Row) -> Problem:
    """One problem, its reference tests with the set-up they need."""
    data = row.data
    code = fields.text(data, "code").replace("\r\n", "\n")
    test_list = fields.texts(data, "test_list")
    setup = (fields.optional_text(data, "test_setup_code") or "").replace("\r\n", "\n")
    if "test_imports" in data:
        setup = "\n".join([*fields.texts(data, "test_imports"), setup])
    tests = tuple(Assertion(_with_setup(test, setup, f"test_list[{i}]")) for i, test in enumerate(test_list))
    if not tests:
        raise FieldError("test_list", "expected at least one test")
    try:
        entry_point = infer_entry_point(code, test_list)
    except SyntaxError as error:
        raise FieldError("code", f"expected Python: {error.msg}") from error
    if entry_point is None:
        raise FieldError("test_list", "expected tests that call a function of the code")
    metadata = {key: data[key] for key in ("challenge_test_list", "source_file") if data.get(key)}
    return Problem(
        task_id=task_name(data),
        prompt=fields.text(data, "text" if "text" in data else "prompt"),
        entry_point=entry_point,
        reference_solution=code,
        reference_tests=tests,
        metadata=metadata,
    )


def _with_setup(test: str, setup: str, where: str) -> str:
    try:
        statements = parse_quietly(test)
        before = parse_quietly(setup)
    except SyntaxError as error:
        raise FieldError(where, f"expected Python that ends in an assertion: {error.msg}") from error
    if not any(isinstance(node, ast.Assert) for s in statements for node in ast.walk(s)):
        raise FieldError(where, "expected an assertion")
    return unparse(*needed_before(ast.Module(statements, []), before), *statements)  # type: ignore[arg-type]


def _read_problems(rows: Iterable[Row], context: Context) -> Payload:
    problems: dict[str, Problem] = {}
    inputs: dict[str, CallInputs] = {}
    for row in rows:
        with context.row(row):
            problem = problem_from(row)
            fields.once("task_id", problem.task_id, problems)
            problems[problem.task_id] = problem
            looped = looped_inputs(fields.optional_text(row.data, "test") or "")
            if looped:
                inputs[problem.task_id] = looped
    return Payload(problems=tuple(problems.values()), inputs=inputs)


def _is_mbpp(row: Mapping[str, Any]) -> bool:
    return {"task_id", "code", "test_list"} <= row.keys() and bool({"text", "prompt"} & row.keys())


PROBLEMS = Format(
    "mbpp-problems", "problems", "task_id, text or prompt, code, test_list", _is_mbpp, _read_problems
)
