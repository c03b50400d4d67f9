"""Trials from wherever pass matrices are: a run's folder, or a file of EvolveCoder's pipeline.

Problems come one at a time, so that a data set need not fit into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np

from core.errors import InputError
from core.evolution.patterns import Trial
from core.formats.errors import RowError
from core.formats.evolvecoder import PIPELINE, evaluated_rows
from core.formats.loaded import Context, Evaluated
from core.formats.reader import Row, read_rows
from core.store import Run, open_run

__all__ = ["open_trial", "open_trials", "trial_of"]

OnError = Callable[[RowError], None]


def open_trials(path: Path, on_error: OnError | None = None) -> Iterator[Trial]:
    """Every problem of a run or a pipeline file, in its order.

    Args:
        path: a run's folder, or a file of EvolveCoder's pipeline.
        on_error: told of each row that can't be used; the others still come.

    Raises:
        InputError: it is neither, no row of it can be used, or the run is unfinished or holds
            no outcomes.
        StoreError: a file of the run is damaged.
    """
    if path.is_dir():
        yield from _of_run(path)
    else:
        yield from _of_file(path, on_error or (lambda _: None))


def open_trial(path: Path, task_id: str, on_error: OnError | None = None) -> Trial:
    """One problem of a run or a pipeline file.

    Raises:
        InputError: as `open_trials`, or there is no such problem.
    """
    if path.is_dir():
        run = _run(path)
        if task_id in run.task_ids():
            return _of_problem(run, task_id)
    else:
        for trial in open_trials(path, on_error):
            if trial.task_id == task_id:
                return trial
    raise InputError(f"{path}: no problem is called {task_id!r}")


def trial_of(evaluated: Evaluated) -> Trial:
    """A loaded row as a trial."""
    return Trial(evaluated.problem, evaluated.solutions, evaluated.suite.tests, evaluated.matrix.outcomes)


def _run(path: Path) -> Run:
    run = open_run(path)
    if not run.finished:
        raise InputError(f"{path}: expected a finished run; resume it first")
    if not run.manifest.outcome_counts:
        raise InputError(f"{path}: expected a run of tests, this one holds scores without outcomes")
    return run


def _of_run(path: Path) -> Iterator[Trial]:
    for found in _run(path).contents():
        yield Trial(found.problem, found.solutions, found.tests, found.matrix.outcomes)


def _of_problem(run: Run, task_id: str) -> Trial:
    problem, tests = run.problem(task_id), run.suite(task_id).tests
    solutions = {solution.id: solution for solution in run.solutions(task_id)}
    if not solutions:
        return Trial(problem, (), tests, np.zeros((0, len(tests)), dtype=np.uint8))
    matrix = run.matrix(task_id)
    ordered = tuple(solutions[name] for name in matrix.solution_ids)
    return Trial(problem, ordered, tests, matrix.outcomes)


def _of_file(path: Path, on_error: OnError) -> Iterator[Trial]:
    context = Context(str(path))

    def told() -> None:
        while context.errors:
            on_error(context.errors.pop(0))

    def good(rows: Iterator[Row | RowError]) -> Iterator[Row]:
        for row in rows:
            if isinstance(row, Row):
                yield row
            else:
                context.errors.append(row)

    rows = good(read_rows(path, str(path)))
    first = next(rows, None)
    if first is None:
        reason = f": {context.errors[0].message}" if context.errors else ", the file is empty"
        raise InputError(f"{path}: no row of EvolveCoder's pipeline{reason}")
    if not PIPELINE.matches(first.data):
        keys = ", ".join(sorted(map(str, first.data))) or "none"
        raise InputError(
            f"{path}: expected a run's folder or rows with {PIPELINE.keys}; found the keys {keys}"
        )
    count = 0
    for evaluated in evaluated_rows(chain([first], rows), context):
        told()
        count += 1
        yield trial_of(evaluated)
    if not count:
        raise InputError(f"{context.errors[0]}")
    told()
