"""Bytes to rows."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from core.formats import reader
from core.formats.errors import FormatError, RowError
from core.formats.reader import Row, read_rows
from tests.core.formats.helpers import jsonl

ROWS = [{"a": 1}, {"a": "zwei ü"}, {"a": [None, True]}]


def rows(content: bytes) -> list[Row | RowError]:
    """What is read of a file."""
    return list(read_rows(content, "f"))


def values(content: bytes) -> list[object]:
    """The good rows of a file."""
    return [row.data for row in rows(content) if isinstance(row, Row)]


def two_frames(content: bytes) -> bytes:
    """The content as two zstd frames."""
    half = len(content) // 2
    return zstandard.compress(content[:half]) + zstandard.compress(content[half:])


@pytest.mark.parametrize(
    "written",
    [
        jsonl(*ROWS),
        gzip.compress(jsonl(*ROWS)),
        gzip.compress(jsonl(ROWS[0])) + gzip.compress(jsonl(*ROWS[1:])),
        zstandard.compress(jsonl(*ROWS)),
        two_frames(jsonl(*ROWS)),
        b"\xef\xbb\xbf" + jsonl(*ROWS),
        jsonl(*ROWS).replace(b"\n", b"\r\n"),
        jsonl(*ROWS).replace(b"\n", b"\n\n  \n"),
        jsonl(*ROWS).rstrip(),
        json.dumps(ROWS).encode(),
        json.dumps(ROWS, indent=2, ensure_ascii=False).encode(),
        b"\xef\xbb\xbf\n" + json.dumps(ROWS, indent=1).encode() + b"\n\n",
        gzip.compress(json.dumps(ROWS, indent=2).encode()),
    ],
    ids=[
        "plain",
        "gz",
        "gz twice",
        "zst",
        "zst twice",
        "bom",
        "crlf",
        "blanks",
        "no end",
        "array",
        "pretty",
        "bom array",
        "gz array",
    ],
)
def test_same_rows_however_the_file_is_written(written: bytes) -> None:
    """Compression, line ends, blank lines and arrays make no difference to the rows."""
    assert values(written) == ROWS
    assert all(isinstance(row, Row) for row in rows(written))


def test_parquet_gives_the_same_rows() -> None:
    """A Parquet file is a list of rows too."""
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([{"a": 1, "b": ["x"]}, {"a": 2, "b": []}]), stream)
    assert values(stream.getvalue()) == [{"a": 1, "b": ["x"]}, {"a": 2, "b": []}]


def test_lines_count_from_one_and_include_blank_ones() -> None:
    """A row knows the line on which it stands in the file."""
    assert [row.line for row in rows(b'\n{"a": 1}\n\n{"a": 2}\n')] == [2, 4]


def test_lines_of_a_pretty_array_are_those_on_which_rows_start() -> None:
    """Rows of an array know their line in the file."""
    written = b'[\n  {\n    "a": 1\n  },\n\n  {\n    "a": 2\n  }\n]\n'
    assert [row.line for row in rows(written)] == [2, 6]


def test_single_document_over_many_lines_is_one_row() -> None:
    """A pretty-printed object is a file of one row."""
    assert values(json.dumps({"eval": {"x": [1]}}, indent=4).encode()) == [{"eval": {"x": [1]}}]


@pytest.mark.parametrize(
    ("line", "field", "message"),
    [
        ('{"a": 1', "", "expected JSON"),
        ('{"a": "b', "", "Unterminated string starting at column 7: the text does not end on this line"),
        ('{"a": "C:\\d"}', "", "in JSON a backslash is written"),
        ("{'a': 1}", "", "keys and text in double quotes"),
        ('{"a": 1, "a": 2}', "a", "once"),
        ('{"a": {"b": 1, "b": 2}}', "b", "once"),
        ("[1]", "", "expected a JSON object, found a list"),
        ("7", "", "expected a JSON object, found a number"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "", "nested"),
        ('{"a": ' + "9" * 10_000 + "}", "", "expected JSON: a whole number has more than 4,300 digits"),
    ],
)
def test_bad_line_is_reported_and_the_others_are_read(line: str, field: str, message: str) -> None:
    """One bad line costs one row, and says what was expected."""
    good, bad, last = rows(jsonl({"ok": 1}, line, {"ok": 2}))
    assert isinstance(good, Row)
    assert isinstance(last, Row)
    assert isinstance(bad, RowError)
    assert (bad.file, bad.line, bad.field) == ("f", 2, field)
    assert message in bad.message


def test_bytes_that_are_no_utf8_are_reported() -> None:
    """Text in another encoding is an error of its row."""
    _, bad = rows(b'{"a": 1}\n{"a": "\xff"}\n')
    assert isinstance(bad, RowError)
    assert "UTF-8" in bad.message


def test_nonfinite_numbers_are_found_with_their_path() -> None:
    """NaN and infinities, which Python writes and JSON doesn't have, are marked."""
    (row,) = rows(b'{"a": [1, {"b": NaN}], "c": -Infinity}\n')
    assert isinstance(row, Row)
    assert row.nonfinite == ("a[1].b", "c")


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_damaged_compression_keeps_what_came_before(compress: object) -> None:
    """A cut off file gives its first rows and an error, not a crash."""
    noise = random.Random(1)
    many = jsonl(*({"a": noise.random()} for _ in range(60_000)))
    found = rows(compress(many)[:-100])  # type: ignore[operator]
    assert isinstance(found[-1], RowError)
    assert "damaged" in found[-1].message or "intact" in found[-1].message
    assert sum(isinstance(row, Row) for row in found) > 1000


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_rows_before_garbage_are_kept(compress: Callable[[bytes], bytes]) -> None:
    """What follows whole compressed data and is none is reported; every row before it is read."""
    found = list(read_rows(compress(jsonl(*ROWS)) + b"garbage", "x"))
    assert [item.data for item in found if isinstance(item, Row)] == ROWS
    (error,) = [item for item in found if isinstance(item, RowError)]
    assert error.line == len(ROWS) + 1
    assert "expected intact compressed data" in error.message


def test_cut_off_array_keeps_what_came_before() -> None:
    """The good rows of a broken array load, the break is reported."""
    first, bad = rows(b'[{"a": 1},\n{"a": ')
    assert isinstance(first, Row)
    assert isinstance(bad, RowError)
    assert bad.line == 2


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress, bytes])
def test_monstrous_line_is_refused(compress: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A decompression bomb ends in an error before it fills the memory."""
    monkeypatch.setattr(reader, "MAX_LINE_BYTES", 2**20)
    with pytest.raises(FormatError, match="limit of 1 MiB"):
        rows(compress(b"0" * 2**24))  # type: ignore[operator]


def test_too_large_a_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many small lines are bounded as well, after decompression."""
    monkeypatch.setattr(reader, "MAX_BYTES", 2**16)
    with pytest.raises(FormatError, match="when decompressed"):
        rows(gzip.compress(b'{"a": 1}\n' * 2**14))


def test_too_large_a_document_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An array is held in memory and has a bound of its own."""
    monkeypatch.setattr(reader, "MAX_DOCUMENT_BYTES", 1000)
    with pytest.raises(FormatError, match="JSON lines"):
        rows(b"[\n" + b'{"a": 1},\n' * 500 + b"{}]")


def test_missing_file_is_refused_by_name() -> None:
    """A path that can't be opened is named."""
    with pytest.raises(FormatError, match=r"nowhere\.jsonl: can't be read"):
        list(read_rows("/nowhere.jsonl", "nowhere.jsonl"))


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    """A pipe may never end, so it is no file to read."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FormatError, match="found a pipe or a device"):
        list(read_rows(tmp_path / "pipe", "pipe"))
