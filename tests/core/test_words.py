"""Numbers with their nouns."""

from __future__ import annotations

import pytest

from core.words import plural, quantity


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 problems"), (1, "1 problem"), (2, "2 problems"), (21642, "21,642 problems")]
)
def test_a_noun_agrees_with_its_number(number: int, said: str) -> None:
    """One is singular, anything else plural; thousands are told apart."""
    assert quantity(number, "problem") == said


def test_a_word_that_takes_no_s_is_given() -> None:
    """Verbs and irregular nouns come with their plural."""
    assert plural(1, "fails", "fail") == "fails"
    assert quantity(3, "entry", "entries") == "3 entries"
