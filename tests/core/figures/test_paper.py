"""What is in the printed figures: marks, words, fonts and sizes."""

import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.colors import to_hex
from PIL import Image

from core.figures import Bars, BarSeries, LineSeries, paper
from core.figures.build import histogram
from core.figures.palette import OUTCOMES
from core.figures.venues import VENUES, venue
from tests.core.figures.samples import HALF_FOUNDED, MODELS, SAMPLES
from tests.core.figures.test_screen import HOSTILE, hostile


def words_of(figure):
    """All texts of a figure that are not empty."""
    figure.draw_without_rendering()
    return [t.get_text() for t in figure.findobj(lambda artist: hasattr(artist, "get_text")) if t.get_text()]


@pytest.mark.parametrize("venue", ["neurips", "acl"])
@pytest.mark.parametrize("name", SAMPLES)
def test_every_chart_prints_as_pdf_with_truetype_fonts(name, venue, tmp_path):
    """A PDF of the venue's width, STIX embedded as TrueType, its title inside."""
    path = paper.save(SAMPLES[name], tmp_path / "figure.pdf", venue=venue)
    data = path.read_bytes()
    width = float(re.search(rb"/MediaBox \[ ?0 0 ([0-9.]+)", data).group(1))
    assert width == pytest.approx(VENUES[venue].width * 72, abs=0.5)
    assert b"STIXGeneral" in data
    assert b"/FontFile2" in data
    assert b"/Type3" not in data
    assert SAMPLES[name].title.encode() in data


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_other_formats_are_written(kind, tmp_path):
    """SVG carries the words as metadata, PNG has 300 dots per inch."""
    path = paper.save(SAMPLES["bars"], tmp_path / f"figure.{kind}", venue="icml")
    if kind == "svg":
        assert SAMPLES["bars"].alt in path.read_text()
    else:
        with Image.open(path) as image:
            assert image.width == pytest.approx(3.25 * 300, abs=2)


def test_a_figure_is_the_same_whenever_it_is_made(tmp_path):
    """No date and no random name goes into a file."""
    for kind in ("pdf", "svg", "png"):
        first = paper.save(SAMPLES["stacked"], tmp_path / f"a.{kind}").read_bytes()
        assert paper.save(SAMPLES["stacked"], tmp_path / f"b.{kind}").read_bytes() == first


def test_nothing_is_left_beside_the_figure(tmp_path):
    """Neither a success nor a refusal leaves half a file."""
    paper.save(SAMPLES["bars"], tmp_path / "figure.pdf")
    with pytest.raises(ValueError, match="no venue"):
        paper.save(SAMPLES["bars"], tmp_path / "other.pdf", venue="nature")
    with pytest.raises(ValueError, match="pdf, svg, png"):
        paper.save(SAMPLES["bars"], tmp_path / "figure.exe")
    assert [path.name for path in tmp_path.iterdir()] == ["figure.pdf"]


@pytest.mark.parametrize("name", SAMPLES)
def test_axes_are_labelled(name):
    """Both axes say what they show."""
    figure, chart = paper.draw(SAMPLES[name]), SAMPLES[name]
    axes = figure.axes[0]
    assert {axes.get_xlabel(), axes.get_ylabel()} == {chart.x_label, chart.y_label}


def test_a_title_is_printed_only_when_asked_for():
    """In a paper the caption says it."""
    assert SAMPLES["lines"].title not in words_of(paper.draw(SAMPLES["lines"]))
    assert SAMPLES["lines"].title in words_of(paper.draw(SAMPLES["lines"], title=True))


def test_bars_have_the_values_lengths_and_say_what_is_undefined():
    """Lengths are the values; the verifier without one is named and marked."""
    figure = paper.draw(SAMPLES["bars"])
    widths = [patch.get_width() for patch in figure.axes[0].patches]
    assert widths[:3] == pytest.approx([0.79, 0.84, 0.77])
    assert {*MODELS, "undefined"} <= set(words_of(figure))


def test_intervals_stand_out_from_dark_bars():
    """Each stem is drawn twice: white and wider, then black over it."""
    stems = paper.draw(SAMPLES["bars"]).axes[0].collections
    assert [to_hex(stem.get_color()[0]) for stem in stems] == ["#ffffff", "#000000"]
    assert stems[0].get_linewidth()[0] > stems[1].get_linewidth()[0] + 1


def test_counts_are_ticked_at_round_numbers():
    """Up to 140 problems the axis says 20, 40, 60, not 15, 30, 45."""
    chart = histogram(
        {"a": np.full(140, 2.0)},
        bins=np.array([0.5, 1.5, 2.5]),
        unit="problems",
        title="t",
        x_label="x",
        y_label="y",
        alt="a",
    )
    ticks = paper.draw(chart).axes[0].get_yticks()
    assert {float(step) for step in np.diff(ticks)} <= {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0}


def test_lines_pass_through_their_points():
    """The first lines drawn are the series, told apart by dash and marker."""
    lines = paper.draw(SAMPLES["lines"]).axes[0].lines[:3]
    for line, series in zip(lines, SAMPLES["lines"].series, strict=True):
        assert tuple(line.get_ydata()) == series.y
    assert len({line.get_linestyle() for line in lines}) == len({line.get_marker() for line in lines}) == 3


def test_points_with_little_behind_them_are_white_inside():
    """Over the first mark of the line a white one of the same shape and colour is laid."""
    line, over = paper.draw(HALF_FOUNDED).axes[0].lines
    assert tuple(map(tuple, over.get_xydata())) == ((2, 0.5),)
    assert (over.get_marker(), over.get_color()) == (line.get_marker(), line.get_color())
    assert over.get_markerfacecolor() == "white"


def test_the_outcome_matrix_is_colored_and_lettered():
    """Each cell's colour is its outcome's, and its letter stands in it."""
    figure = paper.draw(SAMPLES["outcomes"])
    image = figure.axes[0].images[0]
    for code, style in zip(image.get_array().ravel(), "".join(SAMPLES["outcomes"].letters), strict=True):
        assert to_hex(image.to_rgba(np.array([code]))[0]) == OUTCOMES[style].light
    letters = [word for word in words_of(figure) if word in OUTCOMES]
    assert "".join(letters) == "".join(SAMPLES["outcomes"].letters)


def test_a_large_matrix_is_an_image_without_letters():
    """Tens of thousands of cells are one picture with some of the names."""
    axes = paper.draw(SAMPLES["outcomes-large"]).axes[0]
    assert axes.images[0].get_array().shape == (80, 300)
    assert not axes.texts
    assert len(axes.get_yticklabels()) <= 30


def test_rankings_run_from_best_on_top():
    """Lines join the ranks and tied names share a place."""
    figure = paper.draw(SAMPLES["ranking"])
    axes = figure.axes[0]
    assert list(axes.lines[0].get_ydata()) == [1, 1.5, 2]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    assert {"gpt-4o/7, mutant/3", "no score"} <= set(words_of(figure))


def test_stacked_parts_are_hatched_as_their_outcomes():
    """In grey print the hatch tells the parts apart."""
    patches = paper.draw(SAMPLES["stacked"]).axes[0].patches
    n = len(MODELS)
    assert [patches[i * n].get_hatch() or "" for i in range(8)] == [s.hatch for s in OUTCOMES.values()]


@pytest.mark.parametrize(
    "name", ["bars", "bars-grouped", "outcomes", "ranking", "stacked", "box", "lines", "scatter"]
)
def test_hostile_names_are_printed_as_text(name, tmp_path):
    """Brackets are printed, dollars open no formula, and the file is written."""
    chart = hostile(SAMPLES[name])
    figure = paper.draw(chart, title=True)
    assert any(HOSTILE[:12] in word for word in words_of(figure))
    assert paper.save(chart, tmp_path / "figure.svg", title=True).stat().st_size > 0


@pytest.mark.parametrize("key", VENUES)
def test_venues_are_as_wide_as_their_templates(key):
    """Widths are those of the venues' templates, in inches."""
    expected = {
        "neurips": 5.5,
        "iclr": 5.5,
        "icml": 3.25,
        "icml-wide": 6.75,
        "aaai": 3.3,
        "aaai-wide": 6.975,
        "acl": 3.03,
        "acl-wide": 6.3,
        "colm": 5.5,
        "jmlr": 6.0,
        "tmlr": 6.5,
    }
    assert VENUES[key].width == expected[key]


def test_drawing_leaves_the_settings_of_others_alone():
    """Matplotlib's own settings are the same before and after."""
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    paper.draw(SAMPLES["lines"])
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize(
    ("name", "inches", "points"), [("4.5in", 4.5, 9), ("84 mm,8pt", 84 / 25.4, 8), ("11cm", 11 / 2.54, 9)]
)
def test_free_sizes_are_as_wide_as_they_say(name, inches, points, tmp_path):
    """A width in inches, cm or mm, with a size of type if one is given."""
    found = venue(name)
    assert found.width == pytest.approx(inches)
    assert found.sizes["axes.labelsize"] == points
    data = paper.render(SAMPLES["bars"], "pdf", venue=name)
    assert float(re.search(rb"/MediaBox \[ ?0 0 ([0-9.]+)", data).group(1)) == pytest.approx(
        inches * 72, abs=0.5
    )


@pytest.mark.parametrize("name", ["0.5in", "99in", "4in,2pt", "4in,99pt", "four", ""])
def test_sizes_that_can_not_be_are_refused(name):
    """Too narrow, too wide, unreadable or no size at all."""
    with pytest.raises(ValueError, match=r"expected|no venue"):
        venue(name)


def test_long_names_of_bars_stand_beside_them_in_two_lines():
    """Where names have no room under bars they stand at the side, whole or in two lines that end alike."""
    names = (
        "a-suite-of-tests-by-a-model-with-a-long-name, run 1",
        "deepseek_r1_distill_llama_70b_suite",
        "c",
    )
    chart = Bars(
        title="t",
        x_label="Verifier",
        y_label="Top-1",
        alt="a",
        categories=names,
        series=(BarSeries("Top-1", (0.5, 0.25, 1.0)),),
        share=True,
    )
    axes = paper.draw(chart, venue="icml").axes[0]
    said = [label.get_text() for label in axes.get_yticklabels()]
    assert [patch.get_width() for patch in axes.patches] == [0.5, 0.25, 1.0]
    assert said[1].replace("\n", "") == names[1]
    assert said[0].endswith("run 1")
    assert all(len(text.split("\n")) <= 2 for text in said)
    assert axes.xaxis.get_major_formatter()(0.5) == "50%"


def test_no_label_of_an_axis_is_longer_than_the_axis():
    """A long label is broken into lines."""
    chart = replace(SAMPLES["lines"], y_label="a rather long description of what this axis shows and how")
    figure = paper.draw(chart, venue="icml")
    axes = figure.axes[0]
    height = axes.get_window_extent().height
    assert axes.yaxis.label.get_window_extent().height <= 1.05 * height


def test_characters_that_no_font_has_are_written_by_their_numbers(tmp_path, recwarn):
    """No box stands for a letter, and nothing is warned of; what there is in a font stays."""
    chart = replace(SAMPLES["lines"], x_label="Größe \U0010fffd\U0010fffe of \N{GREEK SMALL LETTER RHO}")
    figure = paper.draw(chart)
    assert "Größe <U+10FFFD 10FFFE> of \N{GREEK SMALL LETTER RHO}" in figure.axes[0].get_xlabel()
    paper.save(chart, tmp_path / "a.pdf")
    assert not recwarn.list


def test_a_legend_is_read_along_its_rows():
    """Names stand in their order from left to right, however many columns there are."""
    series = tuple(LineSeries(f"line {n}", (1.0, 2.0), (0.1, 0.2)) for n in range(7))
    figure = paper.draw(replace(SAMPLES["lines"], series=series), venue="icml")
    figure.draw_without_rendering()
    spots = [
        (t.get_window_extent().y0, t.get_window_extent().x0, t.get_text()) for t in figure.legends[0].texts
    ]
    rows = sorted(spots, key=lambda spot: (-round(spot[0]), spot[1]))
    assert [text for _, _, text in rows] == [one.name for one in series]


@pytest.mark.parametrize("n_lines", [2, 20])
def test_a_legend_is_at_most_half_as_tall_as_what_it_explains(n_lines):
    """Twenty lines in one column have taller axes than two, so that data and not names fill the figure."""
    series = tuple(
        LineSeries(f"a verifier with a long name {n}", (1.0, 2.0), (0.1, 0.2)) for n in range(n_lines)
    )
    figure = paper.draw(replace(SAMPLES["lines"], series=series), venue="icml")
    figure.draw_without_rendering()
    axes, legend = figure.axes[0].get_window_extent(), figure.legends[0].get_window_extent()
    assert legend.height <= axes.height / 1.9
    assert legend.y0 >= axes.y1


@pytest.mark.parametrize("name", SAMPLES)
def test_no_type_is_smaller_than_six_points(name):
    """In the venue of the smallest type every word can be read."""
    figure = paper.draw(SAMPLES[name], venue="icml")
    figure.draw_without_rendering()
    words = figure.findobj(lambda artist: hasattr(artist, "get_fontsize"))
    assert min(word.get_fontsize() for word in words if word.get_text()) >= 6
