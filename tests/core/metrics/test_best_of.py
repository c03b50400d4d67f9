from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.best_of import best_of, best_of_each
from core.metrics.passk import pass_at_k


def by_hand(score: list[float], right: list[bool], n: int) -> float:
    """The share solved by choosing, over every draw of n candidates and every tie, one by one."""
    solved = []
    for draw in combinations(range(len(score)), n):
        top = max(score[i] for i in draw)
        tied = [i for i in draw if score[i] == top]
        solved.append(sum(right[i] for i in tied) / len(tied))
    return sum(solved) / len(solved)


CANDIDATES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.booleans()), min_size=1, max_size=7
)


@given(CANDIDATES, st.data())
def test_choosing_agrees_with_every_draw_taken_one_by_one(
    candidates: list[tuple[float, bool]], data: st.DataObject
) -> None:
    """The closed form over groups of ties is the average over all draws, and the oracle is pass@n."""
    score, right = map(list, zip(*candidates, strict=True))
    n = data.draw(st.integers(1, len(score)))

    original, selected, oracle = best_of_each(np.array(score), np.array(right), n)

    assert selected == pytest.approx(by_hand(score, right, n))
    assert original == pytest.approx(sum(right) / len(right))
    assert oracle == pytest.approx(float(pass_at_k(len(right), sum(right), n)))


def test_a_verifier_that_is_right_reaches_the_oracle_and_one_that_is_blind_stays_at_pass_at_1() -> None:
    """Scores that are the truth choose as well as can be, equal scores no better than chance."""
    problem = [0, 0, 0, 0, 1, 1, 1, 1]
    right = [True, False, False, False, False, False, True, True]
    (sighted,) = best_of(problem, [float(one) for one in right], right, [2], bootstrap=0)
    (blind,) = best_of(problem, [0.5] * 8, right, [2], bootstrap=0)

    assert sighted.selected.value == pytest.approx(sighted.oracle.value)
    assert blind.selected.value == pytest.approx(blind.original.value) == pytest.approx(3 / 8)
    assert blind.gain.value == pytest.approx(0.0)


def test_a_missing_score_is_chosen_last() -> None:
    """A candidate without a score is taken only where nothing else is there."""
    assert best_of_each(np.array([np.nan, 0.0]), np.array([True, False]), 2)[1] == 0.0


def test_problems_with_too_few_candidates_are_left_out() -> None:
    """Best of 3 is asked only of the problem that has three, and that is counted."""
    (found,) = best_of([5, 5, 9, 9, 9], [1, 0, 0, 1, 0], [1, 0, 0, 1, 0], [3], bootstrap=100)

    assert found.selected.n == found.gain.n == 1
    assert found.selected.value == 1.0
    (nobody,) = best_of([5, 5], [1, 0], [1, 0], [3])
    assert np.isnan(nobody.selected.value)
