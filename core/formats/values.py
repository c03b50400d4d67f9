"""Stand-in for `sandbox.values` until that exists: plain values as Python literals."""

from __future__ import annotations

import ast
from typing import Any


def dumps(value: Any) -> str:
    """A plain value as text."""
    return repr(value)


def loads(text: str) -> Any:
    """The value behind the text; ValueError if there is none."""
    try:
        return ast.literal_eval(text)
    except SyntaxError as error:
        raise ValueError(str(error)) from error
