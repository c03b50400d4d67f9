# ruff: noqa: E501 - hostile programs read best on one line
from __future__ import annotations

import contextlib
import datetime as dt
import json
import math
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.values import ITERATOR_LIMIT, Unsendable, dumps, fingerprint, loads


def unfolded(moment):
    """The moment without the mark of a repeated hour, which equality ignores and texts leave out."""
    return moment.replace(fold=0)


texts = st.text(st.characters())
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.complex_numbers(allow_nan=False), texts,
    st.binary(), st.decimals(allow_nan=False), st.fractions(), st.datetimes().map(unfolded), st.dates(), st.times().map(unfolded), st.timedeltas(),
    st.integers().map(lambda number: number << 12_000), st.text("$ab", max_size=3),
)  # fmt: skip
hashables = st.recursive(
    scalars, lambda inner: st.one_of(st.lists(inner).map(tuple), st.frozensets(inner)), max_leaves=8
)
values = st.recursive(
    hashables,
    lambda inner: st.one_of(
        st.lists(inner), st.lists(inner).map(tuple), st.sets(hashables), st.dictionaries(hashables, inner),
        st.dictionaries(st.text("$ab"), inner, max_size=2), st.lists(inner).map(deque),
    ),
    max_leaves=20,
)  # fmt: skip


def shape(value: object) -> object:
    """A value with the type of each of its parts, to compare 1 with True and 1.0."""
    if isinstance(value, dict):
        return (type(value), [(shape(key), shape(item)) for key, item in value.items()])
    if isinstance(value, (set, frozenset)):
        return (type(value), sorted(repr(shape(item)) for item in value))
    if isinstance(value, (list, tuple, deque)):
        return (type(value), [shape(item) for item in value])
    if isinstance(value, int):
        return (type(value), hex(value))
    return (type(value), repr(value) if isinstance(value, float | complex) else value)


@pytest.mark.parametrize(
    "item",
    [
        3,
        -(1 << 31),
        1 << 31,
        1 << 62,
        1 << 63,
        -0.0,
        math.pi,
        math.inf,
        True,
        "a",
        None,
        (1,),
        pytest.param(1 << 15_000, id="huge"),
    ],
)
@pytest.mark.parametrize("kind", [list, tuple, deque])
def test_long_lists_come_back_as_they_were(item, kind):
    """Many numbers are written another way than a few; they and their neighbours keep type and value."""
    for value in (
        kind([item] * 2000),
        kind([*range(2000), item]),
        kind([0.5] * 2000 + [item]),
        {"a": [item] * 2000},
    ):
        assert shape(loads(dumps(value))) == shape(value)
    assert math.isnan(loads(dumps([math.nan] * 2000))[7])
    assert list(loads(dumps(iter([item] * 2000)))) == [item] * 2000


@pytest.mark.parametrize("payload", ['["u", "AA=="]', '["q", "AA=="]', '["q", 3]', '"AAAA"', '["i"]'])
def test_numbers_that_are_none_are_refused(payload):
    """Only whole numbers of a known kind are read."""
    with pytest.raises(ValueError, match=r"\w"):
        loads(f'{{"$numbers": {payload}}}')


@given(values)
def test_values_come_back_as_they_were(value):
    """What is written is read as the same value of the same types, through strict JSON."""
    text = dumps(value)
    json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert shape(loads(text)) == shape(value)


@given(st.text())
def test_junk_is_a_value_error(text):
    """Any text is read or refused with ValueError, nothing else."""
    with contextlib.suppress(ValueError):
        loads(text)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                "$tuple",
                "$dict",
                "$set",
                "$frozenset",
                "$float",
                "$int",
                "$str",
                "$complex",
                "$bytes",
                "$bytearray",
                "$range",
                "$deque",
                "$counter",
                "$ordered",
                "$keys",
                "$values",
                "$items",
                "$constant",
                "$decimal",
                "$fraction",
                "$datetime",
                "$timedelta",
                "$iterator",
                "$cut",
                "$objects",
                "$array",
                "$scalar",
                "$x",
            ]
        ),
        st.recursive(
            st.one_of(
                st.none(),
                st.booleans(),
                st.integers(),
                st.floats(),
                st.text(),
                st.sampled_from(["<i4", "|O", "nan"]),
            ),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=2)
            ),
        ),
        min_size=1,
        max_size=1,
    )
)
def test_tags_with_junk_are_a_value_error(form):
    """A tag over the wrong payload is read or refused with ValueError, nothing else."""
    with contextlib.suppress(ValueError):
        loads(json.dumps(form))


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, -0.0])
def test_special_floats(number):
    """nan, infinities and negative zero survive, alone and nested."""
    assert repr(loads(dumps(number))) == repr(number)
    assert repr(loads(dumps([{"a": number}]))) == repr([{"a": number}])


def test_huge_ints_and_lone_surrogates():
    """Ints beyond what Python prints, and text that is no Unicode, cross."""
    for value in (10**5000, -(10**5000), "\ud800", "\ud83d\ude00", {"\udc00": 1}):
        assert loads(dumps(value)) == value


def test_subclasses_cross_as_what_is_beneath_them():
    """A subclass crosses as its base value; what it overrides is not asked."""

    class Liar(int):
        def __eq__(self, other):
            return True

        def __index__(self):
            raise AssertionError

        __hash__ = __repr__ = __str__ = __int__ = __add__ = __index__

    class Words(list):
        def __iter__(self):
            raise AssertionError

        __len__ = __getitem__ = __iter__

    class Loud(str):
        def __str__(self):
            raise AssertionError

        __repr__ = __iter__ = __str__

    colour = IntEnum("Colour", "RED")
    for value, plain in (
        (Liar(7), 7), (Words([1, 2]), [1, 2]), (Loud("abc"), "abc"), (colour.RED, 1),
        (defaultdict(int, {1: 2}), {1: 2}),
    ):  # fmt: skip
        crossed = loads(dumps(value))
        assert type(crossed) is type(plain)
        assert crossed == plain


def test_named_tuples_keep_their_fields():
    """A named tuple comes back as a tuple with the same fields; field names can't replace methods."""
    Point = namedtuple("Point", "x y")  # noqa: PYI024
    crossed = loads(dumps([Point(1, (2,))]))[0]
    assert isinstance(crossed, tuple)
    assert (crossed.x, crossed.y, crossed) == (1, (2,), (1, (2,)))
    assert repr(crossed) == "Point(x=1, y=(2,))"
    for field in ("__eq__", "_fields", "a b", 1):
        with pytest.raises(ValueError, match=r"name|TypeError"):
            loads(json.dumps({"$named": ["P", [field], [1]]}))


def test_containers_keep_their_kind():
    """Library containers come back as themselves, dict views as dict views."""
    for value in (
        deque([1], 3),
        Counter("aab"),
        OrderedDict([(1, 2), (0, 1)]),
        range(1, 9, 2),
        bytearray(b"x"),
        ...,
    ):
        crossed = loads(dumps(value))
        assert type(crossed) is type(value)
        assert crossed == value
    assert loads(dumps({1: 2}.keys())) == {1}
    assert list(loads(dumps({1: 2}.values()))) == [2]
    assert loads(dumps({1: 2}.items())) == {(1, 2)}


def test_iterators_are_read_up_to_a_limit():
    """An iterator comes back as one; reading an endless one to the limit works, beyond it raises."""
    assert list(loads(dumps(x * x for x in range(4)))) == [0, 1, 4, 9]
    endless = loads(dumps(iter(int, 1)))
    assert [next(endless) for _ in range(ITERATOR_LIMIT)] == [0] * ITERATOR_LIMIT
    with pytest.raises(RuntimeError):
        next(endless)


def test_library_values():
    """Numbers and moments of the standard library keep type and value."""
    zone = dt.timezone(dt.timedelta(hours=2))
    for value in (
        Decimal("1.50"),
        Decimal("NaN"),
        Fraction(1, 3),
        dt.datetime(2020, 2, 29, tzinfo=zone),
    ):
        assert repr(loads(dumps(value))) == repr(value)


def test_numpy_values():
    """Arrays keep dtype and shape, scalars their type."""
    for array in (
        np.arange(6).reshape(2, 3),
        np.array([]),
        np.array(["a", "bc"]),
        np.array(1.5),
        np.array([True]),
    ):
        crossed = loads(dumps(array))
        assert crossed.dtype == array.dtype
        assert np.array_equal(crossed, array)
        assert crossed.shape == array.shape
    for scalar in (np.float64(1.5), np.int8(3), np.bool_(True), np.str_("x")):
        crossed = loads(dumps(scalar))
        assert type(crossed) is type(scalar)
        assert crossed == scalar
    assert loads(dumps(np.array([1, "a", None], dtype=object))).tolist() == [1, "a", None]


@pytest.mark.parametrize("value", [object(), len, int, lambda: 0, ValueError("x"), [object()], {1: object()}])
def test_other_objects_are_refused_by_name(value):
    """What is no plain data raises Unsendable, which names a type."""
    with pytest.raises(Unsendable, match="object of type"):
        dumps(value)


def test_depth_is_limited():
    """A value nested too deeply, or in itself, is refused, and so is such a text."""
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(Unsendable, match="deep"):
        dumps(loop)
    with pytest.raises(ValueError, match="RecursionError"):
        loads("[" * 100_000 + "]" * 100_000)


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_fingerprint_stands_for_one_text(first, second):
    """Two texts have the same fingerprint only if they are the same, and it is never long."""
    assert (fingerprint(first) == fingerprint(second)) == (first == second)
    assert fingerprint(first * 100) == fingerprint("".join([first] * 100))
    assert len(fingerprint(first * 1000)) <= 80
    if first:
        assert fingerprint(fingerprint(first * 100)) != fingerprint(first * 100)
