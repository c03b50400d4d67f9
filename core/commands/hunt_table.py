"""Hunts on the terminal: rates, what became of each answer, tables, the best of n."""

from __future__ import annotations

import math
import shlex
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from core.terminal import number, print_json, print_table, say
from core.words import p_value, quantity

__all__ = ["show_answers", "show_asked", "show_best", "show_hunt", "show_hunt_tables"]

_SHOWN = 20


def show_hunt(
    result: Mapping[str, Any],
    intervals: Mapping[str, Sequence[float]],
    exact: Collection[str],
    *,
    as_json: bool,
) -> None:
    """Print the rates of a hunt with their intervals, and how many answers are of each class."""
    if as_json:
        print_json(result)
        return
    rows = [("pairs", str(result["n_pairs"]), ""), ("answers", str(result["n_answers"]), "")]
    for key, (low, high) in intervals.items():
        ends = "" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]{' exact' if key in exact else ''}"
        rows.append((key.replace("_", " "), f"{result[key]:.3f}", ends))
    rows += [(f"  {key.replace('_', ' ')}", str(count), "") for key, count in result["classes"].items()]
    print_table(("", "", "95% CI"), rows, header=False)
    if exact:
        say("exact: all pairs agree, so the interval is Clopper-Pearson's of so many pairs.")


def show_answers(sheet: Mapping[str, Any], *, everything: bool, as_json: bool) -> None:
    """Print what became of each answer of a hunt, in the order of its pairs: the first, or all."""
    if as_json:
        print_json(sheet)
        return
    answers = sheet["answers"]
    shown = answers if everything else answers[:_SHOWN]
    print_table(("pair", "answer", "what became of it", "inputs", ""), map(_answer, shown), names=True)
    if len(shown) < len(answers):
        say(
            f"The first {len(shown)} of {len(answers):,} answers; "
            f"python -m core bugs answers {shlex.quote(sheet['hunt'])} lists all."
        )


def _answer(row: Mapping[str, Any]) -> tuple[str, ...]:
    left_out = f"{row['n_left_out']} of the inputs left out" if row["n_left_out"] else ""
    return (row["pair_id"], str(row["answer"]), row["means"], str(row["n_inputs"]), row["fault"] or left_out)


def show_hunt_tables(sheet: Mapping[str, Any], *, as_json: bool) -> None:
    """Print the tables of a hunt: a line for each k, run of the generators and group, and the differences."""
    if as_json:
        print_json(sheet)
        return
    keys = ("good_input", "invalid_test_rate", "true_bug_rate", "mean_reward")
    lines = [(f"first {one['count']}", one) for one in sheet["first_k"]]
    lines += [(f"{quantity(one['count'], 'run')}", one) for one in sheet.get("repeats", ())]
    lines += [(name or "(not said)", one) for name, one in sheet.get("groups", {}).items()]
    rows = []
    for name, one in lines:
        mean = one.get("mean_inputs")
        inputs = "" if mean is None else "-" if math.isnan(mean) else f"{mean:.1f}"
        cells = (f"{number(one[key])} {_ends(one['intervals'][key])}" for key in keys)
        rows.append((name, str(one["n_pairs"]), inputs, *cells))
    print_table(("", "pairs", "inputs", *(key.replace("_", " ") for key in keys)), rows, names=True)
    say(f"[low, high]: {sheet['interval']}.")
    if differences := sheet.get("differences"):
        compared = []
        for key, one in differences.items():
            ends = _ends((one["low"], one["high"]))
            value = number(one["value"])
            compared.append((key.replace("_", " "), str(one["n"]), value, ends, p_value(one["p_value"])))
        print_table(("difference in", "pairs", "value", "95%", "p"), compared)
        say(f"{sheet['hunt']} minus {sheet['less']}, paired bootstrap over pairs.")


def _ends(ends: Sequence[float]) -> str:
    return "" if math.isnan(ends[0]) else f"[{number(ends[0])}, {number(ends[1])}]"


def show_best(sheet: Mapping[str, Any], *, as_json: bool) -> None:
    """Print what choosing the best of n programs is worth, a line for each run."""
    if as_json:
        print_json(sheet)
        return
    columns = ("chosen by", "problems", "original", f"best of {sheet['best_of']}", "gain", "95% CI", "oracle")
    rows = []
    for one in sheet["runs"]:
        gain = one["gain"]
        chances = (number(one[key]["value"]) for key in ("original", "selected"))
        ends = _ends((gain["low"], gain["high"]))
        oracle = number(one["oracle"]["value"])
        rows.append((one["run"], str(one["selected"]["n"]), *chances, number(gain["value"]), ends, oracle))
    print_table(columns, rows, names=True)
    say(f"Of problems with at least {sheet['best_of']} programs (--n).")
    for one in sheet["runs"]:
        if not one["selected"]["n"]:
            say(f"note: no problem of {one['run']} has as many; a smaller --n says more.")


def show_asked(sheet: Mapping[str, Any], *, as_json: bool) -> None:
    """Print how far a model's word on strategies agrees with the syntax tree."""
    if as_json:
        print_json(sheet)
        return
    rows = [
        (name, str(one["n"]), number(one["share"]), number(one["kappa"]))
        for name, one in sheet["agreement"].items()
    ]
    print_table(("strategy", "compared", "agree", "Cohen's kappa"), rows)
    if sheet["failed"]:
        say(f"{quantity(sheet['failed'], 'harness', 'harnesses')} failed; the same command asks them again.")
