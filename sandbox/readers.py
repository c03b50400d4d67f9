"""Reads the tagged forms of `sandbox.values`: a fixed table of constructors, nothing else is ever run.

A payload may be anything that JSON can say. What a reader can't use it refuses with one of the
exceptions that `sandbox.values.Codec.loads` turns into ValueError.
"""

from __future__ import annotations

import binascii
import functools
import re
import sys
from array import array
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any, Final

ITERATOR_LIMIT: Final = 10_000
"""How many items of an iterator are read; reading further on the other side is an error."""
_BUFFER: Final = re.compile(r"[<>|=]?[biufcSU]\d{1,4}|\|b1")


def _read_float(payload: str) -> float:
    return {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}[payload]


def _read_int(payload: str) -> int:
    return int(payload, 16)


def _read_bytes(payload: str) -> bytes:
    return binascii.a2b_base64(payload, strict_mode=True)


def _read_numbers(payload: list[str]) -> list[Any]:
    code, data = payload
    if code not in ("i", "q", "d"):
        raise ValueError("not a code of numbers")
    numbers = array(code)
    numbers.frombytes(_read_bytes(data))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()


def _read_complex(payload: list[float]) -> complex:
    real, imaginary = payload
    return complex(float(real), float(imaginary))


def _read_range(payload: list[int]) -> range:
    start, stop, step = payload
    return range(start, stop, step)


def _read_deque(payload: list[Any]) -> deque[Any]:
    items, longest = payload
    return deque(_a_list(items), longest)


def _read_objects(payload: list[Any]) -> Any:
    import numpy as np

    items, shape = payload
    array = np.empty(len(items), dtype=object)
    array[:] = items
    return array.reshape(_shape(shape))


def _read_array(payload: list[Any]) -> Any:
    import numpy as np

    dtype, shape, data = payload
    return np.frombuffer(_read_bytes(data), dtype=_dtype(dtype)).reshape(_shape(shape)).copy()


def _read_scalar(payload: list[Any]) -> Any:
    import numpy as np

    dtype, data = payload
    raw = _read_bytes(data)
    return np.frombuffer(raw or b"\0\0\0\0", dtype=_dtype(dtype) if raw else "U1")[0]


def _dtype(text: str) -> str:
    if not _BUFFER.fullmatch(text):
        raise ValueError("not a plain dtype")
    return text


def _shape(sizes: list[int]) -> tuple[int, ...]:
    if len(sizes) > 32 or any(type(size) is not int or size < 0 for size in sizes):
        raise ValueError("not a shape")
    return tuple(sizes)


def _a_list(payload: Any) -> list[Any]:
    if type(payload) is not list:
        raise ValueError("a list was expected")
    return payload


def _read_pairs(payload: Any) -> list[tuple[Any, Any]]:
    return [(key, value) for key, value in _a_list(payload)]


def _read_counter(payload: Any) -> Counter[Any]:
    counter: Counter[Any] = Counter()
    dict.update(counter, _read_pairs(payload))
    return counter


def _read_decimal(payload: str) -> Any:
    from decimal import Decimal

    return Decimal(payload)


def _read_fraction(payload: list[int]) -> Any:
    from fractions import Fraction

    numerator, denominator = payload
    return Fraction(numerator, denominator)


def _read_moment(kind: str) -> Callable[[str], Any]:
    def read(payload: str) -> Any:
        import datetime as dt

        return getattr(dt, kind).fromisoformat(payload)

    return read


def _read_timedelta(payload: list[int]) -> Any:
    from datetime import timedelta

    days, seconds, microseconds = payload
    return timedelta(days, seconds, microseconds)


def _read_iterator(payload: Any) -> Iterator[Any]:
    return iter(_a_list(payload))


def _read_named(payload: Any) -> tuple[Any, ...]:
    name, fields, items = payload
    if len(fields) != len(items):
        raise ValueError("names and items differ in number")
    for field, item in zip(fields, items, strict=True):
        if callable(item) and _is_of_plain_data(field):
            raise ValueError("a function where plain data has a method")
    named: tuple[Any, ...] = tuple.__new__(_named_type(name, tuple(fields)), _a_list(items))
    return named


def _is_of_plain_data(field: Any) -> bool:
    """Whether plain data has such an attribute: `startswith=bool` would answer in its place."""
    from sandbox.proxy import PLAIN_ATTRIBUTES

    return field in PLAIN_ATTRIBUTES


@functools.lru_cache(maxsize=64)
def _named_type(name: str, fields: tuple[str, ...]) -> Any:
    """A class of tuples with named fields; a name can't be one that Python itself looks up."""
    if not all(type(text) is str and text.isidentifier() for text in (name, *fields)):
        raise ValueError("not a name")
    if any(field.startswith("_") for field in fields):
        raise ValueError("not the name of a field")
    members: dict[str, Any] = {field: property(itemgetter(index)) for index, field in enumerate(fields)}
    members |= {"__slots__": (), "_fields": fields, "__repr__": _show_named, "_asdict": _as_dict}
    return type(name, (tuple,), members)


def _show_named(named: Any) -> str:
    inner = ", ".join(f"{field}={item!r}" for field, item in zip(named._fields, named, strict=True))
    return f"{type(named).__name__}({inner})"


def _as_dict(named: Any) -> dict[str, Any]:
    return dict(zip(named._fields, named, strict=True))


READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "$tuple": lambda payload: tuple(_a_list(payload)),
    "$named": _read_named,
    "$dict": lambda payload: dict(_read_pairs(payload)),
    "$set": lambda payload: set(_a_list(payload)),
    "$frozenset": lambda payload: frozenset(_a_list(payload)),
    "$float": _read_float,
    "$int": _read_int,
    "$numbers": _read_numbers,
    "$str": lambda payload: binascii.unhexlify(payload).decode("utf-8", "surrogatepass"),
    "$complex": _read_complex,
    "$bytes": _read_bytes,
    "$bytearray": lambda payload: bytearray(_read_bytes(payload)),
    "$range": _read_range,
    "$slice": lambda payload: slice(*_a_list(payload)),
    "$deque": _read_deque,
    "$counter": _read_counter,
    "$ordered": lambda payload: OrderedDict(_read_pairs(payload)),
    "$keys": lambda payload: dict.fromkeys(_a_list(payload)).keys(),
    "$values": lambda payload: dict(enumerate(_a_list(payload))).values(),
    "$items": lambda payload: dict(_read_pairs(payload)).items(),
    "$constant": lambda payload: {"Ellipsis": ..., "NotImplemented": NotImplemented}[payload],
    "$decimal": _read_decimal,
    "$fraction": _read_fraction,
    "$datetime": _read_moment("datetime"),
    "$date": _read_moment("date"),
    "$time": _read_moment("time"),
    "$timedelta": _read_timedelta,
    "$iterator": _read_iterator,
    "$cut": lambda payload: _cut(_a_list(payload)),
    "$objects": _read_objects,
    "$array": _read_array,
    "$scalar": _read_scalar,
}


def _cut(items: list[Any]) -> Iterator[Any]:
    yield from items
    raise RuntimeError(f"only the first {ITERATOR_LIMIT} items of an iterator cross over")
