"""The papers' histograms, from the small data folder and from values worked out by hand."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.views.catalog import BenchmarkEntry
from core.views.distributions import (
    BenchmarkNumbers,
    benchmark_charts,
    file_name,
    numbers_of_file,
    numbers_of_run,
    outcome_chart,
    score_chart,
)
from core.views.runs import RunSummary


def test_a_benchmark_is_the_same_from_its_file_and_from_a_run(
    benchmark: BenchmarkEntry, summaries: dict[str, RunSummary]
) -> None:
    """Eight problems of six solutions, with reference scores from 0 to 1, either way."""
    assert benchmark.file is not None
    for numbers in (
        numbers_of_run("tiny", summaries["smoke-1"]),
        numbers_of_file("tiny", benchmark.file),
    ):
        assert numbers.n_solutions.tolist() == [6] * 8
        assert numbers.spread.tolist() == [1] * 8
        assert sorted(numbers.reference) == sorted([0.0, 0.2, 0.4, 0.6, 0.8, 1.0] * 8)


def test_one_benchmark_is_counted_and_two_are_shares() -> None:
    """A single benchmark's bars are counts; beside another they are shares over the same bins."""
    one = BenchmarkNumbers("a", np.array([2.0, 3, 3]), np.array([1, 0.5, np.nan]), np.array([0.0, 0.5, 1]))
    two = BenchmarkNumbers("b", np.array([5.0]), np.array([0.1]), np.array([1.0]))
    solutions, fraction, spread = benchmark_charts([one])
    assert (solutions.edges, solutions.series[0].counts) == ((1.5, 2.5, 3.5), (1, 2))
    assert (fraction.share, spread.basis.n) == (False, 2)
    solutions, fraction, _ = benchmark_charts([one, two])
    assert solutions.edges == (1.5, 2.5, 3.5, 4.5, 5.5)
    assert [chart.share for chart in (solutions, fraction)] == [True, True]
    assert solutions.heights(solutions.series[0]) == pytest.approx((1 / 3, 2 / 3, 0, 0))


def test_outcomes_are_summed_or_told_apart(summaries: dict[str, RunSummary]) -> None:
    """Of 240 cells 96 pass, 60 fail an assertion, 76 end otherwise and 8 have no verdict."""
    chart = outcome_chart([summaries["careless-1"], summaries["reward-model"]])
    assert chart is not None
    assert chart.categories == ("model-a tests",)
    assert [(part.outcome, part.values[0]) for part in chart.parts] == [
        ("P", 96),
        ("F", 60),
        ("", 76),
        ("I", 8),
    ]
    apart = outcome_chart([summaries["careless-1"]], kinds=True)
    assert apart is not None
    assert {part.outcome: part.values[0] for part in apart.parts} == {
        "P": 96, "F": 60, "E": 36, "T": 36, "C": 4, "I": 8,
    }  # fmt: skip


def test_without_cells_there_is_no_outcome_chart(summaries: dict[str, RunSummary]) -> None:
    """A reward model runs nothing."""
    assert outcome_chart([summaries["reward-model"]]) is None


def test_reward_scores_are_normalised_within_each_problem(summaries: dict[str, RunSummary]) -> None:
    """Scores far outside 0..1 land in the bins, the extremes of each problem at the ends."""
    chart = score_chart(summaries["reward-model"])
    assert sum(chart.series[1].counts) == 48
    assert (chart.series[1].counts[0], chart.series[1].counts[-1]) == (8, 8)
    assert "normalised" in chart.x_label


def test_scores_that_are_missing_are_not_counted(
    summaries: dict[str, RunSummary], monkeypatch: pytest.MonkeyPatch
) -> None:
    """N is the number of solutions that the verifier scores."""
    summary = summaries["smoke-1"]
    score = np.array(summary.scores.score, dtype=float)
    score[:5] = np.nan
    cut = dataclasses.replace(summary.scores, score=score)
    monkeypatch.setattr(RunSummary, "scores", property(lambda _: cut))
    assert score_chart(summary).basis.n == 43


def test_file_names_hold_nothing_but_plain_words(summaries: dict[str, RunSummary]) -> None:
    """Whatever stands in names, the file's name has letters, digits and dashes."""
    chart = dataclasses.replace(score_chart(summaries["smoke-1"]), title="../../x <b> =1+1")
    assert file_name(chart, "HE/R+ é") == "he-r-x-b-1-1.csv"
