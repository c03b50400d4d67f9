"""Plain values as JSON text, for values that come from a program nobody trusts.

What crosses: None, bool, int, float, complex, str, bytes, bytearray, list, tuple, dict, set,
frozenset, range, deque, Counter, OrderedDict, Decimal, Fraction, date, time, datetime, timedelta,
numpy arrays and scalars. Iterators are read up to `ITERATOR_LIMIT` items and come back as iterators,
dict views come back as dict views. Instances of subclasses cross as the plain value beneath them,
read by the base class's own methods: what a subclass overrides is never asked.

`loads` builds values from a fixed table of constructors and runs nothing else; whatever it can't
read is a ValueError.

The text is plain JSON where JSON says the same thing, and a tag where it does not:
`{"$tuple": [1, 2]}`, `{"$float": "nan"}`. A dict with one key that starts with `$` is written as
`{"$dict": [[key, value]]}`, so that no dict can be taken for a tag. Long lists of nothing but ints or floats
are written as the bytes of their numbers, several times as fast: `{"$numbers": ["i", "AAAA..."]}`.
"""

from __future__ import annotations

import binascii
import itertools
import math
import re
import sys
from array import array
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from json.decoder import JSONDecoder
from json.encoder import JSONEncoder, c_make_encoder, encode_basestring_ascii  # type: ignore[attr-defined]
from typing import Any, Final

from sandbox.readers import ITERATOR_LIMIT as ITERATOR_LIMIT
from sandbox.readers import READERS

DEPTH_LIMIT: Final = 150
"""Nested containers beyond this are refused: both sides could run out of stack."""
SIZE_LIMIT: Final = 16 * 1024 * 1024
"""Characters of one text."""
_DECIMAL_DIGITS: Final = 1000
_SHORT: Final = 64
_PACKED_FROM: Final = 500
"""Lists of more numbers than this are written as bytes."""

_PLAIN: Final = frozenset({type(None), bool, int, float, str})
_ITERATORS: Final[tuple[type, ...]] = (
    type(iter([])), type(iter(())), type(iter("")), type(iter("é")), type(iter(b"")), type(iter(set())),
    type(iter({})), type(iter({}.values())), type(iter({}.items())), type(reversed([])), type(reversed({})),
    type(iter(range(0))), type(iter(range(1 << 70))), type(reversed(range(0))), type(iter(int, 0)),
    type(item for item in [0]), map, filter, zip, enumerate, reversed,
    *(kind for kind in vars(itertools).values() if isinstance(kind, type)),
)  # fmt: skip
_SURROGATE: Final = re.compile("[\ud800-\udfff]")

Other = Callable[[object], object]


def _json_writer() -> Callable[[object], str]:
    """What `JSONEncoder.encode` does, without making the encoder anew for each text."""
    encoder = JSONEncoder(check_circular=False, allow_nan=False, separators=(",", ":"))
    if c_make_encoder is None:
        return encoder.encode
    chunks = c_make_encoder(
        None, encoder.default, encode_basestring_ascii, None, encoder.key_separator, encoder.item_separator,
        encoder.sort_keys, encoder.skipkeys, encoder.allow_nan,
    )  # fmt: skip
    return lambda form: "".join(chunks(form, 0))


_WRITE: Final = _json_writer()


class Unsendable(ValueError):  # noqa: N818 - names the value, not a fault
    """The value is not plain data; the message names its type."""


class Codec:
    """Writes and reads values; `encode_other` and `decode_other` may add forms of their own.

    Attributes:
        encode_other: gives the JSON form of an object that is not plain data, or raises Unsendable.
        decode_other: given the tag and the payload of an unknown tag, gives the object or raises ValueError.
    """

    def __init__(
        self, encode_other: Other | None = None, decode_other: Callable[[str, Any], object] | None = None
    ) -> None:
        self._encode_other = encode_other or _refuse
        self._decode_other = decode_other
        self._scan: Callable[[str, int], tuple[Any, int]] = JSONDecoder(object_hook=self._hook).scan_once  # type: ignore[attr-defined]

    def dumps(self, value: object) -> str:
        """The text of a value.

        Raises:
            Unsendable: it (or something in it) is not plain data, nested too deeply or too large.
        """
        try:
            form = self.encode(value)
            text = self._write(form)
        except RecursionError:
            raise Unsendable("value is nested too deeply") from None
        if len(text) > SIZE_LIMIT:
            raise Unsendable(f"value is larger than {SIZE_LIMIT} characters")
        return text

    @staticmethod
    def _write(form: object) -> str:
        try:
            text = _WRITE(form)
        except Unsendable:
            raise
        except ValueError:  # nan, an infinity, or an int of too many digits
            return _WRITE(_strict(form))
        return _WRITE(_strict(form)) if "\\ud" in text else text

    def loads(self, text: str) -> Any:
        """The value of a text.

        Raises:
            ValueError: the text is not of this form.
        """
        if len(text) > SIZE_LIMIT:
            raise ValueError("text is too long")
        try:
            value, end = self._scan(text, 0)
        except StopIteration:
            raise ValueError("text is not JSON") from None
        except (
            RecursionError,
            TypeError,
            ArithmeticError,
            AttributeError,
            LookupError,
            ImportError,
        ) as error:
            raise ValueError(f"text holds no value: {type(error).__name__}") from None
        if end != len(text):
            raise ValueError("text goes on after the value")
        return value

    def encode(self, value: object, depth: int = 0) -> object:
        """The JSON form of a value; floats, ints and texts still as they are."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if depth > DEPTH_LIMIT:
            raise Unsendable("value is nested too deeply")
        writer = _WRITERS.get(kind)
        if writer is not None:
            return writer(self, value, depth + 1)
        return self._encode_instance(kind, value, depth + 1)

    def many(self, items: Iterable[object], depth: int) -> object:
        """The form of a list of values; a list of plain values costs one pass in C."""
        forms = list(items)
        kinds = set(map(type, forms))
        if len(forms) > _PACKED_FROM and len(kinds) == 1:
            packed = _pack(forms, *kinds)
            if packed is not None:
                return packed
        if kinds <= _PLAIN:
            return forms
        return [self.encode(item, depth) for item in forms]

    def _encode_instance(self, kind: Any, value: Any, depth: int) -> object:
        if issubclass(kind, _ITERATORS):
            return _write_iterator(self, value, depth)
        numpy = sys.modules.get("numpy")
        if numpy is not None and issubclass(kind, (numpy.ndarray, numpy.generic)):
            return _write_numpy(self, numpy, value, depth)
        if issubclass(kind, tuple) and _is_named(kind):
            return {"$named": [kind.__name__, list(kind._fields), self.many(tuple.__iter__(value), depth)]}
        if not issubclass(kind, type):
            for base in type.__dict__["__mro__"].__get__(kind)[1:]:
                if base in _BASES:
                    plain = _BASES[base](value)
                    return plain if base in _PLAIN else _WRITERS[base](self, plain, depth)
        late = _late_writers()
        for base in type.__dict__["__mro__"].__get__(kind):
            if base in late:
                return late[base](value)
        return self._encode_other(value)

    def _hook(self, form: dict[str, Any]) -> object:
        if len(form) != 1:
            return form
        tag = next(iter(form))
        if tag[:1] != "$":
            return form
        reader = READERS.get(tag)
        if reader is not None:
            return reader(form[tag])
        if self._decode_other is None:
            raise ValueError(f"unknown tag {tag[:40]!r}")
        return self._decode_other(tag, form[tag])


def _strict(form: Any) -> object:
    """The form again with nan, infinities, huge ints and lone surrogates tagged."""
    kind = type(form)
    if kind is list:
        return [_strict(item) for item in form]
    if kind is dict:
        if any(_SURROGATE.search(key) for key in form):
            return {"$dict": [[_strict(key), _strict(item)] for key, item in form.items()]}
        return {key: _strict(item) for key, item in form.items()}
    if kind is float and not math.isfinite(form):
        return {"$float": repr(form)}
    if kind is int and form.bit_length() > 3 * _DECIMAL_DIGITS:
        return {"$int": hex(form)}
    if kind is str and _SURROGATE.search(form):
        return {"$str": binascii.hexlify(form.encode("utf-8", "surrogatepass")).decode()}
    return form


def _refuse(value: object) -> object:
    raise Unsendable(f"an object of type {type_name(value)} is not plain data")


def type_name(value: object) -> str:
    """The name of a value's type, asked in a way that the type can't answer itself."""
    return str(type.__dict__["__name__"].__get__(type(value)))


def _write_dict(codec: Codec, value: dict[Any, Any], depth: int) -> object:
    if {str}.issuperset(map(type, value)) and not (len(value) == 1 and next(iter(value))[:1] == "$"):
        if _PLAIN.issuperset(map(type, value.values())):
            return value
        return {key: codec.encode(item, depth) for key, item in value.items()}
    return {"$dict": _pairs(codec, value, depth)}


def _pairs(codec: Codec, value: dict[Any, Any], depth: int) -> list[object]:
    return [[codec.encode(key, depth), codec.encode(item, depth)] for key, item in value.items()]


def _pack(items: list[Any], kind: type) -> object:
    """The form of many ints that fit 64 bits, or of many floats: their bytes; None for anything else."""
    for code in {int: "iq", float: "d"}.get(kind, ""):
        try:
            numbers = array(code, items)
        except OverflowError:
            continue
        if sys.byteorder == "big":
            numbers.byteswap()
        return {"$numbers": [code, _base64(numbers)]}
    return None


def _write_iterator(codec: Codec, value: Iterator[Any], depth: int) -> object:
    items = list(itertools.islice(value, ITERATOR_LIMIT + 1))
    if len(items) > ITERATOR_LIMIT:
        return {"$cut": codec.many(items[:ITERATOR_LIMIT], depth)}
    return {"$iterator": codec.many(items, depth)}


def _write_numpy(codec: Codec, numpy: Any, value: Any, depth: int) -> object:
    if value.dtype.kind not in "biufcSU":
        if isinstance(value, numpy.generic):
            raise Unsendable(f"a numpy {value.dtype} is not plain data")
        return {"$objects": [codec.many(value.ravel().tolist(), depth), list(value.shape)]}
    data = binascii.b2a_base64(value.tobytes(), newline=False).decode()
    if isinstance(value, numpy.generic):
        return {"$scalar": [value.dtype.str, data]}
    return {"$array": [value.dtype.str, list(value.shape), data]}


def _is_named(kind: Any) -> bool:
    """Whether a class of tuples names its fields as `namedtuple` does."""
    fields = getattr(kind, "_fields", None)
    return type(fields) is tuple and all(type(name) is str and name.isidentifier() for name in fields)


def _base64(value: bytes | array[Any]) -> str:
    return binascii.b2a_base64(value, newline=False).decode()


Writer = Callable[[Codec, Any, int], object]
_WRITERS: Final[dict[type, Writer]] = {
    list: lambda codec, value, depth: codec.many(value, depth),
    tuple: lambda codec, value, depth: {"$tuple": codec.many(value, depth)},
    dict: _write_dict,
    set: lambda codec, value, depth: {"$set": codec.many(value, depth)},
    frozenset: lambda codec, value, depth: {"$frozenset": codec.many(value, depth)},
    complex: lambda codec, value, depth: {"$complex": [value.real, value.imag]},  # noqa: ARG005
    bytes: lambda codec, value, depth: {"$bytes": _base64(value)},  # noqa: ARG005
    bytearray: lambda codec, value, depth: {"$bytearray": _base64(value)},  # noqa: ARG005
    range: lambda codec, value, depth: {"$range": [value.start, value.stop, value.step]},  # noqa: ARG005
    slice: lambda codec, value, depth: {"$slice": codec.many((value.start, value.stop, value.step), depth)},
    deque: lambda codec, value, depth: {"$deque": [codec.many(value, depth), value.maxlen]},
    Counter: lambda codec, value, depth: {"$counter": _pairs(codec, value, depth)},
    OrderedDict: lambda codec, value, depth: {"$ordered": _pairs(codec, value, depth)},
    type({}.keys()): lambda codec, value, depth: {"$keys": codec.many(value, depth)},
    type({}.values()): lambda codec, value, depth: {"$values": codec.many(value, depth)},
    type({}.items()): lambda codec, value, depth: {"$items": codec.many(value, depth)},
    type(Ellipsis): lambda codec, value, depth: {"$constant": "Ellipsis"},  # noqa: ARG005
    type(NotImplemented): lambda codec, value, depth: {"$constant": "NotImplemented"},  # noqa: ARG005
}

# The plain value under an instance of a subclass. Each way reads the storage of the base type.
_BASES: Final[dict[type, Callable[[Any], Any]]] = {
    int: lambda value: int.__add__(value, 0),
    float: lambda value: float.__pos__(value),
    complex: lambda value: complex.__pos__(value),
    str: lambda value: str.__str__(value),
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    bytearray: lambda value: bytearray(bytearray.__getitem__(value, slice(None))),
    list: lambda value: list(list.__iter__(value)),
    tuple: lambda value: tuple(tuple.__iter__(value)),
    Counter: lambda value: Counter(dict(dict.items(value))),
    OrderedDict: lambda value: OrderedDict(list(OrderedDict.items(value))),
    dict: lambda value: dict(dict.items(value)),
    set: lambda value: set(set.__iter__(value)),
    frozenset: lambda value: frozenset(frozenset.__iter__(value)),
    deque: lambda value: deque(deque.__iter__(value), deque.__dict__["maxlen"].__get__(value)),
}


def _late_writers() -> dict[type, Callable[[Any], object]]:
    """Writers for types of modules that only a program which uses them has loaded."""
    writers: dict[type, Callable[[Any], object]] = {}
    decimal, fractions, datetime = map(sys.modules.get, ("decimal", "fractions", "datetime"))
    if decimal is not None:
        writers[decimal.Decimal] = lambda value: {"$decimal": decimal.Decimal.__str__(value)}
    if fractions is not None:
        writers[fractions.Fraction] = lambda value: {"$fraction": [value.numerator, value.denominator]}
    if datetime is not None:
        writers[datetime.datetime] = lambda value: {"$datetime": datetime.datetime.isoformat(value)}
        writers[datetime.date] = lambda value: {"$date": datetime.date.isoformat(value)}
        writers[datetime.time] = lambda value: {"$time": datetime.time.isoformat(value)}
        writers[datetime.timedelta] = lambda value: {
            "$timedelta": [value.days, value.seconds, value.microseconds]
        }
    return writers


def fingerprint(text: str) -> str:
    """What stands for a text where two are compared: a short text itself, of a long one its SHA-256."""
    if len(text) <= _SHORT:
        return text
    from hashlib import sha256  # only who compares loads it, no program's process

    return f"sha256 {sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


_PLAIN_CODEC: Final = Codec()
dumps = _PLAIN_CODEC.dumps
loads = _PLAIN_CODEC.loads
