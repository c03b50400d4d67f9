"""Best-of-n against worked examples, and properties of any way to pick."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.metrics import PICKERS, best_of_n
from core.metrics.best_of import best_of_each
from core.metrics.selection import pick

P, F, I = 0, 1, 7  # noqa: E741 - the letters of the outcomes


def matrix(*rows: str) -> npt.NDArray[np.uint8]:
    """Outcomes from their letters."""
    return np.array([["PFETMOCI".index(letter) for letter in row] for row in rows], dtype=np.uint8)


def test_dual_agreement_is_that_of_codet() -> None:
    """Two that pass three tests (2 x 3) beat one that passes five (1 x 5) and three that pass one."""
    outcomes = matrix("PPPFFF", "PPPFFF", "FPPPPP", "FFFFFP", "FFFFFP", "FFFFFP")
    assert pick(outcomes, "agreement").tolist() == [0.5, 0.5, 0, 0, 0, 0]
    assert pick(outcomes, "score").tolist() == [0, 0, 1, 0, 0, 0]
    assert pick(outcomes, "majority").tolist() == pytest.approx([0, 0, 0, 1 / 3, 1 / 3, 1 / 3])
    assert pick(outcomes, "random").tolist() == pytest.approx([1 / 6] * 6)


def test_tied_groups_are_drawn_before_their_members() -> None:
    """Of a group of two that passes one test and a single one that passes two, each group has one half."""
    assert pick(matrix("PFF", "PFF", "FPP"), "agreement").tolist() == [0.25, 0.25, 0.5]


def test_missing_cells_are_neither_passed_nor_failed() -> None:
    """A solution without a verdict has no score to be picked for, and is no twin of one that failed."""
    assert pick(matrix("II", "FF"), "score").tolist() == [0, 1]
    assert pick(matrix("PI", "PF", "PF"), "majority").tolist() == [0, 0.5, 0.5]


def test_a_verifier_that_knows_picks_the_right_one_where_there_is_one() -> None:
    """With tests that only the right solution passes the score's accuracy is that of "any": 2/4 for n = 2."""
    outcomes = [matrix("PP", "PF", "FP", "FF")]
    (two, four) = best_of_n(outcomes, [[1.0, 0.6, 0.4, 0.0]], [2, 4], bootstrap=0)
    assert two.accuracy["score"].value == two.accuracy["any"].value == 0.5
    assert two.accuracy["random"].value == pytest.approx(0.25)
    assert four.accuracy["score"].value == 1.0
    assert four.reference == pytest.approx({"score": 1.0, "majority": 0.5, "agreement": 1.0, "random": 0.5})
    assert two.exact and two.problems == 1


def test_problems_with_too_few_solutions_do_not_take_part() -> None:
    """Each n counts the problems that have n solutions; with none of them there is no value."""
    (found, nothing) = best_of_n([matrix("P", "F"), matrix("P", "F", "F")], [[1, 0], [1, 0, 0]], [3, 4])
    assert (found.problems, nothing.problems) == (1, 0)
    assert np.isnan(nothing.accuracy["score"].value)


@given(
    arrays(np.uint8, st.tuples(st.integers(1, 6), st.integers(1, 5)), elements=st.sampled_from([P, F, I])),
    st.data(),
)
def test_no_pick_exceeds_any_and_chances_are_chances(
    outcomes: npt.NDArray[np.uint8], data: st.DataObject
) -> None:
    """Chances sum to 1, "random" is the mean of the right ones, and accuracy never exceeds "any"."""
    truth = data.draw(
        st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=len(outcomes), max_size=len(outcomes))
    )
    n = data.draw(st.integers(1, len(outcomes)))
    (point,) = best_of_n([outcomes], [truth], [n], bootstrap=0)
    right = [score == 1.0 for score in truth]
    subsets = list(combinations(right, n))
    assert point.accuracy["any"].value == pytest.approx(np.mean([any(subset) for subset in subsets]))
    assert point.accuracy["random"].value == pytest.approx(np.mean(right))
    for picker in PICKERS:
        assert pick(outcomes, picker).sum() == pytest.approx(1.0)
        assert point.accuracy[picker].value <= point.accuracy["any"].value + 1e-9


def test_random_subsets_come_near_all_subsets() -> None:
    """Where not all subsets are looked at, the estimate is near the exact one and the same for a seed."""
    rng = np.random.default_rng(5)
    outcomes = [rng.integers(0, 2, (8, 6)).astype(np.uint8) for _ in range(40)]
    truth = [(rng.random(8) < 0.3).astype(float) for _ in range(40)]
    (exact,) = best_of_n(outcomes, truth, [4], draws=1000, bootstrap=0)
    (drawn,) = best_of_n(outcomes, truth, [4], draws=40, bootstrap=0)
    assert exact.exact and not drawn.exact
    for picker in PICKERS:
        assert drawn.accuracy[picker].value == pytest.approx(exact.accuracy[picker].value, abs=0.05)
    assert best_of_n(outcomes, truth, [4], draws=40, bootstrap=0)[0].reference == drawn.reference


@given(arrays(np.uint8, (4, 3), elements=st.sampled_from([P, F])), st.integers(1, 4))
def test_picking_by_score_is_the_closed_form_of_best_of(outcomes: npt.NDArray[np.uint8], n: int) -> None:
    """Over all subsets of n the pick by score, a pick at random and "any" are what the scores alone give."""
    right = np.array([True, False, True, False])
    (point,) = best_of_n([outcomes], [right.astype(float)], [n], bootstrap=0)
    scores = (outcomes == P).mean(axis=1)
    found = [point.accuracy[way].value for way in ("random", "score", "any")]
    assert point.exact
    assert found == pytest.approx(best_of_each(scores, right, n))
