from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evolution.filters import Reason, Rules, filter_trial, filter_trials
from core.evolution.patterns import Trial, patterns, rates_of_tests
from tests.core.evolution.trials import trial

LOOSE = Rules(min_tests=0, max_perfect=None)

letters = st.sampled_from("PPPFETCI")
pools = st.integers(1, 6).flatmap(
    lambda n: st.integers(1, 12).flatmap(
        lambda m: st.lists(st.text(letters, min_size=m, max_size=m), min_size=n, max_size=n)
    )
)
rules = st.builds(
    Rules,
    min_pass=st.sampled_from([0.0, 0.1, 0.5]),
    max_pass=st.sampled_from([None, 0.9, 1.0]),
    per_pattern=st.sampled_from([None, 1, 2, 5]),
    min_tests=st.integers(0, 6),
    max_perfect=st.sampled_from([None, 0, 1, 60]),
    reference=st.booleans(),
    seed=st.integers(-3, 3),
)


def columns(*tests: str) -> Trial:
    """A trial given by its tests: one text of outcomes a test."""
    return trial(*("".join(row) for row in zip(*tests, strict=True)))


def test_low_pass_rate_is_below_not_at() -> None:
    """A test passed by exactly a tenth stays, one passed by nobody goes."""
    subject = columns("P" + "F" * 9, "F" * 10)
    result = filter_trial(subject, LOOSE)
    assert result.kept == (0,)
    assert [(r.index, r.reason) for r in result.removed] == [(1, Reason.LOW_PASS_RATE)]
    assert result.removed[0].detail == "passed by 0 of 10 solutions, below 0.1"


def test_missing_cells_do_not_count_as_failed() -> None:
    """One pass among nine missing cells is a pass rate of 1; only missing cells are no rate at all."""
    subject = columns("P" + "I" * 19, "P" + "F" * 19, "I" * 20)
    assert filter_trial(subject, LOOSE).kept == (0, 2)


def test_nearly_all_is_off_by_default() -> None:
    """Tests that everybody passes go only if a threshold is given."""
    subject = columns("PPPP", "PPPF", "PPFF")
    assert filter_trial(subject, LOOSE).kept == (0, 1, 2)
    assert filter_trial(subject, Rules.adversarial(max_pass=0.75)).kept == (2,)


def test_one_representative_per_pattern() -> None:
    """The discriminative step keeps one test for each pass vector, whatever kind the failures are."""
    subject = columns("PF", "PE", "PP", "PT", "PP")
    result = filter_trial(subject, Rules.discriminative())
    assert len(result.kept) == 2
    assert Counter(r.reason for r in result.removed) == {Reason.SAME_PATTERN: 3}


def test_who_stays_of_a_pattern_is_named_as_screens_number_tests() -> None:
    """The matrix and the table of removed tests count from 1, and so does the reason."""
    (removed,) = filter_trial(columns("PP", "PF", "PF"), Rules.discriminative()).removed
    stays = {1: 3, 2: 2}[removed.index]
    assert removed.detail == f"passed and failed by the same solutions as 1 others; kept: {stays}"


def test_up_to_five_per_pattern() -> None:
    """The final filter keeps five of seven tests with one pass vector and all of a smaller group."""
    subject = columns(*["PF"] * 7, *["PP"] * 2)
    result = filter_trial(subject, Rules())
    assert len(result.kept) == 7
    assert {7, 8} < set(result.kept)


def test_low_tests_go_before_groups_are_formed() -> None:
    """A test below the rate is removed for its rate and takes no place of a representative."""
    subject = columns("F" * 20, "F" * 20, "P" * 20)
    assert [r.reason for r in filter_trial(subject, Rules.discriminative()).removed] == [
        Reason.LOW_PASS_RATE,
        Reason.LOW_PASS_RATE,
    ]


def test_too_few_tests_drop_the_problem() -> None:
    """Four tests left drop the problem, five keep it, and the four are counted as removed with it."""
    four, five = columns(*["PF"] * 4), columns(*["PF"] * 5)
    result = filter_trial(four, Rules())
    assert (result.dropped, result.kept) == (Reason.TOO_FEW_TESTS, ())
    assert [r.reason for r in result.removed] == [Reason.TOO_FEW_TESTS] * 4
    assert filter_trial(five, Rules()).dropped is None


def test_too_many_perfect_solutions_drop_the_problem() -> None:
    """Sixty perfect solutions keep a problem, sixty-one drop it."""
    for perfect, reason in ((60, None), (61, Reason.TOO_MANY_PERFECT)):
        subject = trial(*["P" * 5] * perfect, *["PPPPF"] * (64 - perfect))
        assert filter_trial(subject, Rules()).dropped is reason


def test_perfect_counts_on_what_is_left() -> None:
    """Solutions that fail only a removed test are perfect."""
    subject = trial(*["PPPPPF"] * 61)
    assert filter_trial(subject, Rules()).dropped is Reason.TOO_MANY_PERFECT


def test_a_missing_cell_is_not_perfect() -> None:
    """A solution with a missing cell is not known to be perfect."""
    subject = trial(*["PPPPP"] * 60, "PPPPI")
    assert filter_trial(subject, Rules()).dropped is None


def test_too_few_tests_comes_first() -> None:
    """A problem with both faults is dropped for having too few tests."""
    assert filter_trial(trial(*["PP"] * 64), Rules()).dropped is Reason.TOO_FEW_TESTS


def test_reference_counts_apart() -> None:
    """Tests that the reference fails go under their own name, and only if asked for."""
    subject = trial("PPPP", "PPFF", "PFFI", sources=("a", "b", "reference"))
    assert filter_trial(subject, LOOSE).kept == (0, 1, 2, 3)
    result = filter_trial(subject, Rules(reference=True, min_tests=0))
    assert result.kept == (0, 3)
    assert {r.reason for r in result.removed} == {Reason.FAILS_REFERENCE}


def test_seed_chooses_the_representatives() -> None:
    """The same seed chooses the same tests, and over some seeds every test is chosen."""
    subject = columns(*["PF"] * 6)
    kept = [filter_trial(subject, Rules.discriminative(seed=seed)).kept for seed in range(60)]
    assert kept == [filter_trial(subject, Rules.discriminative(seed=seed)).kept for seed in range(60)]
    assert {place for places in kept for place in places} == set(range(6))


@pytest.mark.parametrize(
    "wrong",
    [{"min_pass": 1.5}, {"max_pass": -0.1}, {"per_pattern": 0}, {"min_tests": -1}, {"max_perfect": -1}],
)
def test_rules_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    """A rule that can't be meant is refused by name."""
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Rules(**wrong)  # type: ignore[arg-type]


@given(st.lists(pools, max_size=4), rules)
def test_counts_add_up(problems: list[list[str]], chosen: Rules) -> None:
    """Tests before are tests after and removed ones; problems before are those after and dropped ones."""
    trials = [trial(*rows, task_id=f"p{i}") for i, rows in enumerate(problems)]
    results, counts = filter_trials(trials, chosen)
    assert counts.tests_before == counts.tests_after + counts.removed.total()
    assert counts.problems_after == sum(result.dropped is None for result in results)
    for result in results:
        places = [*result.kept, *(r.index for r in result.removed)]
        assert sorted(places) == list(range(len(result.trial.tests)))


@given(pools, rules)
def test_what_stays_keeps_the_rules(rows: list[str], chosen: Rules) -> None:
    """What a filter leaves breaks none of its rules."""
    result = filter_trial(trial(*rows), chosen)
    left = result.after
    if result.dropped is not None:
        assert not left.tests
        return
    rates = rates_of_tests(left.outcomes)
    assert not (rates < chosen.min_pass).any()
    if chosen.max_pass is not None:
        assert not (rates >= chosen.max_pass).any()
    if chosen.per_pattern is not None and left.tests:
        _, sizes = np.unique(patterns(left.outcomes), axis=1, return_counts=True)
        assert sizes.max() <= chosen.per_pattern
    assert len(left.tests) >= chosen.min_tests


@given(pools, rules)
def test_no_pattern_is_lost_to_redundancy(rows: list[str], chosen: Rules) -> None:
    """A test goes as redundant only if another with the same pass vector stayed until then."""
    result = filter_trial(trial(*rows), chosen)
    marks = patterns(result.trial.outcomes)
    survivors = {
        *result.kept,
        *(r.index for r in result.removed if r.reason in ("too_few_tests", "too_many_perfect")),
    }
    stayed = {marks[:, place].tobytes() for place in survivors}
    for removal in result.removed:
        if removal.reason is Reason.SAME_PATTERN:
            assert marks[:, removal.index].tobytes() in stayed
