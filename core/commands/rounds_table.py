"""Rounds of refinement on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape

from core.terminal import new_table, print_json, say, stdout

__all__ = ["show_rounds", "show_seeds"]


def show_rounds(report: Mapping[str, Any], *, as_json: bool) -> None:
    """Print rounds of refinement: a row a round, then methods, sources, models and steps."""
    if as_json:
        print_json(report)
        return
    rounds = report["rounds"]
    table = new_table(*_ROUND_COLUMNS)
    for one in rounds:
        table.add_row(*_round_cells(one["round"], one["sources"]["overall"]))
    stdout.print(table)
    _show_methods(rounds)
    _show_sources(rounds)
    _show_models(rounds)
    if steps := report.get("steps"):
        _show_steps(steps)
    if "seconds" in report:
        say(f"took {report['seconds']:.0f} s")
    for run in report.get("runs", ()):
        say(f"run: {run}")
    say(
        "pass@k: over the pool without the reference; vectors: different pass vectors of a problem's tests; "
        "told apart: different pass vectors of solutions over solutions; wrong: tests failing the reference."
    )


_ROUND_COLUMNS = (
    "round",
    "problems",
    "tests/problem",
    "pass@1",
    "pass@4",
    "pass@8",
    "vectors/problem",
    "vectors/test",
    "told apart",
    "wrong",
    "missing cells",
)


def _round_cells(number: int, one: Mapping[str, Any]) -> list[str]:
    passes = [_share(one["pass_at"][k]["value"]) for k in ("1", "4", "8")]
    diversity = [
        _decimals(one[name]["value"]) for name in ("vectors", "test_diversity", "solution_diversity")
    ]
    tests, wrong = _decimals(one["tests_per_problem"]), _share(one["fails_reference"])
    return [str(number), str(one["problems"]), tests, *passes, *diversity, wrong, str(one["missing_cells"])]


def show_seeds(report: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what is left of problems of several sources, and how much the sources share."""
    if as_json:
        print_json(report)
        return
    sources = list(report["before"])
    table = new_table("source", "problems", "kept", "share", *(f"in {name}" for name in sources))
    for name in sources:
        before, after = report["before"][name], report["after"].get(name, 0)
        shared = (_share(report["overlap"][name][other]) for other in sources)
        table.add_row(escape(name), str(before), str(after), _share(after / before), *shared)
    stdout.print(table)
    before, after = report["neighbours_before"], report["neighbours_after"]
    say(
        f"similarity: {report['similarity']}; above {report['threshold']:g} is nearly the same. "
        f"Mean similarity to the nearest ten: {before:.3f} before, {after:.3f} after."
    )


def _show_methods(rounds: Sequence[Mapping[str, Any]]) -> None:
    rows = [
        (one["round"], name, count)
        for one in rounds
        for name, count in one["sources"]["overall"]["methods"].items()
        if count["generated"]
    ]
    if not rows:
        return
    table = new_table("round", "method", "generated", "retained", "share")
    for number, name, count in rows:
        share = _share(count["retained"] / count["generated"])
        table.add_row(str(number), escape(name), str(count["generated"]), str(count["retained"]), share)
    stdout.print()
    stdout.print(table)


def _show_sources(rounds: Sequence[Mapping[str, Any]]) -> None:
    names = [name for name in dict.fromkeys(n for one in rounds for n in one["sources"]) if name != "overall"]
    if not names:
        return
    table = new_table("source", *_ROUND_COLUMNS)
    for name in names:
        for one in rounds:
            if name in one["sources"]:
                table.add_row(escape(name), *_round_cells(one["round"], one["sources"][name]))
    stdout.print()
    stdout.print(table)


def _show_models(rounds: Sequence[Mapping[str, Any]]) -> None:
    names = dict.fromkeys(name for one in rounds for name in one["sources"]["overall"]["models"])
    if not names:
        return
    table = new_table("solutions by", "round", "pass@1", "pass@4", "pass@8")
    for name in names:
        for one in rounds:
            if found := one["sources"]["overall"]["models"].get(name):
                shares = [_share(found[k]["value"]) for k in ("1", "4", "8")]
                table.add_row(escape(name or "unknown"), str(one["round"]), *shares)
    stdout.print()
    stdout.print(table)


def _show_steps(steps: Sequence[Mapping[str, Any]]) -> None:
    names = ("problems", "tests", "tried", "duplicates", "unparsed", "split", "fails_reference")
    table = new_table("round", "step", *(name.replace("_", " ") for name in names))
    for one in steps:
        table.add_row(str(one["round"]), str(one["method"]), *(str(one[name]) for name in names))
    stdout.print()
    stdout.print(table)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _decimals(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
