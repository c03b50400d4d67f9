"""What can be wrong with a file, in words for the person who has to mend it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass

from core.errors import InputError

_ITEM = re.compile(r"\[\d+\]")
_PARTICULAR = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\d[\d,.]*""")


@dataclass(frozen=True, slots=True)
class RowError:
    """One thing wrong with one row; the other rows still load.

    Attributes:
        file: the file's name as it was given.
        line: 1-based line on which the row starts (row number in a Parquet file); 0 if the
            file as a whole is meant.
        field: path of the key, e.g. "solutions[2].code"; "" if the row as a whole is meant.
        message: what was expected and what was found.
    """

    file: str
    line: int
    field: str
    message: str

    def __str__(self) -> str:
        """The form "file:line: field: message"."""
        line = f":{self.line}" if self.line else ""
        field = f" {self.field}:" if self.field else ""
        return f"{self.file}{line}:{field} {self.message}"


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is wrong, in as many rows as have it.

    Attributes:
        first: the first of them.
        more: how many others there are.
        last_line: line of the last one.
    """

    first: RowError
    more: int
    last_line: int

    def __str__(self) -> str:
        """The first in full, and how many there are like it: "f:3: field: message (and 2 more ...)"."""
        if not self.more:
            return str(self.first)
        return f"{self.first} (and {self.more:,} more like it, to line {self.last_line:,})"


def by_reason(errors: Iterable[RowError]) -> tuple[Reason, ...]:
    """What is wrong with many rows, each reason once, in the order in which they are met first.

    Two rows have the same reason where the same field has the same message but for numbers and what is
    quoted: these name what one row holds.
    """
    found: dict[tuple[str, str, str], list[RowError]] = {}
    for error in errors:
        key = (error.file, _ITEM.sub("[]", error.field), _PARTICULAR.sub("", error.message))
        found.setdefault(key, []).append(error)
    return tuple(Reason(same[0], len(same) - 1, same[-1].line) for same in found.values())


def plain_message(message: str) -> str:
    """What Python says of a text that it can't read, without advice that is for programmers."""
    if "set_int_max_str_digits" in message:
        return f"a whole number has more than {sys.get_int_max_str_digits():,} digits"
    return message


class FormatError(InputError):
    """The whole file can't be read: empty, not JSON, of no known format, or too large."""


class FieldError(Exception):
    """A value in a row is not what its format says; becomes a `RowError` where the row is read."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message
