"""What `python -m core evolve filter|select|report` prints, as plain data.

The results of `filter_suites` and `select_solutions` are contracts: other programs read them.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.evolution.filters import FilterCounts, Reason, Rules, filter_trial
from core.evolution.patterns import Trial, rates_of_solutions
from core.evolution.report import RoundReport, report_round
from core.evolution.selection import Method, Selection, select
from core.evolution.sources import OnError, open_trial, open_trials
from core.evolution.start import newest_round
from core.formats.evolvecoder import NEW
from core.store import open_run

__all__ = [
    "Shown",
    "filter_suites",
    "report_rounds",
    "round_reports",
    "rules_from",
    "select_solutions",
    "shown_solutions",
]

_CONTRACT = (Reason.LOW_PASS_RATE, Reason.SAME_PATTERN, Reason.TOO_FEW_TESTS, Reason.TOO_MANY_PERFECT)


def rules_from(**options: Any) -> Rules:
    """The rules that a user's options say.

    Raises:
        InputError: an option is out of range; the message names it.
    """
    try:
        return Rules(**options)
    except ValueError as error:
        raise InputError(str(error)) from error


def filter_suites(path: Path, rules: Rules | None = None, on_error: OnError | None = None) -> dict[str, Any]:
    """Filter every suite of a run or pipeline file, and count.

    Args:
        path: a run's folder, or a file of EvolveCoder's pipeline.
        rules: the paper's final filter if not given.
        on_error: told of each row of a file that can't be used.

    Returns:
        {"problems_before", "problems_after", "tests_before", "tests_after", "removed": {reason: tests}}.
        `tests_after` counts the tests of the problems that stay; what `removed` counts are tests
        throughout, for "too_few_tests" and "too_many_perfect" those that a dropped problem still had,
        so that tests_before - sum(removed) = tests_after. The reasons "fails_reference" and
        "high_pass_rate" are there only if `rules` ask for them.

    Raises:
        InputError: as `core.evolution.sources.open_trials`.
    """
    rules = rules or Rules()
    counts = FilterCounts()
    for trial in open_trials(path, on_error):
        counts.add(filter_trial(trial, rules))
    asked = [*_CONTRACT]
    asked += [Reason.FAILS_REFERENCE] if rules.reference else []
    asked += [Reason.HIGH_PASS_RATE] if rules.max_pass is not None else []
    return {
        "problems_before": counts.problems_before,
        "problems_after": counts.problems_after,
        "tests_before": counts.tests_before,
        "tests_after": counts.tests_after,
        "removed": {reason.value: counts.removed[reason] for reason in asked},
    }


@dataclass(frozen=True, slots=True)
class Shown:
    """The solutions that a generator of tests is shown, and the problem with its pass matrix."""

    trial: Trial
    selection: Selection

    def passed(self) -> list[float]:
        """The share of the tests that each chosen solution passes, NaN without a known cell."""
        rates = rates_of_solutions(self.trial.outcomes)
        return [float(rates[row]) for row in self.selection.rows]


def select_solutions(
    path: Path, task_id: str, method: str, seed: int = 0, on_error: OnError | None = None
) -> dict[str, list[str]]:
    """Choose the solutions of one problem that a generator of tests is shown.

    The pass matrix is taken as the run or file has it; nothing is filtered first.

    Returns:
        {"selected": [solution ids]}, in the order of the pool.

    Raises:
        InputError: as `core.evolution.sources.open_trial`, or no such method.
    """
    return {"selected": list(shown_solutions(path, task_id, method, seed, on_error).selection.solution_ids)}


def shown_solutions(
    path: Path, task_id: str, method: str, seed: int = 0, on_error: OnError | None = None
) -> Shown:
    """The choice behind `select_solutions`."""
    try:
        chosen = Method(method)
    except ValueError:
        known = " or ".join(Method)
        raise InputError(f"expected the method {known}, found {method!r}") from None
    trial = open_trial(path, task_id, on_error)
    return Shown(trial, select(trial, chosen, seed))


def report_rounds(
    paths: Iterable[Path], rules: Rules | None = None, on_error: OnError | None = None
) -> dict[str, Any]:
    """Report on rounds of refinement: one run or pipeline file a round, the first is round 0.

    Args:
        paths: the rounds in order, each with all tests it had.
        rules: the filter at the end of a round; None if the files are what it left.
        on_error: told of each row of a file that can't be used.

    Returns:
        {"rounds": [{"round", "sources": {"overall" or source: the fields of `SourceReport`}}]}; numbers
        that are not defined are null.

    Raises:
        InputError: as `core.evolution.sources.open_trials`, or the paths are of different benchmarks.
    """
    return {"rounds": [_plain(report) for report in round_reports(paths, rules, on_error)]}


def round_reports(
    paths: Iterable[Path], rules: Rules | None = None, on_error: OnError | None = None
) -> tuple[RoundReport, ...]:
    """The reports behind `report_rounds`."""
    reports = []
    newest = -1
    paths = list(paths)
    _refuse_different(paths)
    for i, path in enumerate(paths):
        # A pipeline's row tells its own step's tests from older ones, and no rounds apart; a run's
        # rounds may count from where an earlier refinement ended.
        newest = max(newest_round(open_trials(path)), newest + 1) if path.is_dir() else max(newest, 0)
        written_in = newest if path.is_dir() else NEW
        reports.append(report_round(open_trials(path, on_error), i, rules, written_in=written_in))
    return tuple(reports)


def _refuse_different(paths: Sequence[Path]) -> None:
    """Rounds are of one benchmark: runs say which is theirs, a file by the problems that it names."""
    runs = [(path, open_run(path)) for path in paths if path.is_dir()]
    for path, run in runs[1:]:
        first, other = runs[0][1].manifest, run.manifest
        if other.benchmark_sha256 != first.benchmark_sha256:
            names = f"{first.benchmark}, {path} of {other.benchmark}"
            also = " (of one name, but not the same)" if first.benchmark == other.benchmark else ""
            raise InputError(f"expected rounds of one benchmark: {runs[0][0]} is of {names}{also}")
    known: set[str] = set()
    for path in paths if len(runs) < len(paths) else ():
        found = {trial.task_id for trial in open_trials(path)}
        if known and not known & found:
            raise InputError(f"expected rounds of one benchmark: {path} and {paths[0]} share no problem")
        known |= found


def _plain(value: Any) -> Any:
    """A report as JSON: dataclasses to objects, keys to text, NaN to null."""
    if dataclasses.is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return None if isinstance(value, float) and math.isnan(value) else value
