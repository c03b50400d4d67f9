"""What stands for the program's functions and objects in the judge.

A proxy forwards what is asked of it to the program's process and gets plain data back. It answers no
comparison, no truth test and no hash: an object of the program's own that equals everything would
have its way there. Those raise NotPlainDataError, which names the object's type.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Protocol


class NotPlainDataError(TypeError):
    """A value of the program is no plain data where the check needs plain data."""


class Remote(Protocol):
    """The program's process, as a proxy needs it."""

    def ask(self, operation: str, *arguments: object) -> Any:
        """Send a request and give the value that comes back."""

    def call(self, target: str | int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a function there; arguments that it changed in place are changed here."""


class Proxy:
    """A function, class or object of the program.

    Attributes:
        touchstone: the process, the global name or number by which the program knows it, its type's name.
    """

    __slots__ = ("touchstone",)
    touchstone: tuple[Remote, str | int, str]

    def __init__(self, remote: Remote, target: str | int, kind: str) -> None:
        object.__setattr__(self, "touchstone", (remote, target, kind))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it there."""
        remote, target, _ = self.touchstone
        return remote.call(target, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        remote, target, _ = self.touchstone
        return remote.ask("get", target, name)

    def __setattr__(self, name: str, value: object) -> None:
        remote, target, _ = self.touchstone
        remote.ask("set", target, name, value)

    def _refuse(self, *_: object) -> NoReturn:
        kind = self.touchstone[2]
        raise NotPlainDataError(f"the program gave an object of type {kind}, which is not plain data")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __hash__ = _refuse


def _forward(operation: str) -> Callable[..., Any]:
    def method(self: Proxy, *args: object) -> Any:
        remote, target, _ = self.touchstone
        return remote.ask("do", target, operation, list(args))

    return method


def _typed(operation: str, kind: type) -> Callable[..., Any]:
    """Like `_forward`, where Python insists on a type: what comes must be exactly that."""

    def method(self: Proxy, *args: object) -> Any:
        value = _forward(operation)(self, *args)
        if type(value) is not kind:
            raise TypeError(f"{operation} gave {type(value).__name__}")
        return value

    return method


def _leave(self: Proxy, *_: object) -> None:
    _forward("exit")(self)


for _name in ("next", "getitem", "setitem", "delitem", "add", "sub", "mul", "neg", "enter"):
    setattr(Proxy, f"__{_name}__", _forward(_name))
for _name, _kind in (("len", int), ("str", str), ("repr", str), ("format", str), ("contains", bool)):
    setattr(Proxy, f"__{_name}__", _typed(_name, _kind))
Proxy.__exit__ = _leave  # type: ignore[attr-defined]
Proxy.__iter__ = lambda self: _iterate(self)  # type: ignore[attr-defined]


def _iterate(proxy: Proxy) -> Any:
    items = _forward("iter")(proxy)
    return items if isinstance(items, Proxy) else iter(items)


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
