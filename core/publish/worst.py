"""The problems on which a verifier is most wrong, with what shows why: as plain data for the report."""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.figures.text import shorten
from core.publish.source import BenchmarkRuns
from core.views.code import Pane, side_by_side, value_diff
from core.views.problem import ProblemView, cell, open_problem
from core.views.problems import worst_first
from core.views.runs import RunSummary
from core.views.why import explain, telling_cell

_SHOWN_TESTS = 60
_SHOWN_SOLUTIONS = 100
_LONGEST = 6_000  # characters of a prompt, a test or a program


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One solution: its scores as text, and its outcomes as letters."""

    id: str
    reference: str
    score: str
    letters: str


@dataclass(frozen=True, slots=True)
class Cell:
    """The cell that tells most: values side by side where the outcome has them."""

    number: int
    solution: str
    outcome: str
    test: str
    message: str
    values: tuple[Pane, ...]


@dataclass(frozen=True, slots=True)
class WorstProblem:
    """One problem.

    Attributes:
        finding: one sentence on what is wrong.
        numbers: of the tests shown.
        diff: what the verifier prefers beside the best of the reference; () where it is the same.
    """

    task_id: str
    finding: str
    prompt: str
    numbers: tuple[int, ...]
    tests_left_out: int
    rows: tuple[MatrixRow, ...]
    cell: Cell | None
    diff: tuple[Pane, ...]


@dataclass(frozen=True, slots=True)
class WorstOfRun:
    """The worst problems of one verifier; `first` for the first of a report."""

    label: str
    benchmark: str
    problems: tuple[WorstProblem, ...]
    first: bool


def worst(benchmark: BenchmarkRuns, each: int, *, first: bool) -> tuple[WorstOfRun, ...]:
    """The worst problems of every run: lowest Top-1 first, of these the lowest Spearman, then largest MAE.

    Problems without any score are left out: nothing was said there that could be wrong.
    """
    return tuple(
        WorstOfRun(
            run.label,
            benchmark.name,
            tuple(_problem(run, task_id) for task_id in _tasks(run, each)),
            first and at == 0,
        )
        for at, run in enumerate(benchmark.runs)
    )


def _tasks(run: RunSummary, each: int) -> list[str]:
    scored = run.problems[run.problems["top1"].notna()]
    return [str(task_id) for task_id in worst_first(scored)["task_id"].head(each)]


def _problem(run: RunSummary, task_id: str) -> WorstProblem:
    view = open_problem(run.name, run.label, run.folder, task_id)
    letters = view.matrix.letters() if view.matrix is not None else [""] * len(view.solutions)
    tests = len(view.suite.tests) if view.matrix is not None else 0
    rows = tuple(
        MatrixRow(
            shorten(solution.id, 40),
            _number(solution.reference_score),
            _number(view.scores[at]),
            letters[at][:_SHOWN_TESTS],
        )
        for at, solution in enumerate(view.solutions[:_SHOWN_SOLUTIONS])
    )
    return WorstProblem(
        task_id=task_id,
        finding=explain(view),
        prompt=_cut(view.problem.prompt),
        numbers=tuple(range(1, min(tests, _SHOWN_TESTS) + 1)),
        tests_left_out=max(0, tests - _SHOWN_TESTS),
        rows=rows,
        cell=_cell(view),
        diff=_diff(view),
    )


def _cell(view: ProblemView) -> Cell | None:
    place = telling_cell(view)
    found = cell(view, *place) if place else None
    if found is None:
        return None
    both = found.expected or found.actual
    return Cell(
        number=found.test_index + 1,
        solution=found.solution.id,
        outcome=found.style.name,
        test=_cut(found.test),
        message=shorten(found.message, 400),
        values=value_diff(_cut(found.expected), _cut(found.actual)) if both else (),
    )


def _diff(view: ProblemView) -> tuple[Pane, ...]:
    """The solution that the verifier scores highest beside the reference best that it scores highest."""
    scored = [at for at, score in enumerate(view.scores) if score is not None]
    ranks = [solution.reference_rank for solution in view.solutions]
    known = [rank for rank in ranks if rank is not None]
    if not scored or not known:
        return ()
    best = [at for at in scored if ranks[at] == min(known)]
    top = max(scored, key=lambda at: (view.scores[at] or -math.inf, -(ranks[at] or math.inf)))
    others = [at for at in scored if view.scores[at] == view.scores[top] and at not in best]
    if not best or not others:
        return ()
    wanted = max(best, key=lambda at: view.scores[at] or -math.inf)
    left, right = view.solutions[wanted], view.solutions[others[-1]]
    return side_by_side(
        f"{left.id}, reference score {_number(left.reference_score)}",
        _cut(left.code),
        f"{right.id}, reference score {_number(right.reference_score)}",
        _cut(right.code),
    )


def _number(value: float | None) -> str:
    return "\N{EN DASH}" if value is None else f"{value:.2f}"


def _cut(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[:_LONGEST]}\n[{len(text) - _LONGEST:,} characters more]"
