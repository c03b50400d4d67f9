"""What `evolve` prints: rounds, what filters leave, chosen solutions, seeds without near duplicates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from core.evolution.commands import Shown
from core.evolution.filters import DROPS, Reason
from core.evolution.report import dropped_note
from core.terminal import print_json, print_table, say
from core.views.evolve import REASONS
from core.words import quantity

__all__ = ["show_filtered", "show_rounds", "show_seeds", "show_selected"]

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
_KS = ("1", "4", "8")
_SHOWN = 20
_LEGEND = """\
pass@k: over the pool without the reference.
vectors/problem: different pass vectors of a problem's tests; it rises as tests tell more apart.
vectors/test: the same over its tests; it falls where new tests repeat vectors that are there.
told apart: different pass vectors of solutions over solutions. wrong: tests failing the reference."""


def show_rounds(report: Mapping[str, Any], *, as_json: bool) -> None:
    """Print rounds of refinement: a row a round, then methods, sources, models and steps."""
    if as_json:
        print_json(report)
        return
    rounds = report["rounds"]
    overall = [(one["round"], one["sources"]["overall"]) for one in rounds]
    print_table(_ROUND_COLUMNS, [_round_cells(number, found) for number, found in overall])
    methods = [
        [str(number), name, *_retained(count)]
        for number, found in overall
        for name, count in found["methods"].items()
        if count["generated"]
    ]
    _further(("round", "method", "generated", "retained", "share"), methods)
    sources = [
        name for name in dict.fromkeys(n for one in rounds for n in one["sources"]) if name != "overall"
    ]
    by_source = [
        [name, *_round_cells(one["round"], one["sources"][name])]
        for name in sources
        for one in rounds
        if name in one["sources"]
    ]
    _further(("source", *_ROUND_COLUMNS), by_source)
    models = dict.fromkeys(name for _, found in overall for name in found["models"])
    by_model = [
        [name or "unknown", str(number), *(_share(found["models"][name][k]["value"]) for k in _KS)]
        for name in models
        for number, found in overall
        if name in found["models"]
    ]
    _further(("solutions by", "round", "pass@1", "pass@4", "pass@8"), by_model)
    names = ("problems", "tests", "tried", "duplicates", "unparsed", "split", "fails_reference")
    steps = [
        [str(one["round"]), one["method"], *(str(one[name]) for name in names)]
        for one in report.get("steps", ())
    ]
    _further(("round", "step", *(name.replace("_", " ") for name in names)), steps)
    if "seconds" in report:
        say(f"took {report['seconds']:.0f} s")
    for run in report.get("runs", ()):
        say(f"run: {run}")
    for line in _LEGEND.splitlines():
        say(line)
    notes = [dropped_note(number, one["dropped"], one["problems_before"]) for number, one in overall]
    for note in filter(None, notes):
        say(note)
    if any(one["dropped"].get(Reason.TOO_FEW_TESTS) for _, one in overall):
        say("--min-tests N keeps problems with at least N tests, --min-tests 0 all.")
    if any(one["dropped"].get(Reason.TOO_MANY_PERFECT) for _, one in overall):
        say("--max-perfect N keeps problems with at most N perfect solutions.")


def show_filtered(report: Mapping[str, Any], *, as_json: bool) -> None:
    """Print problems and tests before and after the filters, and for what reason tests went."""
    if as_json:
        print_json(report)
        return
    sizes = [
        (name, f"{report[f'problems_{name}']:,}", f"{report[f'tests_{name}']:,}")
        for name in ("before", "after")
    ]
    removed = [(f"removed: {REASONS[Reason(key)]}", "", f"{n:,}") for key, n in report["removed"].items()]
    print_table(("", "problems", "tests"), [sizes[0], *removed, sizes[1]])
    if any(report["removed"][reason] for reason in DROPS):
        say(
            "Too few tests left (--min-tests) and too many perfect solutions (--max-perfect) drop a whole "
            "problem; counted are the tests that it still had."
        )


def show_selected(shown: Shown, *, as_json: bool) -> None:
    """Print the chosen solutions with the tests that they pass, and why each was chosen."""
    chosen = shown.selection
    if as_json:
        print_json({"selected": chosen.solution_ids})
        return
    shares = ["-" if math.isnan(rate) else f"{rate:.0%}" for rate in shown.passed()]
    why = [role.value for role in chosen.roles]
    if not why:
        say("No solution can be chosen: none has a verdict on a test.")
    print_table(
        ("solution", "tests passed", "why"), zip(chosen.solution_ids, shares, why, strict=True), names=True
    )


def show_seeds(report: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what is left of problems of several sources, how much the sources share, and what was dropped."""
    if as_json:
        print_json(report)
        return
    sources = list(report["before"])
    several = len(sources) > 1
    rows = []
    for name in sources:
        before, after = report["before"][name], report["after"].get(name, 0)
        shared = ("" if name == other else _share(report["overlap"][name][other]) for other in sources)
        rows.append([name, str(before), str(after), _share(after / before), *(shared if several else ())])
    beside = [f"also in {name}" for name in sources] if several else []
    print_table(("source", "problems", "kept", "share kept", *beside), rows, names=True)
    dropped = [(one["task_id"], one["like"], f"{one['similarity']:.3f}") for one in report["dropped"]]
    _further(("dropped", "nearly the same as", "similarity"), dropped[:_SHOWN])
    if len(dropped) > _SHOWN:
        say(f"The first {_SHOWN} of {quantity(len(dropped), 'dropped problem')}; --json has all.")
    if several:
        say("also in: the share of a source's problems of which the other one has nearly the same.")
    before, after = report["neighbours_before"], report["neighbours_after"]
    say(f"Similarity: {report['similarity']}; above {report['threshold']:g} is nearly the same.")
    say(
        "Mean similarity of a problem to its ten nearest: "
        f"{_thousandths(before)} before, {_thousandths(after)} after."
    )
    say(f"{quantity(report['problems_after'], 'problem')} written to {report['out']}")


def _further(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    if rows:
        print_table((), [()])
        print_table(columns, rows)


def _round_cells(number: int, one: Mapping[str, Any]) -> list[str]:
    passes = [_share(one["pass_at"][k]["value"]) for k in _KS]
    names = ("vectors", "test_diversity", "solution_diversity")
    diversity = [_decimals(one[name]["value"]) for name in names]
    tests, wrong = _decimals(one["tests_per_problem"]), _share(one["fails_reference"])
    return [str(number), str(one["problems"]), tests, *passes, *diversity, wrong, str(one["missing_cells"])]


def _retained(count: Mapping[str, int]) -> tuple[str, str, str]:
    return str(count["generated"]), str(count["retained"]), _share(count["retained"] / count["generated"])


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


def _thousandths(value: float) -> str:
    return "not defined" if math.isnan(value) else f"{value:.3f}"


def _decimals(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
