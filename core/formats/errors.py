"""What can be wrong with a file, in words for the person who has to mend it."""

from __future__ import annotations

from dataclasses import dataclass

from core.errors import InputError


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


class FormatError(InputError):
    """The whole file can't be read: empty, not JSON, of no known format, or too large."""


class FieldError(Exception):
    """A value in a row is not what its format says; becomes a `RowError` where the row is read."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message
