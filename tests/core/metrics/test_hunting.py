import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.hunting import HUNT_KEYS, compare_hunts, hunt_rates, input_diversity, rewards
from core.model import AnswerClass

FORMAT, INVALID, SAME, GOOD_INVALID, MISSED, BUG = AnswerClass


def test_each_class_counts_for_the_rates_it_belongs_to() -> None:
    """Good input counts three classes, invalid tests two, true bugs and format errors one each."""
    found = hunt_rates([0] * 6, list(AnswerClass), bootstrap=0).metrics

    assert found["good_input"].value == pytest.approx(3 / 6)
    assert found["invalid_test_rate"].value == pytest.approx(2 / 6)
    assert found["true_bug_rate"].value == pytest.approx(1 / 6)
    assert found["format_error"].value == pytest.approx(1 / 6)
    assert found["mean_reward"].value == pytest.approx(1.2 / 6)


def test_a_rate_is_the_mean_over_pairs_of_the_mean_over_answers() -> None:
    """A pair with many answers weighs as much as a pair with one."""
    found = hunt_rates([7, 7, 7, 7, 2], [BUG, SAME, SAME, SAME, BUG], bootstrap=0)

    assert found.metrics["true_bug_rate"].value == pytest.approx((1 / 4 + 1) / 2)
    assert (found.n_pairs, found.n_answers) == (2, 5)
    assert found.classes == {FORMAT: 0, INVALID: 0, SAME: 3, GOOD_INVALID: 0, MISSED: 0, BUG: 2}


def test_rewards_are_those_of_equation_1() -> None:
    """A true bug gives 1, a good input badly checked 0.1, anything else 0."""
    assert rewards(list(AnswerClass)).tolist() == [0, 0, 0, 0.1, 0.1, 1]


def test_a_format_error_can_be_given_a_penalty() -> None:
    """The released trainer's -1 for format errors is an option, and changes the mean reward alone."""
    strict = hunt_rates([0, 1], [FORMAT, BUG], format_reward=-1.0, bootstrap=0)
    plain = hunt_rates([0, 1], [FORMAT, BUG], bootstrap=0)

    assert strict.metrics["mean_reward"].value == pytest.approx(0.0)
    assert plain.metrics["mean_reward"].value == pytest.approx(0.5)
    assert strict.metrics["true_bug_rate"].value == plain.metrics["true_bug_rate"].value == 0.5


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(list(AnswerClass))), min_size=1, max_size=40))
def test_rates_agree_with_a_plain_loop(answers: list[tuple[int, AnswerClass]]) -> None:
    """The whole-array rates are what a loop over pairs and answers gives."""
    by_pair: dict[int, list[AnswerClass]] = {}
    for pair, one in answers:
        by_pair.setdefault(pair, []).append(one)
    expected = np.mean([sum(one is BUG for one in many) / len(many) for many in by_pair.values()])

    found = hunt_rates(*map(list, zip(*answers, strict=True)), bootstrap=0)

    assert found.metrics["true_bug_rate"].value == pytest.approx(expected)


def test_intervals_resample_pairs() -> None:
    """The interval of a rate that some pairs show holds its value."""
    mixed = hunt_rates(range(40), [BUG, SAME] * 20).metrics["true_bug_rate"]

    assert 0.3 < mixed.low < mixed.value < mixed.high < 0.7


def test_no_answers_give_nan() -> None:
    """Rates of nothing are not zero."""
    found = hunt_rates([], [])

    assert found.n_pairs == 0
    assert all(math.isnan(metric.value) for metric in found.metrics.values())


def test_what_is_no_class_is_refused() -> None:
    """A code beyond the classes and arrays of different lengths are errors."""
    with pytest.raises(ValueError, match="no class"):
        hunt_rates([0], [6])
    with pytest.raises(ValueError, match="1 pairs for 2"):
        hunt_rates([0], [1, 2])


def test_hunts_are_compared_on_the_pairs_that_both_have() -> None:
    """A pair that only one side answered takes no part in the difference."""
    found = compare_hunts(([0, 1, 2], [BUG, BUG, BUG]), ([1, 2, 9], [SAME, BUG, SAME]))["true_bug_rate"]

    assert (found.value, found.n) == (0.5, 2)


def test_a_clear_difference_is_significant_and_no_difference_is_not() -> None:
    """The paired bootstrap tells a side that always finds the bug from one that never does."""
    pairs = list(range(30))
    clear = compare_hunts((pairs, [BUG] * 30), (pairs, [SAME] * 30))["true_bug_rate"]
    none = compare_hunts((pairs, [BUG, SAME] * 15), (pairs, [SAME, BUG] * 15))["true_bug_rate"]

    assert clear.p_value < 0.01 < 0.2 < none.p_value
    assert set(compare_hunts((pairs, [BUG] * 30), (pairs, [SAME] * 30))) == set(HUNT_KEYS)


def test_diversity_is_that_of_table_4() -> None:
    """Unique ratio, log length range and log length deviation of four inputs, by hand."""
    found = input_diversity(["", "a", "a", "abc"])
    logs = [math.log(1), math.log(2), math.log(2), math.log(4)]
    mean = sum(logs) / 4

    assert found.unique_ratio == 3 / 4
    assert found.length_range == pytest.approx(math.log(4))
    assert found.length_std == pytest.approx(math.sqrt(sum((x - mean) ** 2 for x in logs) / 4))


def test_diversity_takes_true_lengths_of_cut_texts() -> None:
    """Where texts were cut their lengths can be given."""
    assert input_diversity(["a", "b"], [9, 99]).length_range == pytest.approx(math.log(10))


def test_equal_inputs_have_no_spread_and_none_have_no_diversity() -> None:
    """One input many times has no range, and no input has no numbers."""
    alike = input_diversity(["ab"] * 5)

    assert (alike.unique_ratio, alike.length_range, alike.length_std) == (0.2, 0.0, 0.0)
    assert math.isnan(input_diversity([]).unique_ratio)


def test_a_rate_that_no_pair_shows_has_the_exact_interval() -> None:
    """0 of 100 pairs is at most 3.62%, as Clopper and Pearson's closed form 1 - (0.05/2)^(1/n) says."""
    found = hunt_rates(range(100), [AnswerClass.NO_DIFFERENCE] * 100)
    for key in HUNT_KEYS:
        assert found.metrics[key].low == 0
        assert found.metrics[key].high == pytest.approx(1 - 0.025 ** (1 / 100))
    assert found.exact == frozenset(HUNT_KEYS)
    every = hunt_rates(range(20), [AnswerClass.TRUE_BUG] * 20)
    assert every.metrics["true_bug_rate"].low == pytest.approx(0.025 ** (1 / 20))
    assert every.metrics["true_bug_rate"].high == 1


def test_a_rate_that_some_pairs_show_has_the_bootstraps_interval() -> None:
    """Only unanimous rates are exact, and a penalised reward is no proportion."""
    found = hunt_rates([0, 1, 2], [AnswerClass.TRUE_BUG, AnswerClass.INVALID, AnswerClass.INVALID])
    assert found.exact == {"format_error"}
    penalised = hunt_rates([0, 1], [AnswerClass.INVALID] * 2, format_reward=-1.0)
    assert "mean_reward" not in penalised.exact
