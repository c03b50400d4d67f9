"""What each test of a verifier is worth, over a whole benchmark."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.errors import InputError
from core.figures import Basis, Scatter, ScatterSeries
from core.figures.text import for_csv
from core.metrics import GLOSSARY, difficulty, discrimination, redundancy
from core.model import Outcome, Solution
from core.store import Contents, Run
from core.views.opened import opened
from core.views.pass_matrix import invalid_tests, reference_rows
from core.words import plural, quantity

Report = Callable[[int, int], None]
"""Takes how many problems are done, and of how many."""

_DRAWN_UP_TO = 6_000
_REPORT_EVERY = 50
_SOURCE_LENGTH = 300
_FAULTS = ("invalid", "misleading", "separates nothing", "")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Every test of a run, worst first.

    Attributes:
        tests: columns task_id, test (1-based), fault ("invalid", "misleading", "separates nothing" or
            ""), source, valid (True, False, None: unknown), pass_rate, discrimination (NaN where
            undefined), alike (tests of the suite with the same verdicts, itself included),
            solution_id (where to look first).
        n_invalid: tests that fail a solution known to be right.
        n_misleading: valid tests that favour wrong solutions (discrimination below 0).
        n_useless: tests that all solutions pass, or none.
        n_spare: tests that repeat the verdicts of an earlier test of their suite.
        median_discrimination: of the tests that define it.
    """

    tests: pd.DataFrame
    n_invalid: int
    n_misleading: int
    n_useless: int
    n_spare: int
    median_discrimination: float

    def to_csv(self) -> str:
        """All tests, tidy; text that a spreadsheet would run as a formula is defused."""
        shown = self.tests.assign(
            source=self.tests["source"].map(for_csv), task_id=self.tests["task_id"].map(for_csv)
        )
        text: str = shown.to_csv(index=False, lineterminator="\n")
        return text


def diagnose(folder: Path, report: Report | None = None) -> Diagnosis:
    """Measure every test of a finished run of tests.

    Raises:
        StoreError: the run can't be read.
        InputError: it has no tests.
    """
    run = opened(folder)
    rows = [row for one in tested(run, report) for row in _tests(one)]
    if not rows:
        raise InputError(f"{run.manifest.name} has no tests")
    tests = pd.DataFrame(rows).sort_values(
        ["_badness", "discrimination"], kind="stable", na_position="last", ignore_index=True
    )
    faults = tests["fault"].value_counts()
    tests = tests.drop(columns="_badness")
    spare = tests.pop("_spare")
    known = tests["discrimination"].dropna()
    return Diagnosis(
        tests=tests,
        n_invalid=int(faults.get("invalid", 0)),
        n_misleading=int(faults.get("misleading", 0)),
        n_useless=int(faults.get("separates nothing", 0)),
        n_spare=int(spare.sum()),
        median_discrimination=float(known.median()) if len(known) else math.nan,
    )


def diagnosis_chart(found: Diagnosis, label: str, seed: int = 0) -> Scatter:
    """Pass rate against discrimination, valid and invalid tests apart; of many tests a random part."""
    tests = found.tests[found.tests["discrimination"].notna()]
    shown = tests if len(tests) <= _DRAWN_UP_TO else tests.sample(_DRAWN_UP_TO, random_state=seed)
    invalid = shown["valid"].eq(other=False)
    series = tuple(
        ScatterSeries(
            name,
            tuple(part["pass_rate"]),
            tuple(part["discrimination"]),
            tuple(
                f"{task_id}, test {test}" for task_id, test in zip(part["task_id"], part["test"], strict=True)
            ),
        )
        for name, part in (("passes the reference", shown[~invalid]), ("fails the reference", shown[invalid]))
        if len(part)
    )
    drawn = len(shown) < len(tests)
    return Scatter(
        title=f"What the tests of {label} are worth",
        x_label="Pass rate (1: every solution passes)",
        y_label="Discrimination (below 0: favours wrong solutions)",
        alt=f"Points, one for each of {quantity(len(shown), 'test')}, by pass rate and discrimination. "
        f"{quantity(found.n_invalid, 'test')} {plural(found.n_invalid, 'fails', 'fail')} the reference, "
        f"{found.n_misleading:,} more {plural(found.n_misleading, 'favours', 'favour')} wrong solutions.",
        basis=Basis(
            n=len(shown),
            unit=f"of {len(tests):,} tests that tell solutions apart, drawn at random"
            if drawn
            else "tests that tell solutions apart",
            seed=seed if drawn else None,
        ),
        series=series,
    )


def column_help() -> dict[str, str]:
    """Definition of each measured column, from the glossary."""
    return {
        "fault": "Invalid: a solution known to be right fails it. Misleading: worse solutions pass it more "
        "often. Separates nothing: all solutions pass it, or none.",
        "pass_rate": GLOSSARY["difficulty"].help(),
        "discrimination": GLOSSARY["discrimination"].help(),
        "alike": GLOSSARY["redundancy"].help(),
    }


def tested(run: Run, report: Report | None = None) -> Iterator[Contents]:
    """Each problem that has a pass matrix, in the order of the benchmark."""
    if not run.manifest.n_cells:
        raise InputError(f"{run.manifest.name} ran no tests: there is nothing to say of single tests")
    for done, one in enumerate(run.contents()):
        if report is not None and done % _REPORT_EVERY == 0:
            report(done, run.manifest.n_problems)
        if one.matrix.outcomes.size:
            yield one


def _tests(one: Contents) -> Iterator[dict[str, object]]:
    solutions, outcomes = one.solutions, one.matrix.outcomes
    truth = np.array(
        [np.nan if s.reference_score is None else s.reference_score for s in solutions], dtype=np.float64
    )
    worth, rates, groups = discrimination(outcomes, truth), difficulty(outcomes), redundancy(outcomes)
    invalid = invalid_tests(outcomes, solutions)
    judged = bool(reference_rows(solutions))
    sizes = np.bincount(groups)
    first = np.unique(groups, return_index=True)[1]
    for at, test in enumerate(one.tests):
        useless = not 0 < rates[at] < 1
        badness = 0 if invalid[at] else 1 if worth[at] < 0 else 2 if useless else 3
        yield {
            "task_id": one.problem.task_id,
            "test": at + 1,
            "fault": _FAULTS[badness],
            "source": test.text[:_SOURCE_LENGTH],
            "valid": not invalid[at] if judged else None,
            "pass_rate": float(rates[at]),
            "discrimination": float(worth[at]),
            "alike": int(sizes[groups[at]]),
            "solution_id": _look_at(outcomes[:, at], solutions),
            "_badness": badness,
            "_spare": first[groups[at]] != at,
        }


def _look_at(column: npt.NDArray[np.uint8], solutions: tuple[Solution, ...]) -> str:
    """The best solution that fails the test, or the best one where none does."""
    failed = (column != Outcome.PASSED) & (column != Outcome.INTERNAL_ERROR)
    return solutions[int(np.argmax(failed))].id
