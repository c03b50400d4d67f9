"""What is in the plotly figures: traces, labels and values."""

import dataclasses
import html
import json
import math
import subprocess
import sys

import pytest

from core.figures import screen
from core.figures.charts import LineSeries
from core.figures.palette import OUTCOMES
from tests.core.figures.samples import HALF_FOUNDED, MODELS, SAMPLES

HOSTILE = '<b>x</b><a href="javascript:alert(1)">y</a> $z$ <br>'


@pytest.mark.parametrize("name", SAMPLES)
def test_every_chart_is_drawn_with_its_words_on_no_background(name):
    """Title, axes, alternative text and caption are there, and the page's background shows through."""
    chart = SAMPLES[name]
    figure = screen.draw(chart)
    labels = {figure.layout.xaxis.title.text or "", figure.layout.yaxis.title.text or ""}
    assert figure.data
    assert figure.layout.title.text == chart.title
    assert labels == {chart.x_label, chart.y_label}
    assert figure.layout.meta == {"alt": chart.alt, "caption": chart.caption}
    assert figure.layout.paper_bgcolor == figure.layout.plot_bgcolor == "rgba(0,0,0,0)"
    json.loads(figure.to_json())


def test_bars_show_values_with_intervals():
    """Lengths are the values, whiskers the distances to the ends, and a missing value says so."""
    figure = screen.draw(SAMPLES["bars"])
    bar = figure.data[0]
    assert bar.orientation == "h"
    assert list(bar.x) == [0.79, 0.84, 0.77, None]
    assert bar.error_x.array[0] == pytest.approx(0.05)
    assert bar.error_x.arrayminus[1] == pytest.approx(0.04)
    assert list(figure.layout.yaxis.ticktext) == list(MODELS)
    assert [a.text for a in figure.layout.annotations] == ["undefined"]


def test_histograms_of_two_groups_stand_side_by_side():
    """The bars of two groups share each bin without hiding one another."""
    figure = screen.draw(SAMPLES["histogram-two"])
    first, second = figure.data
    assert (first.name, second.name) == ("HE-R+", "MBPP-R+")
    assert sum(first.y) == pytest.approx(1)
    for x1, w1, x2, w2 in zip(first.x, first.width, second.x, second.width, strict=True):
        assert x1 + w1 / 2 == pytest.approx(x2 - w2 / 2)


def test_a_few_counts_have_their_numbers_on_the_axis():
    """Where the bins are whole numbers the axis names each of them, and nothing between."""
    edges = (2.5, 3.5, 4.5)
    counted = dataclasses.replace(
        SAMPLES["histogram-two"],
        edges=edges,
        series=tuple(
            dataclasses.replace(series, counts=(1, 2)) for series in SAMPLES["histogram-two"].series
        ),
    )
    assert screen.draw(counted).layout.xaxis.ticktext == ("3", "4")
    assert screen.draw(SAMPLES["histogram-two"]).layout.xaxis.ticktext is None


def test_few_counts_have_no_fractions_on_the_axis():
    """Up to five problems the axis has a tick each; of more, and of shares, plotly chooses them."""
    few = dataclasses.replace(
        SAMPLES["histogram"],
        edges=(0.0, 0.5, 1.0),
        series=(dataclasses.replace(SAMPLES["histogram"].series[0], counts=(1, 2)),),
    )
    assert screen.draw(few).layout.yaxis.dtick == 1
    assert screen.draw(SAMPLES["histogram"]).layout.yaxis.dtick is None
    assert screen.draw(dataclasses.replace(few, share=True)).layout.yaxis.dtick is None


def test_lines_have_bands_and_the_rule():
    """Each line has its band behind it and differs by dash and marker, not by colour alone."""
    figure = screen.draw(SAMPLES["lines"])
    lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
    bands = [trace for trace in figure.data if trace.fill == "tonexty"]
    assert [line.name for line in lines] == list(MODELS[:3])
    assert len({line.line.dash for line in lines}) == len({line.marker.symbol for line in lines}) == 3
    assert [list(band.y) for band in bands] == [list(s.low) for s in SAMPLES["lines"].series]
    assert figure.layout.shapes[0].y0 == 0.9
    assert figure.layout.annotations[0].text == "best reward model"


def test_shares_that_are_all_the_same_show_no_share_below_nought():
    """Around a lone height the axis would go as far down as up."""
    flat = dataclasses.replace(HALF_FOUNDED, series=(LineSeries("a", (1, 2), (0, 0)),), share=True)
    low, high = screen.draw(flat).layout.yaxis.range
    assert -0.1 < low < 0 < 1 < high < 1.1
    assert screen.draw(dataclasses.replace(flat, share=False)).layout.yaxis.range is None


def test_points_with_little_behind_them_are_hollow_and_say_how_much_on_hover():
    """The mark alone is open: line, colour and shape stay those of the series."""
    (line,) = screen.draw(HALF_FOUNDED).data
    assert line.marker.symbol == ("circle", "circle-open")
    assert line.customdata[1] == "0.500, n = 1"


def test_a_missing_cell_of_a_heatmap_is_a_gap():
    """NaN is no colour."""
    heatmap = screen.draw(SAMPLES["heatmap"]).data[0]
    assert heatmap.z[3][0] is None
    assert heatmap.z[0][1] == 0.8


def test_the_outcome_matrix_shows_letters_and_names_them():
    """Each cell has its letter, and the legend names the outcomes that occur and no others."""
    figure = screen.draw(SAMPLES["outcomes"])
    assert ["".join(row) for row in figure.data[0].text] == list(SAMPLES["outcomes"].letters)
    assert [t.name for t in figure.data[1:]] == [f"{s.letter} {s.name}" for s in OUTCOMES.values()]
    assert [color for _, color in figure.data[0].colorscale[::2]] == [s.light for s in OUTCOMES.values()]
    assert [edge for edge, _ in figure.data[0].colorscale[1::2]] == [code / 8 for code in range(1, 9)]
    assert list(figure.data[0].z[2][:3]) == [0, 1, 0]


def test_ranking_lines_join_reference_and_verifiers():
    """One line per solution through its ranks, names at both ends, ties and missing scores said."""
    figure = screen.draw(SAMPLES["ranking"])
    assert [list(trace.y) for trace in figure.data][:2] == [[1, 1.5, 2], [2, 1.5, 1]]
    assert list(figure.data[4].y) == [5, 5, 6]
    texts = [annotation.text for annotation in figure.layout.annotations]
    assert texts[:5] == list(SAMPLES["ranking"].items)
    assert "gpt-4o/7, mutant/3" in texts
    assert figure.layout.yaxis.ticktext[-1] == "no score"
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]


def test_stacked_bars_use_the_colors_and_letters_of_outcomes():
    """A part that is an outcome looks as it does everywhere, and its shares add up."""
    figure = screen.draw(SAMPLES["stacked"])
    for trace, style in zip(figure.data, OUTCOMES.values(), strict=True):
        assert trace.marker.color == style.light
        assert trace.name == f"{style.letter} {style.name}"
    assert sum(trace.x[0] for trace in figure.data) == pytest.approx(1)
    assert figure.data[0].text[0] == "P"
    assert figure.data[0].text[3] == ""


def test_boxes_are_drawn_from_their_five_numbers():
    """Plotly is given the summary, not the values."""
    trace = screen.draw(SAMPLES["box"]).data[0]
    summary = SAMPLES["box"].boxes[0]
    assert (trace.q1[0], trace.median[0], trace.q3[0]) == (summary.q1, summary.median, summary.q3)
    assert (trace.lowerfence[0], trace.upperfence[0]) == (summary.whisker_low, summary.whisker_high)


def test_points_keep_their_names():
    """A point says which problem it is."""
    assert screen.draw(SAMPLES["scatter"]).data[0].customdata[3] == "HE/3"


def hostile(chart):
    """The chart with every text that comes from data replaced."""
    changes = {"title": HOSTILE, "x_label": HOSTILE, "y_label": HOSTILE}
    for field in dataclasses.fields(chart):
        value = getattr(chart, field.name)
        if field.name in ("rows", "columns", "categories", "items"):
            changes[field.name] = tuple(f"{HOSTILE}{i}" for i in range(len(value)))
        elif field.name in ("series", "parts", "boxes", "rankings"):
            changes[field.name] = tuple(dataclasses.replace(one, name=HOSTILE) for one in value)
        elif field.name in ("value_label", "rule_label"):
            changes[field.name] = HOSTILE
    return dataclasses.replace(chart, **changes)


def texts(node, key=""):
    """Every text that plotly will show, from the figure's JSON; `meta` is for the page around it."""
    if isinstance(node, dict):
        for name, value in node.items():
            if name != "meta":
                yield from texts(value, name)
    elif isinstance(node, list):
        for value in node:
            yield from texts(value, key)
    elif isinstance(node, str) and key not in ("hovertemplate", "texttemplate"):
        yield node


@pytest.mark.parametrize("name", SAMPLES)
def test_hostile_names_stay_text(name):
    """No markup and no formula of a name reaches plotly, nor does a name enter a template."""
    figure = json.loads(screen.draw(hostile(SAMPLES[name])).to_json())
    figure["layout"].pop("template")
    shown = [text for text in texts(figure) if "alert" in text or "&lt;" in text]
    assert shown
    assert not [text for text in shown if set(text) & set("<>$")]
    assert any("<b>x</b>" in html.unescape(text) for text in shown)
    templates = [t.get("hovertemplate") or "" for t in figure["data"]]
    assert not [template for template in templates if "alert" in template]


def test_names_that_look_alike_stay_apart():
    """Two categories of the same name are two bars."""
    chart = dataclasses.replace(SAMPLES["bars"], categories=("a", "a", "b", "b"))
    assert list(screen.draw(chart).data[0].y) == [0, 1, 2, 3]


def test_many_labels_are_thinned():
    """Of a thousand tests only as many are named as can be read."""
    axis = screen.draw(SAMPLES["outcomes-large"]).layout.xaxis
    assert len(axis.tickvals) <= 25
    assert all(math.isfinite(value) for value in axis.tickvals)


def test_charts_need_no_drawing_library():
    """Making a chart imports neither plotly nor matplotlib."""
    code = "import sys, core.figures, core.figures.build; print({'plotly', 'matplotlib'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
