"""The papers' charts from plain tables."""

import csv
import math
from pathlib import Path

import pytest

from core.figures import paper
from core.figures.rows import (
    bars_of,
    bugs_found,
    input_diversity,
    lines_of,
    pass_at_k_by_model,
    rates_by_difficulty,
    rates_by_tests,
    strategies,
    with_and_without_solutions,
)

REFERENCE = Path(__file__).parents[3] / "assets" / "reference"
CHARTS = {
    "solutions": with_and_without_solutions(
        [{"verifier": "m", "prompting": p, "top1": v} for p, v in (("with solution", 0.5), ("without", 0.6))]
    ),
    "models": pass_at_k_by_model([{"model": m, "k": k, "value": 0.1 * k} for m in "ab" for k in (1, 4)]),
    "bugs": bugs_found([{"verifier": "h", "rate": "TBR", "value": 0.4, "low": 0.3, "high": 0.5}]),
    "by tests": rates_by_tests([{"n_tests": n, "line": "h, TBR", "value": n / 40} for n in (20, 1, 5)]),
    "difficulty": rates_by_difficulty(
        [{"difficulty": d, "verifier": "h", "value": 0.4} for d in ("easy", "hard")]
    ),
    "strategies": strategies(
        [{"group": "g", "strategy": s, "share": 0.5} for s in ("a", "b")], "input generators"
    ),
    "diversity": input_diversity([{"measure": "unique", "verifier": "h", "value": 0.77}]),
}


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_prints_and_says_what_it_shows(name):
    """Each has words for who can't see it, data as CSV, and draws on paper."""
    chart = CHARTS[name]
    assert chart.title in chart.alt
    assert len(chart.to_csv().splitlines()) > 1
    assert paper.render(chart, "svg").startswith(b"<?xml")


def test_missing_rows_are_gaps():
    """A category that a series has no row for is NaN, and a missing interval is none."""
    rows = [{"c": "x", "s": "one", "v": 1, "low": 0, "high": 2}, {"c": "y", "s": "two", "v": "2"}]
    chart = bars_of(rows, "c", "s", "v", title="T", x_label="", y_label="")
    one, two = chart.series
    assert one.values[0] == 1
    assert math.isnan(one.values[1])
    assert one.low[0] == 0
    assert two.values[1] == 2
    assert two.low == ()


def test_lines_run_in_the_order_of_x():
    """Rows may come in any order."""
    assert CHARTS["by tests"].series[0].x == (1.0, 5.0, 20.0)
    assert lines_of([], "x", "s", "y", title="T", x_label="", y_label="").series == ()


def test_the_papers_own_table_is_drawn_as_it_is():
    """HarnessLLM's printed Table 1, read as CSV, gives bars of the printed lengths."""
    with (REFERENCE / "harnessllm_bug_finding.csv").open(newline="") as file:
        table = [
            row
            for row in csv.DictReader(file)
            if row["benchmark"] == "MBPP+Fix (Hard)" and row["table"] == "1"
        ]
    rows = [{"verifier": r["verifier"], "rate": "TBR", "value": r["true_bug_rate"]} for r in table]
    chart = bugs_found(rows)
    assert chart.series[0].values == tuple(float(r["true_bug_rate"]) for r in table)
