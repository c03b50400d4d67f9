"""The pass matrix as it is shown."""

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.model import Outcome, PassMatrix, Solution
from core.views.pass_matrix import (
    Codes,
    ColumnOrder,
    MatrixView,
    RowOrder,
    arrange,
    identical_columns,
    invalid_tests,
    pack,
    useless_tests,
)

codes = arrays(np.uint8, st.tuples(st.integers(1, 7), st.integers(1, 9)), elements=st.integers(0, 7))


def _matrix_of(*rows: str) -> Codes:
    return np.array([[Outcome.from_letter(letter) for letter in row] for row in rows], dtype=np.uint8)


def _solutions_of(count: int) -> list[Solution]:
    return [Solution(f"s{row}", "", reference_score=1 - row / count) for row in range(count)]


def _view_of(outcomes: Codes, **options: object) -> MatrixView:
    count, tests = outcomes.shape
    solutions = _solutions_of(count)
    scores = [float(np.mean(row == Outcome.PASSED)) if row.size else None for row in outcomes]
    matrix = PassMatrix("T/1", tuple(s.id for s in solutions), outcomes, np.zeros(outcomes.shape, np.float32))
    sources = [f"assert f({test})" for test in range(tests)]
    return arrange(matrix, solutions, scores, sources, score_name="mine", **options)  # type: ignore[arg-type]


@given(codes, st.sampled_from(RowOrder), st.sampled_from(ColumnOrder))
def test_every_order_shows_the_same_cells(outcomes: Codes, rows: RowOrder, columns: ColumnOrder) -> None:
    """Sorting moves rows and columns and changes no cell."""
    view = _view_of(outcomes, rows=rows, columns=columns)
    down = [int(row.id[1:]) for row in view.rows]
    across = [column.tests[0] for column in view.columns]
    assert sorted(down) == list(range(outcomes.shape[0]))
    assert sorted(across) == list(range(outcomes.shape[1]))
    np.testing.assert_array_equal(view.outcomes, outcomes[np.ix_(down, across)])


@given(codes)
def test_folding_keeps_every_test_once(outcomes: Codes) -> None:
    """Folded columns name all of their tests, and every test of a group has the group's outcomes."""
    view = _view_of(outcomes, fold=True)
    assert sorted(test for column in view.columns for test in column.tests) == list(range(outcomes.shape[1]))
    for place, column in enumerate(view.columns):
        for test in column.tests:
            np.testing.assert_array_equal(view.outcomes[:, place], outcomes[:, test])


@given(codes)
def test_similar_columns_stand_together(outcomes: Codes) -> None:
    """Sorted by similarity, identical columns are neighbours."""
    view = _view_of(outcomes, columns=ColumnOrder.SIMILARITY)
    place = {column.tests[0]: at for at, column in enumerate(view.columns)}
    for group in identical_columns(outcomes):
        places = sorted(place[test] for test in group)
        assert places == list(range(places[0], places[0] + len(group)))


@given(codes)
def test_packing_can_be_read_back(outcomes: Codes) -> None:
    """The bytes hold the length of the header, the header, and one code per cell in row order."""
    view = _view_of(outcomes)
    packed = pack(view, ("s0", 0))
    (length,) = struct.unpack_from("<I", packed)
    header = json.loads(packed[4 : 4 + length])
    assert header["selected"] == ["s0", 0]
    assert [row["id"] for row in header["rows"]] == [row.id for row in view.rows]
    assert sum(outcome["count"] for outcome in header["outcomes"]) == outcomes.size
    assert packed[4 + length :] == view.outcomes.tobytes()


def test_cells_judged_in_process_are_marked_in_their_order() -> None:
    """The highest bit marks them, wherever sorting and folding put them; the outcome stays readable."""
    outcomes = _matrix_of("PFP", "PPP")
    marks = np.array([[True, False, True], [False, False, False]])
    view = _view_of(outcomes, rows=RowOrder.SCORE, fold=True, in_process=marks)
    assert [row.id for row in view.rows] == ["s1", "s0"]
    assert view.in_process is not None
    assert view.in_process.tolist() == [[False, False], [True, False]]
    cells = np.frombuffer(pack(view, None)[-4:], np.uint8)
    assert (cells & 0x7F).tolist() == view.outcomes.ravel().tolist()
    assert (cells >> 7).tolist() == [0, 0, 1, 0]


def test_tests_that_fail_a_right_solution_are_invalid() -> None:
    """A test is invalid when a solution of reference score 1.0 fails it; a missing verdict says nothing."""
    outcomes = _matrix_of("PFTI", "FPPP")
    solutions = [Solution("a", "", reference_score=1.0), Solution("b", "", reference_score=0.5)]
    assert invalid_tests(outcomes, solutions).tolist() == [False, True, True, False]


def test_without_a_right_solution_no_test_is_called_invalid() -> None:
    """Where no solution is known to be right, nothing is known of a test's validity."""
    assert not invalid_tests(_matrix_of("FF"), [Solution("a", "", reference_score=0.9)]).any()


def test_tests_that_separate_nothing_are_useless() -> None:
    """All pass, or none does, missing verdicts left out."""
    outcomes = _matrix_of("PFPII", "PEFPI")
    assert useless_tests(outcomes).tolist() == [True, True, False, True, True]


def test_rows_sort_by_score_with_unscored_solutions_last() -> None:
    """The verifier's best stands first; a solution without a score stands last."""
    outcomes = _matrix_of("PF", "PP", "II")
    matrix = PassMatrix("T/1", ("s0", "s1", "s2"), outcomes, np.zeros((3, 2), np.float32))
    view = arrange(
        matrix, _solutions_of(3), [0.5, 1.0, None], ["a", "b"], score_name="mine", rows=RowOrder.SCORE
    )
    assert [row.id for row in view.rows] == ["s1", "s0", "s2"]
    assert view.rows[2].score is None


def test_columns_sort_by_pass_rate_with_unknown_ones_last() -> None:
    """The easiest test stands first; one without any verdict stands last and has no rate."""
    view = _view_of(_matrix_of("IFP", "IPP"), columns=ColumnOrder.RATE)
    assert [column.tests[0] for column in view.columns] == [2, 1, 0]
    assert [column.pass_rate for column in view.columns] == [1.0, 0.5, None]


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 4)])
def test_empty_matrices_are_shown_empty(shape: tuple[int, int]) -> None:
    """A problem without solutions or without tests gives an empty view, not an error."""
    view = _view_of(np.zeros(shape, np.uint8), rows=RowOrder.SIMILARITY, columns=ColumnOrder.SIMILARITY)
    assert (len(view.rows), len(view.columns)) == shape
