"""Scaling and saturation against direct computation on small benchmarks."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from core.metrics import evaluate, passed_fraction, saturates_at, saturation, scaling
from core.metrics.studies import SaturationPoint


def suites(seed, n_problems=30, n_solutions=5, n_tests=12):
    """Solutions of rising quality under random tests, a few cells missing."""
    rng = np.random.default_rng(seed)
    quality = np.linspace(1.0, 0.0, n_solutions)
    outcomes = [
        np.where(rng.random((n_solutions, n_tests)) < quality[:, np.newaxis], 0, 1).astype(np.uint8)
        for _ in range(n_problems)
    ]
    for cells in outcomes:
        cells[rng.random(cells.shape) < 0.03] = 7
    return outcomes, [quality] * n_problems


def flat(outcomes, reference, columns):
    """Arguments of `evaluate` for suites cut to their first columns."""
    problem = np.repeat(np.arange(len(outcomes)), [len(o) for o in outcomes])
    score = np.concatenate([passed_fraction(o[:, :columns]) for o in outcomes])
    return problem, score, np.concatenate(reference)


def test_scaling_by_the_first_tests_is_the_evaluation_of_cut_suites():
    """Each point is what evaluating the suites cut to their first n tests gives, interval included."""
    outcomes, reference = suites(0)
    points = scaling(outcomes, reference, [1, 4, 12])
    for point in points:
        expected = evaluate(*flat(outcomes, reference, point.n_tests)).metrics
        for key, metric in point.metrics.items():
            assert metric.value == pytest.approx(expected[key].value)
            assert metric.low == pytest.approx(expected[key].low)


def test_scaling_takes_short_suites_whole_and_counts_them():
    """A suite with fewer tests than asked takes part with all it has."""
    outcomes, reference = suites(1, n_problems=4)
    outcomes[0] = outcomes[0][:, :3]
    point = scaling(outcomes, reference, [8])[0]
    assert point.n_short == 1
    assert point.metrics["top1"].n == 4


def test_random_scaling_approaches_the_mean_over_all_subsets():
    """Over many draws the value is the mean over every subset of that size."""
    outcomes, reference = suites(2, n_problems=3, n_tests=5)
    point = scaling(outcomes, reference, [2], order="random", draws=3000, bootstrap=0, undefined="zero")[0]
    subsets = list(itertools.combinations(range(5), 2))
    values = [
        evaluate(
            *flat([o[:, list(s)] for o in outcomes], reference, 2), bootstrap=0, undefined="zero"
        ).metrics
        for s in subsets
    ]
    for key in ("top1", "spearman", "mae"):
        assert point.metrics[key].value == pytest.approx(np.mean([v[key].value for v in values]), abs=0.02)


def test_all_tests_at_random_are_all_tests():
    """Drawing every test leaves nothing to chance."""
    outcomes, reference = suites(3)
    ordered = scaling(outcomes, reference, [12], bootstrap=0)[0].metrics
    drawn = scaling(outcomes, reference, [12], order="random", draws=3, bootstrap=0)[0].metrics
    for key, metric in ordered.items():
        assert drawn[key].value == pytest.approx(metric.value)


def test_saturation_is_the_mean_rank_correlation_over_draws():
    """With every subset of two of five tests drawn often, rho is scipy's mean over the subsets."""
    outcomes, _ = suites(4, n_problems=2, n_tests=5)
    point = saturation(outcomes, [2], draws=4000, undefined="zero")[0]
    means = []
    for cells in outcomes:
        full = passed_fraction(cells)
        values = []
        for subset in itertools.combinations(range(5), 2):
            score = passed_fraction(cells[:, list(subset)])
            kept = ~np.isnan(score) & ~np.isnan(full)
            constant = len(set(score[kept])) < 2 or len(set(full[kept])) < 2
            values.append(0.0 if constant else stats.spearmanr(score[kept], full[kept]).statistic)
        means.append(np.mean(values))
    assert point.rho == pytest.approx(np.mean(means), abs=0.02)


def test_the_interval_of_saturation_is_that_of_a_mean_over_draws():
    """Half the width is 1.96 sigma / sqrt(draws), as in the paper's table."""
    outcomes, _ = suites(5)
    point = saturation(outcomes, [3], draws=100)[0]
    assert point.high - point.rho == pytest.approx(1.96 * point.sigma / 10)
    assert point.rho - point.low == pytest.approx(1.96 * point.sigma / 10)


def test_more_tests_rank_closer_to_all_tests():
    """Rho rises with k, and all tests rank exactly as all tests."""
    outcomes, _ = suites(6)
    rho = [p.rho for p in saturation(outcomes, [1, 3, 6, 12], draws=50)]
    assert rho == sorted(rho)
    assert rho[-1] == pytest.approx(1)


def test_problems_with_too_few_tests_or_no_ranking_take_no_part():
    """A suite shorter than k can't be sampled, and one that ties everything ranks nothing."""
    outcomes, _ = suites(7, n_problems=4)
    outcomes[0] = outcomes[0][:, :2]
    outcomes[1] = np.zeros((5, 12), dtype=np.uint8)
    outcomes[0][:, 0] = [0, 0, 1, 1, 1]
    points = saturation(outcomes, [2, 6, 20], draws=5)
    assert [p.n for p in points] == [3, 2, 0]
    assert math.isnan(points[2].rho)


def test_saturation_gives_the_same_for_the_same_seed():
    """The draws depend on the seed alone."""
    outcomes, _ = suites(8)
    assert saturation(outcomes, [2, 4], draws=20, seed=1) == saturation(outcomes, [2, 4], draws=20, seed=1)
    assert saturation(outcomes, [2], draws=20, seed=1) != saturation(outcomes, [2], draws=20, seed=2)


def test_the_paper_reads_saturation_off_the_lower_end():
    """HE+ of Table 3: at k = 5 rho is 0.895, at k = 6 the interval 0.903 to 0.906 lies above 0.9."""
    rows = [(5, 0.895, 0.894, 0.897, 0.008), (6, 0.905, 0.903, 0.906, 0.008), (7, 0.913, 0.912, 0.914, 0.006)]
    points = [SaturationPoint(*row, draws=100, n=164, n_undefined=0) for row in rows]
    assert saturates_at(points) == 6
    assert saturates_at(points, threshold=0.95) is None


def test_no_problems_saturate_nothing():
    """An empty benchmark has points without a value."""
    assert scaling([], [], [1]) == []
    assert math.isnan(saturation([], [1])[0].rho)


@pytest.mark.parametrize("study", [lambda: scaling([], [], [0]), lambda: saturation([], [0])])
def test_suites_of_no_tests_are_refused(study):
    """A size below 1 is a mistake."""
    with pytest.raises(ValueError, match="at least 1"):
        study()


def test_a_draw_that_ranks_nothing_counts_as_zero_only_when_asked():
    """One of two tests separates: with one test at random rho is 1 where defined, and 0.5 counting zeros."""
    outcomes, reference = [np.array([[0, 0], [1, 0]], dtype=np.uint8)], [[1.0, 0.0]]
    options = {"order": "random", "draws": 2000, "bootstrap": 0}
    defined = scaling(outcomes, reference, [1], **options)[0].metrics
    zeros = scaling(outcomes, reference, [1], undefined="zero", **options)[0].metrics
    assert defined["spearman"].value == 1
    assert zeros["spearman"].value == pytest.approx(0.5, abs=0.04)
    assert zeros["top1"].value == defined["top1"].value == pytest.approx(0.75, abs=0.02)
    assert saturation(outcomes, [1], draws=500)[0].rho == 1
    point = saturation(outcomes, [1], draws=2000, undefined="zero")[0]
    assert point.rho == pytest.approx(0.5, abs=0.04)
    assert point.n_undefined == pytest.approx(1000, abs=80)
