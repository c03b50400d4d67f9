"""The paired comparison of two verifiers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats

from core.metrics import METRIC_KEYS, Scores, compare, evaluate
from tests.core.metrics.strategies import benchmarks


def noisy(rng, n_problems, noise):
    """A verifier with so much noise on problems of five solutions."""
    reference = np.tile([1.0, 0.75, 0.5, 0.25, 0.0], n_problems)
    score = reference + rng.normal(0, noise, len(reference))
    return Scores(np.repeat(np.arange(n_problems), 5), score, reference)


@given(benchmarks())
@settings(max_examples=50)
def test_a_verifier_does_not_differ_from_itself(benchmark):
    """Against itself the difference is 0 with p = 1 wherever there is an interval."""
    scores = Scores(*benchmark)
    for difference in compare(scores, scores, bootstrap=50).values():
        assert difference.value == 0 or math.isnan(difference.value)
        assert math.isnan(difference.p_value) or difference.p_value == 1


def test_the_value_is_the_difference_of_the_two_evaluations():
    """On the same problems, all defined, the difference is that of the metrics."""
    rng = np.random.default_rng(0)
    a, b = noisy(rng, 60, 0.3), noisy(rng, 60, 0.6)
    ours = evaluate(a.problem, a.score, a.reference_score, bootstrap=0).metrics
    theirs = evaluate(b.problem, b.score, b.reference_score, bootstrap=0).metrics
    for key, difference in compare(a, b).items():
        assert difference.value == pytest.approx(ours[key].value - theirs[key].value)
        assert difference.n == 60


def test_swapping_the_verifiers_swaps_the_signs():
    """compare(b, a) is compare(a, b) mirrored, with the same p-values."""
    rng = np.random.default_rng(1)
    a, b = noisy(rng, 60, 0.3), noisy(rng, 60, 0.4)
    forward, backward = compare(a, b), compare(b, a)
    for key in METRIC_KEYS:
        assert forward[key].value == pytest.approx(-backward[key].value)
        assert forward[key].low == pytest.approx(-backward[key].high)
        assert forward[key].p_value == backward[key].p_value


def test_a_clearly_better_verifier_is_found_better():
    """Little noise against much: the interval leaves 0 out and p is as small as the draws allow."""
    rng = np.random.default_rng(2)
    spearman = compare(noisy(rng, 100, 0.1), noisy(rng, 100, 1.0), bootstrap=999)["spearman"]
    assert spearman.low > 0
    assert spearman.p_value == 2 / 1000


def test_only_problems_of_both_count():
    """Problems that one side lacks are left out of value and n, on both sides."""
    reference = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]
    a = Scores([0, 0, 1, 1, 2, 2], [1, 0, 1, 0, 0, 1], reference)
    b = Scores([1, 1, 2, 2, 7, 7], [0, 1, 0, 1, 1, 0], reference)
    top1 = compare(a, b)["top1"]
    assert (top1.value, top1.n) == (0.5, 2)


def test_a_problem_undefined_on_one_side_counts_on_neither():
    """A tie of everything on one side takes the problem out of the correlation's comparison."""
    reference = [1.0, 0.0, 1.0, 0.0]
    a = Scores([0, 0, 1, 1], [1, 1, 1, 0], reference)
    b = Scores([0, 0, 1, 1], [0, 1, 1, 0], reference)
    left_out, as_zero = compare(a, b)["spearman"], compare(a, b, undefined="zero")["spearman"]
    assert (left_out.value, left_out.n) == (0.0, 1)
    assert (as_zero.value, as_zero.n) == (0.5, 2)
    assert compare(a, b)["top1"].n == 2


def test_no_shared_problem_gives_no_difference():
    """Two verifiers on different problems can't be compared: NaN and n = 0."""
    difference = compare(Scores([0, 0], [1, 0], [1, 0]), Scores([1, 1], [1, 0], [1, 0]))["mae"]
    assert difference.n == 0
    assert math.isnan(difference.value)


def test_the_p_value_is_fair_under_no_difference():
    """Verifiers of equal quality: p-values over 200 comparisons are spread as chance would have it."""
    rng = np.random.default_rng(3)
    p_values = [
        compare(noisy(rng, 60, 0.5), noisy(rng, 60, 0.5), bootstrap=200, seed=seed)["spearman"].p_value
        for seed in range(200)
    ]
    assert stats.kstest(p_values, "uniform").pvalue > 0.01
    assert 0.01 <= np.mean(np.array(p_values) < 0.05) <= 0.10


def test_the_difference_agrees_with_scipys_paired_bootstrap():
    """The interval is that of scipy's percentile bootstrap of the per-problem differences."""
    rng = np.random.default_rng(4)
    a, b = noisy(rng, 200, 0.3), noisy(rng, 200, 0.5)
    gaps = (
        evaluate(a.problem, a.score, a.reference_score, bootstrap=0).per_problem.spearman
        - evaluate(b.problem, b.score, b.reference_score, bootstrap=0).per_problem.spearman
    )
    theirs = stats.bootstrap(
        (gaps,), np.mean, n_resamples=4000, method="percentile", rng=5
    ).confidence_interval
    ours = compare(a, b, bootstrap=4000)["spearman"]
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.006)
