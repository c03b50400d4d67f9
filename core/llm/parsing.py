"""Numbers and reasoning in what models answer."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from core.formats.answers import without_reasoning

__all__ = ["NoRewardError", "reasoning_of", "reward_in"]

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PAIR = re.compile(rf"\b([A-Za-z_]+)\s*[:=]\s*\**\s*({_NUMBER})(?![\w.]*\d)")
_BARE = re.compile(rf"\s*({_NUMBER})\s*")
_LIKELIHOOD = re.compile(
    rf"\b(?:probability|likelihood|likely|confidence|score|answer)\b[^\d\n+.-]{{0,40}}"
    rf"({_NUMBER})\s*(%|/\s*100\b|/\s*10\b)?",
    re.IGNORECASE,
)
_ONE = re.compile(rf"\s*\**({_NUMBER})\s*(%|/\s*100\b|/\s*10\b)?\**\.?\s*")


class NoRewardError(ValueError):
    """An answer that holds no reward; the message says what was expected."""


def reward_in(method: str, text: str) -> float:
    """The reward in an answer.

    Args:
        method: "chat": `reward:x`, a bare number, or attributes (`helpfulness:x,correctness:y`, of which
            correctness counts: Scoring Verifiers, section 4.2). "judge": the last probability named,
            as 0.87, 87% or 87/100. "classify", "score", "pooling": the JSON of the answer's `data`:
            the last class's probability, the score, the last number pooled.
        text: the answer.

    Raises:
        NoRewardError: there is none, or it is not finite.
    """
    if method == "chat":
        value = _chat_reward(without_reasoning(text)[0])
    elif method == "judge":
        value = _likelihood(without_reasoning(text)[0])
    else:
        value = _from_data(method, text)
    if not math.isfinite(value):
        raise NoRewardError(f"expected a finite number, found {value}")
    return value


def reasoning_of(row: Mapping[str, Any]) -> str:
    """The reasoning of a kept answer, whether the endpoint gave it apart or as `<think>`; "" if none."""
    apart = row.get("reasoning")
    if isinstance(apart, str) and apart:
        return apart
    text = row.get("response") or row.get("completion") or (row.get("reward") or {}).get("response") or ""
    return without_reasoning(text)[1]


def _chat_reward(text: str) -> float:
    pairs = {name.lower(): float(number) for name, number in _PAIR.findall(text)}
    for name in ("reward", "correctness"):
        if name in pairs:
            return pairs[name]
    if bare := _BARE.fullmatch(text):
        return float(bare[1])
    raise NoRewardError("expected reward:x, attributes with correctness:x, or a number alone")


def _likelihood(text: str) -> float:
    named = _LIKELIHOOD.findall(text)
    last_line = text.strip().rsplit("\n", 1)[-1]
    if named:
        number, unit = named[-1]
    elif alone := _ONE.fullmatch(last_line):
        number, unit = alone[1], alone[2]
    else:
        raise NoRewardError("expected a line such as `Probability: 0.87`")
    value = float(number)
    if unit:
        value /= 10 if unit.replace(" ", "") == "/10" else 100
    elif value > 1:
        value /= 100
    if not 0 <= value <= 1:
        raise NoRewardError(f"expected a probability from 0 to 1, found {number}{unit}")
    return value


def _from_data(method: str, text: str) -> float:
    expected = {"classify": "probs", "score": "score", "pooling": "data"}[method]
    try:
        value = json.loads(text)[0][expected]
        while isinstance(value, list):
            value = value[-1]
    except (ValueError, LookupError, TypeError):
        value = None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NoRewardError(f"expected data[0].{expected} with a number, found {text[:80]!r}")
    return float(value)
