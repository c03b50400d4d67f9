"""Bytes to rows: compression, encoding, JSON lines, JSON documents, Parquet.

Knows nothing of any format. Every amount is bounded, so that a decompression bomb or
a monstrous line ends in a `FormatError` and not in a full memory.
"""

from __future__ import annotations

import gzip
import io
import itertools
import json
import math
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard

from core.formats.errors import FormatError, RowError, plain_message
from core.formats.other_kinds import SNIFFED, other_kind

__all__ = ["MAX_BYTES", "MAX_DOCUMENT_BYTES", "MAX_LINE_BYTES", "Row", "read_rows"]

MAX_BYTES = int(os.environ.get("TOUCHSTONE_MAX_FILE_MB", 8 * 2**10)) * 2**20
"""Largest file, decompressed; the environment may set another one."""
MAX_LINE_BYTES = 128 * 2**20
"""Longest line of a JSONL file."""
MAX_DOCUMENT_BYTES = 1 * 2**30
"""Largest JSON array or single JSON document: these must be held in memory as a whole."""

_GZIP, _ZSTD, _PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"
_BOM = b"\xef\xbb\xbf"
_DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, zstandard.ZstdError)
_SPACE = re.compile(r"[ \t\r\n]*")
_HINTS = {
    "Invalid \\escape": '; in JSON a backslash is written "\\\\"',
    "Unterminated string starting at": ": the text does not end on this line, as where a file is cut off",
    "Expecting property name enclosed in double quotes": "; expected a whole JSON object on one line, "
    "keys and text in double quotes (`jq -c .` writes objects so, `json.dumps` Python's)",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One JSON object of a file.

    Attributes:
        line: 1-based line on which it starts.
        nonfinite: paths of NaN and infinities, which are no JSON but which Python writes.
    """

    line: int
    data: Mapping[str, Any]
    nonfinite: tuple[str, ...] = field(default=())


def read_rows(source: str | Path | bytes | BinaryIO, file: str) -> Iterator[Row | RowError]:
    """The rows of a file, in order, read as they are asked for; a `RowError` for each bad one.

    Args:
        source: a path, the file's bytes, or a binary stream.
        file: the file's name for messages.

    Raises:
        FormatError: the file can't be opened, or is beyond a limit.
    """
    with _opened(source, file) as raw:
        head = raw.peek(4)[:4]
        if head == _PARQUET:
            yield from _parquet_rows(raw, file)
        else:
            stream = _decompressed(raw, head)
            if what := other_kind(stream.peek(SNIFFED)[:SNIFFED]):
                raise FormatError(f"{file}: {what}")
            yield from _json_rows(stream, file)


@contextmanager
def _opened(source: str | Path | bytes | BinaryIO, file: str) -> Iterator[io.BufferedReader]:
    if isinstance(source, str | Path):
        _refuse_endless(Path(source), file)
        try:
            with Path(source).open("rb") as stream:
                yield stream
        except OSError as error:
            raise FormatError(f"{file}: can't be read: {error.strerror or error}") from error
    elif isinstance(source, io.BufferedReader):
        yield source
    else:
        content = source if isinstance(source, bytes) else source.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise FormatError(f"{file}: larger than the limit of {_size(MAX_BYTES)}")
        yield io.BufferedReader(io.BytesIO(content))


def _refuse_endless(path: Path, file: str) -> None:
    """A pipe or a device may never come to an end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise FormatError(f"{file}: expected a file, found a pipe or a device")


def _decompressed(raw: io.BufferedReader, head: bytes) -> io.BufferedReader:
    if head.startswith(_GZIP):
        return io.BufferedReader(_UntilDamage(gzip.GzipFile(fileobj=raw).readinto1))
    if head == _ZSTD:
        return io.BufferedReader(_UntilDamage(_ZstdFrames(raw).readinto), buffer_size=2**17)
    return raw


class _UntilDamage(io.RawIOBase):
    """What can be read of compressed data; where it is damaged it ends.

    Attributes:
        damage: why it ended there; None after an orderly end.
    """

    def __init__(self, read: Callable[[Any], int]) -> None:
        self._read = read
        self.damage: Exception | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self.damage is not None:
            return 0
        try:
            return self._read(buffer)
        except _DAMAGE as error:
            self.damage = error
            return 0


class _ZstdFrames(io.RawIOBase):
    """The content of zstd frames. Unlike zstandard's own reader it tells a cut off file from a whole one."""

    _CHUNK = 2**10
    """Compressed bytes taken at once: at zstd's best they are 32 MiB."""

    def __init__(self, raw: io.BufferedReader) -> None:
        self._raw = raw
        self._decompressor = zstandard.ZstdDecompressor(max_window_size=2**27)
        self._frame = self._decompressor.decompressobj()
        self._open = False
        self._damage: Exception | None = None
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._ready:
            if self._damage is not None:
                raise self._damage
            chunk = self._raw.read(self._CHUNK)
            if not chunk:
                if self._open:
                    raise EOFError("the last frame is cut off")
                return 0
            self._ready = memoryview(self._decompress(chunk))
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _decompress(self, chunk: bytes) -> bytes:
        found = []
        while chunk:
            try:
                found.append(self._frame.decompress(chunk))
            except zstandard.ZstdError as error:
                self._damage = error
                break
            self._open = not self._frame.eof
            chunk = b""
            if self._frame.eof:
                chunk = self._frame.unused_data
                self._frame = self._decompressor.decompressobj()
        return b"".join(found)


def _lines(stream: io.BufferedReader, file: str) -> Iterator[tuple[int, bytes] | RowError]:
    """Numbered lines without their ends; damaged compression is the last thing that comes."""
    total = 0
    for number in itertools.count(1):
        line = stream.readline(MAX_LINE_BYTES + 1)
        damage = stream.raw.damage if isinstance(stream.raw, _UntilDamage) else None
        if damage is not None and not line.endswith(b"\n"):
            reason = f"expected intact compressed data ({damage}); nothing from this line on could be read"
            yield RowError(file, number, "", reason)
            return
        if not line:
            return
        total += len(line)
        if len(line) > MAX_LINE_BYTES:
            raise FormatError(f"{file}:{number}: a line longer than the limit of {_size(MAX_LINE_BYTES)}")
        if total > MAX_BYTES:
            raise FormatError(f"{file}:{number}: more than the limit of {_size(MAX_BYTES)} when decompressed")
        yield number, (line.removeprefix(_BOM) if number == 1 else line).rstrip(b"\r\n")


def _json_rows(stream: io.BufferedReader, file: str) -> Iterator[Row | RowError]:
    lines = (item for item in _lines(stream, file) if isinstance(item, RowError) or item[1].strip())
    first = next(lines, None)
    if first is None:
        return
    if isinstance(first, tuple) and first[1].lstrip().startswith((b"[", b"{")):
        row = _parsed(first[1], first[0], file)
        is_row = isinstance(row, Row) or _is_json(first[1])
        if first[1].lstrip().startswith(b"[") or not is_row:
            yield from _document_rows(first, lines, file)
            return
    for item in itertools.chain([first], lines):
        yield item if isinstance(item, RowError) else _parsed(item[1], item[0], file)


def _document_rows(
    first: tuple[int, bytes], rest: Iterable[tuple[int, bytes] | RowError], file: str
) -> Iterator[Row | RowError]:
    """Rows of a file whose first line is no row of its own: an array, or one long object."""
    held: list[tuple[int, bytes]] = [first]
    damage: list[RowError] = []
    size = len(first[1])
    for item in rest:
        if isinstance(item, RowError):
            damage.append(item)
            continue
        held.append(item)
        size += len(item[1])
        if size > MAX_DOCUMENT_BYTES:
            raise FormatError(
                f"{file}: a JSON document larger than the limit of {_size(MAX_DOCUMENT_BYTES)}; "
                "write it as JSON lines"
            )
    whole = b"\n".join(line for _, line in held)
    if whole.lstrip().startswith(b"["):
        yield from _array_rows(whole, [number for number, _ in held], file)
    else:
        document = _parsed(whole, first[0], file)
        if isinstance(document, Row):
            yield document
        else:
            for number, line in held:
                yield _parsed(line, number, file)
    yield from damage


def _array_rows(content: bytes, numbers: list[int], file: str) -> Iterator[Row | RowError]:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        yield RowError(
            file, numbers[content.count(b"\n", 0, error.start)], "", f"expected UTF-8: {error.reason}"
        )
        return
    position = _skip(text, text.index("[") + 1)
    counted, newlines = 0, 0
    while position < len(text) and text[position] != "]":
        newlines += text.count("\n", counted, position)
        counted = position
        line = numbers[newlines]
        decoder = _Decoder()
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            yield RowError(file, line, "", f"{_why(error)}; the rest of the array could not be read")
            return
        yield _row(value, line, file, nonfinite=decoder.saw_nonfinite)
        position = _skip(text, position)
        if text[position : position + 1] == ",":
            position = _skip(text, position + 1)
        elif text[position : position + 1] != "]":
            break
    if text[position : position + 1] != "]":
        yield RowError(
            file, numbers[-1], "", 'expected "," or "]" after a row of the array: the file is cut off'
        )
    elif text[position + 1 :].strip():
        yield RowError(file, numbers[-1], "", "expected nothing after the end of the array")


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


class _Decoder(json.JSONDecoder):
    """Refuses repeated keys, and remembers whether it met a number that is no JSON."""

    def __init__(self) -> None:
        super().__init__(object_pairs_hook=self._unique, parse_constant=self._constant)
        self.saw_nonfinite = False

    def _constant(self, token: str) -> float:
        self.saw_nonfinite = True
        return float(token)

    @staticmethod
    def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise _RepeatedKeyError(twice)
        return result


class _RepeatedKeyError(ValueError):
    pass


def _parsed(line: bytes, number: int, file: str) -> Row | RowError:
    decoder = _Decoder()
    try:
        value = decoder.decode(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return RowError(file, number, "", f"expected UTF-8 text, found byte 0x{line[error.start]:02x}")
    except _RepeatedKeyError as error:
        return RowError(file, number, str(error), "expected each key once, this one occurs twice")
    except (ValueError, RecursionError) as error:
        return RowError(file, number, "", _why(error))
    return _row(value, number, file, nonfinite=decoder.saw_nonfinite)


def _row(value: object, number: int, file: str, *, nonfinite: bool) -> Row | RowError:
    if not isinstance(value, dict):
        return RowError(file, number, "", f"expected a JSON object, found {type_name(value)}")
    return Row(number, value, tuple(_nonfinite_paths(value)) if nonfinite else ())


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _why(error: ValueError | RecursionError) -> str:
    if isinstance(error, RecursionError):
        return "expected JSON that is nested less deeply"
    if isinstance(error, json.JSONDecodeError):
        if error.msg == "Extra data" and error.doc[error.pos :].strip() == ",":
            return "expected one JSON object on a line, without a comma after it"
        hint = _HINTS.get(error.msg, "")
        return f"expected JSON: {error.msg.removesuffix(' at')} at column {error.colno}{hint}"
    if isinstance(error, _RepeatedKeyError):
        return f"expected each key once, {str(error)!r} occurs twice"
    return f"expected JSON: {plain_message(str(error))}"


def _nonfinite_paths(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, float) and not math.isfinite(value):
        yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _nonfinite_paths(item, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _nonfinite_paths(item, f"{path}[{index}]")


def _parquet_rows(raw: io.BufferedReader, file: str) -> Iterator[Row | RowError]:
    """The rows of a table, where a key that a row doesn't have can only be an empty cell."""
    try:
        table = pq.ParquetFile(raw)
        size = sum(table.metadata.row_group(i).total_byte_size for i in range(table.metadata.num_row_groups))
        if size > MAX_BYTES:
            raise FormatError(f"{file}: more than the limit of {_size(MAX_BYTES)} when decompressed")
        number = 0
        for batch in table.iter_batches(batch_size=256):
            for cells in batch.to_pylist():
                number += 1
                record = {key: value for key, value in cells.items() if value is not None}
                yield Row(number, record, tuple(_nonfinite_paths(record)))
    except (pa.ArrowInvalid, OSError) as error:
        _refuse(file, error)


def _refuse(file: str, error: Exception) -> NoReturn:
    raise FormatError(f"{file}: expected intact Parquet: {error}") from error


def type_name(value: object) -> str:
    """The JSON name of a value's type, for messages."""
    names = {type(None): "null", bool: "true or false", dict: "an object", list: "a list", str: "text"}
    return names.get(type(value), "a number" if isinstance(value, int | float) else type(value).__name__)


def _size(amount: int) -> str:
    return f"{amount / 2**30:g} GiB" if amount >= 2**30 else f"{amount / 2**20:g} MiB"
