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
from core.metrics import passed_fraction
from core.model import Outcome, PassMatrix, Problem, Solution, TestSuite
from core.store import Run, StoreError
from core.views.opened import opened
from core.views.pass_matrix import invalid_tests, reference_rows

_SAME = 1e-9


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


def explain(view: ProblemView) -> str:
    """One sentence on whether, and why, the verifier ranks the best solution wrong."""
    scores = np.array([np.nan if score is None else score for score in view.scores], dtype=np.float64)
    ranks = [solution.reference_rank for solution in view.solutions]
    known = [row for row, rank in enumerate(ranks) if rank is not None and not math.isnan(scores[row])]
    if len(known) < 2:
        return "Fewer than two solutions have a score and a reference rank: there is no order to judge."
    if view.matrix is not None and not view.suite.tests:
        return "The verifier has no test for this problem, so all solutions tie."
    best_rank = min(ranks[row] or math.inf for row in known)
    best = [row for row in known if ranks[row] == best_rank]
    top = [row for row in known if scores[row] >= np.nanmax(scores) - _SAME]
    tests = len(view.suite.tests)
    if np.nanmax(scores) - np.nanmin(scores) < _SAME:
        return f"No signal: all {len(known)} solutions get the score {scores[known[0]]:.2f}."
    if set(top) <= set(best):
        return (
            f"Ranked right: {view.solutions[top[0]].id} is the best of both the verifier and the reference."
        )
    if right := [row for row in top if row in best]:
        others = len(top) - len(right)
        return (
            f"{view.solutions[right[0]].id}, the reference best, shares the top score {scores[right[0]]:.2f} "
            f"with {_count(others, 'worse solution')}: no test tells them apart."
        )
    chosen, wanted = top[0], max(best, key=lambda row: scores[row])
    start = (
        f"The verifier puts {view.solutions[chosen].id} (reference score "
        f"{_number(view.solutions[chosen].reference_score)}) above {view.solutions[wanted].id}"
    )
    if view.matrix is None:
        return f"{start}: score {scores[chosen]:.2f} against {scores[wanted]:.2f}."
    invalid = invalid_tests(view.matrix.outcomes, view.solutions)
    bad = int(invalid.sum())
    if bad == tests:
        return f"All {tests} tests fail a solution that is known to be right."
    if bad:
        without = passed_fraction(view.matrix.outcomes[:, ~invalid])
        verb, them = ("fails", "it") if bad == 1 else ("fail", "them")
        found = f"{bad} of {_count(tests, 'test')} {verb} the reference solution"
        named = _named(np.flatnonzero(invalid))
        return f"{found} ({named}); without {them} it would {_place(without, wanted, known)}."
    return f"{start}: {_split(view.matrix.outcomes, chosen, wanted)}."


def telling_cell(view: ProblemView) -> tuple[str, int] | None:
    """The cell to look at first, as (solution id, test index); None where every cell passed.

    A test that fails a solution known to be right; else the first failure in reference order.
    """
    if view.matrix is None or view.matrix.outcomes.size == 0:
        return None
    outcomes = view.matrix.outcomes
    failed = (outcomes != Outcome.PASSED) & (outcomes != Outcome.INTERNAL_ERROR)
    right = reference_rows(view.solutions)
    for rows in (right, range(len(view.solutions))):
        for row in rows:
            if failed[row].any():
                return view.solutions[row].id, int(np.argmax(failed[row]))
    return None


def _split(outcomes: npt.NDArray[np.uint8], chosen: int, wanted: int) -> str:
    passed = outcomes == Outcome.PASSED
    ahead = np.flatnonzero(passed[chosen] & ~passed[wanted])
    missing = int(np.sum(outcomes[wanted] == Outcome.INTERNAL_ERROR))
    if len(ahead) == 0:
        return f"it passes no test that the other fails, but {_count(missing, 'verdict')} are missing"
    return f"it passes {_count(len(ahead), 'test')} that the other fails ({_named(ahead)})"


def _named(tests: npt.NDArray[np.intp]) -> str:
    """Tests by their numbers, the first five of them."""
    shown = ", ".join(str(test + 1) for test in tests[:5]) + (", …" if len(tests) > 5 else "")
    return f"{'test' if len(tests) == 1 else 'tests'} {shown}"


def _place(scores: npt.NDArray[np.float64], row: int, known: Sequence[int]) -> str:
    above = sum(scores[other] > scores[row] + _SAME for other in known)
    tied = sum(abs(scores[other] - scores[row]) <= _SAME for other in known) - 1
    if above:
        return f"rank {above + 1} still"
    return f"share the first rank with {_count(tied, 'other')}" if tied else "rank first"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"


def _matrix(run: Run, task_id: str) -> PassMatrix | None:
    try:
        return run.matrix(task_id)
    except StoreError:
        return None


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)
