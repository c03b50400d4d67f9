"""The Problems page: every problem of one run, filtered and searched."""

from __future__ import annotations

import enum
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import pandas as pd

from core.figures.text import for_csv
from core.model import Outcome
from core.views.opened import opened
from core.views.runs import RunSummary

_SAME = 1e-9


class NamedFilter(enum.StrEnum):
    """A question that is asked again and again, as a filter."""

    FOOLED = "fooled"
    NO_SIGNAL = "no signal"
    HARMFUL = "harmful tests"
    TIED = "tied at the top"
    UNCOVERED = "uncovered"


FILTER_HELP: Mapping[NamedFilter, str] = MappingProxyType(
    {
        NamedFilter.FOOLED: "the verifier's best solution is not the reference best",
        NamedFilter.NO_SIGNAL: "all solutions get the same score",
        NamedFilter.HARMFUL: "at least one test fails a solution that is known to be right",
        NamedFilter.TIED: "several solutions share the verifier's best score",
        NamedFilter.UNCOVERED: "no solution has a score: there is no test, or no cell has a verdict",
    }
)


RANGED: Mapping[str, str] = MappingProxyType(
    {
        "top1": "Top-1",
        "spearman": "Spearman",
        "n_invalid_tests": "Invalid tests",
        "reference_spread": "Spread",
    }
)
"""Columns that can be filtered by their values, with their names on screen."""


@dataclass(frozen=True, slots=True)
class Range:
    """Values that a column may take, ends included; None for no end. NaN is in no range.

    Attributes:
        column: one of `RANGED`.
    """

    column: str
    low: float | None = None
    high: float | None = None

    def keeps(self, values: pd.Series) -> pd.Series:
        """Which values lie in the range."""
        low = -math.inf if self.low is None else self.low - _SAME
        high = math.inf if self.high is None else self.high + _SAME
        return values.between(low, high)

    def __str__(self) -> str:
        low = "" if self.low is None else f"{self.low:g} \N{LESS-THAN OR EQUAL TO} "
        high = "" if self.high is None else f" \N{LESS-THAN OR EQUAL TO} {self.high:g}"
        return f"{low}{RANGED[self.column]}{high}"


@dataclass(frozen=True, slots=True)
class ProblemFilter:
    """What to keep: every named filter must hold, every range too, and the text must occur.

    Attributes:
        named: filters that must all hold.
        ranges: values that columns may take.
        text: must occur in the prompt, a solution or a test, in any case; "" for no search.
    """

    named: tuple[NamedFilter, ...] = ()
    text: str = ""
    ranges: tuple[Range, ...] = ()

    def words(self) -> tuple[str, ...]:
        """Each part of the filter in a few words."""
        text = (f"\N{LEFT DOUBLE QUOTATION MARK}{self.text}\N{RIGHT DOUBLE QUOTATION MARK}",)
        return (
            *(name.value for name in self.named),
            *(str(part) for part in self.ranges),
            *(text if self.text else ()),
        )


@dataclass(frozen=True, slots=True)
class ProblemTable:
    """The problems that a filter keeps.

    Attributes:
        rows: in the order of the benchmark. Columns task_id, top1, spearman, mae, n_tests,
            n_invalid_tests, best_tie, reference_spread, passed, assertion_failed, other_errors,
            no_verdict (percent of cells), n_solutions.
        total: problems before the filter.
        counts: how many problems each named filter keeps by itself.
    """

    rows: pd.DataFrame
    total: int
    counts: Mapping[NamedFilter, int]

    def task_ids(self) -> tuple[str, ...]:
        """The problems kept, in order."""
        return tuple(self.rows["task_id"])


def problem_table(summary: RunSummary, wanted: ProblemFilter, found: Collection[str] | None) -> ProblemTable:
    """The problems of a run that pass a filter.

    Args:
        summary: the run.
        wanted: the filter.
        found: task_ids in which the text occurs (`find_text`); None where there is no text.
    """
    problems = summary.problems
    masks = {name: _mask(problems, name) for name in NamedFilter}
    keep = pd.Series(data=True, index=problems.index)
    for name in wanted.named:
        keep &= masks[name]
    for part in wanted.ranges:
        keep &= part.keeps(problems[part.column])
    if found is not None:
        keep &= problems["task_id"].isin(list(found))
    errors = [f"share_{outcome.letter}" for outcome in Outcome if outcome.is_non_assertion_error]
    shown = problems[keep]
    rows = pd.DataFrame(
        {
            "task_id": shown["task_id"],
            "top1": shown["top1"],
            "spearman": shown["spearman"],
            "mae": shown["mae"],
            "n_tests": shown["n_tests"],
            "n_invalid_tests": shown["n_invalid_tests"],
            "best_tie": shown["best_tie"],
            "reference_spread": shown["reference_spread"],
            "passed": 100 * shown["share_P"],
            "assertion_failed": 100 * shown["share_F"],
            "other_errors": 100 * shown[errors].sum(axis=1, min_count=1),
            "no_verdict": 100 * shown["share_I"],
            "n_solutions": shown["n_solutions"],
        }
    ).reset_index(drop=True)
    return ProblemTable(rows, len(problems), {name: int(mask.sum()) for name, mask in masks.items()})


def find_text(summary: RunSummary, text: str) -> tuple[str, ...] | None:
    """The problems in whose prompt, solutions or tests the text occurs; None for no text."""
    return tuple(opened(summary.folder).search(text)) if text.strip() else None


def worst_first(problems: pd.DataFrame) -> pd.DataFrame:
    """Problems as `RunSummary.problems` has them: lowest Top-1 first, then lowest Spearman, largest MAE."""
    return problems.sort_values(
        ["top1", "spearman", "mae"], ascending=[True, True, False], na_position="last", kind="stable"
    )


def problem_csv(table: ProblemTable) -> bytes:
    """The table as CSV; names that a spreadsheet would run as formulas are defused."""
    rows = table.rows.assign(task_id=[for_csv(name) for name in table.rows["task_id"]])
    return rows.to_csv(index=False).encode()


def _mask(problems: pd.DataFrame, name: NamedFilter) -> pd.Series:
    match name:
        case NamedFilter.FOOLED:
            return problems["top1"] == 0
        case NamedFilter.NO_SIGNAL:
            return problems["no_signal"]
        case NamedFilter.HARMFUL:
            return problems["n_invalid_tests"] > 0
        case NamedFilter.TIED:
            return problems["best_tie"] > 1
        case NamedFilter.UNCOVERED:
            return problems["best_tie"] == 0
