"""JSON as models write it: followed by other text, with line breaks inside strings, or cut off."""

from __future__ import annotations

import json
from typing import Any

import jiter

__all__ = ["read_cut_off", "read_whole"]

_DECODER = json.JSONDecoder(strict=False)


def read_whole(text: str) -> Any:
    """The value that `text` begins with, line breaks in its strings allowed; None if there is none."""
    try:
        return _DECODER.raw_decode(text)[0]
    except (ValueError, RecursionError):
        return None


def read_cut_off(text: str) -> Any:
    """As much of the value that `text` begins with as is whole; None if there is none."""
    try:
        return jiter.from_json(text.encode("utf-8", "replace"), partial_mode="on")
    except ValueError:
        return None
