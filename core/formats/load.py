"""One call for any file: read it, find out its format, and load it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

from core.errors import listed
from core.formats.errors import FormatError, RowError
from core.formats.loaded import Context, Format, Loaded
from core.formats.reader import Row, read_rows
from core.formats.registry import FORMATS
from core.model import Benchmark, Problem

__all__ = ["detect", "load"]

_LOOKED_AT = 50
"""Rows on which the format is decided."""

_KEYS_NAMED = 20

_TO_BUILD = ("benchmark", "problems")
"""What is expected and what is found where a build makes one of the other."""


def load(
    source: str | Path | bytes | BinaryIO,
    *,
    expect: str | None = None,
    benchmark: Benchmark | Iterable[Problem] | None = None,
    name: str | None = None,
) -> Loaded:
    """Load a file of any known format: JSONL, a JSON array or Parquet, plain, gzip or zstd.

    Args:
        source: a path, the file's bytes, or a binary stream.
        expect: the name of a format or a kind of content ("suites", "benchmark", ...) that
            the file must have.
        benchmark: what the file belongs to; needed to join completions to their prompts and
            to know the entry points of raw answers.
        name: what to call the content (the benchmark, or the verifier of the tests); the
            file's name if it is not given.

    Raises:
        FormatError: the file is empty, of no known or of an unexpected format, can't be
            opened, or is beyond a limit.
    """
    file = _file_name(source, name)
    context = Context(file, name or "", _problems(benchmark))
    rows = _Counted(read_rows(source, file), context)
    chosen, head = _begin(rows, context, expect)
    good = _finite(chain(head, rows), chosen, context)
    payload = chosen.read(good, context)
    for _ in good:  # a reader may stop early, the count may not
        pass
    by_line = sorted(context.errors, key=lambda error: error.line)
    return Loaded.of(
        payload,
        format=chosen.name,
        kind=chosen.kind,
        rows=rows.total,
        errors=tuple(by_line),
        warnings=tuple(context.warnings),
        partial=len(context.partial),
    )


def detect(path: Path) -> Format:
    """The format of a file, from its first rows.

    Raises:
        FormatError: as `load`.
    """
    context = Context(str(path), "", None)
    return _begin(_Counted(read_rows(path, context.file), context), context, None)[0]


def _begin(rows: Iterator[Row], context: Context, expect: str | None) -> tuple[Format, list[Row]]:
    """The format that the first rows decide, and those rows."""
    head = list(islice(rows, _LOOKED_AT))
    if not head:
        raise FormatError(_nothing(context))
    return _choose(head, context, expect), head


class _Counted(Iterator[Row]):
    """The good rows; counts all and hands bad ones to the context."""

    def __init__(self, rows: Iterator[Row | RowError], context: Context) -> None:
        self._rows, self._context, self.total = rows, context, 0

    def __next__(self) -> Row:
        while True:
            item = next(self._rows)
            self.total += 1
            if isinstance(item, Row):
                return item
            self._context.errors.append(item)


def _choose(head: list[Row], context: Context, expect: str | None) -> Format:
    votes = Counter[int]()
    for row in head:
        position = next((i for i, known in enumerate(FORMATS) if known.matches(row.data)), None)
        if position is not None:
            votes[position] += 1
    if not votes:
        keys = listed(sorted(map(str, head[0].data)), _KEYS_NAMED) or "none"
        known = "\n".join(f"  {known.name}: {known.keys}" for known in FORMATS)
        raise FormatError(
            f"{context.file}: of no known format. Its keys: {keys}{_nested(head)}. Known formats:\n{known}"
        )
    most = max(votes.values())
    chosen = FORMATS[min(position for position, count in votes.items() if count == most)]
    if expect is not None and expect not in {chosen.name, chosen.kind}:
        hint = "; `python -m core build` makes one of it" if (expect, chosen.kind) == _TO_BUILD else ""
        raise FormatError(f"{context.file}: expected {expect}, found {chosen.name} ({chosen.keys}){hint}")
    return chosen


def _nested(head: list[Row]) -> str:
    """Where the rows are instead, if the whole file is one object that holds them."""
    if len(head) > 1:
        return ""
    lists = [key for key, value in head[0].data.items() if isinstance(value, list) and _rows_in(value)]
    return (
        f"; the rows seem to be the list under {lists[0]!r}: give a file of that list alone" if lists else ""
    )


def _rows_in(value: list[object]) -> bool:
    return any(isinstance(item, dict) and any(known.matches(item) for known in FORMATS) for item in value[:1])


def _finite(rows: Iterable[Row], chosen: Format, context: Context) -> Iterator[Row]:
    for row in rows:
        bad = [p for p in row.nonfinite if p.split(".")[0].split("[")[0] not in chosen.nonfinite]
        if bad:
            context.error(
                row.line, bad[0], "expected a finite number, found NaN or Infinity, which are no JSON"
            )
        else:
            yield row


def _nothing(context: Context) -> str:
    if not context.errors:
        return f"{context.file}: the file is empty"
    first = context.errors[0]
    return f"{context.file}: no row is a JSON object; line {first.line}: {first.message}"


def _problems(benchmark: Benchmark | Iterable[Problem] | None) -> Mapping[str, Problem] | None:
    if benchmark is None:
        return None
    problems = benchmark.problems if isinstance(benchmark, Benchmark) else benchmark
    return {problem.task_id: problem for problem in problems}


def _file_name(source: object, name: str | None) -> str:
    if isinstance(source, str | Path):
        return str(source)
    own = getattr(source, "name", None)
    return own if isinstance(own, str) else name or "input"
