"""The Verifiers page: the leaderboard, and two verifiers compared problem by problem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pandas as pd

from core.figures.labels import signed
from core.metrics import GLOSSARY, METRIC_KEYS, comparable, compare_measured, counted, places
from core.model import Metric
from core.views.runs import RunSummary, Undefined
from core.words import p_in_words, quantity

_BEST_WITHIN = 1e-12
_LOWEST_DRAWN = -2.0
"""R\N{SUPERSCRIPT TWO} has no lower end: what is below this is drawn at it, with a mark."""


@dataclass(frozen=True, slots=True)
class MetricHead:
    """A metric's column.

    Attributes:
        arrow: which direction is better.
        worst, best: the ends of the scale on which its values are drawn, the better one to the right: 0 and
            1, turned round where lower is better, with room below 0 where a value lies there.
    """

    key: str
    name: str
    arrow: str
    help: str
    worst: float
    best: float


@dataclass(frozen=True, slots=True)
class MetricCell:
    """A metric of one verifier; None instead of NaN, so that it survives JSON.

    Attributes:
        best: no other verifier of the table is better, of those on enough problems (`core.metrics.marks`).
        note: problems on which it is undefined, in words; "" if there are none.
        counted: the problems that went in, in words; "" for a published value.
        digits: shown after the point; a published value has those that were printed.
    """

    value: float | None
    low: float | None
    high: float | None
    best: bool
    note: str
    counted: str = ""
    digits: int = 3


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """One verifier of the leaderboard.

    Attributes:
        n_covered: problems that the verifier has tests for.
        tests_per_problem: mean over those.
        published: the paper's benchmark that the numbers are on; "" for a run of one's own.
    """

    run: str
    label: str
    kind: str
    n_problems: int
    tests_per_problem: float
    cells: tuple[MetricCell, ...]
    published: str = ""
    n_covered: int = 0


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """All verifiers of a benchmark with all metrics, best Top-1 first, those on too few problems last.

    Attributes:
        heads: the metrics.
        rows: runs of one's own.
        published: what papers print, apart from the runs.
        source: over the published rows: where they are from.
    """

    heads: tuple[MetricHead, ...]
    rows: tuple[LeaderboardRow, ...]
    published: tuple[LeaderboardRow, ...] = ()
    source: str = ""

    def plain(self) -> dict[str, Any]:
        """The leaderboard as the component takes it."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ComparedMetric:
    """The paired difference of one metric, first minus second, with its verdict in words."""

    name: str
    help: str
    value: float | None
    low: float | None
    high: float | None
    p_value: float | None
    n: int
    verdict: str

    @property
    def shown(self) -> str:
        """The difference with its sign."""
        return "n/a" if self.value is None else signed(self.value)

    @property
    def interval(self) -> str:
        """The 95% CI and the p-value; the bootstrap's smallest p-value is given as a bound."""
        if self.low is None or self.high is None or self.p_value is None:
            return "no CI"
        return f"[{signed(self.low)}, {signed(self.high)}]  \np {p_in_words(self.p_value)}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two verifiers on the problems that both have.

    Attributes:
        changed: problems on whose best solution they disagree. Columns task_id, top1_a, top1_b,
            spearman_a, spearman_b, right (label of the verifier that does better there).
    """

    metrics: tuple[ComparedMetric, ...]
    changed: pd.DataFrame
    n_first: int
    n_second: int


def leaderboard(
    summaries: Sequence[RunSummary], published: Sequence[LeaderboardRow] = (), source: str = ""
) -> Leaderboard:
    """All metrics of some runs of one benchmark, best Top-1 first, and published results apart from them.

    The best of each metric is the best run of those that `core.metrics.marks` compares; runs on too few
    problems come last. A published result is never marked.
    """
    best = {key: _best(summaries, key) for key in METRIC_KEYS}
    enough = comparable([_counted(summary, METRIC_KEYS[0]) for summary in summaries])
    few = {summary.name for summary, fits in zip(summaries, enough, strict=True) if not fits}
    rows = [
        LeaderboardRow(
            run=summary.name,
            label=summary.label,
            kind=summary.manifest.verifier_kind.value,
            n_problems=summary.manifest.n_problems,
            n_covered=summary.n_covered,
            tests_per_problem=summary.manifest.n_tests / max(1, summary.n_covered),
            cells=tuple(
                _cell(key, summary.evaluation.metrics[key], best[key][at], summary.evaluation.undefined)
                for key in METRIC_KEYS
            ),
        )
        for at, summary in enumerate(summaries)
    ]
    heads = tuple(
        _head(key, [row.cells[at] for row in (*rows, *published)]) for at, key in enumerate(METRIC_KEYS)
    )
    own, others = (
        tuple(sorted(part, key=lambda row: (row.run in few, -_sortable(row.cells[0].value))))
        for part in (rows, published)
    )
    return Leaderboard(heads, own, others, source)


def compare_runs(first: RunSummary, second: RunSummary, *, undefined: Undefined = "nan") -> Comparison:
    """The paired bootstrap of two runs of one benchmark, and the problems that changed hands."""
    differences = compare_measured(
        first.evaluation.statistics, (second.evaluation.statistics,), undefined=undefined
    )
    metrics = tuple(
        ComparedMetric(
            name=f"{GLOSSARY[key].name} {GLOSSARY[key].arrow}",
            help=GLOSSARY[key].help(),
            value=_finite(found.value),
            low=_finite(found.low),
            high=_finite(found.high),
            p_value=_finite(found.p_value),
            n=found.n,
            verdict=_verdict(
                found.low, found.high, GLOSSARY[key].better == "lower", first.label, second.label
            ),
        )
        for key, found in differences.items()
    )
    columns = ["task_id", "top1", "spearman"]
    both = first.problems[columns].merge(second.problems[columns], on="task_id", suffixes=("_a", "_b"))
    changed = both[(both["top1_a"] - both["top1_b"]).abs() > _BEST_WITHIN]
    right = changed["top1_a"] > changed["top1_b"]
    changed = changed.assign(right=right.map({True: first.label, False: second.label}).astype("str"))
    return Comparison(metrics, changed.reset_index(drop=True), int(right.sum()), int((~right).sum()))


def _verdict(low: float, high: float, lower_is_better: bool, first: str, second: str) -> str:
    if math.isnan(low) or math.isnan(high):
        return "too few problems"
    if low <= 0 <= high:
        return "no clear difference"
    return f"{first} is better" if (low > 0) != lower_is_better else f"{second} is better"


def _counted(summary: RunSummary, key: str) -> int:
    return counted(key, summary.evaluation.metrics[key], summary.evaluation.undefined)


def _best(summaries: Sequence[RunSummary], key: str) -> list[bool]:
    marks = places(
        [summary.evaluation.metrics[key].value for summary in summaries],
        [_counted(summary, key) for summary in summaries],
        lower_is_better=GLOSSARY[key].better == "lower",
    )
    return [place == 1 for place in marks]


def _cell(key: str, metric: Metric, best: bool, undefined: Undefined) -> MetricCell:
    value, missing, problems = _finite(metric.value), metric.n_undefined, counted(key, metric, undefined)
    if not missing:
        note, behind = "", f"n = {metric.n:,}"
    else:
        note = f"undefined on {missing:,} of {quantity(metric.n, 'problem')}"
        behind = f"n = {problems:,}" + (
            f", {missing:,} as 0" if problems == metric.n else f" of {metric.n:,}"
        )
    return MetricCell(value, _finite(metric.low), _finite(metric.high), best, note, behind)


def _head(key: str, cells: Sequence[MetricCell]) -> MetricHead:
    entry = GLOSSARY[key]
    lowest = min((end for cell in cells for end in (cell.value, cell.low) if end is not None), default=0.0)
    worst = max(_LOWEST_DRAWN, float(math.floor(min(0.0, lowest))))
    ends = (1.0, worst) if entry.better == "lower" else (worst, 1.0)
    return MetricHead(key, entry.name, entry.arrow, entry.help(), *ends)


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None


def _sortable(value: float | None) -> float:
    return -math.inf if value is None else value
