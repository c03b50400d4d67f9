"""The Evolve page: what filters leave of suites, whom new tests are made for, what they split."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from core.evolution.filters import FilterCounts, Filtered, Reason, Rules, filter_trial
from core.evolution.patterns import Trial, rates_of_solutions, rates_of_tests
from core.evolution.prompts import render
from core.evolution.selection import Method, Selection, select, splits
from core.evolution.sources import open_trials
from core.evolution.takeout import Layout, take_out
from core.model import PassMatrix
from core.views.diagnostics import Report
from core.views.pass_matrix import MatrixView, arrange

__all__ = [
    "REASONS",
    "Chosen",
    "FilterView",
    "choose",
    "export_text",
    "filter_view",
    "matrices",
    "new_tests",
    "read_trials",
    "removed_table",
]

REASONS = {
    Reason.FAILS_REFERENCE: "fail the reference",
    Reason.LOW_PASS_RATE: "passed by too few",
    Reason.HIGH_PASS_RATE: "passed by nearly all",
    Reason.SAME_PATTERN: "same pass vector",
    Reason.TOO_FEW_TESTS: "too few tests left",
    Reason.TOO_MANY_PERFECT: "too many perfect",
}


@dataclass(frozen=True, slots=True)
class FilterView:
    """What rules leave of all suites.

    Attributes:
        removed: (words, tests) of each reason that removed any.
        problems: a row a problem: task_id, before, after, removed, vectors, why ("" or why it is dropped).
    """

    counts: FilterCounts
    removed: tuple[tuple[str, int], ...]
    problems: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Chosen:
    """The solutions that a writer of tests is shown.

    Attributes:
        rows: a row a solution: id, why, passed (share of the shown tests), source.
        matrix: their outcomes under the tests that are shown; None without tests or solutions.
        prompt: what a model would be asked, as text.
    """

    selection: Selection
    rows: pd.DataFrame
    matrix: MatrixView | None
    prompt: str


def read_trials(folder: Path, total: int, report: Report) -> dict[str, Trial]:
    """Every problem of a run by its task_id.

    Raises:
        InputError, StoreError: as `core.evolution.sources.open_trials`.
    """
    found = {}
    for trial in open_trials(folder):
        found[trial.task_id] = trial
        report(len(found), total)
    return found


def filter_view(trials: Sequence[Trial], rules: Rules) -> FilterView:
    """Apply rules to all suites."""
    counts = FilterCounts()
    rows = []
    for trial in trials:
        filtered = filter_trial(trial, rules)
        counts.add(filtered)
        rows.append(
            {
                "task_id": trial.task_id,
                "before": len(trial.tests),
                "after": len(filtered.kept),
                "removed": len(filtered.removed),
                "vectors": len(set(map(bytes, np.ascontiguousarray(filtered.after.outcomes.T)))),
                "why": REASONS[filtered.dropped] if filtered.dropped else "",
            }
        )
    removed = tuple((REASONS[reason], counts.removed[reason]) for reason in Reason if counts.removed[reason])
    return FilterView(counts, removed, pd.DataFrame(rows))


def matrices(trial: Trial, rules: Rules) -> tuple[MatrixView | None, MatrixView | None]:
    """The pass matrix before and after the rules; None for one without tests."""
    filtered = filter_trial(trial, rules)
    return _matrix(trial), _matrix(filtered.after)


def removed_table(trial: Trial, rules: Rules) -> pd.DataFrame:
    """The tests that the rules remove: number, why, test, detail."""
    filtered: Filtered = filter_trial(trial, rules)
    return pd.DataFrame(
        [
            {
                "test": removal.index + 1,
                "why": REASONS[removal.reason],
                "detail": removal.detail,
                "source": trial.tests[removal.index].text,
            }
            for removal in filtered.removed
        ],
        columns=["test", "why", "source", "detail"],
    )


def choose(trial: Trial, method: Method, seed: int, max_pass: float | None = None) -> Chosen:
    """Choose solutions as a round does, on the tests that its step leaves."""
    rules = (
        Rules.adversarial(max_pass=max_pass, seed=seed)
        if method is Method.ADVERSARIAL
        else Rules.discriminative(seed=seed)
    )
    shown = filter_trial(trial, rules).after
    selection = select(shown, method, seed)
    rates = rates_of_solutions(shown.outcomes)
    rows = pd.DataFrame(
        [
            {
                "solution": shown.solutions[row].id,
                "why": role.value,
                "passed": 100 * rates[row],
                "source": shown.solutions[row].source,
            }
            for row, role in zip(selection.rows, selection.roles, strict=True)
        ],
        columns=["solution", "why", "passed", "source"],
    )
    places = list(selection.rows)
    few = replace(
        shown, solutions=tuple(shown.solutions[row] for row in places), outcomes=shown.outcomes[places]
    )
    messages = render(shown, selection) if places else []
    prompt = "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in messages)
    return Chosen(selection, rows, _matrix(few) if places else None, prompt)


def new_tests(trial: Trial) -> pd.DataFrame:
    """The tests that rounds added to a problem: round, method, test, passed (percent), splits, by."""
    rates = rates_of_tests(trial.outcomes)
    rows = [
        {
            "round": test.origin.round,
            "method": test.origin.method,
            "source": test.text,
            "passed": 100 * rates[place],
            "splits": splits(trial.outcomes[:, place]),
            "by": test.origin.verifier,
        }
        for place, test in enumerate(trial.tests)
        if test.origin.round
    ]
    return pd.DataFrame(rows, columns=["round", "method", "source", "passed", "splits", "by"])


def export_text(trials: Sequence[Trial], rules: Rules, layout: Layout) -> str:
    """The suites that the rules leave, as the file of a layout."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "suites.jsonl"
        take_out(trials, path, layout, rules)
        return path.read_text(encoding="utf-8")


def _matrix(trial: Trial) -> MatrixView | None:
    if not trial.tests or not trial.solutions:
        return None
    rates = rates_of_solutions(trial.outcomes)
    matrix = PassMatrix(
        trial.task_id,
        tuple(solution.id for solution in trial.solutions),
        trial.outcomes,
        np.zeros(0, dtype=np.float32),
    )
    scores = [None if np.isnan(rate) else float(rate) for rate in rates]
    return arrange(matrix, trial.solutions, scores, [test.text for test in trial.tests], score_name="passed")
