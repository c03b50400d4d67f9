import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from scipy.spatial.distance import cdist

from core.evolution.patterns import (
    RIGHT,
    UNDETERMINED,
    WRONG,
    Outcomes,
    generator,
    hamming,
    pattern_groups,
    patterns,
    rates_of_solutions,
    rates_of_tests,
    reference_failures,
    verdicts,
)
from core.model import Outcome
from tests.core.evolution.trials import cells, trial

matrices = arrays(
    np.uint8, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=8), elements=st.integers(0, 7)
)
complete = arrays(
    np.uint8, array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=8), elements=st.integers(0, 6)
)


def test_rates_leave_missing_cells_out() -> None:
    """A rate is over the known cells; where none is known it is NaN."""
    outcomes = cells("PPI", "PFI", "ITI")
    assert rates_of_tests(outcomes)[:2].tolist() == [1.0, 1 / 3]
    assert np.isnan(rates_of_tests(outcomes)[2])
    assert rates_of_solutions(outcomes).tolist() == [1.0, 0.5, 0.0]


def test_verdicts_by_hand() -> None:
    """All passed is right, any failure is wrong, missing cells without a failure decide nothing."""
    assert verdicts(cells("PP", "PE", "PI", "IF")).tolist() == [RIGHT, WRONG, UNDETERMINED, WRONG]


def test_no_tests_decide_nothing() -> None:
    """Under an empty suite no solution is right."""
    assert verdicts(np.zeros((2, 0), dtype=np.uint8)).tolist() == [UNDETERMINED, UNDETERMINED]


def test_every_kind_of_failure_is_the_same_pattern() -> None:
    """A pattern knows passed, failed and missing, and not how a solution failed."""
    assert patterns(cells("PFETMOCI")).tolist() == [[1, 0, 0, 0, 0, 0, 0, 2]]


def test_groups_keep_the_order_of_first_rows() -> None:
    """Groups come in the order of their first rows; missing is not the same as failed."""
    groups = pattern_groups(patterns(cells("PF", "PI", "PE", "PI")))
    assert [group.tolist() for group in groups] == [[0, 2], [1, 3]]


def test_distance_ignores_missing_cells() -> None:
    """Only cells known on both sides can make two solutions differ."""
    assert hamming(cells("PPP", "FFI", "III")).tolist() == [[0, 2, 0], [2, 0, 0], [0, 0, 0]]


@given(complete)
def test_distance_is_scipys(outcomes: Outcomes) -> None:
    """Without missing cells the distance is scipy's Hamming distance times the number of tests."""
    marks = patterns(outcomes)
    expected = cdist(marks, marks, "hamming") * marks.shape[1]
    np.testing.assert_allclose(hamming(outcomes), expected, atol=1e-9)


@given(matrices)
def test_same_pattern_means_no_distance(outcomes: Outcomes) -> None:
    """Solutions of one group are at distance 0 from each other."""
    distances = hamming(outcomes)
    for group in pattern_groups(patterns(outcomes)):
        assert not distances[np.ix_(group, group)].any()


@given(matrices)
def test_a_missing_cell_never_lowers_a_rate(outcomes: Outcomes) -> None:
    """Turning a failure into missing data leaves no rate lower than before."""
    softened = np.where(outcomes == Outcome.ASSERTION_FAILED, Outcome.INTERNAL_ERROR, outcomes).astype(
        np.uint8
    )
    before, after = rates_of_solutions(outcomes), rates_of_solutions(softened)
    both = ~np.isnan(before) & ~np.isnan(after)
    assert (after[both] >= before[both]).all()


def test_reference_names_wrong_tests() -> None:
    """A test that the reference solution fails is wrong; one it has no outcome for is not."""
    subject = trial("PPP", "PFI", sources=("model", "reference"))
    assert reference_failures(subject).tolist() == [False, True, False]
    assert subject.candidates.tolist() == [0]


def test_without_reference_no_test_is_wrong() -> None:
    """A pool without a reference solution says nothing certain about any test."""
    assert not reference_failures(trial("FF", "FF")).any()


def test_draws_depend_on_seed_and_name_only() -> None:
    """The same seed and name give the same numbers, another name gives others."""
    assert generator(1, "a").random() == generator(1, "a").random()
    assert generator(1, "a").random() != generator(1, "b").random()
    assert generator(-1, "a").random() != generator(1, "a").random()


def test_shapes_must_agree() -> None:
    """A matrix of another shape than its solutions and tests is refused."""
    whole = trial("PP", "PF")
    with pytest.raises(ValueError, match="shape"):
        type(whole)(whole.problem, whole.solutions[:1], whole.tests, whole.outcomes)
