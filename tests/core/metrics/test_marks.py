"""Which verifier is marked as the best."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from core.metrics import comparable, places


def test_a_verifier_on_three_problems_is_never_the_best() -> None:
    """One that covers 3 of 164 problems has no mark, however good it is there; 160 are enough."""
    counts = [3, 164, 160]
    assert comparable(counts) == [False, True, True]
    assert places([1.0, 0.5, 0.6], counts, lower_is_better=False) == [0, 2, 1]
    assert places([0.0, 0.5, 0.6], counts, lower_is_better=True) == [0, 1, 2]


def test_equal_values_share_a_place_and_one_alone_has_none() -> None:
    """Two best leave the second place to the next value; without a value, or alone, there is no mark."""
    assert places([0.5, 0.5 + 1e-15, 0.4, math.nan], [5] * 4, lower_is_better=False) == [1, 1, 2, 0]
    assert places([0.5], [5], lower_is_better=False) == [0]
    assert places([], [], lower_is_better=False) == []


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 200)), min_size=2, max_size=8))
def test_a_marked_value_is_beaten_only_by_what_rests_on_fewer_problems(rows: list[tuple[float, int]]) -> None:
    """Whatever is better than the best rests on less than nine tenths of the most problems."""
    values, counts = zip(*rows, strict=True)
    marks = places(values, counts, lower_is_better=False)
    best = max(value for value, place in zip(values, marks, strict=True) if place == 1)
    for value, count in rows:
        assert value <= best + 1e-9 or count < 0.9 * max(counts)
