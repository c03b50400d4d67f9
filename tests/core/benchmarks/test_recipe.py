"""The recipe of Scoring-Verifiers v2, section 2.2."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmarks.recipe import Candidate, Reason, select, targets
from core.model import Outcome, Solution

TESTS = 20


def candidate(name: str, letters: str, seconds: float = 0.01) -> Candidate:
    """A candidate with these outcomes."""
    return Candidate(Solution(name, "pass"), tuple(Outcome.from_letter(c) for c in letters), seconds)


def scored(name: str, passed: int, seconds: float = 0.01, total: int = TESTS) -> Candidate:
    """A candidate that passes so many tests and fails the others."""
    return candidate(name, "P" * passed + "F" * (total - passed), seconds)


REFERENCE = scored("reference", TESTS)


def chosen_scores(candidates: Sequence[Candidate], k: int = 5) -> list[float]:
    """Scores of what the recipe chooses."""
    return [one.candidate.score for one in select(REFERENCE, candidates, k).selected]


def test_the_papers_example() -> None:
    """With m = 0 and k = 5 the targets are the paper's quantiles, and solutions at them are chosen."""
    assert sorted((*targets(20, 5, 0.0), 1.0)) == [0, 0.25, 0.5, 0.75, 1]
    everything = [scored(f"s{n}", n) for n in range(TESTS) if n != 1]
    assert chosen_scores(everything) == [1, 0.75, 0.5, 0.25, 0]


def test_a_faint_score_is_preferred_to_zero_as_the_lowest() -> None:
    """A score between 0 and 0.1 is m even where a solution scores 0."""
    assert chosen_scores([scored("zero", 0), scored("faint", 1), scored("half", 10)], k=3) == [1, 0.5, 0.05]


def test_the_smallest_of_the_faint_scores_is_the_lowest() -> None:
    """The lowest is the minimum of the scores strictly between 0 and 0.1."""
    many = [scored("a", 9, total=100), scored("b", 2, total=100), scored("c", 0, total=100)]
    selection = select(scored("reference", 100, total=100), many, k=2)
    assert [one.candidate.solution.id for one in selection.selected] == ["reference", "b"]


def test_a_tenth_is_not_faint() -> None:
    """The bound 0.1 itself does not count as a faint score."""
    assert chosen_scores([scored("zero", 0), scored("tenth", 2)], k=2) == [1, 0]


def test_fewer_scores_than_wanted_are_all_taken() -> None:
    """With n < k - 1 every distinct score is chosen."""
    assert chosen_scores([scored("a", 19), scored("b", 18)], k=5) == [1, 0.95, 0.9]


def test_the_fastest_of_a_score_stays() -> None:
    """A clearly faster solution replaces one of the same score."""
    selection = select(REFERENCE, [scored("slow", 5, 0.9), scored("fast", 5, 0.2)])
    assert [one.candidate.solution.id for one in selection.selected] == ["reference", "fast"]
    assert [(d.solution_id, d.reason) for d in selection.dropped] == [("slow", Reason.SAME_SCORE)]


def test_noise_in_time_does_not_change_the_choice() -> None:
    """Between times that differ by less than a step the first candidate stays."""
    selection = select(REFERENCE, [scored("first", 5, 0.020), scored("second", 5, 0.010)])
    assert selection.selected[1].candidate.solution.id == "first"


@pytest.mark.parametrize("letter", list("ETMOC"))
def test_solutions_that_only_err_are_dropped(letter: str) -> None:
    """A solution whose every test ended in a non-assertion error is left out and reported."""
    selection = select(REFERENCE, [candidate("broken", letter * TESTS)])
    assert len(selection.selected) == 1
    assert [(d.solution_id, d.reason) for d in selection.dropped] == [("broken", Reason.ONLY_ERRORS)]


def test_one_false_assertion_among_errors_keeps_a_solution() -> None:
    """A score of zero stays if a single assertion was reached and failed."""
    assert chosen_scores([candidate("wrong", "E" * (TESTS - 1) + "F")]) == [1, 0]


def test_missing_data_is_no_score() -> None:
    """A solution with a test that could not be judged is left out, not counted as failing."""
    selection = select(REFERENCE, [candidate("unknown", "P" * 10 + "I" * 10)])
    assert [(d.solution_id, d.reason) for d in selection.dropped] == [("unknown", Reason.MISSING_DATA)]


def test_only_the_reference_stands_at_one() -> None:
    """Another solution that passes everything never takes the reference's place, however fast."""
    selection = select(scored("reference", TESTS, 2.0), [scored("twin", TESTS, 0.0)])
    assert [one.candidate.solution.id for one in selection.selected] == ["reference"]
    assert selection.dropped[0].reason is Reason.REFERENCE_SCORE


def test_a_reference_that_fails_is_refused() -> None:
    """The recipe does not rank against a reference solution that is wrong."""
    with pytest.raises(ValueError, match="fails a reference test"):
        select(scored("reference", 19), [])


def test_k_below_one_is_refused() -> None:
    """A benchmark without solutions is no benchmark."""
    with pytest.raises(ValueError, match="at least 1"):
        select(REFERENCE, [], k=0)


rows = st.lists(st.text("PFET", min_size=TESTS, max_size=TESTS), max_size=12)


@given(rows=rows, k=st.integers(1, 8))
def test_selection_properties(rows: list[str], k: int) -> None:
    """Reference first, scores distinct and falling, size min(k, n + 1), m included, nothing unexplained."""
    candidates = [candidate(f"s{n}", row) for n, row in enumerate(rows)]
    selection = select(REFERENCE, candidates, k)
    scores = [one.candidate.score for one in selection.selected]
    usable = {c.score for c in candidates if any(not o.is_non_assertion_error for o in c.outcomes)} - {1.0}
    assert selection.selected[0].candidate is REFERENCE
    assert scores == sorted(set(scores), reverse=True)
    assert len(scores) == min(k, len(usable) + 1)
    if usable and k > 1:
        lowest = min((s for s in usable if 0 < s < 0.1), default=min(usable))
        assert lowest in scores
    ids = {one.candidate.solution.id for one in selection.selected} | {
        d.solution_id for d in selection.dropped
    }
    assert ids == {"reference", *(c.solution.id for c in candidates)}
    assert len(selection.selected) + len(selection.dropped) == len(candidates) + 1
    assert selection == select(REFERENCE, candidates, k)
