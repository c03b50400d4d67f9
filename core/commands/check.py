"""`check`: what a file is, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

from core import formats, terminal
from core.formats import CheckReport


def check(file: Path, benchmark: Path | None) -> CheckReport:
    """Validate one file; warnings go to stderr."""
    report = formats.report(file, benchmark)
    for warning in report.warnings:
        terminal.say(f"note: {warning}")
    return report
