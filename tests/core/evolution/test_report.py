import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evolution.filters import Rules
from core.evolution.patterns import Trial
from core.evolution.report import OVERALL, dropped_note, report_round
from core.model import Assertion, Origin
from tests.core.evolution.trials import trial

LOOSE = Rules(min_tests=0, max_perfect=None)


def written(subject: Trial, *methods: str) -> Trial:
    """The trial with tests of round 1 by these methods; "" leaves a test as it was."""
    tests = tuple(
        Assertion(t.source, Origin("v", m, 1)) if m else t  # type: ignore[union-attr]
        for t, m in zip(subject.tests, methods, strict=True)
    )
    return Trial(subject.problem, subject.solutions, tests, subject.outcomes)


def test_counts_and_pass_at_one() -> None:
    """Problems, tests per problem and pass@1 by hand: 2 of 4 and 1 of 4 right."""
    trials = [trial("PP", "PP", "PF", "FF", task_id="a"), trial("P", "F", "F", "F", task_id="b")]
    overall = report_round(trials, 0).sources[OVERALL]
    assert (overall.problems, overall.tests, overall.tests_per_problem) == (2, 3, 1.5)
    assert overall.pass_at[1].value == (2 / 4 + 1 / 4) / 2
    assert overall.pass_at[4].value == 1.0


def test_pass_at_k_needs_k_solutions() -> None:
    """A problem with fewer than k solutions defines no pass@k and is counted as undefined."""
    metric = report_round([trial("P", "F")], 0).sources[OVERALL].pass_at[8]
    assert math.isnan(metric.value)
    assert (metric.n, metric.n_undefined) == (1, 1)


@given(st.lists(st.sampled_from("PF"), min_size=4, max_size=9))
def test_pass_at_four_counts_all_draws(column: list[str]) -> None:
    """pass@4 is the share of all draws of four that hold a right solution."""
    draws = list(combinations(column, 4))
    expected = sum("P" in draw for draw in draws) / len(draws)
    metric = report_round([trial(*column)], 0).sources[OVERALL].pass_at[4]
    assert metric.value == pytest.approx(expected)


def test_undetermined_solutions_leave_pass_at_k() -> None:
    """A solution that misses an outcome and fails none is neither right nor wrong."""
    overall = report_round([trial("PP", "PI", "PF", "IF")], 0).sources[OVERALL]
    assert overall.pass_at[1].value == pytest.approx(1 / 3)
    assert overall.missing_cells == 2


def test_the_reference_is_no_candidate() -> None:
    """The reference solution is not in the pool of pass@k, and no model of its own."""
    overall = report_round([trial("PP", "FP", sources=("reference", "m"))], 0).sources[OVERALL]
    assert overall.pass_at[1].value == 0.0
    assert list(overall.models) == ["m"]


def test_pass_at_k_by_model() -> None:
    """Each model's solutions have their own pass@k."""
    overall = report_round([trial("P", "F", "P", sources=("a", "a", "b"))], 0).sources[OVERALL]
    assert {name: values[1].value for name, values in overall.models.items()} == {"a": 0.5, "b": 1.0}


def test_tests_that_fail_the_reference() -> None:
    """The share of wrong tests is over those that the reference has an outcome for."""
    overall = report_round([trial("PFI", "PPP", sources=("reference", "m"))], 0).sources[OVERALL]
    assert overall.fails_reference == 0.5
    assert math.isnan(report_round([trial("PF")], 0).sources[OVERALL].fails_reference)


def test_generated_against_retained() -> None:
    """Per method the new tests are counted before the filter and after it; old tests are not."""
    subject = written(trial("PPPF", "PFPF", "PFFF"), "", "adversarial", "adversarial", "discriminative")
    methods = report_round([subject], 1, LOOSE).sources[OVERALL].methods
    assert (methods["adversarial"].generated, methods["adversarial"].retained) == (2, 2)
    assert (methods["discriminative"].generated, methods["discriminative"].retained) == (1, 0)
    assert methods["discriminative"].share == 0.0
    assert set(methods) == {"adversarial", "discriminative"}


def test_a_dropped_problem_counts_as_generated_only() -> None:
    """The new tests of a problem that the filter drops were generated and not retained."""
    subject = written(trial("P", "F"), "adversarial")
    overall = report_round([subject], 1, Rules()).sources[OVERALL]
    assert (overall.problems, overall.problems_before, overall.tests) == (0, 1, 0)
    assert (overall.methods["adversarial"].generated, overall.methods["adversarial"].retained) == (1, 0)


def test_diversity_by_hand() -> None:
    """Three tests with two pass vectors, four solutions with three: 2/3 and 3/4."""
    overall = report_round([trial("PPP", "PPF", "FFF", "PPP")], 0).sources[OVERALL]
    assert overall.test_diversity.value == pytest.approx(2 / 3)
    assert overall.solution_diversity.value == pytest.approx(3 / 4)


def test_sources_are_reported_apart() -> None:
    """Problems that name their source are counted there and overall."""
    trials = [
        trial("P", task_id="a", source="TACO"),
        trial("PF", task_id="b", source="APPS"),
        trial("P", task_id="c"),
    ]
    sources = report_round(trials, 0).sources
    assert {name: (s.problems, s.tests) for name, s in sources.items()} == {
        OVERALL: (3, 4),
        "TACO": (1, 1),
        "APPS": (1, 2),
    }


def test_rounds_are_reported_by_source() -> None:
    """Each source has its own numbers, and all problems have theirs."""
    rounds = [
        report_round([trial("P", "F", source="taco")], 0),
        report_round([trial("PF", "FF", source="taco"), trial("PPP", "FFF", source="apps")], 1),
    ]
    found = {
        (one.round, name): (source.problems, source.tests_per_problem, source.pass_at[1].value)
        for one in rounds
        for name, source in one.sources.items()
    }
    assert found == {
        (0, "overall"): (1, 1.0, 0.5),
        (0, "taco"): (1, 1.0, 0.5),
        (1, "overall"): (2, 2.5, 0.25),
        (1, "taco"): (1, 2.0, 0.0),
        (1, "apps"): (1, 3.0, 0.5),
    }


def test_diversity_counts_pass_vectors() -> None:
    """Three tests of which two are alike have two vectors; three solutions of which two are alike too."""
    overall = report_round([trial("PPF", "PPF", "FFP")], 0).sources[OVERALL]
    assert overall.vectors.value == 2
    assert overall.test_diversity.value == pytest.approx(2 / 3)
    assert overall.solution_diversity.value == pytest.approx(2 / 3)


def test_mutants_are_one_source_of_solutions() -> None:
    """What was changed in a mutant makes it no other model, and a model's name may hold a colon."""
    models = ("mutant: line 1", "mutant: line 2", "llama:8b", "reference")
    pool = trial("P", "F", "P", "P", sources=models)
    assert {name: k[1].value for name, k in report_round([pool], 0).sources[OVERALL].models.items()} == {
        "mutant": 0.5,
        "llama:8b": 1.0,
    }


def test_no_problems_at_all() -> None:
    """A round without problems has counts of zero and undefined means."""
    overall = report_round([], 0).sources[OVERALL]
    assert overall.problems == 0
    assert math.isnan(overall.tests_per_problem)
    assert math.isnan(overall.pass_at[1].value)


def test_dropped_problems_are_counted_by_reason_and_told() -> None:
    """The counts and the problems that stay add up to those that went in."""
    trials = [
        trial("PP", "PF", task_id="few"),
        trial("P" * 6, "F" * 6, task_id="easy"),
        trial("PFPFPF", "FPFPFP"),
    ]
    rules = Rules(per_pattern=None, min_pass=0, max_perfect=0)
    overall = report_round(trials, 2, rules).sources[OVERALL]
    assert overall.dropped == {"too_few_tests": 1, "too_many_perfect": 1}
    assert overall.problems + sum(overall.dropped.values()) == overall.problems_before == 3
    assert dropped_note(2, overall.dropped, 3) == (
        "Round 2: the filter drops 2 of 3 problems: "
        "1 with too few tests left, 1 with too many perfect solutions."
    )
    assert dropped_note(0, {"too_few_tests": 4}, 4).startswith("Round 0: the filter drops all 4 problems")
    assert dropped_note(0, {}, 4) == ""
