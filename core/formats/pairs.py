"""Pairs of a good and a buggy program, and raw answers that hunt the bug: Touchstone's own JSONL.

    pairs      {"pair_id", "description", "kind": "stdio" | "function", "good", "buggy", "entry_point"},
               optional "buggy_entry_point" and "metadata"
    answers    {"pair_id", "answers": [str]}
    harnesses  {"task_id", "response"}, optional "shown_solution": what `generate harness` writes; the pair
               is "task_id:shown_solution", as pairs made of a benchmark are called

A raw answer is a model's text as it came; what counts in it is found in `core.hunting.answers`.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from pathlib import Path
from typing import Any

from core.formats import fields
from core.formats.answers import holds_harness
from core.formats.assertions import parse_quietly
from core.formats.errors import FieldError
from core.formats.loaded import Context, Format, Payload, has
from core.formats.reader import Row
from core.formats.touchstone import write_rows
from core.model import Pair, ProblemKind

__all__ = [
    "ANSWERS",
    "HARNESSES",
    "PAIRS",
    "checked_program",
    "pair_in",
    "plain_entry_point",
    "task_of",
    "write_answers",
    "write_pairs",
]


def write_pairs(pairs: Iterable[Pair], path: str | Path) -> None:
    """Write pairs, one a line."""
    write_rows(path, map(_pair_json, pairs))


def write_answers(answers: Mapping[str, Iterable[str]], path: str | Path) -> None:
    """Write raw answers by pair_id, one pair a line."""
    write_rows(path, ({"pair_id": pair_id, "answers": list(texts)} for pair_id, texts in answers.items()))


def checked_program(source: str, key: str) -> str:
    """A good program, which must at least be Python.

    Raises:
        FieldError: it is not.
    """
    try:
        parse_quietly(source)
    except SyntaxError as error:
        raise FieldError(key, f"expected a Python program: {error.msg} in its line {error.lineno}") from None
    return source


def plain_entry_point(name: str) -> str:
    """The bare name in "Solution().name"."""
    return name.strip().rpartition(".")[2]


def task_of(pair_id: str, known: Container[str]) -> str:
    """The task that a pair is about: its pair_id, or the part before a colon, as in pairs of a benchmark.

    Of a pair about no known task it is the whole pair_id.
    """
    if pair_id in known:
        return pair_id
    cuts = [at for at, letter in enumerate(pair_id) if letter == ":" and pair_id[:at] in known]
    return pair_id[: cuts[-1]] if cuts else pair_id


def _pair_json(pair: Pair) -> dict[str, Any]:
    row: dict[str, Any] = {
        "pair_id": pair.pair_id,
        "description": pair.description,
        "kind": pair.kind.value,
        "good": pair.good,
        "buggy": pair.buggy,
        "entry_point": pair.entry_point,
    }
    if pair.buggy_entry_point:
        row["buggy_entry_point"] = pair.buggy_entry_point
    return row | ({"metadata": dict(pair.metadata)} if pair.metadata else {})


def _read_pairs(rows: Iterable[Row], context: Context) -> Payload:
    pairs: dict[str, Pair] = {}
    for row in rows:
        with context.row(row):
            pair = pair_in(row.data)
            fields.once("pair_id", pair.pair_id, pairs)
            pairs[pair.pair_id] = pair
    return Payload(pairs=tuple(pairs.values()))


def pair_in(data: Mapping[str, Any]) -> Pair:
    """The pair in a row.

    Raises:
        FieldError: something of it is missing or of the wrong kind.
    """
    kind = fields.text(data, "kind")
    if kind not in set(ProblemKind):
        raise FieldError("kind", f"expected function or stdio, found {kind!r}")
    entry_point = fields.optional_text(data, "entry_point") or None
    if kind == ProblemKind.FUNCTION and not entry_point:
        raise FieldError("entry_point", "expected the function's name, or kind stdio")
    own = fields.optional_text(data, "buggy_entry_point") or None
    return Pair(
        pair_id=fields.text(data, "pair_id", empty=False),
        description=fields.optional_text(data, "description") or "",
        kind=ProblemKind(kind),
        good=checked_program(fields.text(data, "good", empty=False), "good"),
        buggy=fields.text(data, "buggy", empty=False),
        entry_point=plain_entry_point(entry_point) if entry_point else None,
        buggy_entry_point=plain_entry_point(own) if own else None,
        metadata=fields.mapping(data, "metadata") if data.get("metadata") is not None else {},
    )


def _read_answers(rows: Iterable[Row], context: Context) -> Payload:
    answers: dict[str, tuple[str, ...]] = {}
    for row in rows:
        with context.row(row):
            pair_id = fields.text(row.data, "pair_id", empty=False)
            fields.once("pair_id", pair_id, answers)
            context.known(task_of(pair_id, context.problems or ()), "pair_id")
            answers[pair_id] = tuple(fields.texts(row.data, "answers"))
    return Payload(answers=answers)


def _read_harnesses(rows: Iterable[Row], context: Context) -> Payload:
    answers: dict[str, list[str]] = {}
    for row in rows:
        with context.row(row):
            task_id = fields.text(row.data, "task_id", empty=False)
            context.known(task_id)
            shown = fields.optional_text(row.data, "shown_solution")
            pair_id = f"{task_id}:{shown}" if shown else task_id
            answers.setdefault(pair_id, []).append(fields.text(row.data, "response"))
    return Payload(answers={pair_id: tuple(texts) for pair_id, texts in answers.items()})


def _is_harness(row: Mapping[str, Any]) -> bool:
    response = row.get("response")
    if "task_id" not in row or not isinstance(response, str):
        return False
    request = row.get("request")
    if isinstance(request, dict) and "kind" in request:
        return request["kind"] in {"harness", "io"}
    return "tests" not in row and "test" not in row and holds_harness(response)


PAIRS = Format(
    "touchstone-pairs", "pairs", "pair_id, kind, good, buggy", has("pair_id", "good", "buggy"), _read_pairs
)
ANSWERS = Format(
    "touchstone-answers", "answers", "pair_id, answers", has("pair_id", "answers"), _read_answers
)
HARNESSES = Format(
    "touchstone-harnesses",
    "answers",
    "task_id, response with a harness or with inputs and outputs",
    _is_harness,
    _read_harnesses,
)
