"""The smallest suites that keep a verifier's ranking, and what they save."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from core.errors import InputError
from core.figures import Basis, Histogram
from core.figures.build import histogram
from core.formats.tests_json import test_to_json
from core.metrics import METRIC_KEYS, evaluate, greedy_subset, passed_fraction
from core.views.diagnostics import Report, tested
from core.views.opened import opened
from core.views.runs import RunSummary, Undefined

_BINS = 20


@dataclass(frozen=True, slots=True)
class Reduction:
    """Suites cut to the tests that their ranking needs.

    Attributes:
        problems: columns task_id, n_tests, n_kept, kept (share of pairs in the same order), tests
            (1-based numbers of the tests kept, as text).
        keep: share of the pairs of solutions that had to stay in order.
        seconds_saved: execution time of the tests dropped, and `seconds` of all; NaN if unknown.
        metrics: key -> value with the tests kept.
    """

    problems: pd.DataFrame
    chosen: Mapping[str, tuple[int, ...]]
    keep: float
    n_tests: int
    n_kept: int
    cells_saved: int
    seconds: float
    seconds_saved: float
    metrics: Mapping[str, float]


def reduce_suites(
    summary: RunSummary, keep: float, *, undefined: Undefined = "nan", report: Report | None = None
) -> Reduction:
    """Cut every suite of a run to a small set of tests with the same ranking (`greedy_subset`).

    Raises:
        StoreError: the run can't be read.
        InputError: it has no tests.
    """
    run = opened(summary.folder)
    rows: list[tuple[str, int, int, float]] = []
    chosen: dict[str, tuple[int, ...]] = {}
    scores: dict[tuple[str, str], float] = {}
    cells = 0
    seconds = saved = 0.0
    for one in tested(run, report):
        task_id, matrix = one.problem.task_id, one.matrix
        subset = greedy_subset(matrix.outcomes, keep=keep)
        chosen[task_id] = tuple(int(test) for test in subset.tests)
        n_solutions, n_tests = matrix.outcomes.shape
        rows.append((task_id, n_tests, len(subset.tests), subset.kept))
        cells += n_solutions * (n_tests - len(subset.tests))
        seconds += float(np.nansum(matrix.seconds))
        saved += float(np.nansum(np.delete(matrix.seconds, subset.tests, axis=1)))
        kept = passed_fraction(matrix.outcomes[:, subset.tests])
        scores.update(
            ((task_id, solution), score) for solution, score in zip(matrix.solution_ids, kept, strict=True)
        )
    if not rows:
        raise InputError(f"{summary.label} has no tests")
    problems = pd.DataFrame(rows, columns=["task_id", "n_tests", "n_kept", "kept"])
    problems["tests"] = [
        ", ".join(str(test + 1) for test in chosen[task_id]) for task_id in problems["task_id"]
    ]
    return Reduction(
        problems=problems,
        chosen=chosen,
        keep=keep,
        n_tests=int(problems["n_tests"].sum()),
        n_kept=int(problems["n_kept"].sum()),
        cells_saved=cells,
        seconds=seconds,
        seconds_saved=saved,
        metrics=_metrics(summary, scores, undefined),
    )


def reduction_chart(found: Reduction, label: str) -> Histogram:
    """Tests of each problem before and after."""
    most = int(found.problems["n_tests"].max())
    groups = {"all tests": found.problems["n_tests"], "kept": found.problems["n_kept"]}
    chart = histogram(
        groups,
        bins=[edge - 0.5 for edge in range(most + 2)] if most <= 2 * _BINS else _BINS,
        title=f"Tests per problem of {label}",
        x_label="Tests per problem",
        y_label="Problems",
        alt=f"Histogram of tests per problem, before and after: {found.n_tests:,} become {found.n_kept:,}.",
    )
    return replace(chart, basis=Basis(n=len(found.problems)))


def reduced_jsonl(folder: Path, found: Reduction) -> str:
    """The tests kept, as a tests file."""
    lines = []
    for suite in opened(folder).suites():
        if (chosen := found.chosen.get(suite.task_id)) is not None:
            tests = [test_to_json(suite.tests[test]) for test in chosen]
            lines.append(json.dumps({"task_id": suite.task_id, "tests": tests}))
    return "\n".join(lines) + "\n"


def _metrics(
    summary: RunSummary, scores: Mapping[tuple[str, str], float], undefined: Undefined
) -> dict[str, float]:
    table = opened(summary.folder).scores()
    mine = [scores.get(key, np.nan) for key in zip(table["task_id"], table["solution_id"], strict=True)]
    given = summary.scores
    found = evaluate(
        given.problem, mine, given.reference_score, given.reference_rank, undefined=undefined, bootstrap=0
    )
    return {key: found.metrics[key].value for key in METRIC_KEYS}
