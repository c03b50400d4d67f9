"""Reads files of others. One module per format, and the only code of the project that parses them.

A format is known by its keys, never by its file's name. To add one: write a module with
its `Format`, and name it in `core.formats.registry`.
"""

from core.formats.check import CheckReport, report
from core.formats.errors import FormatError, RowError
from core.formats.load import detect, load
from core.formats.loaded import CallInputs, FlatRow, Loaded, ResultRow

__all__ = [
    "CallInputs",
    "CheckReport",
    "FlatRow",
    "FormatError",
    "Loaded",
    "ResultRow",
    "RowError",
    "detect",
    "load",
    "report",
]
