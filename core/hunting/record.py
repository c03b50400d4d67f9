"""The record of a hunt, `hunt.json`: what was run and what came of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.hunting.model import AnswerKind
from core.store import now
from core.store.manifest import HUNT_RECORD

__all__ = ["RECORD", "HuntRecord", "record_in"]

SCHEMA_VERSION = 1
RECORD = HUNT_RECORD
_IDENTITY: Mapping[str, type] = {"kind": str, "pairs": str, "answers": str, "repeat": int, "seed": int}
_FIELDS: Mapping[str, type] = {
    "created": str,
    "finished": str,
    "backend": str,
    "result": dict,
    "intervals": dict,
}


@dataclass(frozen=True, slots=True)
class HuntRecord:
    """What a hunt was and what came of it.

    Attributes:
        identity: what has to be the same for a hunt to go on: hashes of both files, kind, first, repeat,
            seed, limits.
        finished: when, "" while it is not.
        result: the JSON that the command prints; empty until it is finished.
        intervals: by metric its ends (low, high) as `core.metrics.hunting.hunt_rates` makes them.
        notes: rows of the files that could not be used, answers without a pair.
    """

    identity: Mapping[str, Any]
    created: str = field(default_factory=now)
    finished: str = ""
    schema_version: int = SCHEMA_VERSION
    backend: str = ""
    isolation: Mapping[str, Sequence[str]] = field(default_factory=dict)
    command: Sequence[str] = ()
    seconds: float = 0.0
    result: Mapping[str, Any] = field(default_factory=dict)
    intervals: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()


def record_in(folder: Path) -> HuntRecord | None:
    """The record of a hunt's folder, None if it has none.

    Raises:
        InputError: it is damaged, or no record of a hunt; the message has the field and what was expected.
    """
    try:
        data = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{folder / RECORD}: can't be read: {error}") from error
    if problem := _problem(data):
        raise InputError(f"{folder / RECORD}: is no record of a hunt: {problem}")
    known = {one.name for one in fields(HuntRecord)}
    return HuntRecord(**{key: value for key, value in data.items() if key in known})


def _problem(data: object) -> str:
    """What keeps a JSON value from being a record, "" if nothing does."""
    if not isinstance(data, dict):
        return f"expected an object, found {type(data).__name__}"
    identity = data.get("identity")
    if not isinstance(identity, dict):
        return "expected the object `identity`, which says what was run"
    for key, kinds in _IDENTITY.items():
        if not isinstance(identity.get(key), kinds):
            return f"identity.{key}: expected {kinds.__name__}, found {identity.get(key)!r}"
    if identity["kind"] not in set(AnswerKind):
        return f"identity.kind: expected {' or '.join(AnswerKind)}, found {identity['kind']!r}"
    wrong = [key for key, kind in _FIELDS.items() if not isinstance(data.get(key, kind()), kind)]
    return f"{wrong[0]}: expected {_FIELDS[wrong[0]].__name__}, found {data[wrong[0]]!r}" if wrong else ""
