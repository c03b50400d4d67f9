"""The Bugs page: the hunts of the data folder, and the answers of one, filtered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pandas as pd

from core.errors import InputError
from core.hunting.folder import Hunt, open_hunt
from core.hunting.model import AnswerKind, Fault
from core.metrics.hunting import rewards
from core.model import AnswerClass, Pair
from core.workspace import Workspace

__all__ = [
    "CLASSES",
    "STRATEGIES",
    "AnswerFilter",
    "AnswerTable",
    "ClassWords",
    "HuntCatalog",
    "HuntEntry",
    "answer_table",
    "class_words",
    "fault_words",
    "hunt_catalog",
]


@dataclass(frozen=True, slots=True)
class ClassWords:
    """A class of answers in words."""

    name: str
    means: str


CLASSES: Final[Mapping[AnswerClass, ClassWords]] = {
    AnswerClass.TRUE_BUG: ClassWords(
        "true bug", "The good program passes every check and the buggy one fails one: the bug is shown."
    ),
    AnswerClass.GOOD_INPUT_MISSED: ClassWords(
        "good input, missed",
        "The programs differ on an input, and the check accepts what both of them gave.",
    ),
    AnswerClass.GOOD_INPUT_INVALID: ClassWords(
        "good input, wrong check",
        "The programs differ on an input, but the good one fails a check.",
    ),
    AnswerClass.NO_DIFFERENCE: ClassWords(
        "no difference", "Valid, but the programs give the same output on every input."
    ),
    AnswerClass.INVALID: ClassWords(
        "invalid", "The good program crashes on an input, or fails a check where the programs don't differ."
    ),
    AnswerClass.FORMAT_ERROR: ClassWords("format error", "It could not be run as what was asked for."),
}
"""The classes, best first."""

STRATEGIES: Final = ("hardcoded", "dynamic", "reference", "invariant")
"""Of generators and checks, as `core.hunting.strategies` calls them."""

_FAULTS: Final[Mapping[Fault, str]] = {
    Fault.NO_BLOCK: "no code block of the kind that counts",
    Fault.TOO_LONG: "longer than an answer may be",
    Fault.NOT_PYTHON: "the block is no Python",
    Fault.NO_GENERATOR: "no generate_input function",
    Fault.NO_CHECK: "no check_output function",
    Fault.NO_ASSERTION: "check_output asserts nothing",
    Fault.REDEFINES_TARGET: "defines the function under test itself",
    Fault.NO_INPUT: "no generator gave an input",
    Fault.BAD_JSON: "the block is no JSON",
    Fault.MISSING_KEYS: "a case lacks what it needs",
}
_BY_KEY: Final = {one.key: one for one in AnswerClass}


@dataclass(frozen=True, slots=True)
class HuntEntry:
    """A hunt of the data folder.

    Attributes:
        name: its folder, unique in the data folder.
        label: with its kind, for the screen.
        about: where it comes from, in a sentence.
        version: changes with its content.
    """

    name: str
    label: str
    folder: Path
    kind: AnswerKind
    finished: bool
    about: str
    version: int


@dataclass(frozen=True, slots=True)
class HuntCatalog:
    """The hunts of the data folder, newest first, and (folder, why) of those that can't be read."""

    hunts: tuple[HuntEntry, ...]
    damaged: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class AnswerFilter:
    """Which answers are listed; empty fields keep all.

    Attributes:
        classes: names of classes, as `CLASSES` has them.
        text: has to occur in the pair's id, its description, or the answer.
        strategies: one of them has to be used by a generator or the check.
    """

    classes: tuple[str, ...] = ()
    text: str = ""
    strategies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Answers of a hunt.

    Attributes:
        rows: columns pair_id, answer (from 1), class, fault, reward, n_inputs, n_left_out, generators,
            checkers, difficulty.
        counts: answers of each class before filtering, best class first.
        total: answers before filtering.
    """

    rows: pd.DataFrame
    counts: Mapping[AnswerClass, int]
    total: int


def hunt_catalog(workspace: Workspace) -> HuntCatalog:
    """Every hunt below `runs/`."""
    found, damaged = [], []
    for folder in workspace.hunt_dirs():
        try:
            found.append(_entry(open_hunt(folder)))
        except (InputError, KeyError, ValueError) as error:
            damaged.append((folder.name, str(error)))
    return HuntCatalog(tuple(found), tuple(damaged))


def answer_table(hunt: Hunt, wanted: AnswerFilter) -> AnswerTable:
    """The answers of a hunt that a filter keeps."""
    rows = hunt.answers()
    classes = [_BY_KEY[row["class"]] for row in rows]
    pairs = {pair.pair_id: pair for pair in hunt.pairs()}
    kept = _matching(hunt, pairs, rows, wanted)
    given = [float(value) for value in rewards([int(one) for one in classes])]
    table = pd.DataFrame(
        {
            "pair_id": [rows[i]["pair_id"] for i in kept],
            "answer": [rows[i]["answer_index"] + 1 for i in kept],
            "class": [CLASSES[classes[i]].name for i in kept],
            "fault": [fault_words(rows[i]["fault"]) for i in kept],
            "reward": [given[i] for i in kept],
            "n_inputs": [rows[i]["n_inputs"] for i in kept],
            "n_left_out": [rows[i]["n_left_out"] for i in kept],
            "generators": [_counted(rows[i]["generator_strategies"]) for i in kept],
            "checkers": [", ".join(rows[i]["checker_strategies"]) for i in kept],
            "difficulty": [str(pairs[rows[i]["pair_id"]].metadata.get("difficulty", "")) for i in kept],
        }
    )
    return AnswerTable(table, {one: classes.count(one) for one in CLASSES}, len(rows))


def class_words(key: str) -> str:
    """A class of answers, by its key in files, in words."""
    return CLASSES[_BY_KEY[key]].name


def fault_words(fault: str | None) -> str:
    """What is wrong with an answer's form; "" for nothing."""
    return _FAULTS[Fault(fault)] if fault else ""


def _entry(hunt: Hunt) -> HuntEntry:
    record = hunt.record
    identity = record.identity
    kind = hunt.kind
    given = "harnesses" if kind is AnswerKind.HARNESS else "inputs and outputs"
    source = (
        "without a model" if identity["answers"] == "offline" else f"from {Path(identity['answers']).name}"
    )
    limits = [f"first {identity['first']} inputs"] if identity.get("first") else []
    limits += [f"generators run {identity['repeat']} times"] if identity.get("repeat", 1) > 1 else []
    words = [
        f"{given[:1].upper()}{given[1:]} {source}, pairs from {Path(identity['pairs']).name}",
        *limits,
        f"seed {identity['seed']}",
        f"sandbox {record.backend}",
        record.created.replace("T", " ").removesuffix("+00:00") + " UTC",
    ]
    if record.finished:
        words.append(f"{record.seconds:,.0f} s")
    return HuntEntry(
        hunt.folder.name,
        f"{hunt.folder.name} ({kind.value})",
        hunt.folder,
        kind,
        bool(record.finished),
        " · ".join(words),
        max((path.stat().st_mtime_ns for path in hunt.folder.glob("*.parquet")), default=0)
        + (hunt.folder / "hunt.json").stat().st_mtime_ns,
    )


def _matching(
    hunt: Hunt, pairs: Mapping[str, Pair], rows: Sequence[Mapping[str, object]], wanted: AnswerFilter
) -> list[int]:
    text = wanted.text.casefold()
    texts = hunt.texts() if text else {}
    kept = []
    for i, row in enumerate(rows):
        pair_id, index = str(row["pair_id"]), row["answer_index"]
        used = {*_strings(row["generator_strategies"]), *_strings(row["checker_strategies"])}
        if wanted.classes and class_words(str(row["class"])) not in wanted.classes:
            continue
        if wanted.strategies and not used & set(wanted.strategies):
            continue
        if text and not any(
            text in one.casefold()
            for one in (pair_id, pairs[pair_id].description, texts[pair_id][int(str(index))])
        ):
            continue
        kept.append(i)
    return kept


def _strings(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def _counted(strategies: Sequence[str]) -> str:
    """How many of each: "2 dynamic, 1 hardcoded"."""
    return ", ".join(f"{strategies.count(one)} {one}" for one in dict.fromkeys(sorted(strategies)))
