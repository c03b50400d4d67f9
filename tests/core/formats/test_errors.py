"""Errors of many rows, told once for each reason."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from core.formats.errors import RowError, by_reason


def unknown(line: int, task_id: str) -> RowError:
    """A row about a task that the benchmark has not."""
    return RowError("t.jsonl", line, "task_id", f"expected a task of the benchmark, {task_id!r} is not in it")


def test_rows_with_one_reason_are_told_once_with_the_first() -> None:
    """What names the row (quoted text, numbers, an item's place) makes no reason of its own."""
    errors = [
        unknown(1, "Nope/1"),
        RowError("t.jsonl", 2, "tests[0]", "expected text, found a number 3"),
        unknown(3, "it's"),
        RowError("t.jsonl", 4, "tests[12]", "expected text, found a number 4,000.5"),
        unknown(9, "Nope/2"),
    ]
    first, second = map(str, by_reason(errors))
    assert first == (
        "t.jsonl:1: task_id: expected a task of the benchmark, 'Nope/1' is not in it "
        "(and 2 more like it, to line 9)"
    )
    assert second == "t.jsonl:2: tests[0]: expected text, found a number 3 (and 1 more like it, to line 4)"


def test_other_fields_and_other_words_are_other_reasons() -> None:
    """A reason that one row has is told as the row's error, unchanged."""
    errors = [
        RowError("t.jsonl", 1, "task_id", "expected text, the key is missing"),
        RowError("t.jsonl", 2, "tests", "expected text, the key is missing"),
        RowError("t.jsonl", 3, "tests", "expected a list, the key is missing"),
    ]
    assert [str(reason) for reason in by_reason(errors)] == [str(error) for error in errors]


@given(st.lists(st.tuples(st.integers(1, 99), st.sampled_from("abc"), st.sampled_from(["x 1", "x 2", "y"]))))
def test_no_row_is_lost_by_grouping(rows: list[tuple[int, str, str]]) -> None:
    """However rows fall into reasons, as many are counted as there are."""
    errors = [RowError("f", line, field, message) for line, field, message in rows]
    reasons = by_reason(errors)
    assert sum(1 + reason.more for reason in reasons) == len(errors)
    assert len(reasons) == len({(error.field, error.message[0]) for error in errors})
