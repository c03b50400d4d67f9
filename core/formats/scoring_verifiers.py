"""Scoring-Verifiers: scored solutions one a row (flat), and ranked benchmarks one problem a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from core.formats import evalplus, fields, humaneval, mbpp
from core.formats.errors import FieldError
from core.formats.loaded import CallInputs, Context, FlatRow, Format, Payload, has
from core.formats.programs import extract_program
from core.formats.reader import Row
from core.model import Benchmark, Problem, Solution

__all__ = ["FLAT", "RANKED"]

_EXECUTIONS = ("plus_execution", "base_execution")


def _read_flat(rows: Iterable[Row], context: Context) -> Payload:
    flat: list[FlatRow] = []
    for row in rows:
        with context.row(row):
            one = _flat_row(row)
            context.known(one.task_id)
            flat.append(one)
            if one.test_score is None and one.reward_score is None:
                context.warn(row.line, "average_test_score", "the verifier gave this solution no score")
    return Payload(flat=tuple(flat))


def _flat_row(row: Row) -> FlatRow:
    data = row.data
    dataset = fields.text(data, "dataset", empty=False)
    reward: Mapping[str, Any] = fields.mapping(data, "reward") if data.get("reward") is not None else {}
    response = fields.optional_text(reward, "response", where="reward.")
    return FlatRow(
        dataset=dataset,
        task_id=mbpp.task_name(data),
        code=_output(data),
        reference_score=fields.number(data, "ground_average_test_score", low=0, high=1),
        reference_rank=fields.optional_number(data, "rank", low=1),
        test_score=fields.optional_number(data, "average_test_score", low=0, high=1),
        reward_score=fields.optional_number(reward, "reward_score", where="reward."),
        unit_tests=tuple(fields.texts(data, "unit_tests")) if data.get("unit_tests") is not None else (),
        response=response if response is not None else _answer(data),
        line=row.line,
    )


def _output(data: Mapping[str, Any]) -> str:
    return fields.optional_text(data, "output") or ""


def _answer(data: Mapping[str, Any]) -> str | None:
    value = data.get("unit_test_responses")
    if isinstance(value, list):
        return "\n\n".join(fields.texts(data, "unit_test_responses"))
    return fields.optional_text(data, "unit_test_responses")


def _read_ranked(rows: Iterable[Row], context: Context) -> Payload:
    problems: dict[str, Problem] = {}
    solutions: dict[str, tuple[Solution, ...]] = {}
    inputs: dict[str, CallInputs] = {}
    used = Counter[str]()
    for row in rows:
        with context.row(row):
            problem = _ranked_problem(row, context)
            fields.once("task_id", problem.task_id, problems)
            if "base_input" in row.data:
                inputs[problem.task_id] = evalplus.call_inputs(
                    {"plus_input": [], **row.data}, problem.task_id
                )
            solutions[problem.task_id] = _ranked_solutions(row, problem, context, used)
            problems[problem.task_id] = problem
    if used:
        chosen = ", ".join(f"{name}: {count}" for name, count in sorted(used.items()))
        context.warn(0, "all_solutions", f"solutions executed on several sets of tests; taken are {chosen}")
    benchmark = Benchmark(context.title(), tuple(problems.values()), solutions)
    return Payload(benchmark=benchmark, inputs=inputs)


def _ranked_problem(row: Row, context: Context) -> Problem:
    data = row.data
    if "test_list" in data and "code" in data:
        return mbpp.problem_from(row)
    entry_point = fields.text(data, "entry_point", empty=False)
    tests = (
        humaneval.check_tests(row, entry_point, context)
        if "test" in data and "base_input" not in data
        else ()
    )
    kept = ("contract", "atol", "assertion", "test")
    metadata = {key: data[key] for key in kept if key in data}
    return humaneval.problem_from(row, tests, metadata, task_id=mbpp.task_name(data))


def _ranked_solutions(
    row: Row, problem: Problem, context: Context, used: Counter[str]
) -> tuple[Solution, ...]:
    ranked: list[Solution] = []
    for index, value in enumerate(fields.items(row.data, "all_solutions")):
        where = f"all_solutions[{index}]"
        try:
            fields.as_object(value, where)
            execution = _execution(value)
            if execution:
                used[execution] += 1
            ranked.append(_ranked_solution(value, str(index), problem, execution, f"{where}."))
        except FieldError as error:
            context.error(row.line, error.field, error.message)
    return tuple(sorted(ranked, key=lambda solution: solution.reference_rank or 0.0))


def _execution(value: Mapping[str, Any]) -> str:
    """Which execution counts: that of the plus tests if it has a score; "" if there is but one."""
    score = value.get("average_test_score")
    if not isinstance(score, dict):
        return ""
    return next((name for name in _EXECUTIONS if score.get(name) is not None), _EXECUTIONS[-1])


def _ranked_solution(
    value: Mapping[str, Any], solution_id: str, problem: Problem, execution: str, where: str
) -> Solution:
    def of(key: str) -> tuple[Mapping[str, Any], str, str]:
        inner = value.get(key)
        return (inner, execution, f"{where}{key}.") if isinstance(inner, dict) else (value, key, where)

    score, score_key, score_where = of("average_test_score")
    rank, rank_key, rank_where = of("rank")
    seconds, seconds_key, seconds_where = of("average_time_taken")
    number = fields.number(rank, rank_key, where=rank_where, low=1)
    return Solution(
        id=solution_id,
        code=_code(value, problem, where),
        source="reference" if number == 1 else "",
        reference_score=fields.number(score, score_key, where=score_where, low=0, high=1),
        reference_rank=number,
        mean_seconds=fields.optional_number(seconds, seconds_key, where=seconds_where, low=0),
    )


def _code(value: Mapping[str, Any], problem: Problem, where: str) -> str:
    """The whole program: only the first of the file has the prompt in front of its code already."""
    solution = value.get("solution")
    if isinstance(solution, str):
        code = solution
    else:
        inner = fields.mapping(value, "solution", where=where)
        key = "canonical_solution" if "canonical_solution" in inner else "code"
        code = fields.text(inner, key, where=f"{where}solution.")
    return extract_program(code, problem.prompt, problem.entry_point)


def _is_flat(row: Mapping[str, Any]) -> bool:
    return {"dataset", "task_id", "ground_average_test_score"} <= row.keys()


FLAT = Format(
    "scoring-verifiers-flat",
    "flat",
    "dataset, task_id, rank, ground_average_test_score, average_test_score or reward",
    _is_flat,
    _read_flat,
)
RANKED = Format(
    "scoring-verifiers-ranked",
    "benchmark",
    "task_id, all_solutions, and the keys of its benchmark",
    has("task_id", "all_solutions"),
    _read_ranked,
    nonfinite=evalplus.PROBLEMS.nonfinite,
)
