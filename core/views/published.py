"""The papers' published results (assets/reference), as rows of the leaderboard and as curves."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from core.figures import LineSeries
from core.metrics import METRIC_KEYS
from core.views.verifiers import LeaderboardRow, MetricCell

SOURCE = "Scoring Verifiers (Ficek et al., 2025)"
_FOLDER = Path(__file__).parents[2] / "assets" / "reference"
_PERCENT = {"top1", "bottom1"}


def published_benchmarks() -> tuple[str, ...]:
    """The benchmarks that have published results, in the papers' order."""
    return tuple(dict.fromkeys(row["benchmark"] for row in reference_rows("scoring_verifiers_benchmarks")))


@dataclass(frozen=True, slots=True)
class PublishedSize:
    """A benchmark of the paper in numbers (Scoring Verifiers v2, Table 1)."""

    benchmark: str
    problems: int
    tests_per_problem: float
    solutions: int
    mean_score: float


def published_sizes() -> tuple[PublishedSize, ...]:
    """The paper's benchmarks in numbers, in its order."""
    return tuple(
        PublishedSize(
            row["benchmark"],
            int(row["problems"]),
            float(row["tests_per_problem"]),
            int(row["solutions"]),
            float(row["mean_score"]),
        )
        for row in reference_rows("scoring_verifiers_benchmarks")
    )


def published_rows(benchmark: str) -> tuple[LeaderboardRow, ...]:
    """The published results on one benchmark, best Top-1 first; they have no intervals."""
    sizes = {row["benchmark"]: int(row["problems"]) for row in reference_rows("scoring_verifiers_benchmarks")}
    rows = [
        LeaderboardRow(
            run="",
            label=row["verifier"],
            kind=row["kind"],
            n_problems=sizes[benchmark],
            tests_per_problem=0.0,
            cells=tuple(_cell(row, key) for key in METRIC_KEYS),
            published=benchmark,
        )
        for row in reference_rows("scoring_verifiers_results")
        if row["benchmark"] == benchmark
    ]
    return tuple(sorted(rows, key=lambda row: -(row.cells[0].value or 0.0)))


def published_scaling(benchmark: str, key: str) -> tuple[LineSeries, ...]:
    """A metric against the number of generated tests, a line for each published verifier."""
    rows = [
        row
        for row in reference_rows("scoring_verifiers_scaling")
        if row["benchmark"] == benchmark and key in row
    ]
    return tuple(
        LineSeries(
            f"{verifier}, published",
            tuple(float(row["n_tests"]) for row in rows if row["verifier"] == verifier),
            tuple(_number(row, key) for row in rows if row["verifier"] == verifier),
        )
        for verifier in dict.fromkeys(row["verifier"] for row in rows)
    )


def published_saturation(benchmark: str) -> tuple[LineSeries, ...]:
    """Rank agreement of k tests with all tests of the benchmark's own suite, published without "-R"."""
    rows = [
        row
        for row in reference_rows("scoring_verifiers_saturation")
        if row["benchmark"] == benchmark.replace("-R", "")
    ]
    if not rows:
        return ()
    columns = ("n_tests", "rho_mean", "rho_ci_low", "rho_ci_high")
    k, rho, low, high = (tuple(float(row[column]) for row in rows) for column in columns)
    return (LineSeries(f"{rows[0]['benchmark']}, published", k, rho, low, high),)


def _cell(row: dict[str, str], key: str) -> MetricCell:
    value = _number(row, key)
    printed = 3 if key in _PERCENT else 2
    known = None if math.isnan(value) else value
    return MetricCell(known, None, None, best=False, note="", digits=printed)


def _number(row: dict[str, str], key: str) -> float:
    """A metric as a fraction; NaN where the paper gives none."""
    text = row.get(key, "")
    if not text:
        return math.nan
    return float(text) / 100 if key in _PERCENT else float(text)


@lru_cache
def reference_rows(name: str) -> tuple[dict[str, str], ...]:
    """The rows of one of the files of published numbers, as text."""
    with (_FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))
