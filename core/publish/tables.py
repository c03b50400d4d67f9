"""The tables of a paper, from runs: results, benchmarks, outcomes, suite size."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from core.figures.palette import OUTCOMES
from core.hunting.folder import Hunt
from core.metrics import (
    GLOSSARY,
    METRIC_KEYS,
    SaturationPoint,
    ScalingPoint,
    bootstrap_in_words,
    comparable,
    counted,
    places,
)
from core.model import VerifierKind
from core.publish.table import Column, Row, Table, Value
from core.views.runs import RunSummary
from core.views.verifiers import LeaderboardRow
from core.words import quantity

KINDS: Final[Mapping[str, str]] = {
    VerifierKind.TESTS: "Test suites",
    VerifierKind.HARNESS: "Test harnesses",
    VerifierKind.CONSENSUS: "Consensus of solutions",
    VerifierKind.REWARD: "Reward models",
}
"""Groups of the table of results, in their order; published ones come after them."""
_TABLED: Final = tuple(key for key in METRIC_KEYS if key != "r2")
"""The metrics of the papers' tables."""

_MOST_NAMED: Final = 5
"""Verifiers that a caption counts one by one."""


def metric_column(key: str, group: str = "") -> Column:
    """A metric as the papers print it: Top-1 and Bottom-1 in percent with one decimal, others with two."""
    entry = GLOSSARY[key]
    head = "\N{NO-BREAK SPACE}".join(filter(None, (entry.name, "%" if entry.share else "", entry.arrow)))
    return Column(key, head, group, 100.0, 1) if entry.share else Column(key, head, group)


def results(
    benchmarks: Mapping[str, Sequence[RunSummary]],
    published: Mapping[str, Sequence[LeaderboardRow]] | None = None,
    keys: Sequence[str] = _TABLED,
) -> Table:
    """Verifiers by benchmarks and metrics, grouped by kind (Scoring Verifiers, Tables 2 and 4).

    The best and the second of a column are those of the runs; a published row is never marked.

    Args:
        benchmarks: name -> its runs.
        published: name of a benchmark -> results that a paper prints for it.
        keys: metrics.
    """
    columns = [metric_column(key, name if len(benchmarks) > 1 else "") for name in benchmarks for key in keys]
    empty = tuple(Value(math.nan) for _ in columns)
    rows: dict[tuple[str, str, bool], list[Value]] = {}
    for at, (name, runs) in enumerate(benchmarks.items()):
        for run in runs:
            kind = run.manifest.verifier_kind.value
            values = rows.setdefault((_group(kind), run.label, False), list(empty))
            for i, key in enumerate(keys):
                metric = run.evaluation.metrics[key]
                n = counted(key, metric, run.evaluation.undefined)
                values[at * len(keys) + i] = Value(metric.value, metric.low, metric.high, n=n)
        for row in (published or {}).get(name, ()):
            values = rows.setdefault((_published_group(row), row.label, True), list(empty))
            cells = dict(zip(METRIC_KEYS, row.cells, strict=True))
            for i, key in enumerate(keys):
                found = cells[key].value
                values[at * len(keys) + i] = Value(math.nan if found is None else found)
    order = list(KINDS.values())
    listed = [
        Row(label, tuple(values), group, is_published)
        for (group, label, is_published), values in rows.items()
    ]
    groups = {group: at for at, group in enumerate(order)}
    few = _on_too_few(listed)
    listed.sort(key=lambda row: (groups.get(row.group, len(order)), row.group, row.name in few, _first(row)))
    lower = [GLOSSARY[key].better == "lower" for _ in benchmarks for key in keys]
    return Table(
        key="results",
        title=f"Results on {_and(list(benchmarks))}",
        stub="Verifier",
        columns=tuple(columns),
        rows=_placed(listed, lower),
        basis=_evaluation_basis([run for runs in benchmarks.values() for run in runs]),
    )


def benchmark_sizes(benchmarks: Mapping[str, Sequence[RunSummary]]) -> Table:
    """What each benchmark holds (Scoring Verifiers, Table 1)."""
    rows = []
    for name, runs in benchmarks.items():
        first = runs[0]
        n = first.manifest.n_problems
        numbers = (n, first.manifest.n_solutions, first.manifest.n_solutions / max(1, n))
        low, middle, high = first.reference_quartiles
        scores = (first.mean_reference_score, low, middle, high)
        rows.append(Row(name, tuple(map(Value, (*map(float, numbers), *scores)))))
    return Table(
        key="benchmarks",
        title="Size of the benchmarks, and reference scores (the fraction of the reference tests passed) "
        "of their solutions",
        stub="Benchmark",
        columns=(
            Column("problems", "Problems", digits=0),
            Column("solutions", "Solutions", digits=0),
            Column("solutions_per_problem", "Per problem", digits=1),
            Column("mean_score", "Mean score", "Reference score of a solution"),
            Column("score_25", "25%", "Reference score of a solution"),
            Column("score_50", "50%", "Reference score of a solution"),
            Column("score_75", "75%", "Reference score of a solution"),
        ),
        rows=tuple(rows),
    )


def outcomes(name: str, runs: Sequence[RunSummary]) -> Table | None:
    """Share of each outcome among all cells of each verifier; None where none of them ran a test."""
    ran = [run for run in runs if run.manifest.n_cells]
    if not ran:
        return None
    letters = [x for x in OUTCOMES if any(run.manifest.outcome_counts.get(x) for run in ran)]
    rows = []
    for run in ran:
        counts = run.manifest.outcome_counts
        cells = max(1, sum(counts.values()))
        shares = (Value(counts.get(letter, 0) / cells) for letter in letters)
        rows.append(Row(run.label, (Value(float(run.manifest.n_tests)), Value(float(cells)), *shares)))
    return Table(
        key=f"outcomes {name}",
        title=f"Outcomes of all cells on {name}, in percent: "
        + ", ".join(f"{letter} {OUTCOMES[letter].name}" for letter in letters),
        stub="Verifier",
        columns=(
            Column("tests", "Tests", digits=0),
            Column("cells", "Cells", digits=0),
            *(Column(OUTCOMES[x].name.replace(" ", "_"), x, "", 100.0, 1) for x in letters),
        ),
        rows=tuple(rows),
    )


def bug_finding(hunts: Mapping[str, Hunt], rates: Mapping[str, str], basis: str) -> Table:
    """The rates of hunts in percent (HarnessLLM, Table 1).

    Args:
        hunts: by their names.
        rates: key -> name of each rate.
        basis: what they rest on.
    """
    rows = []
    for name, hunt in hunts.items():
        values = []
        for key in rates:
            ends = hunt.record.intervals.get(key) or (None, None)
            value, low, high = (
                math.nan if n is None else float(n) for n in (hunt.record.result.get(key), *ends)
            )
            values.append(Value(value, low, high, n=int(hunt.record.result.get("n_pairs") or 0)))
        rows.append(Row(name, tuple(values)))
    columns = tuple(Column(key, rate, "", 100.0, 1) for key, rate in rates.items())
    lower = [key == "invalid_test_rate" for key in rates]
    return Table(
        "bug-finding", "Bug finding, in percent of answers", "Answers", columns, _placed(rows, lower), basis
    )


def scaling(name: str, studies: Mapping[str, Sequence[ScalingPoint]], basis: str) -> Table:
    """Metrics by number of tests, grouped by verifier (Scoring Verifiers v1, Table 4; v2, Table 5)."""
    rows = [
        Row(
            quantity(point.n_tests, "test"),
            tuple(Value(m.value, m.low, m.high) for m in (point.metrics[key] for key in _TABLED)),
            verifier,
        )
        for verifier, points in studies.items()
        for point in points
    ]
    columns = tuple(metric_column(key) for key in _TABLED)
    return Table(
        f"scaling {name}", f"Metrics by number of tests on {name}", "Suite", columns, tuple(rows), basis
    )


def saturation(name: str, verifier: str, points: Sequence[SaturationPoint], basis: str) -> Table:
    """Agreement of k random tests of a verifier with all of them (Scoring Verifiers v2, Table 3).

    A k for which no problem has tests enough has no row.
    """
    rows = tuple(
        Row(f"k = {p.k}", (Value(p.rho, p.low, p.high), Value(p.sigma), Value(float(p.n))))
        for p in points
        if p.n
    )
    rho, sigma = "\N{GREEK SMALL LETTER RHO}", "\N{GREEK SMALL LETTER SIGMA}"
    columns = (
        Column("rho", rho, digits=3),
        Column("sigma", sigma, digits=3),
        Column("problems", "Problems", digits=0),
    )
    title = f"Saturation of the ranking by {verifier} on {name}"
    said = (
        f"{rho}: Spearman's correlation of the ranking by k random tests with that by all, mean over "
        f"problems with at least k tests and over draws; {sigma}: standard deviation over draws; {basis}"
    )
    return Table(f"saturation {name} {verifier}", title, "Tests", columns, rows, said)


def _on_too_few(rows: Sequence[Row]) -> frozenset[str]:
    """Names of one's own rows whose first number rests on too few problems to stand beside the others."""
    first = [
        (row.name, next((value.n or 0 for value in row.values if not math.isnan(value.number)), 0))
        for row in rows
        if not row.published
    ]
    enough = comparable([n for _, n in first])
    return frozenset(name for (name, _), fits in zip(first, enough, strict=True) if not fits)


def _placed(rows: Sequence[Row], lower_is_better: Sequence[bool]) -> tuple[Row, ...]:
    """The rows with the best and the second of each column marked, of one's own (`core.metrics.marks`)."""
    marked = [list(row.values) for row in rows]
    own = [at for at, row in enumerate(rows) if not row.published]
    for column, lower in enumerate(lower_is_better):
        values = [marked[at][column] for at in own]
        found = places(
            [value.number for value in values], [value.n or 0 for value in values], lower_is_better=lower
        )
        for at, place in zip(own, found, strict=True):
            marked[at][column] = replace(marked[at][column], place=place)
    return tuple(replace(row, values=tuple(values)) for row, values in zip(rows, marked, strict=True))


def _evaluation_basis(runs: Sequence[RunSummary]) -> str:
    sizes = sorted({run.manifest.n_problems for run in runs})
    said = " and ".join(
        [*(f"{size:,}" for size in sizes[:-1]), *(quantity(size, "problem") for size in sizes[-1:])]
    )
    parts = [f"n = {said}"] if sizes else []
    if runs and (resamples := runs[0].evaluation.bootstrap):
        parts.append(bootstrap_in_words(resamples))
        parts.append(f"seed {runs[0].evaluation.seed}")
    as_zero = any(run.evaluation.undefined == "zero" for run in runs)
    unscored = {run.label: run.evaluation.metrics["top1"].n_undefined for run in runs}
    if said := _counts(unscored):
        where = "of Top-1, Bottom-1 and MAE " if as_zero else ""
        parts.append(f"problems without a score are left out {where}({said})")
    undefined = {run.label: run.evaluation.metrics["spearman"].n_undefined for run in runs}
    if as_zero and (said := _counts(undefined)):
        parts.append(f"correlations undefined on some problems count as 0 ({said})")
    elif said := _counts({label: n - unscored[label] for label, n in undefined.items()}):
        parts.append(f"correlations undefined on more problems are left out ({said})")
    return "; ".join(parts)


def _counts(numbers: Mapping[str, int]) -> str:
    """How many for whom; of many verifiers only the range, since a caption has to be read."""
    found = {label: n for label, n in numbers.items() if n}
    if len(found) > _MOST_NAMED:
        low, high = min(found.values()), max(found.values())
        each = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        return f"{each} for each of {len(found):,} verifiers"
    return ", ".join(f"{n:,} for {label}" for label, n in found.items())


def _group(kind: str) -> str:
    return KINDS.get(kind, kind)


def _published_group(row: LeaderboardRow) -> str:
    return f"Published on {row.published}: {row.kind} models"


def _first(row: Row) -> float:
    known = [value.number for value in row.values if not math.isnan(value.number)]
    return -known[0] if known else math.inf


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nothing"
