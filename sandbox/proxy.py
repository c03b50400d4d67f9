"""What stands for the program's functions and objects in the judge.

A proxy forwards what is asked of it to the program's process and gets plain data back. No object of
the program is ever asked whether it is what the check expects: comparisons, truth tests, hashes, type
tests and most operators on a proxy end the check with an error that names the object's type, whatever
the check would catch. Where its class leaves truth and equality as Python has them (`Defaults`), two
things are answered here: beside another object or None it is equal to itself alone, and a condition
(`while node:`) finds it true. A program that says so of another class wins no more than it could have had
by giving an `object()`, and that is never what an assertion asserts.

What else may be asked depends on where the object came from, and that on the check's own words alone: a
global name spelled like a class (`is_class_name`) is taken for one.

    Instance  made by calling a class by its name, or by arithmetic on such objects: everything a `Part` may,
              `in`, its own truth, and `+ - *` and `-x` as long as plain data can't turn into plain data
              (`v * 2` gives an object; `x - 3` of an object that pretends to be a number does not give 0)
    Part      what an Instance, a Part or a class gave: attributes, calls, items, iteration, len, str, and
              the hash that Python gives objects; no truth of its own in an assertion (`assert s.is_even(2)`)
              and no method by which plain data tells yes from no (`startswith`, `issubset`)
    Result    what a function gave: calls, str, attributes that no plain data has (`root.left`); so it
              can't stand where the check wants plain data
    Function  a global name of which the program says that it is a function: also `==`, `!=` and truth,
              answered here as Python does for every function. A program that says so of something else
              wins no more than it could have had by defining one
"""

from __future__ import annotations

import datetime as dt
import enum
import functools
from collections import Counter, deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NoReturn, Protocol

from sandbox.verdict import same

_PLAIN_TYPES: Final = (
    str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, range, deque, Counter,
    Decimal, Fraction, dt.datetime, dt.timedelta,
)  # fmt: skip
_PLAIN_NAMES: Final = frozenset({kind.__name__ for kind in _PLAIN_TYPES} | {"bool", "NoneType", "ndarray"})
_OF_ARRAYS: Final = """
    T all any argmax argmin argsort astype clip copy cumsum dot dtype flat flatten item itemsize max
    mean min nbytes ndim nonzero prod ravel repeat reshape round shape size sort squeeze std sum take tobytes
    tolist transpose var view
"""
PLAIN_ATTRIBUTES: Final = frozenset(_OF_ARRAYS.split()).union(*map(dir, _PLAIN_TYPES))
"""Attributes of plain data: an object out of a function is not asked for them."""
FUNCTIONS: Final = frozenset({"function", "builtin_function_or_method", "_lru_cache_wrapper"})
"""Names of types whose objects Python compares by identity alone, and takes for true."""
YES_OR_NO: Final = frozenset(
    """
    startswith endswith issubset issuperset isdisjoint all any is_integer __eq__ __ne__ __lt__ __le__
    __gt__ __ge__ __contains__ __bool__
    """.split()  # noqa: SIM905
).union(name for name in dir(str) if name.startswith("is"))


def is_class_name(name: str) -> bool:
    """Whether a name is spelled the way classes are: CamelCase, no underscore."""
    return name[:1].isupper() and any(character.islower() for character in name) and "_" not in name


class Defaults(enum.IntFlag):
    """What a class leaves as Python has it."""

    NONE = 0
    TRUTH = 1
    EQUALITY = 2


class Remote(Protocol):
    """The program's process, as a proxy needs it; `gives` is the class of proxy for objects that come."""

    def ask(self, gives: type[Proxy], operation: str, *arguments: object) -> Any:
        """Send a request and give the value that comes back."""

    def call(
        self, gives: type[Proxy], target: str | int, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call a function there; arguments that it changed in place are changed here."""

    def refuse(self, target: str | int, kind: str) -> NoReturn:
        """End the check: a global name or an object, of this type, stands where it needs plain data."""


class Proxy:
    """A function, class or object of the program; refuses whatever a subclass does not allow.

    Attributes:
        touchstone: the process, the global name or number by which the program knows it, its type's name.
        touchstone_defaults: what its class leaves as Python has it, by the program's word.
        touchstone_namesake: which of the program's classes of that name its class is, likewise.
    """

    __slots__ = ("touchstone", "touchstone_defaults", "touchstone_namesake")
    stands_in: Final = True
    touchstone: tuple[Remote, str | int, str]
    touchstone_defaults: Defaults
    touchstone_namesake: int

    def __init__(
        self,
        remote: Remote,
        target: str | int,
        kind: str,
        defaults: Defaults = Defaults.NONE,
        namesake: int = 0,
    ) -> None:
        object.__setattr__(self, "touchstone", (remote, target, kind))
        object.__setattr__(self, "touchstone_defaults", defaults)
        object.__setattr__(self, "touchstone_namesake", namesake)

    def __setattr__(self, name: str, value: object) -> None:
        remote, target, _ = self.touchstone
        remote.ask(Part, "set", target, name, value)

    def _refuse(self, *_: object) -> NoReturn:
        remote, target, kind = self.touchstone
        remote.refuse(target, kind)

    @property  # type: ignore[misc]
    def __class__(self) -> NoReturn:  # type: ignore[override]
        """`isinstance` asks for it when the type itself does not answer."""
        self._refuse()

    def _leaves(self, what: Defaults, *others: object) -> bool:
        """Whether it, and those of the others that are the program's, leave this as Python has it."""
        return all(what in thing.touchstone_defaults for thing in (self, *others) if is_proxy(thing))  # type: ignore[attr-defined]

    def __eq__(self, other: object) -> bool:
        """Whether it is the same; None is another thing, plain data does not stand beside it."""
        if not (is_proxy(other) or other is None) or not self._leaves(Defaults.EQUALITY, other):
            self._refuse()
        return same(self, other)

    def __ne__(self, other: object) -> bool:
        """The opposite."""
        return not Proxy.__eq__(self, other)


_REFUSED: Final = """
    bool hash lt le gt ge len contains iter next getitem setitem delitem str repr format enter
    exit int float complex index abs round trunc floor ceil neg pos invert array
    add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift
    radd rsub rmul rtruediv rfloordiv rmod rdivmod rpow rmatmul rand ror rxor rlshift rrshift
    iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift
    """.split()  # noqa: SIM905
for _name in _REFUSED:
    setattr(Proxy, f"__{_name}__", Proxy._refuse)  # noqa: SLF001


class Result(Proxy):
    """A function of the program, or an object that one gave."""

    __slots__ = ()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it there."""
        remote, target, _ = self.touchstone
        return remote.call(Result, target, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name != "__dict__" and (name in PLAIN_ATTRIBUTES or name.startswith("__")):
            self._refuse()
        remote, target, _ = self.touchstone
        return remote.ask(Result, "get", target, name)


class Function(Result):
    """A global name of the program that stands for a function."""

    __slots__ = ()
    __hash__ = Proxy.__hash__

    def __eq__(self, other: object) -> bool:
        """Whether it is the same; two names may stand for one function, which only the program knows."""
        if is_proxy(other) and other is not self:
            self._refuse()
        return object.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        """The opposite."""
        if is_proxy(other) and other is not self:
            self._refuse()
        return object.__ne__(self, other)

    def __bool__(self) -> bool:
        """A function is true."""
        return True


class Part(Proxy):
    """A class of the program, or an object that an object of one gave."""

    __slots__ = ()
    _denied: frozenset[str] = YES_OR_NO

    def __hash__(self) -> int:
        """One that is equal to itself alone is found again by its number."""
        return hash(self.touchstone[1]) if self._leaves(Defaults.EQUALITY) else self._refuse()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it there; a class called by its name gives an Instance."""
        remote, target, _ = self.touchstone
        return remote.call(Instance if isinstance(target, str) else Part, target, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name in self._denied:
            self._refuse()
        remote, target, _ = self.touchstone
        return remote.ask(Part, "get", target, name)


class Instance(Part):
    """An object that the check made by calling a class by its name."""

    __slots__ = ()
    _denied = frozenset()


def is_callable(value: object) -> bool:
    """`callable` for checks: of a proxy the program is asked."""
    if not is_proxy(value):
        return callable(value)
    remote, target, _ = value.touchstone  # type: ignore[attr-defined]
    return remote.ask(Part, "do", target, "callable", []) is True


def kind_of(value: Any) -> type:
    """`type` for checks: of a proxy, a class for each that the program told, which is no plain type."""
    if not is_proxy(value):
        return type(value)
    remote, target, kind = value.touchstone
    if kind in _PLAIN_NAMES and type(value) is not Instance:
        remote.refuse(target, kind)
    return _class_named(ascii(kind)[1:-1], value.touchstone_namesake)


def truth_of(value: Any) -> bool:
    """`bool` for the conditions of checks: an object that the program gave is true (`while node:`)."""
    if type(value) in (Result, Part) and Defaults.TRUTH in value.touchstone_defaults:
        return True
    return bool(value)


@functools.lru_cache(maxsize=256)
def _class_named(name: str, which: int) -> type:  # noqa: ARG001 - a class for each pair
    return type(name, (), {"__new__": None})


def is_proxy(value: object) -> bool:
    """Whether a value is a proxy; `isinstance` would ask the proxy itself."""
    return issubclass(type(value), Proxy)


def _forward(operation: str) -> Callable[..., Any]:
    def method(self: Proxy, *args: object) -> Any:
        remote, target, _ = self.touchstone
        return remote.ask(Part, "do", target, operation, list(args))

    return method


def _typed(operation: str, kind: type) -> Callable[..., Any]:
    """Like `_forward`, where Python insists on a type: what comes must be exactly that."""

    def method(self: Proxy, *args: object) -> Any:
        value = _forward(operation)(self, *args)
        if type(value) is not kind:
            raise TypeError(f"{operation} gave {type(value).__name__}")
        return value

    return method


def _arithmetic(operation: str) -> Callable[..., Any]:
    def method(self: Instance, *args: object) -> Any:
        remote, target, _ = self.touchstone
        value = remote.ask(Instance, "do", target, operation, list(args))
        if not is_proxy(value) and not any(map(is_proxy, args)):
            self._refuse()
        return value

    return method


def _leave(self: Proxy, *_: object) -> None:
    _forward("exit")(self)


def _iterate(proxy: Proxy) -> Any:
    items = _forward("iter")(proxy)
    return items if is_proxy(items) else iter(items)


for _name in ("next", "getitem", "setitem", "delitem", "enter"):
    setattr(Part, f"__{_name}__", _forward(_name))
for _name, _kind in (("len", int), ("str", str), ("repr", str), ("format", str)):
    setattr(Part, f"__{_name}__", _typed(_name, _kind))
for _name in ("add", "sub", "mul", "neg"):
    setattr(Instance, f"__{_name}__", _arithmetic(_name))
setattr(Instance, "__contains__", _typed("contains", bool))  # noqa: B010
setattr(Instance, "__bool__", _typed("bool", bool))  # noqa: B010
for _name in ("str", "repr", "format"):
    setattr(Result, f"__{_name}__", getattr(Part, f"__{_name}__"))
setattr(Part, "__exit__", _leave)  # noqa: B010
setattr(Part, "__iter__", _iterate)  # noqa: B010


def update_in_place(argument: Any, now: Any) -> None:
    """Give a mutable argument the content that the program left in its copy of it."""
    kind = type(argument)
    if kind is not type(now) or argument is now:
        return
    if kind is list:
        _update_items(argument, now)
    elif kind is dict:
        kept = {key: _merged(argument.get(key), value) for key, value in now.items()}
        argument.clear()
        argument.update(kept)
    elif kind is set:
        argument.clear()
        argument.update(now)
    elif kind is tuple:
        for old, new in zip(argument, now, strict=False):
            update_in_place(old, new)
    elif kind.__name__ in {"deque", "Counter", "OrderedDict", "defaultdict"}:
        argument.clear()
        (argument.extend if kind.__name__ == "deque" else argument.update)(now)
    elif kind is bytearray:
        argument[:] = now
    elif kind.__name__ == "ndarray" and argument.shape == now.shape:
        argument[...] = now


def _update_items(argument: list[Any], now: list[Any]) -> None:
    """Lists inside a list keep their identity as long as their places match."""
    if len(argument) == len(now):
        argument[:] = list(map(_merged, argument, now))
    else:
        argument[:] = now


def _merged(old: Any, new: Any) -> Any:
    if type(old) is type(new) and type(old) in (list, dict, set, bytearray):
        update_in_place(old, new)
        return old
    return new
