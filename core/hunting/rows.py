"""Pairs, answers and inputs as rows of tables, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

import pyarrow as pa

from core.hunting.model import Checked, Fault, Finding, Generated, InputTrial, Ran
from core.hunting.strategies import checker_strategies, generator_strategies
from core.model import AnswerClass, Outcome, Pair, ProblemKind

__all__ = [
    "ANSWERS",
    "INPUTS",
    "LONGEST_TEXT",
    "PAIRS",
    "answer_row",
    "finding_of",
    "input_row",
    "pair_of",
    "pair_row",
    "trial_of",
]

LONGEST_TEXT: Final = 100_000
"""Characters of an input or output that are kept; `input_chars` and the like say how long it was."""

PAIRS = pa.schema(
    [(name, pa.string()) for name in ("pair_id", "description", "kind", "good", "buggy", "entry_point")]
    + [("buggy_entry_point", pa.string()), ("metadata", pa.string())]
)
ANSWERS = pa.schema(
    [
        ("pair_id", pa.string()),
        ("answer_index", pa.int32()),
        ("class", pa.string()),
        ("fault", pa.string()),
        ("message", pa.string()),
        ("text", pa.string()),
        ("code", pa.string()),
        ("generated", pa.string()),
        ("generator_strategies", pa.list_(pa.string())),
        ("checker_strategies", pa.list_(pa.string())),
        ("n_inputs", pa.int32()),
        ("n_left_out", pa.int32()),
    ]
)
_SIDES = ("good", "buggy")
INPUTS = pa.schema(
    [
        ("pair_id", pa.string()),
        ("answer_index", pa.int32()),
        ("input_index", pa.int32()),
        ("input", pa.string()),
        ("input_chars", pa.int64()),
        ("origin", pa.string()),
        ("seed", pa.int64()),
        ("expected", pa.string()),
        ("differs", pa.bool_()),
        ("left_out", pa.string()),
    ]
    + [
        column
        for side in _SIDES
        for column in (
            (f"{side}_outcome", pa.string()),
            (f"{side}_output", pa.string()),
            (f"{side}_chars", pa.int64()),
            (f"{side}_message", pa.string()),
            (f"{side}_line", pa.int32()),
            (f"{side}_seconds", pa.float32()),
            (f"{side}_sendable", pa.bool_()),
            (f"{side}_check", pa.string()),
            (f"{side}_check_message", pa.string()),
            (f"{side}_check_line", pa.int32()),
            (f"{side}_check_seconds", pa.float32()),
        )
    ]
)


def pair_row(pair: Pair) -> dict[str, Any]:
    """A pair as a row of `PAIRS`."""
    row = asdict(pair)
    return row | {"kind": pair.kind.value, "metadata": json.dumps(dict(pair.metadata), default=str)}


def pair_of(row: Mapping[str, Any]) -> Pair:
    """The pair of a row."""
    return Pair(**{**row, "kind": ProblemKind(row["kind"]), "metadata": json.loads(row["metadata"])})


def answer_row(finding: Finding) -> dict[str, Any]:
    """An answer without its inputs as a row of `ANSWERS`."""
    names = list(dict.fromkeys(one.name for one in finding.generated))
    return {
        "pair_id": finding.pair_id,
        "answer_index": finding.index,
        "class": finding.answer_class.key,
        "fault": finding.fault.value if finding.fault else None,
        "message": finding.message,
        "text": finding.text,
        "code": finding.code,
        "generated": json.dumps([asdict(one) | {"outcome": one.outcome.letter} for one in finding.generated]),
        "generator_strategies": list(generator_strategies(finding.code, names)),
        "checker_strategies": list(checker_strategies(finding.code)) if names else [],
        "n_inputs": len(finding.trials),
        "n_left_out": sum(bool(trial.left_out) for trial in finding.trials),
    }


def finding_of(row: Mapping[str, Any], trials: tuple[InputTrial, ...]) -> Finding:
    """The answer of a row, with its inputs."""
    generated = tuple(
        Generated(**{**one, "outcome": Outcome.from_letter(one["outcome"])})
        for one in json.loads(row["generated"])
    )
    return Finding(
        row["pair_id"],
        row["answer_index"],
        row["text"],
        AnswerClass[row["class"].upper()],
        Fault(row["fault"]) if row["fault"] else None,
        row["message"],
        row["code"],
        generated,
        trials,
    )


def input_row(finding: Finding, trial: InputTrial) -> dict[str, Any]:
    """An input of an answer as a row of `INPUTS`."""
    row: dict[str, Any] = {
        "pair_id": finding.pair_id,
        "answer_index": finding.index,
        "input_index": trial.index,
        "input": _cut(trial.input),
        "input_chars": len(trial.input),
        "origin": trial.origin,
        "seed": trial.seed,
        "expected": None if trial.expected is None else _cut(trial.expected),
        "differs": trial.differs,
        "left_out": trial.left_out,
    }
    for side, ran, checked in (
        ("good", trial.good, trial.good_check),
        ("buggy", trial.buggy, trial.buggy_check),
    ):
        row |= {
            f"{side}_outcome": ran.outcome.letter,
            f"{side}_output": _cut(ran.output),
            f"{side}_chars": len(ran.output),
            f"{side}_message": ran.message,
            f"{side}_line": ran.line,
            f"{side}_seconds": ran.seconds,
            f"{side}_sendable": ran.sendable,
        }
        if checked is not None:
            row |= {
                f"{side}_check": checked.outcome.letter,
                f"{side}_check_message": checked.message,
                f"{side}_check_line": checked.line,
                f"{side}_check_seconds": checked.seconds,
            }
    return row


def trial_of(row: Mapping[str, Any]) -> InputTrial:
    """The input of a row, its texts as they were kept."""
    ran, checked = {}, {}
    for side in _SIDES:
        ran[side] = Ran(
            Outcome.from_letter(row[f"{side}_outcome"]),
            row[f"{side}_output"],
            row[f"{side}_message"],
            row[f"{side}_line"],
            row[f"{side}_seconds"],
            row[f"{side}_sendable"],
        )
        letter = row[f"{side}_check"]
        checked[side] = letter and Checked(
            Outcome.from_letter(letter),
            row[f"{side}_check_message"],
            row[f"{side}_check_line"],
            row[f"{side}_check_seconds"],
        )
    return InputTrial(
        row["input_index"],
        row["input"],
        row["origin"],
        row["seed"],
        ran["good"],
        ran["buggy"],
        row["differs"],
        checked["good"],
        checked["buggy"],
        row["expected"],
    )


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "…"
