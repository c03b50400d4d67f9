"""Typed access to the values of a row; what is not as expected raises `FieldError`."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from typing import Any

from core.formats.errors import FieldError
from core.formats.reader import type_name

_SHOWN = 40
_Missing = object()


def found(value: object) -> str:
    """A value's type and, if it is short, the value itself."""
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        shown = repr(value)
        shown = shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."
        return f"{type_name(value)} {shown}"
    return type_name(value)


def _get(row: Mapping[str, Any], key: str, expected: str, where: str) -> Any:
    value = row.get(key, _Missing)
    if value is _Missing:
        raise FieldError(where + key, f"expected {expected}, the key is missing")
    return value


def text(row: Mapping[str, Any], key: str, *, where: str = "", empty: bool = True) -> str:
    """The text under a key; with `empty=False` it must not be blank."""
    value = _get(row, key, "text", where)
    if not isinstance(value, str):
        raise FieldError(where + key, f"expected text, found {found(value)}")
    if not empty and not value.strip():
        raise FieldError(where + key, "expected text, found nothing but blanks")
    return value


def optional_text(row: Mapping[str, Any], key: str, *, where: str = "") -> str | None:
    """The text under a key, None if it is missing or null."""
    return None if row.get(key) is None else text(row, key, where=where)


def number(
    row: Mapping[str, Any], key: str, *, where: str = "", low: float = -math.inf, high: float = math.inf
) -> float:
    """The finite number under a key, between `low` and `high` inclusive."""
    span = f"a number from {low:g} to {high:g}" if math.isfinite(high) else "a number"
    span = f"a number of at least {low:g}" if math.isinf(high) and math.isfinite(low) else span
    value = _get(row, key, span, where)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FieldError(where + key, f"expected {span}, found {found(value)}")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result) or not low <= result <= high:
        raise FieldError(where + key, f"expected {span}, found {found(value)}")
    return result


def optional_number(
    row: Mapping[str, Any], key: str, *, where: str = "", low: float = -math.inf, high: float = math.inf
) -> float | None:
    """The finite number under a key, None if it is missing or null."""
    return None if row.get(key) is None else number(row, key, where=where, low=low, high=high)


def items(row: Mapping[str, Any], key: str, *, where: str = "") -> list[Any]:
    """The list under a key."""
    value = _get(row, key, "a list", where)
    if not isinstance(value, list):
        raise FieldError(where + key, f"expected a list, found {found(value)}")
    return value


def texts(row: Mapping[str, Any], key: str, *, where: str = "") -> list[str]:
    """The list of texts under a key."""
    values = items(row, key, where=where)
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise FieldError(f"{where}{key}[{index}]", f"expected text, found {found(value)}")
    return values


def mapping(row: Mapping[str, Any], key: str, *, where: str = "") -> dict[str, Any]:
    """The object under a key."""
    value = _get(row, key, "an object", where)
    if not isinstance(value, dict):
        raise FieldError(where + key, f"expected an object, found {found(value)}")
    return value


def as_object(value: object, path: str) -> dict[str, Any]:
    """The value, which must be an object."""
    if not isinstance(value, dict):
        raise FieldError(path, f"expected an object, found {found(value)}")
    return value


def once(key: str, value: str, seen: Container[str], path: str | None = None) -> None:
    """Refuse an id that came before."""
    if value in seen:
        raise FieldError(path or key, f"expected each {key} once, {value!r} came before")
