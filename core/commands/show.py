"""`show`: one problem of a run."""

from __future__ import annotations

from pathlib import Path

from core.commands.common import Sheet
from core.errors import InputError
from core.store import open_run
from core.views.problem import open_problem
from core.views.why import explain


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
    scored = {
        str(row.solution_id): row for row in run.scores().query("task_id == @task_id").itertuples(index=False)
    }
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


def why(folder: Path, task_id: str) -> str:
    """Whether the verifier is fooled on one problem of a run, and by what: the page Problem's sentence."""
    return explain(open_problem(folder.name, folder.name, folder, task_id))
