"""Finding the format, and what holds for every format."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.formats import FormatError, RowError, load
from tests.core.formats.helpers import ADD, jsonl


def test_empty_file_is_refused() -> None:
    """An empty file says so."""
    with pytest.raises(FormatError, match="empty"):
        load(b"\n \n")


def test_unknown_format_names_its_keys_and_the_known_formats() -> None:
    """Who sees the message can tell what was expected."""
    with pytest.raises(FormatError, match=r"flavour, vendor(.|\n)*touchstone-tests: task_id") as raised:
        load(jsonl({"vendor": 1, "flavour": 2}))
    assert "scoring-verifiers-flat" in str(raised.value)


def test_text_that_is_no_json_is_refused_with_its_first_error() -> None:
    """A file of prose is refused as a whole."""
    with pytest.raises(FormatError, match="no row is a JSON object; line 1"):
        load(b"hello\nworld\n")


def test_unexpected_format_is_refused() -> None:
    """`expect` takes the name of a format or a kind of content."""
    content = jsonl({"task_id": "a", "test": "assert f(1)"})
    assert load(content, expect="suites").format == load(content, expect="touchstone-tests").format
    with pytest.raises(FormatError, match="expected benchmark, found touchstone-tests"):
        load(content, expect="benchmark")


def test_problems_in_place_of_a_benchmark_are_told_to_be_built() -> None:
    """The message names the command that makes a benchmark of them."""
    row = {
        "text": "Square.",
        "code": "def f(a):\n    return a * a",
        "task_id": 1,
        "test_list": ["assert f(2) == 4"],
    }
    with pytest.raises(FormatError, match="core build"):
        load(jsonl(row), expect="benchmark")


def test_format_is_that_of_most_rows() -> None:
    """A strange first row doesn't decide what a file is."""
    loaded = load(jsonl({"odd": 1}, ADD, {**ADD, "task_id": "Own/2"}))
    assert loaded.format == "human-eval-problems"
    assert [error.line for error in loaded.errors] == [1]


def test_no_row_is_lost_in_a_long_file() -> None:
    """Every row of a file longer than what the format is decided on is loaded."""
    loaded = load(jsonl(*({"task_id": f"t{i}", "tests": ["assert f(1)"]} for i in range(173))))
    assert loaded.rows == loaded.valid == len(loaded.suites) == 173


def test_bad_rows_are_reported_and_good_rows_load() -> None:
    """Errors come in the order of the file and name file, line and field."""
    content = jsonl(ADD, {**ADD, "task_id": 7}, "{", {**ADD, "task_id": "Own/4", "prompt": None})
    loaded = load(io.BytesIO(content), name="mine")
    assert [problem.task_id for problem in loaded.problems] == ["Own/1"]
    assert [(e.line, e.field) for e in loaded.errors] == [(2, "task_id"), (3, ""), (4, "prompt")]
    assert str(loaded.errors[0]) == "mine:2: task_id: expected text, found a number 7"
    assert (loaded.rows, loaded.valid) == (4, 1)


def test_row_error_without_a_field_names_the_row() -> None:
    """A row that can't be read at all has no field."""
    assert str(RowError("f", 3, "", "expected JSON")) == "f:3: expected JSON"


def test_nan_where_it_means_nothing_is_an_error_of_its_field() -> None:
    """NaN tokens are reported, not loaded."""
    row = json.dumps({**ADD, "task_id": "Own/2", "weight": float("nan")})
    loaded = load(jsonl(ADD, row))
    assert [(e.line, e.field) for e in loaded.errors] == [(2, "weight")]
    assert len(loaded.problems) == 1


def test_repeated_task_is_an_error() -> None:
    """The first of two rows with the same task_id counts, the second is reported."""
    loaded = load(jsonl(ADD, ADD))
    assert len(loaded.problems) == 1
    assert "came before" in loaded.errors[0].message


def test_keys_of_an_unknown_format_are_named_up_to_a_number() -> None:
    """An object by task has a key for each: the message stays readable."""
    source = json.dumps({f"T/{i}": [] for i in range(100)}).encode()
    with pytest.raises(FormatError, match=r"T/0, .* and 80 more"):
        load(source)


def test_rows_one_level_down_are_pointed_at() -> None:
    """A file that wraps its rows into an object is told which list holds them."""
    source = json.dumps({"n": 1, "data": [{"task_id": "T", "tests": ["assert f() == 1"]}]}).encode()
    with pytest.raises(FormatError, match="the list under 'data'"):
        load(source)


def test_an_empty_cell_of_a_table_is_a_missing_key(tmp_path: Path) -> None:
    """Parquet can't leave a key out: rows that differ in their keys have nulls there."""
    rows = [{"task_id": "T", "tests": ["assert f() == 1"]}, {"task_id": "U", "test": "assert f() == 2"}]
    pq.write_table(
        pa.Table.from_pylist([{"tests": None, "test": None} | row for row in rows]), tmp_path / "t"
    )
    loaded = load(tmp_path / "t")
    assert (loaded.errors, [suite.task_id for suite in loaded.suites]) == ((), ["T", "U"])
