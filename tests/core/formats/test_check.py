"""The check of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.formats import FormatError, report
from core.model import Problem
from tests.core.formats.helpers import ADD, jsonl


def test_report_has_the_agreed_shape() -> None:
    """Other programs rely on these keys."""
    found = report(jsonl({"task_id": "a", "test": "assert f(1)"}, {"task_id": 3, "test": "assert f(1)"}))
    assert found.to_json() == {
        "format": "touchstone-tests",
        "rows": 2,
        "valid": 1,
        "errors": [{"line": 2, "field": "task_id", "message": "expected text, found a number 3"}],
    }


def test_unknown_tasks_are_errors_and_missing_ones_warnings(tmp_path: Path) -> None:
    """With a benchmark the task_ids are compared, whether it is given as a file or as problems."""
    content = jsonl(
        {"task_id": "Own/1", "test": "assert add(1, 2)"}, {"task_id": "Own/9", "test": "assert add(1, 2)"}
    )
    path = tmp_path / "b.jsonl"
    path.write_bytes(jsonl(ADD, {**ADD, "task_id": "Own/2"}))
    for benchmark in (path, [Problem("Own/1", ""), Problem("Own/2", "")]):
        found = report(content, benchmark)
        assert [(error.line, error.field) for error in found.errors] == [(2, "task_id")]
        assert [warning.message for warning in found.warnings] == ["nothing for 1 of 2 problems: Own/2"]
        assert found.valid == 1


def test_scores_of_no_task_of_the_benchmark_are_of_no_use() -> None:
    """A file of scores for another benchmark is refused before a run of it starts, row by row."""
    row = {"dataset": "mine", "rank": 1, "ground_average_test_score": 1.0, "average_test_score": 0.5}
    other, own = ({**row, "task_id": task_id, "output": "pass"} for task_id in ("Other/1", "Own/1"))
    found = report(jsonl(other), [Problem("Own/1", "")])
    assert not found.usable
    assert [(error.line, error.field) for error in found.errors] == [(1, "task_id")]
    assert found.errors[0].message == "expected a task of the benchmark, 'Other/1' is not in it"
    mixed = report(jsonl(other, own), [Problem("Own/1", "")])
    assert mixed.usable
    assert (mixed.valid, mixed.rows) == (1, 2)
    assert report(jsonl(other)).valid == 1


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('{"task_id": "a", "test": "assert f(1)"},', "without a comma after it"),
        ({"task_id": "a", "tests": "assert f(1)\nassert f(2)"}, "what holds several goes under `response`"),
        ({"task_id": "a", "tests": ["```python\nassert f(1)\n```"]}, "with fences goes under `response`"),
    ],
)
def test_what_people_often_get_wrong_is_named_with_the_way_out(row: object, said: str) -> None:
    """A comma after an object, several tests in one text and fences are said to be just that."""
    found = report(jsonl({"task_id": "b", "test": "assert f(1)"}, row))
    assert [error.line for error in found.errors] == [2]
    assert found.errors[0].message.endswith(said)


def test_several_assertions_in_one_test_are_said_to_pass_or_fail_together() -> None:
    """A note says it of a text under `test` with more than one assertion, and of no other."""
    rows = ["assert f(1)\nassert f(2)", "x = 1\nassert f(x)", "for x in (1, 2):\n    assert f(x)"]
    found = report(jsonl(*({"task_id": str(at), "test": row} for at, row in enumerate(rows))))
    assert [(warning.line, warning.field) for warning in found.warnings] == [(1, "test")]
    assert "passed or failed together" in found.warnings[0].message
    assert found.valid == 3


def test_an_unreadable_file_is_an_error_of_its_own() -> None:
    """A file that is of no format has no report."""
    with pytest.raises(FormatError):
        report(b"[]")


def test_a_row_with_a_bad_test_is_used_in_part() -> None:
    """It has an error and counts as partial; a row of bad tests alone does not, nor a row without one."""
    rows = [
        {"task_id": "a", "tests": ["assert f(1)", "assert ("]},
        {"task_id": "b", "tests": ["assert ("]},
        {"task_id": "c", "tests": ["assert f(1)"]},
    ]
    found = report(jsonl(*rows))
    assert (found.rows, found.valid, found.partial, found.usable) == (3, 1, 1, True)


def test_a_file_of_empty_suites_has_nothing_to_use() -> None:
    """An empty list of tests is no error, but it is said, and nothing can be run."""
    found = report(jsonl({"task_id": "a", "tests": []}))
    assert (found.valid, found.usable) == (1, False)
    assert [warning.message for warning in found.warnings] == ["an empty list: a has no test"]
