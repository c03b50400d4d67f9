"""Charts made from arrays and from metrics."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import cbook

from core.figures.build import box, histogram, metric_bars, saturation_lines, scaling_lines
from core.metrics import SaturationPoint, evaluate, saturation, scaling
from tests.core.figures.samples import words

WORDS = words("A title", "x", "y")


def test_a_histogram_counts_every_value_once_and_leaves_out_nan():
    """Groups share their bins, the last of which holds its right end."""
    chart = histogram({"a": [0, 0.5, 1, np.nan], "b": [0.2]}, bins=[0, 0.5, 1], **WORDS)
    assert [series.counts for series in chart.series] == [(1, 2), (1, 0)]
    assert chart.basis.n == 4


def test_a_histogram_of_nothing_is_empty():
    """No values make bins without counts."""
    chart = histogram({"a": []}, bins=4, **WORDS)
    assert chart.series[0].counts == (0, 0, 0, 0)


@given(st.lists(st.floats(-100, 100), min_size=1, max_size=40))
def test_boxes_are_those_of_matplotlib(values):
    """Quartiles, whiskers and outliers follow the usual definition, as matplotlib computes it."""
    ours = box({"g": values}, **WORDS).boxes[0]
    theirs = cbook.boxplot_stats(values)[0]
    assert (ours.q1, ours.median, ours.q3) == pytest.approx((theirs["q1"], theirs["med"], theirs["q3"]))
    if ours.whisker_low <= ours.q1 and ours.whisker_high >= ours.q3:
        assert (ours.whisker_low, ours.whisker_high) == (theirs["whislo"], theirs["whishi"])
    assert list(ours.outliers) == sorted(theirs["fliers"])


def test_a_group_without_values_has_no_box():
    """There is nothing to summarise."""
    assert [b.name for b in box({"a": [np.nan], "b": [1.0]}, **WORDS).boxes] == ["b"]


def test_metric_bars_carry_values_intervals_and_their_basis():
    """What the evaluation says is what the chart holds, and the caption says how it came about."""
    evaluation = evaluate([0, 0, 1, 1], [1, 0, 0, 1], [1.0, 0.0, 1.0, 0.0], seed=5)
    chart = metric_bars({"mine": evaluation}, "top1", benchmark="HE-R+")
    metric = evaluation.metrics["top1"]
    series = chart.series[0]
    assert (series.values, series.low, series.high) == ((metric.value,), (metric.low,), (metric.high,))
    assert chart.title == "Top-1 on HE-R+"
    assert "mine 0.500" in chart.alt
    assert (
        "n = 2 problems; 95% CI, percentile bootstrap over problems, 2,000 resamples; seed 5" in chart.caption
    )


def test_verifiers_of_different_problems_say_the_fewest_and_the_most():
    """A caption with one n would be wrong for the verifier that covers fewer problems."""
    more = evaluate([0, 0, 1, 1], [1, 0, 0, 1], [1.0, 0.0, 1.0, 0.0])
    fewer = evaluate([0, 0], [1, 0], [1.0, 0.0])
    assert "n = 1 to 2 problems;" in metric_bars({"all": more, "one": fewer}, "top1").caption
    assert "n = 1 problem;" in metric_bars({"one": fewer}, "top1").caption


def test_studies_become_lines():
    """Scaling and saturation points are drawn at their sizes, with their bands."""
    outcomes = [(np.arange(20).reshape(4, 5) % 3 > 1).astype(np.uint8)] * 3
    points = scaling(outcomes, [[1.0, 0.5, 0.2, 0.0]] * 3, [1, 5], bootstrap=100)
    line = scaling_lines({"mine": points}, "mae", undefined="nan", bootstrap=100, seed=0).series[0]
    assert line.x == (1.0, 5.0)
    assert line.y == tuple(point.metrics["mae"].value for point in points)
    found = saturation(outcomes, [1, 5], draws=10)
    chart = saturation_lines({"HE+": found}, seed=0)
    assert chart.rule == 0.9
    assert chart.series[0].low == pytest.approx(tuple(point.low for point in found), nan_ok=True)
    assert "10 draws" in chart.caption


def test_a_caption_does_not_claim_problems_that_a_mark_has_not():
    """Where verifiers are defined on different numbers of problems, it gives the fewest and the most."""
    whole = evaluate([0, 0, 1, 1], [1, 0, 0, 1], [1.0, 0.0, 1.0, 0.0])
    half = evaluate([0, 0, 1, 1], [1, 0, np.nan, np.nan], [1.0, 0.0, 1.0, 0.0])
    assert half.metrics["top1"].n_undefined == 1
    assert "n = 1 to 2 problems" in metric_bars({"all": whole, "some": half}, "top1").caption


def test_a_line_that_ends_undefined_is_described_by_what_is_defined():
    """No `nan` gets into the text for who can't see the figure."""
    found = [(1, 0.5, 3), (2, 0.75, 1), (3, np.nan, 0)]
    points = [SaturationPoint(k, rho, rho, rho, 0.0, 10, n, 0) for k, rho, n in found]
    chart = saturation_lines({"short": points}, seed=0)
    assert "short from 0.500 to 0.750" in chart.alt
    assert "n = 1 to 3 problems" in chart.caption


def test_points_that_rest_on_few_problems_are_hollow_and_the_caption_says_so():
    """Less than a tenth of the problems of the best founded point is few; every point carries its number."""
    points = [
        SaturationPoint(k, 0.5, 0.4, 0.6, 0.1, 10, n, 0) for k, n in ((1, 164), (2, 17), (3, 16), (4, 1))
    ]
    chart = saturation_lines({"docstring": points}, seed=0)
    assert chart.series[0].n == (164, 17, 16, 1)
    assert chart.hollow(chart.series[0]) == (False, False, True, True)
    assert "n = 1 to 164 problems; hollow marks: fewer than 17;" in chart.caption
    assert "hollow" not in saturation_lines({"docstring": points[:2]}, seed=0).caption


@pytest.mark.parametrize(("undefined", "n"), [("nan", (1, 2)), ("zero", (2, 2))])
def test_a_scaling_point_rests_on_the_problems_that_count_in_its_mean(undefined, n):
    """A correlation that one test leaves undefined counts only where it counts as 0; Top-1 needs none."""
    outcomes = [np.array([[1, 1], [0, 0]], np.uint8), np.array([[1, 1], [1, 0]], np.uint8)]
    points = scaling(outcomes, [[1.0, 0.5]] * 2, [1, 2], undefined=undefined, bootstrap=0)
    draw = {"undefined": undefined, "bootstrap": 0, "seed": 0}
    assert scaling_lines({"mine": points}, "spearman", **draw).series[0].n == n
    assert scaling_lines({"mine": points}, "top1", **draw).series[0].n == (2, 2)
