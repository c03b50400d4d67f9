"""HarnessLLM's data: problems with a good and a buggy program, and the answers sampled for them.

    uid, description, reward_model: {"ground_truth": ...}, optional "testcase": [raw answer]

`ground_truth` is an object, or one as JSON text: `good_code`, `bad_code` and `code_type`, which is
"input/output" or "functional". A code is text, or {"code", "entry_point"} for a function. Functional
programs are run, as in the released evaluation, with the imports that LeetCode's judge has in scope.

With several candidates the ground truth is a list of such objects (test-time scaling, section 4.2):
those rows are no pairs, and are reported.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from core.formats import fields
from core.formats.errors import FieldError
from core.formats.loaded import Context, Format, Payload
from core.formats.pairs import checked_program, plain_entry_point
from core.formats.reader import Row
from core.model import Pair, ProblemKind

__all__ = ["IN_SCOPE", "ROWS", "pair_in"]

IN_SCOPE = """\
import bisect, collections, datetime, functools, heapq, itertools, math, random, string, sys
from bisect import *
from collections import *
from functools import *
from heapq import *
from itertools import *
from math import floor, gcd, inf
from typing import *

"""
"""What functional programs may use without importing it."""

_KINDS = {"input/output": ProblemKind.STDIO, "functional": ProblemKind.FUNCTION}
_METADATA = ("difficulty", "source", "dataset", "split", "platform", "rating")


def _read(rows: Iterable[Row], context: Context) -> Payload:
    pairs: dict[str, Pair] = {}
    answers: dict[str, tuple[str, ...]] = {}
    for row in rows:
        with context.row(row):
            pair = pair_in(row.data)
            fields.once("uid", pair.pair_id, pairs)
            if row.data.get("testcase") is not None:
                answers[pair.pair_id] = tuple(fields.texts(row.data, "testcase"))
            pairs[pair.pair_id] = pair
    return Payload(pairs=tuple(pairs.values()), answers=answers)


def pair_in(data: Mapping[str, Any]) -> Pair:
    """The pair in a row; errors as `core.formats.pairs.pair_in`."""
    truth = _ground_truth(fields.mapping(data, "reward_model"))
    where = "reward_model.ground_truth."
    named = truth.get("code_type", "input/output")
    if named not in _KINDS:
        found = fields.found(named)
        raise FieldError(where + "code_type", f"expected input/output or functional, found {found}")
    kind = _KINDS[named]
    good, entry_point = _program(truth, "good_code", kind, where)
    buggy, own = _program(truth, "bad_code", kind, where)
    return Pair(
        pair_id=_uid(data),
        description=fields.optional_text(data, "description") or "",
        kind=kind,
        good=checked_program(good, where + "good_code"),
        buggy=buggy,
        entry_point=entry_point,
        buggy_entry_point=own if own != entry_point else None,
        metadata={key: data[key] for key in _METADATA if isinstance(data.get(key), str | int | float)},
    )


def _uid(data: Mapping[str, Any]) -> str:
    value = data.get("uid")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return fields.text(data, "uid", empty=False)


def _ground_truth(reward_model: Mapping[str, Any]) -> dict[str, Any]:
    value = reward_model.get("ground_truth")
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise FieldError("reward_model.ground_truth", f"expected an object as JSON: {error}") from None
    return fields.as_object(value, "reward_model.ground_truth")


def _program(truth: Mapping[str, Any], key: str, kind: ProblemKind, where: str) -> tuple[str, str | None]:
    """A program and its entry point, None for one that reads standard input."""
    value = truth.get(key)
    if kind is ProblemKind.STDIO:
        if isinstance(value, dict):
            return fields.text(value, "code", where=f"{where}{key}.", empty=False), None
        return fields.text(truth, key, where=where, empty=False), None
    code = fields.as_object(value, where + key)
    source = fields.text(code, "code", where=f"{where}{key}.", empty=False)
    name = fields.text(code, "entry_point", where=f"{where}{key}.", empty=False)
    in_scope = "" if "from __future__" in source else IN_SCOPE  # which must come first in a file
    return in_scope + source, plain_entry_point(name)


def _is_row(row: Mapping[str, Any]) -> bool:
    return {"uid", "reward_model"} <= row.keys()


ROWS = Format("harnessllm", "pairs", "uid, description, reward_model.ground_truth", _is_row, _read)
