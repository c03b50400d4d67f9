"""LiveCodeBench: problems with public and private tests, and `_eval_all.json`, the programs of a model.

Tests are JSON texts of {"input", "output", "testtype"}. Private ones may be packed, as
base64(zlib(pickle(JSON text))): the text is read off the pickle's instructions, and nothing is unpickled.
A "stdin" test is a text to read and a text to print. A "functional" one has an argument a line, as JSON,
for the method `metadata.func_name` of a class `Solution`, and the value that it returns.

There are no reference solutions: `build` takes a given solution that passes every test for one.
LiveCodeBench runs programs after imports of much of the standard library (`IMPORTS`), and so it is here.
Other than there, a returned tuple does not equal a list.
"""

from __future__ import annotations

import base64
import json
import pickletools
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from core.formats import fields
from core.formats.errors import FieldError
from core.formats.loaded import Context, Format, Payload, has
from core.formats.reader import Row
from core.model import Assertion, Problem, ProblemKind, Solution, StdioTest, TestCase
from core.words import quantity

__all__ = ["EVALUATIONS", "IMPORTS", "PROBLEMS"]

_MODULES = (
    *("string", "re", "datetime", "collections", "heapq", "bisect", "copy", "math", "random", "statistics"),
    *("itertools", "functools", "operator", "io", "sys", "json", "builtins", "typing"),
)
IMPORTS = "; ".join([*(f"from {name} import *" for name in _MODULES), f"import {', '.join(_MODULES)}"])
"""What stands before a program, on one line (lcb_runner/evaluation/testing_util.py)."""
_MOST_BYTES = 512 * 2**20
"""Largest private tests of a problem, unpacked."""
_KEPT = ("question_title", "platform", "contest_id", "contest_date", "difficulty")
_METHOD = "func_name"
_TEXT = {"SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8", "UNICODE"}
_AROUND = {"PROTO", "FRAME", "MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT", "STOP"}
"""Instructions of a pickle that holds one text."""


def _read_problems(rows: Iterable[Row], context: Context) -> Payload:
    problems: dict[str, Problem] = {}
    for row in rows:
        with context.row(row):
            problem = _problem(row.data)
            fields.once("question_id", problem.task_id, problems)
            problems[problem.task_id] = problem
    return Payload(problems=tuple(problems.values()))


def _problem(data: Mapping[str, Any]) -> Problem:
    question = fields.text(data, "question_content")
    starter = fields.optional_text(data, "starter_code") or ""
    method = _method(data)
    cases = [*_cases(data, "public_test_cases"), *_cases(data, "private_test_cases")]
    tests = tuple(dict.fromkeys(_test(case, path, method) for path, case in cases))
    if not tests:
        raise FieldError("public_test_cases", "expected tests in it or in private_test_cases, found none")
    functional = isinstance(tests[0], Assertion)
    commented = "\n".join(f"# {line}".rstrip() for line in question.splitlines())
    return Problem(
        task_id=fields.text(data, "question_id", empty=False),
        prompt=f"{IMPORTS}\n\n{commented}\n\n{starter}" if functional else question,
        kind=ProblemKind.FUNCTION if functional else ProblemKind.STDIO,
        entry_point="Solution" if functional else None,
        reference_tests=tests,
        metadata={key: data[key] for key in _KEPT if isinstance(data.get(key), str)},
    )


def _method(data: Mapping[str, Any]) -> str:
    value = data.get("metadata")
    if isinstance(value, str):
        value = _json(value, "metadata") if value.strip() else {}
    name = value.get(_METHOD) if isinstance(value, dict) else None
    return name if isinstance(name, str) and name.isidentifier() else ""


def _cases(data: Mapping[str, Any], key: str) -> list[tuple[str, dict[str, Any]]]:
    """The tests under a key, each with its path; none where the key is missing."""
    value = data.get(key)
    if value is None or value == "":
        return []
    if isinstance(value, str):
        value = _json(value if value.lstrip().startswith("[") else _unpacked(value, key), key)
    if not isinstance(value, list):
        raise FieldError(key, f"expected a list of tests, as JSON or packed, found {fields.found(value)}")
    paths = [f"{key}[{index}]" for index in range(len(value))]
    return [(path, fields.as_object(case, path)) for path, case in zip(paths, value, strict=True)]


def _json(text: str, key: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FieldError(key, f"expected JSON in the text: {error}") from None


def _unpacked(text: str, key: str) -> str:
    try:
        return _pickled_text(_unzipped(base64.b64decode(text, validate=True)))
    except (ValueError, zlib.error) as error:
        raise FieldError(key, f"expected tests as JSON, or as base64(zlib(pickle(JSON))): {error}") from None


def _unzipped(packed: bytes) -> bytes:
    unzip = zlib.decompressobj()
    content = unzip.decompress(packed, _MOST_BYTES)
    if not unzip.eof:
        raise ValueError(f"cut off, or larger than {_MOST_BYTES // 2**20} MiB")
    return content


def _pickled_text(content: bytes) -> str:
    """The text that a pickle holds, read off its instructions: nothing is unpickled.

    Raises:
        ValueError: there is anything but one text in it.
    """
    texts = []
    for operation, argument, _ in pickletools.genops(content):
        if operation.name in _TEXT:
            texts.append(argument)
        elif operation.name not in _AROUND:
            raise ValueError(f"the pickle has {operation.name}, expected one text and nothing else")
    if len(texts) != 1:
        raise ValueError(f"the pickle has {quantity(len(texts), 'text')}, expected one")
    return str(texts[0])


def _test(case: Mapping[str, Any], path: str, method: str) -> TestCase:
    where = f"{path}."
    given, expected = fields.text(case, "input", where=where), fields.text(case, "output", where=where)
    kind = fields.text(case, "testtype", where=where)
    if kind == "stdin":
        return StdioTest(given, expected)
    if kind != "functional":
        raise FieldError(f"{where}testtype", f"expected stdin or functional, found {kind!r}")
    if not method:
        raise FieldError(f"metadata.{_METHOD}", "expected the method's name, the tests are functional")
    arguments = [_json(line, f"{where}input") for line in given.split("\n") if line.strip()]
    call = f"Solution().{method}({', '.join(map(repr, arguments))})"
    return Assertion(f"assert {call} == {_json(expected, f'{where}output')!r}")


def _read_evaluations(rows: Iterable[Row], context: Context) -> Payload:
    solutions: dict[str, tuple[Solution, ...]] = {}
    for row in rows:
        with context.row(row):
            task_id = fields.text(row.data, "question_id", empty=False)
            fields.once("question_id", task_id, solutions)
            context.known(task_id, "question_id")
            codes = fields.texts(row.data, "code_list")
            solutions[task_id] = tuple(Solution(str(i), _whole(code)) for i, code in enumerate(codes))
    if solutions:
        context.warn(0, "graded_list", "not taken over: solutions are scored by the problem's tests")
    return Payload(solutions=solutions)


def _whole(code: str) -> str:
    """The program that LiveCodeBench runs for a model's code."""
    return code if "from __future__" in code else f"{IMPORTS}\n\n{code}"


PROBLEMS = Format(
    "livecodebench-problems",
    "problems",
    "question_id, question_content, starter_code, public_test_cases, private_test_cases, metadata",
    has("question_id", "question_content", "public_test_cases"),
    _read_problems,
)
EVALUATIONS = Format(
    "livecodebench-evaluations",
    "solutions",
    "question_id, code_list, graded_list",
    has("question_id", "code_list"),
    _read_evaluations,
)
