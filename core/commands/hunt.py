"""`hunt`: which answers expose the bug of a program."""

from __future__ import annotations

import sys
from pathlib import Path

from core import terminal
from core.commands.common import long_work, opened_sandbox, refuse_folder_of_run
from core.hunting import commands as hunting
from core.hunting.model import AnswerKind, HuntOptions
from core.jobs import working


def hunt(
    pairs: Path,
    answers: str,
    out: Path,
    *,
    kind: str,
    first: int | None,
    repeat: int,
    seed: int,
    format_reward: float,
    backend: str,
    workers: int | None,
) -> hunting.Report:
    """Run answers that are to expose bugs."""
    options = HuntOptions(AnswerKind(kind), first, repeat, seed)
    refuse_folder_of_run(out)
    hunting.refuse_foreign(out)
    with (
        long_work() as on_progress,
        working(out, sys.argv[1:], on_progress) as tell,
        opened_sandbox(backend, workers) as sandbox,
    ):
        return hunting.hunt(
            pairs,
            answers,
            out,
            options,
            sandbox,
            format_reward=format_reward,
            command=sys.argv[1:],
            say=terminal.say,
            on_progress=tell,
        )
