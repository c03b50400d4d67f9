"""`show`: one problem of a run, or all of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.commands.common import Sheet
from core.errors import InputError
from core.model import Outcome
from core.store import CellDetail, open_run
from core.views.problem import open_problem
from core.views.problems import worst_first
from core.views.runs import summarise_run
from core.views.why import explain, wrong_tests


@dataclass(frozen=True, slots=True)
class Reading:
    """What a pass matrix says in words.

    Attributes:
        why: whether the verifier is fooled, and by what.
        wrong: indices of the tests that fail a solution known to be right.
        reasons: why cells neither passed nor failed an assertion, the most frequent first.
    """

    why: str
    wrong: frozenset[int]
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """Why some cells of a problem came to no pass or fail.

    Attributes:
        letter: of their outcome.
        message: the exception, or which limit was hit.
        cells: how many.
        solution_id, test_index: the first of them.
    """

    letter: str
    message: str
    cells: int
    solution_id: str
    test_index: int


def show(folder: Path, task_id: str) -> Sheet:
    """One problem of a run with its pass matrix.

    Raises:
        InputError: the run has no such problem.
    """
    run = open_run(folder)
    if task_id not in run.task_ids():
        some = ", ".join(run.task_ids()[:3])
        raise InputError(f"{folder}: has no problem {task_id!r}; it has {some}, ...")
    matrix = run.matrix(task_id)
    scored = {str(row.solution_id): row for row in run.scores_of(task_id).itertuples(index=False)}
    letters = dict(zip(matrix.solution_ids, matrix.letters(), strict=True))
    return {
        "task_id": task_id,
        "tests": [test.text for test in run.suite(task_id).tests],
        "solutions": [
            {
                "id": solution.id,
                "reference_score": solution.reference_score,
                "reference_rank": solution.reference_rank,
                "score": scored[solution.id].score,
                "rank": scored[solution.id].rank,
                "outcomes": letters[solution.id],
            }
            for solution in run.solutions(task_id)
        ],
    }


def problems(folder: Path) -> Sheet:
    """Every problem of a run, the worst first.

    Shape: {"finished": bool, "problems": [{"task_id", "top1", "spearman", "mae", "n_tests",
    "n_invalid_tests"}]}; what is not defined is NaN.

    Raises:
        StoreError: the run can't be read.
    """
    summary = summarise_run(folder.name, folder.name, folder)
    columns = ["task_id", "top1", "spearman", "mae", "n_tests", "n_invalid_tests"]
    rows = worst_first(summary.problems)[columns].to_dict("records")
    return {"finished": summary.manifest.finished is not None, "problems": rows}


def reading(folder: Path, task_id: str) -> Reading:
    """What the page Problem says of one problem of a run."""
    view = open_problem(folder.name, folder.name, folder, task_id)
    wrong = frozenset(np.flatnonzero(wrong_tests(view)).tolist())
    return Reading(explain(view), wrong, _reasons(open_run(folder).details(task_id)))


def _reasons(details: Iterable[CellDetail]) -> tuple[Reason, ...]:
    found: dict[tuple[str, str], list[CellDetail]] = {}
    for cell in details:
        if cell.outcome is not Outcome.ASSERTION_FAILED:
            found.setdefault((cell.outcome.letter, cell.message), []).append(cell)
    reasons = [
        Reason(letter, message, len(cells), cells[0].solution_id, cells[0].test_index)
        for (letter, message), cells in found.items()
    ]
    return tuple(sorted(reasons, key=lambda reason: -reason.cells))
