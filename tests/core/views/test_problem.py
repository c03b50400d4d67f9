"""One problem under one or several verifiers."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from core.model import Assertion, Outcome, PassMatrix, Problem, Solution, TestSuite
from core.views.catalog import BenchmarkEntry
from core.views.problem import ProblemView, cell, open_problem, ranking
from core.views.why import explain, telling_cell


def _opened(benchmark: BenchmarkEntry, name: str, task_id: str) -> ProblemView:
    run = next(run for run in benchmark.runs if run.name == name)
    return open_problem(run.name, run.label, run.folder, task_id)


def _made(benchmark: BenchmarkEntry, *rows: str) -> ProblemView:
    """A view with these outcomes: solutions in reference order, scores as a suite gives them."""
    outcomes = np.array([[Outcome.from_letter(letter) for letter in row] for row in rows], np.uint8)
    known = [[letter for letter in row if letter != "I"] for row in rows]
    scores = tuple(row.count("P") / len(row) if row else None for row in known)
    solutions = tuple(
        Solution(f"s{place}", "", reference_score=1 - place / 4, reference_rank=place + 1.0)
        for place in range(len(rows))
    )
    seconds = np.zeros(outcomes.shape, np.float32)
    return dataclasses.replace(
        _opened(benchmark, "smoke-1", "Tiny/0"),
        problem=Problem("T/0", ""),
        solutions=solutions,
        suite=TestSuite("T/0", tuple(Assertion("assert f()") for _ in rows[0])),
        matrix=PassMatrix("T/0", tuple(s.id for s in solutions), outcomes, seconds),
        scores=scores,
    )


WRONG = "1 of 3 tests fails the reference solution"
SHARED = "s0, the reference best, shares the top score 0.67 with 1 worse solution"
TIED = "it would share the first rank with 1 other."


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (("PP", "PF"), "Ranked right: s0 is the best of both the verifier and the reference."),
        (("PP", "PP"), "No signal: all 2 solutions get the score 1.00."),
        (("PFP", "PPF"), f"No signal: all 2 solutions get the score 0.67; {WRONG} (test 2)."),
        (
            ("FPP", "PPF", "FFF"),
            f"{SHARED}: they fail equally many tests, but not the same (tests 1, 3); {WRONG} (test 1).",
        ),
        (
            ("PPF", "FPF", "FFF"),
            f"Ranked right: s0 is the best of both the verifier and the reference; {WRONG} (test 3).",
        ),
        (("PPF", "PPF", "FFF"), f"{SHARED}: no test tells them apart; {WRONG} (test 3)."),
        (("PP", "PP", "FF"), "s0, the reference best, shares the top score 1.00 with 1 worse solution"),
        (
            ("PFPF", "PPPF", "FPPF"),
            f"2 of 4 tests fail the reference solution (tests 2, 4); without them {TIED}",
        ),
        (("PF", "PP", "FF"), f"1 of 2 tests fails the reference solution (test 2); without it {TIED}"),
        (("PPFP", "PFPP", "PPPP"), f"1 of 4 tests fails the reference solution (test 3); without it {TIED}"),
        (("PF", "FP", "PP"), f"1 of 2 tests fails the reference solution (test 2); without it {TIED}"),
        (("FF", "PP"), "All 2 tests fail a solution that is known to be right."),
        (("II", "PP"), "Fewer than two solutions have a score and a reference rank"),
    ],
)
def test_one_sentence_says_why(benchmark: BenchmarkEntry, rows: tuple[str, ...], sentence: str) -> None:
    """The sentence follows from the matrix."""
    assert explain(_made(benchmark, *rows)).startswith(sentence)


def test_without_a_right_solution_the_sentence_names_the_tests(benchmark: BenchmarkEntry) -> None:
    """Where the best solution is not known to be right, the tests that put another above it are named."""
    view = _made(benchmark, "PFF", "PPP")
    worse = tuple(dataclasses.replace(s, reference_score=s.reference_score / 2) for s in view.solutions)  # type: ignore[operator]
    assert explain(dataclasses.replace(view, solutions=worse)) == (
        "The verifier puts s1 (reference score 0.38) above s0: "
        "it passes 2 tests that the other fails (tests 2, 3)."
    )


def test_a_reward_model_is_explained_by_its_scores(benchmark: BenchmarkEntry) -> None:
    """Without a matrix the sentence gives both scores."""
    sentence = explain(_opened(benchmark, "reward-model", "Tiny/0"))
    assert sentence == (
        "The verifier puts sample-5 (reference score 0.00) above reference: score 8.00 against 3.00."
    )


def test_a_cell_tells_what_happened(benchmark: BenchmarkEntry) -> None:
    """A cell has its test, outcome, both values, output and the line that failed."""
    view = _opened(benchmark, "careless-1", "Tiny/1")
    failed = cell(view, "reference", 2)
    assert failed is not None
    assert failed.style.letter == "F"
    assert failed.test == "assert largest([1, 2, 3, 4]) == 11"
    assert (failed.actual, failed.expected) == ("10", "11")
    crashed = cell(view, "sample-5", 0)
    assert crashed is not None
    assert (crashed.line, crashed.stdout) == (3, "starting\n" * 3)


def test_a_cell_that_passed_has_no_details(benchmark: BenchmarkEntry) -> None:
    """A cell without a row of details is shown with what the matrix knows."""
    passed = cell(_opened(benchmark, "careless-1", "Tiny/1"), "sample-1", 0)
    assert passed is not None
    assert (passed.style.letter, passed.message, passed.line) == ("P", "", None)
    assert passed.seconds == pytest.approx(0.012)


@pytest.mark.parametrize(("solution", "test"), [("nobody", 0), ("reference", 99), ("reference", -1)])
def test_an_unknown_cell_is_none(benchmark: BenchmarkEntry, solution: str, test: int) -> None:
    """A link to a cell that is not there leads to no cell."""
    assert cell(_opened(benchmark, "careless-1", "Tiny/1"), solution, test) is None


def test_the_cell_to_look_at_first_is_an_invalid_test(benchmark: BenchmarkEntry) -> None:
    """A test that fails the reference solution comes first; else the first failure in reference order."""
    assert telling_cell(_opened(benchmark, "careless-1", "Tiny/1")) == ("reference", 2)
    assert telling_cell(_opened(benchmark, "oracle-1", "Tiny/0")) == ("sample-1", 7)
    assert telling_cell(_opened(benchmark, "smoke-1", "Tiny/2")) is None


@pytest.mark.parametrize(
    ("rows", "cell_of"),
    [
        (("PPF", "PPF", "FFF"), ("s0", 2)),
        (("PPP", "PPP", "FPP"), ("s1", 0)),
        (("PPP", "PPP", "PFP", "FFP"), ("s1", 1)),
        (("PPP", "PPP"), None),
    ],
)
def test_a_tie_is_shown_at_the_hardest_test_that_the_worse_one_passes(
    benchmark: BenchmarkEntry, rows: tuple[str, ...], cell_of: tuple[str, int] | None
) -> None:
    """A wrong test comes before it; without any failure no cell is selected."""
    assert telling_cell(_made(benchmark, *rows)) == cell_of


def test_a_worse_one_in_front_is_shown_at_the_best_ones_failure(benchmark: BenchmarkEntry) -> None:
    """Where no solution is known to be right: the test that the best one fails and the chosen one passes."""
    view = _made(benchmark, "FPFF", "FPPP", "FFFF")
    worse = tuple(dataclasses.replace(s, reference_score=s.reference_score / 2) for s in view.solutions)  # type: ignore[operator]
    assert telling_cell(dataclasses.replace(view, solutions=worse)) == ("s0", 2)


def test_ranking_lines_hold_every_verifier(benchmark: BenchmarkEntry) -> None:
    """The reference stands first, then each verifier; ranks belong to the same solutions."""
    view = ranking([_opened(benchmark, name, "Tiny/1") for name in ("careless-1", "smoke-1")])
    assert [column.label for column in view.columns] == ["reference", "model-a tests", "smoke"]
    assert view.columns[0].ranks == (1, 2, 3, 4, 5, 6)
    assert view.columns[1].ranks == (2.5, 1, 2.5, 4, 5.5, 5.5)


def test_an_unknown_problem_is_a_key_error(benchmark: BenchmarkEntry) -> None:
    """A run has no view of a problem that it does not hold."""
    with pytest.raises(KeyError):
        _opened(benchmark, "smoke-1", "Tiny/99")
