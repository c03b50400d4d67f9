"""Charts as data: their checks, their CSV and their captions."""

import csv
import io

import numpy as np
import pytest

from core.figures import (
    Bars,
    BarSeries,
    Basis,
    Box,
    BoxSummary,
    Heatmap,
    Histogram,
    HistogramSeries,
    Lines,
    LineSeries,
    OutcomeMatrix,
    Part,
    Ranking,
    RankingLines,
    Scatter,
    ScatterSeries,
    StackedBars,
)
from tests.core.figures.samples import SAMPLES, words

WORDS = words("A title", "x", "y")
NAN = float("nan")


def rows(chart):
    """The CSV read back."""
    return list(csv.reader(io.StringIO(chart.to_csv())))


@pytest.mark.parametrize("name", SAMPLES)
def test_csv_is_rectangular_with_a_header(name):
    """Every chart writes its data as one table that a reader takes without options."""
    header, *data = rows(SAMPLES[name])
    assert data
    assert {len(row) for row in data} == {len(header)}


def test_csv_of_bars_holds_values_and_intervals():
    """One row per bar; a missing value is an empty cell and a negative number stays a number."""
    chart = Bars(
        **WORDS, categories=("a", "b"), series=(BarSeries("s", (-0.5, NAN), (-0.75, NAN), (0.25, NAN)),)
    )
    assert rows(chart) == [
        ["category", "series", "value", "low", "high"],
        ["a", "s", "-0.5", "-0.75", "0.25"],
        ["b", "s", "", "", ""],
    ]


def test_csv_of_every_other_type_is_tidy():
    """One observation a row, under names that say what it is."""
    histogram = Histogram(**WORDS, edges=(0.0, 0.5, 1.0), series=(HistogramSeries("s", (3, 1)),))
    lines = Lines(**WORDS, series=(LineSeries("s", (1.0,), (0.5,), n=(3,)),))
    heatmap = Heatmap(**WORDS, rows=("r",), columns=("c",), values=((0.5,),), value_label="v")
    matrix = OutcomeMatrix(**WORDS, rows=("r",), columns=("1", "2"), letters=("PF",))
    ranking = RankingLines(**WORDS, items=("i",), rankings=(Ranking("ref", (1.0,)),))
    stacked = StackedBars(**WORDS, categories=("c",), parts=(Part("p", (3.0,)),))
    scatter = Scatter(**WORDS, series=(ScatterSeries("s", (1.0,), (2.0,), ("l",)),))
    box = Box(**WORDS, boxes=(BoxSummary("g", 5, 0.0, 1.0, 2.0, 3.0, 4.0, (9.0,)),))
    assert rows(histogram)[1:] == [["s", "0.0", "0.5", "3"], ["s", "0.5", "1.0", "1"]]
    assert rows(lines)[1:] == [["s", "1.0", "0.5", "", "", "3"]]
    assert rows(heatmap)[1:] == [["r", "c", "0.5"]]
    assert rows(matrix)[1:] == [["r", "1", "P"], ["r", "2", "F"]]
    assert rows(ranking)[1:] == [["ref", "i", "1.0"]]
    assert rows(stacked)[1:] == [["c", "p", "3.0"]]
    assert rows(scatter)[1:] == [["s", "l", "1.0", "2.0"]]
    assert rows(box)[1] == ["g", "n", "5"]
    assert rows(box)[-1] == ["g", "outlier", "9.0"]


def test_csv_defuses_names_that_are_formulas():
    """A verifier called =HYPERLINK(...) reaches the spreadsheet as text."""
    name = '=HYPERLINK("http://example.org")'
    chart = Bars(**WORDS, categories=(name, "-a\nb"), series=(BarSeries("@s", (1.0, 2.0)),))
    assert [row[0] for row in rows(chart)[1:]] == ["'" + name, "'-a\nb"]
    assert rows(chart)[1][1] == "'@s"


def test_the_caption_says_n_interval_and_seed():
    """What a figure rests on stands under it."""
    basis = Basis(n=21642, interval="95% percentile bootstrap over problems, 2,000 resamples", seed=3)
    chart = Lines(**WORDS, series=(), basis=basis)
    assert chart.caption == (
        "A title. n = 21,642 problems; 95% percentile bootstrap over problems, 2,000 resamples; seed 3."
    )
    assert Lines(**WORDS, series=()).caption == "A title."
    noted = Lines(**WORDS, series=(), basis=Basis(n=1), note="What it is. How to read it.")
    assert noted.caption == "A title. What it is. How to read it. n = 1 problem."


@pytest.mark.parametrize(
    "make",
    [
        lambda: Histogram(**WORDS, edges=(0.0, 1.0), series=(HistogramSeries("s", (1, 2)),)),
        lambda: Bars(**WORDS, categories=("a",), series=(BarSeries("s", (1.0, 2.0)),)),
        lambda: Bars(**WORDS, categories=("a",), series=(BarSeries("s", (1.0,), (0.5,)),)),
        lambda: Lines(**WORDS, series=(LineSeries("s", (1.0,), ()),)),
        lambda: Heatmap(**WORDS, rows=("r",), columns=("c",), values=((1.0, 2.0),), value_label="v"),
        lambda: OutcomeMatrix(**WORDS, rows=("r",), columns=("c",), letters=("PP",)),
        lambda: RankingLines(**WORDS, items=("i",), rankings=(Ranking("r", ()),)),
        lambda: StackedBars(**WORDS, categories=("c",), parts=(Part("p", ()),)),
        lambda: Scatter(**WORDS, series=(ScatterSeries("s", (1.0,), (1.0,), ("a", "b")),)),
    ],
)
def test_data_that_do_not_fit_are_refused(make):
    """A chart whose parts differ in length can't be made."""
    with pytest.raises(ValueError, match="values where there are"):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: OutcomeMatrix(**WORDS, rows=("r",), columns=("c",), letters=("X",)),
        lambda: StackedBars(**WORDS, categories=("c",), parts=(Part("p", (1.0,), "X"),)),
    ],
)
def test_unknown_outcomes_are_refused(make):
    """There are eight letters."""
    with pytest.raises(ValueError, match="no outcome has the letter 'X'"):
        make()


def test_a_ranking_chart_needs_the_reference():
    """Without a ranking there is nothing to draw."""
    with pytest.raises(ValueError, match="reference ranking"):
        RankingLines(**WORDS, items=(), rankings=())


def test_shares_are_of_the_group_and_of_the_whole():
    """Groups and wholes of different sizes become comparable; an empty one stays empty."""
    histogram = Histogram(
        **WORDS,
        edges=(0.0, 1.0, 2.0),
        series=(HistogramSeries("s", (1, 3)), HistogramSeries("t", (0, 0))),
        share=True,
    )
    assert [histogram.heights(s) for s in histogram.series] == [(0.25, 0.75), (0.0, 0.0)]
    stacked = StackedBars(
        **WORDS, categories=("a", "b"), parts=(Part("p", (1.0, 0.0)), Part("q", (3.0, 0.0)))
    )
    assert stacked.lengths(stacked.parts[1]) == (0.75, 0.0)
    assert np.isclose(sum(stacked.lengths(part)[0] for part in stacked.parts), 1)
