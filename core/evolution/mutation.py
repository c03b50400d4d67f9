"""Typed mutation of plain values: what comes out has the type of what went in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["mutated"]

_SPLICE = 0.25
"""How often an argument is taken from another test."""
_OWN_LETTERS = 0.7
"""How often a letter put into a text is one of its own."""
_MAX_ITEMS = 64
"""Containers and texts are not grown beyond this."""
_INTS = (0, 1, -1, 2, 10, 100, 1000)
_FLOATS = (0.0, 1.0, -1.0, 0.5, 1e-6, 1e6)
_LETTERS = "aAzZ019 _-.,()"

Draw = np.random.Generator


def mutated(arguments: Sequence[Any], others: Sequence[Sequence[Any]], draw: Draw) -> list[Any]:
    """A list of arguments with one to three changes.

    Args:
        arguments: plain values.
        others: argument lists of other tests; one of the same place and type may be taken over.
        draw: chooses what changes, and how.
    """
    changed = list(arguments)
    if not changed:
        return changed
    for _ in range(int(draw.integers(1, 4))):
        place = int(draw.integers(len(changed)))
        values = [o[place] for o in others if len(o) > place and type(o[place]) is type(changed[place])]
        if values and draw.random() < _SPLICE:
            changed[place] = values[int(draw.integers(len(values)))]
        else:
            changed[place] = _value(changed[place], draw)
    return changed


def _value(value: Any, draw: Draw) -> Any:
    change = _CHANGES.get(type(value))
    return value if change is None else change(value, draw)


def _int(value: int, draw: Draw) -> int:
    options = [value + 1, value - 1, -value, value * 2, value // 2, value * 10, *_INTS]
    return options[int(draw.integers(len(options)))]


def _float(value: float, draw: Draw) -> float:
    options = [value + 1.0, value - 1.0, -value, value * 2.0, value / 2.0, value + 0.1, *_FLOATS]
    return options[int(draw.integers(len(options)))]


def _text(value: str, draw: Draw) -> str:
    kind = int(draw.integers(8))
    if kind == 0:
        return ""
    if kind == 1:
        return value[::-1]
    if kind == 2:
        return value.swapcase()
    if kind == 3:
        return (value + value)[: max(len(value), _MAX_ITEMS)]
    letters = sorted(set(value)) if value and draw.random() < _OWN_LETTERS else _LETTERS
    letter = letters[int(draw.integers(len(letters)))]
    place = int(draw.integers(len(value) + 1))
    if kind == 4:
        return value[:place] + letter + value[place:]
    if kind == 5:
        return value[:place] + letter + value[place + 1 :]
    if kind == 6:
        return value[:place] + value[place + 1 :]
    return value[:place] + value[place : place + 1] + value[place:]


def _items(value: list[Any], draw: Draw) -> list[Any]:
    kind = int(draw.integers(8))
    items = list(value)
    if not items or kind == 0:
        return []
    place, other = int(draw.integers(len(items))), int(draw.integers(len(items)))
    if kind == 1:
        return items[::-1]
    if kind == 2:
        return items[:place] + items[place + 1 :]
    if kind == 3:
        items[place], items[other] = items[other], items[place]
    elif kind == 4 and len(items) < _MAX_ITEMS:
        items.insert(place, items[other])
    elif kind == 5 and len(items) < _MAX_ITEMS:
        items.insert(place, _value(items[other], draw))
    else:
        items[place] = _value(items[place], draw)
    return items


def _tuple(value: tuple[Any, ...], draw: Draw) -> tuple[Any, ...]:
    """Tuples are mostly records: one item changes, the length stays."""
    if not value:
        return value
    place = int(draw.integers(len(value)))
    return (*value[:place], _value(value[place], draw), *value[place + 1 :])


def _dict(value: dict[Any, Any], draw: Draw) -> dict[Any, Any]:
    pairs = list(value.items())
    if not pairs:
        return {}
    place = int(draw.integers(len(pairs)))
    key, held = pairs[place]
    kind = int(draw.integers(4))
    if kind == 0:
        del pairs[place]
    elif kind == 1:
        pairs[place] = (_value(key, draw), held)
    else:
        pairs[place] = (key, _value(held, draw))
    return dict(pairs)


def _set(value: set[Any], draw: Draw) -> set[Any]:
    return set(_items(sorted(value, key=repr), draw))


_CHANGES: dict[type, Callable[[Any, Draw], Any]] = {
    bool: lambda value, _: not value,
    int: _int,
    float: _float,
    str: _text,
    list: _items,
    tuple: _tuple,
    dict: _dict,
    set: _set,
}
