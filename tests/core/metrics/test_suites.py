"""What each test of a suite is worth, on small matrices written as outcome letters."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import stats

from core.metrics import difficulty, discrimination, greedy_subset, passed_fraction, redundancy, validity
from core.model import Outcome

NAN = float("nan")
MATRICES = hnp.arrays(
    np.uint8, st.tuples(st.integers(1, 6), st.integers(1, 7)), elements=st.sampled_from([0, 0, 1, 1, 2, 7])
)


def matrix(*rows):
    """Outcomes of solutions, one string of letters each."""
    return np.array([[Outcome.from_letter(letter) for letter in row] for row in rows], dtype=np.uint8)


def test_the_score_is_the_fraction_of_cells_that_passed():
    """Failures of every kind count alike, missing cells count nowhere."""
    np.testing.assert_array_equal(
        passed_fraction(matrix("PPFE", "PTII", "IIII", "PIII")), [0.5, 0.5, NAN, 1.0]
    )


def test_validity_is_the_reference_solutions_own_outcome():
    """Any failure of the reference solution makes a test invalid; a missing cell leaves it open."""
    outcomes = matrix("FFFFF", "PFETI")
    np.testing.assert_array_equal(validity(outcomes, 1), [1, 0, 0, 0, NAN])
    assert np.isnan(validity(outcomes, None)).all()


def test_difficulty_is_the_pass_rate_without_missing_cells():
    """Missing cells are in neither part of the fraction."""
    np.testing.assert_array_equal(difficulty(matrix("PPI", "PFI", "PIP", "PFP")), [1.0, 1 / 3, 1.0])
    assert np.isnan(difficulty(matrix("I", "I")))[0]


@settings(max_examples=200)
@given(MATRICES, st.data())
def test_discrimination_equals_scipys_point_biserial(outcomes, data):
    """Test by test, over the cells that are there, it is scipy's correlation."""
    scores = st.sampled_from([0.0, 0.1, 1 / 3, 0.7, 1.0, NAN])
    reference = np.array(data.draw(st.lists(scores, min_size=len(outcomes), max_size=len(outcomes))))
    ours = discrimination(outcomes, reference)
    for column, value in zip(outcomes.T, ours, strict=True):
        kept = (column != 7) & ~np.isnan(reference)
        if len(set(column[kept] == 0)) < 2 or len(set(reference[kept])) < 2:
            assert np.isnan(value)
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = stats.pointbiserialr(column[kept] == 0, reference[kept]).statistic
        assert value == pytest.approx(expected, abs=1e-9)


def test_a_test_that_favours_wrong_solutions_discriminates_negatively():
    """Passed by the wrong and failed by the right solution: -1."""
    assert discrimination(matrix("F", "P"), [1.0, 0.0])[0] == pytest.approx(-1)


def test_reference_scores_of_another_problem_are_refused():
    """One reference score per solution, or nothing."""
    with pytest.raises(ValueError, match="reference_score has shape"):
        discrimination(matrix("P", "F"), [1.0])


def test_redundant_tests_share_a_group():
    """How a test fails does not matter, which solutions fail does, and missing is not failing."""
    assert redundancy(matrix("PPFPP", "FEPFI")).tolist() == [0, 0, 1, 0, 2]


@given(MATRICES)
def test_redundancy_is_equality_of_columns(outcomes):
    """Two tests share a group exactly when passes and gaps are the same."""
    group = redundancy(outcomes)
    for a, b in itertools.combinations(range(outcomes.shape[1]), 2):
        alike = all(
            (x == 0, x == 7) == (y == 0, y == 7) for x, y in zip(outcomes[:, a], outcomes[:, b], strict=True)
        )
        assert (group[a] == group[b]) == alike


def ranking(outcomes):
    """Rank of each scored solution; unscored ones are marked."""
    score = passed_fraction(outcomes)
    return stats.rankdata(-score[~np.isnan(score)]).tolist(), np.isnan(score).tolist()


@settings(max_examples=200)
@given(MATRICES)
def test_the_greedy_subset_ranks_as_the_whole_suite_and_has_nothing_to_spare(outcomes):
    """The chosen tests give the very same ranks, and no longer do without any one of them."""
    subset = greedy_subset(outcomes)
    assert subset.kept == 1
    scored = outcomes[~np.isnan(passed_fraction(outcomes))]
    if len(scored) < 2:
        assert len(subset.tests) == 0
        return
    assert ranking(scored[:, subset.tests]) == ranking(scored)
    for test in subset.tests:
        fewer = [t for t in subset.tests if t != test]
        assert not fewer or ranking(scored[:, fewer]) != ranking(scored)


def test_the_greedy_subset_drops_copies_and_tests_that_separate_nothing():
    """Of two copies and two constant tests one test is enough."""
    assert greedy_subset(matrix("PPPF", "FFPF")).tests.tolist() == [0]


def test_a_looser_subset_is_no_larger():
    """Keeping half of the pairs in order takes fewer tests than keeping all."""
    outcomes = matrix("PPPP", "PPPF", "PPFF", "PFFF", "FFFF")
    strict, loose = greedy_subset(outcomes), greedy_subset(outcomes, keep=0.5)
    assert len(strict.tests) == 4
    assert len(loose.tests) < 4
    assert 0.5 <= loose.kept < 1


def test_keeping_nothing_is_refused():
    """A share of pairs is above 0 and at most 1."""
    with pytest.raises(ValueError, match="keep must be"):
        greedy_subset(matrix("P"), keep=0)
