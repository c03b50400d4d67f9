"""Listings and diffs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.views.code import Pane, listing, side_by_side, value_diff

python = st.text(alphabet="abcdef =():\"'#\n\t0123\ufeff<>&", max_size=120) | st.text(max_size=80)


def _text_of(pane: Pane) -> list[str]:
    return ["".join(text for _, text in line.pieces) for line in pane.lines if line.kind != "filler"]


@given(python)
def test_a_listing_shows_the_source_as_it_is(source: str) -> None:
    """Colouring changes no character and no line."""
    pane = listing("code", source)
    assert _text_of(pane) == source.splitlines()
    assert [line.number for line in pane.lines] == list(range(1, len(source.splitlines()) + 1))


def test_the_failing_line_is_marked() -> None:
    """Exactly the line that failed stands out."""
    pane = listing("code", "a = 1\nb = 2\nc = 3\n", marked=2)
    assert [line.kind for line in pane.lines] == ["", "marked", ""]


def test_python_is_coloured() -> None:
    """Keywords, strings, numbers and comments have their class."""
    (line,) = listing("code", "return 'a', 1  # why").lines
    assert {kind for kind, text in line.pieces if text.strip(" ,")} == {
        "keyword",
        "string",
        "number",
        "comment",
    }


@given(python, python)
def test_both_sides_of_a_diff_are_complete_and_aligned(left: str, right: str) -> None:
    """Each side keeps all of its lines, and both have the same height."""
    ours, theirs = side_by_side("left", left, "right", right)
    assert len(ours.lines) == len(theirs.lines)
    assert _text_of(ours) == left.splitlines()
    assert _text_of(theirs) == right.splitlines()


def test_a_diff_says_which_lines_differ() -> None:
    """A changed line is removed on the left and added on the right; equal lines are plain."""
    ours, theirs = side_by_side("left", "a\nb\nc", "right", "a\nx\ny\nc")
    assert [line.kind for line in ours.lines] == ["", "removed", "filler", ""]
    assert [line.kind for line in theirs.lines] == ["", "added", "added", ""]


@given(st.text(max_size=60), st.text(max_size=60))
def test_values_are_shown_whole(expected: str, actual: str) -> None:
    """The pieces of a value diff put together are the values."""
    ours, theirs = value_diff(expected, actual)
    assert "\n".join(_text_of(ours)) == expected
    assert "\n".join(_text_of(theirs)) == actual


def test_what_differs_between_values_stands_out() -> None:
    """Only the differing words are marked."""
    ours, theirs = value_diff("[1, 2, 3]", "[1, 5, 3]")
    assert [text for kind, text in ours.lines[0].pieces if kind == "differs"] == ["2"]
    assert [text for kind, text in theirs.lines[0].pieces if kind == "differs"] == ["5"]


@pytest.mark.parametrize(
    ("expected", "actual", "marked"),
    [
        ("False", "True", ("False", "True")),
        ("None", "[1, 2]", ("None", "[1, 2]")),
        ("[1.5, -22]", "[1.5, -3]", ("-22", "-3")),
        ("'one two'", "'one three'", ("two", "three")),
        ("a\nb\nc\n", "a\nx\nc\n", ("b", "x")),
    ],
)
def test_values_are_compared_by_words_and_lines(expected: str, actual: str, marked: tuple[str, str]) -> None:
    """Numbers and words differ as a whole, so do values with little in common; long texts differ by lines."""
    for pane, wanted in zip(value_diff(expected, actual), marked, strict=True):
        found = [text for line in pane.lines for kind, text in line.pieces if kind == "differs"]
        assert "".join(found) == wanted
