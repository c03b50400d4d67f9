"""Text of unknown origin stays text wherever it is shown."""

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import cbook

from core.figures.text import clean, for_csv, for_matplotlib, for_plotly, shorten


@given(st.text())
def test_plotly_is_given_no_markup_and_no_mathematics(text):
    """No bracket and no dollar is left for plotly to read, and undoing the entities gives the text back."""
    shown = for_plotly(text, 10_000)
    assert not set(shown) & set("<>$")
    assert html.unescape(shown) == clean(text)


@given(st.text())
def test_matplotlib_is_given_no_mathematics(text):
    """Matplotlib itself finds no formula in what it is given."""
    assert not cbook.is_math_text(for_matplotlib(text, 10_000))


@pytest.mark.parametrize("start", ["=", "+", "-", "@", " =", "\t=", "\t", "\r", "\n", "\uff1d"])
def test_a_spreadsheet_is_given_no_formula(start):
    """Whatever a spreadsheet would run gets an apostrophe in front."""
    assert for_csv(start + "1+1") == "'" + start + "1+1"


@pytest.mark.parametrize("text", ["", "a=b", "HumanEval/0", "'quoted'", "1-2"])
def test_other_text_is_left_as_it_is(text):
    """Only the beginning of a cell matters."""
    assert for_csv(text) == text


@given(st.text(), st.integers(3, 30))
def test_shortened_text_fits_and_keeps_both_ends(text, length):
    """A name is never longer than asked, and begins and ends as it did."""
    line = shorten(text, length)
    assert len(line) <= length
    if len(clean(text)) > length:
        assert "…" in line
        assert line.endswith(clean(text)[-1])


def test_control_and_direction_characters_become_visible():
    """Nothing in a label can break the line, reverse it or break the file it is written to."""
    assert clean("a\nb\x00c\u202ed\ud800") == "a b\ufffdc\ufffdd\ufffd"
