import math

import pytest

from core.metrics.agreement import agreement


def test_kappa_is_that_of_the_textbook_example() -> None:
    """50 proposals, two readers: 20 both yes, 15 both no, 5 and 10 split; kappa is 0.4."""
    first = ["yes"] * 25 + ["no"] * 25
    second = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    found = agreement(first, second)

    assert (found.n, found.share) == (50, pytest.approx(0.7))
    assert found.kappa == pytest.approx(0.4)


def test_perfect_agreement_is_1_and_no_variety_is_undefined() -> None:
    """Raters who both say the same of everything agree wholly, and chance would as well."""
    assert agreement("abca", "abca").kappa == pytest.approx(1.0)
    assert math.isnan(agreement("aaa", "aaa").kappa)
    assert math.isnan(agreement("", "").share)


def test_ratings_of_different_things_are_refused() -> None:
    """Lists of different lengths can't be about the same things."""
    with pytest.raises(ValueError, match="2 ratings against 1"):
        agreement("ab", "a")
