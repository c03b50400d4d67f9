"""Metrics of a verifier against scipy, hand examples of the papers' rules, and properties."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from core.metrics import METRIC_KEYS, evaluate
from tests.core.metrics.strategies import FINE, TIED, benchmarks

NAN = float("nan")


def one(score, reference, **options):
    """Metrics of a single problem, as plain values."""
    evaluation = evaluate([0] * len(score), score, reference, bootstrap=0, **options)
    return {key: metric.value for key, metric in evaluation.metrics.items()}


def by_scipy(score, reference):
    """The rules one problem at a time, in the plainest words, correlations by scipy."""
    kept = ~np.isnan(score)
    score, reference = score[kept], reference[kept]
    if len(score) == 0:
        return {"top1": NAN, "bottom1": NAN, "spearman": NAN, "kendall": NAN}
    mine, truth = stats.rankdata(-score), stats.rankdata(-reference)
    best, worst = np.flatnonzero(score == score.max()), np.flatnonzero(score == score.min())
    constant = len(set(score)) < 2 or len(set(reference)) < 2
    return {
        "top1": np.mean(reference[best] == reference.max()),
        "bottom1": np.mean(reference[worst] == reference.min()),
        "spearman": NAN if constant else stats.spearmanr(mine, truth).statistic,
        "kendall": NAN if constant else stats.kendalltau(mine, truth).statistic,
    }


@settings(max_examples=300)
@given(benchmarks())
def test_rank_metrics_equal_scipy_problem_by_problem(benchmark):
    """The whole benchmark at once gives what scipy gives one problem at a time, ties and gaps included."""
    problem, score, reference = benchmark
    per_problem = evaluate(problem, score, reference, bootstrap=0).per_problem
    for code in range(problem.max() + 1):
        rows = problem == code
        for key, expected in by_scipy(score[rows], reference[rows]).items():
            assert getattr(per_problem, key)[code] == pytest.approx(expected, abs=1e-12, nan_ok=True)


@settings(max_examples=100)
@given(benchmarks())
def test_pooled_metrics_equal_their_formulas(benchmark):
    """MAE and R2 are over all scored solutions pooled, not averages over problems."""
    problem, score, reference = benchmark
    metrics = evaluate(problem, score, reference, bootstrap=0).metrics
    kept = ~np.isnan(score)
    s, y = score[kept], reference[kept]
    expected_mae = np.abs(s - y).mean() if len(s) else NAN
    assert metrics["mae"].value == pytest.approx(expected_mae, nan_ok=True)
    if len(set(y)) < 2:
        assert math.isnan(metrics["r2"].value)
    else:
        expected = 1 - ((s - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()
        assert metrics["r2"].value == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(benchmarks())
def test_aggregate_is_the_mean_over_defined_problems(benchmark):
    """A rank metric is the plain mean of the defined per-problem values, the others counted."""
    problem, score, reference = benchmark
    evaluation = evaluate(problem, score, reference, bootstrap=0)
    for key in ("top1", "bottom1", "spearman", "kendall"):
        values = getattr(evaluation.per_problem, key)
        metric = evaluation.metrics[key]
        defined = values[~np.isnan(values)]
        assert metric.value == pytest.approx(defined.mean() if len(defined) else NAN, nan_ok=True)
        assert (metric.n, metric.n_undefined) == (len(values), len(values) - len(defined))


def test_top_1_divides_by_the_size_of_the_tie():
    """Two solutions tied for the verifier's best, the reference best among them: one half."""
    assert one([1.0, 1.0, 0.5, 0.0], [1.0, 0.6, 0.3, 0.0])["top1"] == 0.5


def test_top_1_is_zero_where_the_tie_misses_the_reference_best():
    """A tie for the best without the reference best in it counts nothing."""
    assert one([0.9, 1.0, 1.0, 0.0], [1.0, 0.6, 0.3, 0.0])["top1"] == 0.0


def test_bottom_1_divides_by_the_size_of_the_tie():
    """Three solutions tied for the verifier's worst, the reference worst among them: one third."""
    assert one([1.0, 0.0, 0.0, 0.0], [1.0, 0.6, 0.3, 0.0])["bottom1"] == pytest.approx(1 / 3)


def test_several_reference_best_count_by_their_part_of_the_tie():
    """Of three tied solutions two are reference best: a blind draw is right two times in three."""
    assert one([1.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.3, 0.0])["top1"] == pytest.approx(2 / 3)


def test_correlations_share_average_ranks():
    """Verifier ranks 1.5 1.5 3.5 3.5 against 1 2 3 4: rho 4 / sqrt(20), tau-b 4 / sqrt(24)."""
    metrics = one([1.0, 1.0, 0.0, 0.0], [1.0, 0.7, 0.3, 0.0])
    assert metrics["spearman"] == pytest.approx(4 / math.sqrt(20))
    assert metrics["kendall"] == pytest.approx(4 / math.sqrt(24))


def test_given_reference_ranks_are_used_in_place_of_the_scores():
    """Reference ranks that contradict the reference scores decide the ranking, not MAE."""
    metrics = one([1.0, 0.5, 0.0], [1.0, 0.5, 0.0], reference_rank=[3, 2, 1])
    assert metrics["spearman"] == -1
    assert metrics["top1"] == 0
    assert metrics["mae"] == 0


def test_a_constant_side_is_undefined_and_counted():
    """A verifier that ties everything has no correlation: NaN by default, 0 on request, counted in both."""
    problem, score = [0, 0, 1, 1], [1.0, 1.0, 1.0, 0.0]
    reference = [1.0, 0.0, 1.0, 0.0]
    left_out = evaluate(problem, score, reference, undefined="nan").metrics["spearman"]
    as_zero = evaluate(problem, score, reference, undefined="zero").metrics["spearman"]
    assert (left_out.value, left_out.n, left_out.n_undefined) == (1.0, 2, 1)
    assert (as_zero.value, as_zero.n, as_zero.n_undefined) == (0.5, 2, 1)


def test_zero_changes_no_per_problem_value():
    """Counting undefined as 0 is a matter of the aggregate; the problem itself stays NaN."""
    evaluation = evaluate([0, 0], [1.0, 1.0], [1.0, 0.0], undefined="zero", bootstrap=0)
    assert evaluation.metrics["kendall"].value == 0
    assert math.isnan(evaluation.per_problem.kendall[0])


def test_a_solution_without_a_score_is_left_out():
    """NaN is neither a low score nor a row: the metrics are those of the other solutions."""
    with_gap = evaluate([0] * 4, [0.9, NAN, 0.2, 0.1], [0.8, 1.0, 0.4, 0.0], bootstrap=0)
    without = evaluate([0] * 3, [0.9, 0.2, 0.1], [0.8, 0.4, 0.0], bootstrap=0)
    for key in METRIC_KEYS:
        assert with_gap.metrics[key].value == without.metrics[key].value
    assert with_gap.per_problem.n_missing.tolist() == [1]
    assert with_gap.per_problem.n_solutions.tolist() == [3]


def test_a_lone_solution_is_best_and_worst_without_a_correlation():
    """With one scored solution Top-1 and Bottom-1 are 1 by definition, and no correlation exists."""
    metrics = evaluate([0, 0], [0.5, NAN], [1.0, 0.0], bootstrap=0).metrics
    assert metrics["top1"].value == metrics["bottom1"].value == 1.0
    assert math.isnan(metrics["spearman"].value)
    assert metrics["spearman"].n_undefined == 1
    assert (metrics["mae"].value, metrics["mae"].n_undefined) == (0.5, 0)


def test_a_code_without_rows_is_no_problem():
    """Gaps in the codes count neither as problems nor as undefined ones."""
    metrics = evaluate([0, 0, 5, 5], [1, 0, 1, 0], [1.0, 0.0, 1.0, 0.0], bootstrap=0).metrics
    assert (metrics["top1"].n, metrics["top1"].n_undefined) == (2, 0)


def test_no_rows_give_undefined_metrics():
    """An empty benchmark has no value, no interval and no problems."""
    metrics = evaluate([], [], []).metrics
    assert set(metrics) == set(METRIC_KEYS)
    assert all(math.isnan(m.value) and math.isnan(m.low) and m.n == 0 for m in metrics.values())


def test_rewards_are_normalised_within_each_problem():
    """Rewards of -3..7 become 0..1 in their problem, and a constant problem becomes 0."""
    metrics = evaluate(
        [0, 0, 0, 1, 1], [7.0, 2.0, -3.0, 9.0, 9.0], [1.0, 0.5, 0.0, 0.25, 0.75], kind="reward", bootstrap=0
    ).metrics
    assert metrics["mae"].value == pytest.approx((0.25 + 0.75) / 5)
    assert metrics["r2"].value == pytest.approx(1 - (0.0625 + 0.5625) / 0.625)


@given(benchmarks(missing=False, score=st.floats(-1e300, 1e300)))
def test_normalised_rewards_never_err_by_more_than_one(benchmark):
    """However large the rewards are, after normalisation the error stays in [0, 1]."""
    problem, score, reference = benchmark
    assert 0 <= evaluate(problem, score, reference, kind="reward", bootstrap=0).metrics["mae"].value <= 1


@given(benchmarks(), st.randoms(use_true_random=False))
def test_order_of_rows_and_names_of_problems_do_not_matter(benchmark, random):
    """Shuffling rows and renumbering problems changes no value."""
    problem, score, reference = benchmark
    codes = list(range(problem.max() + 1))
    random.shuffle(codes)
    order = list(range(len(problem)))
    random.shuffle(order)
    before = evaluate(problem, score, reference, bootstrap=0).metrics
    after = evaluate(np.array(codes)[problem][order], score[order], reference[order], bootstrap=0).metrics
    for key in METRIC_KEYS:
        assert after[key].value == pytest.approx(before[key].value, rel=1e-9, abs=1e-9, nan_ok=True)
        assert after[key].n_undefined == before[key].n_undefined


@given(benchmarks(score=TIED))
def test_a_rising_transform_of_the_scores_keeps_the_rank_metrics(benchmark):
    """Rank metrics see only the order: exp(3 s) - 7 is the same verifier."""
    problem, score, reference = benchmark
    before = evaluate(problem, score, reference, bootstrap=0).per_problem
    after = evaluate(problem, np.exp(3 * score) - 7, reference, bootstrap=0).per_problem
    for key in ("top1", "bottom1", "spearman", "kendall"):
        np.testing.assert_array_equal(getattr(before, key), getattr(after, key))


@given(benchmarks(missing=False, score=FINE))
def test_reversing_the_scores_swaps_the_ends_and_signs(benchmark):
    """The negated verifier has negated correlations and finds the best where it found the worst."""
    problem, score, reference = benchmark
    before = evaluate(problem, score, reference, bootstrap=0).per_problem
    after = evaluate(problem, -score, 1 - reference, bootstrap=0).per_problem
    np.testing.assert_allclose(before.spearman, after.spearman, atol=1e-12)
    np.testing.assert_array_equal(before.top1, after.bottom1)
    negated = evaluate(problem, -score, reference, bootstrap=0).per_problem
    np.testing.assert_allclose(before.kendall, -negated.kendall, atol=1e-12)


def test_a_problem_too_large_for_pairs_has_the_same_tau():
    """Both ways of counting pairs give scipy's tau-b, on either side of the switch between them."""
    rng = np.random.default_rng(5)
    for n in (400, 401, 1500):
        score, reference = rng.integers(0, 9, n) / 8, rng.integers(0, 30, n) / 29
        expected = stats.kendalltau(score, reference).statistic
        assert one(score, reference)["kendall"] == pytest.approx(expected, abs=1e-12)


def simulated(rng, n_problems):
    """Problems of five solutions with a noisy verifier."""
    problem = np.repeat(np.arange(n_problems), 5)
    reference = np.tile([1.0, 0.75, 0.5, 0.25, 0.0], n_problems)
    return problem, reference + rng.normal(0, 0.4, len(problem)), reference


def test_intervals_cover_the_truth_about_as_often_as_they_say():
    """Of 200 benchmarks drawn from one world the 95% intervals hold the world's value in 90 to 99%."""
    rng = np.random.default_rng(1)
    truth = {k: m.value for k, m in evaluate(*simulated(rng, 40_000), bootstrap=0).metrics.items()}
    hits = dict.fromkeys(METRIC_KEYS, 0)
    for seed in range(200):
        for key, metric in evaluate(*simulated(rng, 80), bootstrap=400, seed=seed).metrics.items():
            hits[key] += metric.low <= truth[key] <= metric.high
    assert all(180 <= count <= 198 for count in hits.values()), hits


def test_the_interval_of_a_mean_agrees_with_scipys_bootstrap():
    """The interval of Spearman is that of scipy's percentile bootstrap of its per-problem values."""
    evaluation = evaluate(*simulated(np.random.default_rng(2), 300), bootstrap=4000)
    theirs = stats.bootstrap(
        (evaluation.per_problem.spearman,), np.mean, n_resamples=4000, method="percentile", rng=3
    ).confidence_interval
    metric = evaluation.metrics["spearman"]
    assert (metric.low, metric.high) == pytest.approx((theirs.low, theirs.high), abs=0.006)


def test_a_seed_repeats_its_intervals_and_another_moves_them():
    """Intervals depend on the seed and on nothing else."""
    data = simulated(np.random.default_rng(4), 50)
    assert evaluate(*data, seed=1).metrics == evaluate(*data, seed=1).metrics
    assert evaluate(*data, seed=1).metrics["mae"].low != evaluate(*data, seed=2).metrics["mae"].low


def test_one_problem_has_no_interval():
    """Resampling a single problem says nothing: NaN rather than an interval of no width."""
    metric = evaluate([0, 0], [1, 0], [1.0, 0.0]).metrics["top1"]
    assert metric.value == 1
    assert math.isnan(metric.low)
    assert math.isnan(metric.high)


@given(benchmarks(), st.integers(0, 5))
@settings(max_examples=50)
def test_intervals_are_ordered_and_within_the_range_of_the_values(benchmark, seed):
    """An interval of a mean lies between the smallest and the largest per-problem value."""
    evaluation = evaluate(*benchmark, bootstrap=50, seed=seed)
    metric, values = evaluation.metrics["spearman"], evaluation.per_problem.spearman
    assume(not math.isnan(metric.low))
    assert np.nanmin(values) - 1e-12 <= metric.low <= metric.high <= np.nanmax(values) + 1e-12


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0, 0], [1.0], [1.0, 0.0]), {}, r"score has shape \(1,\)"),
        (([0, -1], [1.0, 0.0], [1.0, 0.0]), {}, r"problem\[1\] is negative"),
        (([0, 0], [1.0, math.inf], [1.0, 0.0]), {}, r"score\[1\] is infinite"),
        (([0.5, 0], [1.0, 0.0], [1.0, 0.0]), {}, "integer codes"),
        (([0, 0], [1.0, 0.0], [1.0, 0.0]), {"undefined": "skip"}, "undefined must be"),
        (([0, 0], [1.0, 0.0], [1.0, 0.0]), {"kind": "model"}, "kind must be"),
    ],
)
def test_bad_input_is_named(arguments, options, message):
    """Whatever can't be evaluated is refused with a message that names the argument."""
    with pytest.raises(ValueError, match=message):
        evaluate(*arguments, **options)
