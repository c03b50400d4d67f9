"""The Problem page: one problem under one or several verifiers, and one cell of a pass matrix."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.figures.palette import OutcomeStyle, outcome_style
from core.model import Outcome, PassMatrix, Problem, Solution, TestSuite
from core.store import Run, StoreError
from core.views.opened import opened


@dataclass(frozen=True, slots=True)
class ProblemView:
    """One problem under one verifier.

    Attributes:
        solutions: in reference order.
        matrix: None for a verifier that runs no tests.
        scores: the verifier's score of each solution, None where it has none.
        ranks: the verifier's rank of each solution, 1 best, ties averaged; None where it has none.
        in_process: cells judged inside the program's own process, shape of the matrix; None for none.
    """

    run: str
    label: str
    folder: Path
    problem: Problem
    solutions: tuple[Solution, ...]
    suite: TestSuite
    matrix: PassMatrix | None
    scores: tuple[float | None, ...]
    ranks: tuple[float | None, ...]
    in_process: npt.NDArray[np.bool_] | None = None

    @property
    def prompt_height(self) -> int | Literal["content"]:
        """Pixels that a prompt may take before it scrolls."""
        return 330 if self.problem.prompt.count("\n") > 13 else "content"

    def tests(self) -> tuple[str, ...]:
        """Each test as text."""
        return tuple(test.text for test in self.suite.tests)

    def solution(self, solution_id: str) -> Solution | None:
        """The solution with this id, or None."""
        return next((solution for solution in self.solutions if solution.id == solution_id), None)


@dataclass(frozen=True, slots=True)
class CellView:
    """One cell: a solution under a test.

    Attributes:
        seconds: wall time; None for a run that kept none.
        line: line of the solution's code in which it failed.
        message: what the check said, unless it only repeats the test.
        in_process: judged inside the program's own process, where it could have been tampered with.
    """

    solution: Solution
    test_index: int
    test: str
    style: OutcomeStyle
    outcome: Outcome
    seconds: float | None
    message: str
    actual: str
    expected: str
    stdout: str
    line: int | None
    in_process: bool


@dataclass(frozen=True, slots=True)
class RankingColumn:
    """One side of the ranking lines: the position of each solution, 1 at the top; None if unranked."""

    label: str
    ranks: tuple[float | None, ...]
    scores: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class RankingView:
    """Reference order and verifiers' orders side by side; every column ranks `solutions` in this order."""

    solutions: tuple[str, ...]
    columns: tuple[RankingColumn, ...]

    def plain(self) -> dict[str, object]:
        """The ranking as the component takes it."""
        return {
            "solutions": self.solutions,
            "columns": [{"label": c.label, "ranks": c.ranks, "scores": c.scores} for c in self.columns],
        }


def open_problem(name: str, label: str, folder: Path, task_id: str) -> ProblemView:
    """Read one problem of a run.

    Raises:
        KeyError: the run has no such problem.
        StoreError: the run can't be read.
    """
    run = opened(folder)
    solutions = run.solutions(task_id)
    mine = run.scores_of(task_id).set_index("solution_id")
    return ProblemView(
        run=name,
        label=label,
        folder=folder,
        problem=run.problem(task_id),
        solutions=solutions,
        suite=run.suite(task_id),
        matrix=_matrix(run, task_id),
        scores=tuple(_known(mine["score"].get(solution.id)) for solution in solutions),
        ranks=tuple(_known(mine["rank"].get(solution.id)) for solution in solutions),
        in_process=run.in_process(task_id) if run.manifest.in_process_cells else None,
    )


def cell(view: ProblemView, solution_id: str, test_index: int) -> CellView | None:
    """What is known of one cell; None where the problem has no such cell."""
    matrix = view.matrix
    solution = view.solution(solution_id)
    if matrix is None or solution is None or not 0 <= test_index < len(view.suite.tests):
        return None
    run = opened(view.folder)
    row = matrix.solution_ids.index(solution_id)
    outcome = Outcome(int(matrix.outcomes[row, test_index]))
    found = run.details(view.problem.task_id, solution_id, test_index)
    detail = found[0] if found else None
    seconds = float(matrix.seconds[row, test_index])
    test = view.suite.tests[test_index].text
    message = detail.message if detail else ""
    return CellView(
        solution=solution,
        test_index=test_index,
        test=test,
        style=outcome_style(outcome),
        outcome=outcome,
        seconds=seconds if math.isfinite(seconds) else None,
        message="" if message in test else message,
        actual=detail.actual if detail else "",
        expected=detail.expected if detail else "",
        stdout=detail.stdout if detail else "",
        line=detail.line if detail else None,
        in_process=view.in_process is not None and bool(view.in_process[row, test_index]),
    )


def ranking(views: Sequence[ProblemView]) -> RankingView:
    """Reference order against the order of each verifier, for one problem."""
    solutions = views[0].solutions
    reference = RankingColumn(
        "reference",
        tuple(solution.reference_rank for solution in solutions),
        tuple(solution.reference_score for solution in solutions),
    )
    columns = [reference]
    for view in views:
        place = {solution.id: index for index, solution in enumerate(view.solutions)}
        rows = [place.get(solution.id) for solution in solutions]
        columns.append(
            RankingColumn(
                view.label,
                tuple(None if row is None else view.ranks[row] for row in rows),
                tuple(None if row is None else view.scores[row] for row in rows),
            )
        )
    return RankingView(tuple(solution.id for solution in solutions), tuple(columns))


def _matrix(run: Run, task_id: str) -> PassMatrix | None:
    try:
        return run.matrix(task_id)
    except StoreError:
        return None


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)
