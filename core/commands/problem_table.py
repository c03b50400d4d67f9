"""Problems of a run on the terminal: one with its pass matrix, or all with the worst first."""

from __future__ import annotations

import shlex
from typing import Any

from core.commands.common import Sheet
from core.commands.show import Reading, Reason
from core.terminal import number, print_json, print_table, print_text, say
from core.words import quantity

__all__ = ["show_problem", "show_problems"]

_SHOWN = 20
_REASONS = 5


def show_problem(view: Sheet, reading: Reading) -> None:
    """Print one problem's pass matrix, its letters, its tests with the wrong ones marked, and why."""
    rows = []
    for row in view["solutions"]:
        numbers = (row["reference_score"], row["reference_rank"], row["score"], row["rank"])
        rows.append((row["id"], *map(number, numbers), row["outcomes"]))
    print_table(("solution", "reference", "its rank", "score", "its rank", "outcomes"), rows)
    from core.figures.palette import OUTCOMES  # what it imports is slow, and only needed here

    letters = {letter for row in view["solutions"] for letter in row["outcomes"]}
    if letters:
        print_text(", ".join(f"{key} {style.name}" for key, style in OUTCOMES.items() if key in letters))
    for reason in reading.reasons[:_REASONS]:
        print_text(_because(reason))
    if len(reading.reasons) > _REASONS:
        print_text(f"... and {quantity(len(reading.reasons) - _REASONS, 'other reason')}")
    for index, test in enumerate(view["tests"]):
        mark = "!" if index in reading.wrong else " "
        print_text(f"{index + 1:4} {mark} " + str(test).replace("\n", "\n" + 7 * " "))
    if reading.wrong:
        tests = quantity(len(view["tests"]), "test")
        print_text(f"! fails a solution known to be right: {len(reading.wrong)} of {tests}")
    print_text(reading.why)


def _because(reason: Reason) -> str:
    others = f" and in {quantity(reason.cells - 1, 'other cell')}" if reason.cells > 1 else ""
    where = f"{reason.solution_id} under test {reason.test_index + 1}{others}"
    return f"{reason.letter} {reason.message or '(nothing was told)'}: {where}"


def show_problems(sheet: Sheet, run: str, *, everything: bool, as_json: bool) -> None:
    """Print the problems of a run, the worst first, and how to look at one of them."""
    if as_json:
        print_json(sheet)
        return
    problems = sheet["problems"]
    shown = problems if everything else problems[:_SHOWN]
    print_table(
        ("problem", "Top-1", "Spearman", "MAE", "tests", "wrong tests"), map(_cells, shown), names=True
    )
    if len(shown) < len(problems):
        say(f"The worst {len(shown)} of {quantity(len(problems), 'problem')}; --all lists them all.")
    say("Worst first: lowest Top-1, then lowest Spearman, then largest MAE; '-' is not defined.")
    if not sheet["finished"]:
        say("The run is not finished: what it has not judged yet is '-'; `run --resume` goes on with it.")
    if problems:
        example = f"{shlex.quote(run)} --problem {shlex.quote(problems[0]['task_id'])}"
        say(f"One of them: python -m core show {example}")


def _cells(row: dict[str, Any]) -> tuple[str, ...]:
    scores = (number(row[key]) for key in ("top1", "spearman", "mae"))
    return (row["task_id"], *scores, f"{row['n_tests']:,}", f"{row['n_invalid_tests']:,}")
