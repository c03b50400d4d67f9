"""`check`: what a file is, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

from core import formats, terminal
from core.formats import CheckReport
from core.formats.errors import by_reason


def check(file: Path, benchmark: Path | None) -> CheckReport:
    """Validate one file."""
    return formats.report(file, benchmark)


def wrong_rows(report: CheckReport, *, everything: bool) -> tuple[str, ...]:
    """What is wrong with a file, each reason once or (`everything`) row by row; warnings go to stderr."""
    if everything:
        for warning in report.warnings:
            terminal.say(f"note: {warning}")
        return tuple(map(str, report.errors))
    notes, reasons = by_reason(report.warnings), by_reason(report.errors)
    for note in notes:
        terminal.say(f"note: {note}")
    if any(reason.more for reason in (*notes, *reasons)):
        terminal.say("Each reason once; --all lists every row.")
    return tuple(map(str, reasons))
