"""What runs in a program's own process: compiles the program and answers calls.

Everything in here is in the program's reach. It can answer calls wrongly, which is what tests are
for, and it can harm itself; it holds no test and no expected value, and its answers are read by
`sandbox.values` on the other side. The one exception is a check that can only be judged here
(`judge` below): it carries a nonce, and its result is marked.

The first request is `L` and, marshalled, (program, name, seed, modules to seed); the program is its code or,
to be compiled here, its source. It has no answer. Any other is one byte, `N` to begin a new namespace first
or `-` to go on with the last, and then JSON:

    ["run"]                                 only begin the namespace
    ["call", target, args, kwargs]          target: a global name, or the number of an object handed out
    ["give", name, args, kwargs]            call a global function; arguments that it changes are not told
    ["get", target, name]  ["set", target, name, value]  ["do", target, operation, args]
    ["name", name]                          what a global name of the program stands for
    ["judge", code, support, names, nonce]  run a check in here; these names are the program's
    ["script"]                              run the program as a script; ends the process

Answers: ["value", value, changed arguments], ["error", {...}], ["unloadable", {...}] and
["verdict", nonce, {...}]; before one of them, ["callback", number, args, kwargs] asks the judge to call
a function of the test, and is answered by `=` and ["value", value] or ["error", {...}].
"""

from __future__ import annotations

import builtins
import contextlib
import marshal
import os
import socket
import sys
from collections.abc import Callable
from enum import Enum
from types import CodeType, ModuleType
from typing import Any, Final, NoReturn

from sandbox.script import run_script
from sandbox.seeds import SEEDERS
from sandbox.values import Codec, Unsendable, type_name
from sandbox.verdict import ASKED, PROGRAM_FILE, SCALARS, describe, run_check, type_names
from sandbox.wire import Frames, read_frame, write_frame

OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "bool": bool,
    "callable": callable,
    "len": len,
    "iter": iter,
    "next": next,
    "str": str,
    "repr": repr,
    "format": format,
    "getitem": lambda target, key: target[key],
    "setitem": lambda target, key, value: target.__setitem__(key, value),
    "delitem": lambda target, key: target.__delitem__(key),
    "contains": lambda target, item: item in target,
    "add": lambda target, other: target + other,
    "sub": lambda target, other: target - other,
    "mul": lambda target, other: target * other,
    "neg": lambda target: -target,
    "enter": lambda target: target.__enter__(),
    "exit": lambda target: target.__exit__(None, None, None),
}
_BUILTIN_NAMES: Final = {id(thing): name for name, thing in vars(builtins).items() if isinstance(thing, type)}


def prepared(fd: int) -> Callable[[], NoReturn]:
    """What answers the judge on this descriptor until it closes; made before the fork that calls it."""
    return _Program(fd).serve


def warm_up() -> None:
    """Do everything a program's process does, with a program of our own, in the process it is forked from.

    What the interpreter learns and makes on the way (specialised bytecode, interned names, free memory in one
    place) is then inherited; a child that had to write it would get a copy of each page it stands on.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs:
        for _ in range(_WARM_UP_ROUNDS):
            program = _Program(theirs.fileno())
            for ours_to_run in (
                _WARM_UP_PROGRAM,
                compile(_WARM_UP_PROGRAM, PROGRAM_FILE, "exec", dont_inherit=True),
            ):
                program.answer(b"L" + marshal.dumps((ours_to_run, "program", 0, ())))
            for request in _WARM_UP_REQUESTS:
                write_frame(ours.fileno(), request)
                program.answer(read_frame(theirs.fileno(), program.frames))
                ours.recv(1 << 16)


class _Program:
    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.frames = Frames()
        self._codec = Codec(self._hand_out, self._take_in)
        self._namespace: dict[str, Any] = {}
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._namesakes: dict[str, dict[int, int]] = {}
        self._code: CodeType | None = None
        self._name = ""
        self._broken: dict[str, Any] | None = None
        self._seed = 0
        self._seeded: tuple[str, ...] = ()
        self._flush = sys.stdout.flush

    def serve(self) -> NoReturn:
        try:
            while True:
                self.answer(read_frame(self._fd, self.frames))
        finally:
            os._exit(0)

    def answer(self, request: bytes | bytearray) -> None:
        """Do what one request asks and send the answer."""
        if request[:1] == b"L":
            self._load(*marshal.loads(request[1:]))  # noqa: S302 - from the judge
            return
        if request[:1] == b"N":
            self._begin()
        try:
            if self._broken is not None:
                text = self._codec.dumps(["unloadable", self._broken])
            else:
                operation, *arguments = self._codec.loads(request[1:].decode())
                text = self._codec.dumps(getattr(self, "do_" + operation)(*arguments))
        except Unsendable as error:
            text = self._codec.dumps(["error", {"types": ["TypeError"], "message": str(error), "line": None}])
        except BaseException as error:  # noqa: BLE001 - whatever the program raises is an answer
            text = self._codec.dumps(["error", describe(error)])
        with contextlib.suppress(OSError, ValueError):  # more output than a file may hold
            self._flush()
        write_frame(self._fd, text.encode())

    def _load(self, program: CodeType | str, name: str, seed: int, seeded: tuple[str, ...]) -> None:
        self._name = name
        self._seed, self._seeded = seed, seeded
        try:
            if isinstance(program, str):
                program = compile(program, PROGRAM_FILE, "exec", dont_inherit=True)
            self._code = program
        except BaseException as error:  # noqa: BLE001 - SyntaxError, ValueError, RecursionError, MemoryError
            self._broken = describe(error) | {"compile": not isinstance(error, MemoryError)}

    def _begin(self) -> None:
        """Run the program's code as a module of its own, as if nothing had run before.

        The module can be found by its name: dataclasses and typing look there for what annotations mean.
        """
        if self._code is None:
            return
        for name in self._seeded:
            SEEDERS[name](self._seed)
        self._broken = None
        self._objects, self._numbers, self._namesakes = [], {}, {}
        module = sys.modules[self._name] = ModuleType(self._name)
        self._namespace = module.__dict__
        known = len(sys.modules)
        try:
            exec(self._code, self._namespace)  # noqa: S102 - this process exists to run it
            if len(sys.modules) > known:
                self._seed_others()
        except BaseException as error:  # noqa: BLE001 - the program may raise anything
            self._broken = describe(error) | {"compile": False}

    def _seed_others(self) -> None:
        """Seed what came with another module than the program named."""
        for name, seed in SEEDERS.items():
            if name in sys.modules and name not in self._seeded:
                seed(self._seed)

    # Requests; each gives its answer.

    def do_run(self) -> list[Any]:
        return ["value", None, None]

    def do_call(self, target: str | int, args: list[Any], kwargs: dict[str, Any]) -> list[Any]:
        function = self._find(target)
        given = [*args, *kwargs.values()]
        if SCALARS.issuperset(map(type, given)):
            return ["value", function(*args, **kwargs), None]
        before = self._texts(given)
        result = function(*args, **kwargs)
        after = self._texts(given)
        if before == after:
            return ["value", result, None]
        changed = [None if old == new else [arg] for old, new, arg in zip(before, after, given, strict=True)]
        return ["value", result, changed]

    def do_give(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> list[Any]:
        if type(args) is not list:
            raise TypeError("arguments are no list")
        return ["value", self._find(name)(*args, **kwargs), None]

    def do_get(self, target: str | int, name: str) -> list[Any]:
        return ["value", getattr(self._find(target), name), None]

    def do_set(self, target: str | int, name: str, value: object) -> list[Any]:
        setattr(self._find(target), name, value)
        return ["value", None, None]

    def do_do(self, target: str | int, operation: str, args: list[Any]) -> list[Any]:
        return ["value", OPERATIONS[operation](self._find(target), *args), None]

    def do_name(self, name: str) -> list[Any]:
        found: dict[str, Any] = {"found": name in self._namespace}
        value = self._namespace.get(name)
        if type(value) is ModuleType:
            found["module"] = value.__name__
        elif isinstance(value, type) and issubclass(value, BaseException):
            found["exception"] = type_names(value)
        elif found["found"]:
            found["value"] = value
        return ["value", found, None]

    def do_judge(self, code: bytes, support: bytes, names: list[str], nonce: str) -> list[Any]:
        namespace = self._namespace | ASKED
        exec(marshal.loads(support), namespace)  # noqa: S102, S302 - both come from the judge
        namespace |= {name: self._namespace[name] for name in names if name in self._namespace}
        return ["verdict", nonce, run_check(marshal.loads(code), namespace)]  # noqa: S302

    def do_script(self) -> NoReturn:
        run_script(
            self._code, lambda error: write_frame(self._fd, self._codec.dumps(["error", error]).encode())
        )

    # Values.

    def _texts(self, args: list[Any]) -> list[str]:
        """The arguments as text, to see which of them a call changed."""
        return [_text(self._codec, arg) for arg in args]

    def _find(self, target: str | int) -> Any:
        if isinstance(target, int):
            return self._objects[target]
        if target in self._namespace:
            return self._namespace[target]
        raise NameError(f"name {target!r} is not defined")

    def _hand_out(self, value: object) -> object:
        """A number for an object that stays here; the same object gets the same number.

        With it go the name of its class, and which of the classes of that name this one is.
        """
        name = _BUILTIN_NAMES.get(id(value))
        if name is not None:
            return {"$builtin": name}
        number = self._numbers.setdefault(id(value), len(self._objects))
        if number == len(self._objects):
            self._objects.append(value)
        kind, name = type(value), type_name(value)
        namesakes = self._namesakes.setdefault(name, {})
        which = namesakes.setdefault(id(kind), len(namesakes))
        return {"$object": [number, name, which, _defaults(kind)]}

    def _take_in(self, tag: str, payload: Any) -> object:
        if tag == "$ref":
            return self._find(payload)
        if tag == "$builtin":
            return getattr(builtins, payload)
        if tag == "$callback":
            return lambda *args, **kwargs: self._call_back(payload, args, kwargs)
        raise ValueError(tag)

    def _call_back(self, number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        write_frame(self._fd, self._codec.dumps(["callback", number, list(args), kwargs]).encode())
        while True:
            reply = read_frame(self._fd, self.frames)
            if reply[:1] == b"=":
                break
            self.answer(reply)
        kind, value = self._codec.loads(reply[1:].decode())
        if kind == "value":
            return value
        raise getattr(builtins, value["type"], RuntimeError)(value["message"])


def _defaults(kind: type) -> int:
    """What a class leaves as Python has it, as `sandbox.proxy.Defaults`: truth 1, equality 2."""
    bases = (base for base in type.mro(kind) if base is not object and base is not Enum)
    own = set().union(*map(vars, bases))
    equality = own.isdisjoint(("__eq__", "__ne__", "__hash__"))
    return own.isdisjoint(("__bool__", "__len__")) + 2 * equality


def _text(codec: Codec, arg: object) -> str:
    if hasattr(type(arg), "__next__"):
        return ""
    try:
        return codec.dumps(arg)
    except Unsendable:
        return ""


_WARM_UP_ROUNDS: Final = 10
_WARM_UP_PROGRAM: Final = """
from typing import Any, Dict, List, Optional, Tuple

def f(numbers: List[float], text: str = "a") -> Tuple[int, str]:
    \"\"\"Typical work.\"\"\"
    total = 0
    for index, number in enumerate(sorted(numbers)):
        if number > index and text not in ("b", "c"):
            total += int(number) % 7
    words = [word.upper() for word in text.split() if word]
    while total > 3 and len(words) < 3:
        total -= 1
        words.append(str(total))
    return (total, " ".join(words)) if numbers else (0, text[0])

def g(x: List[int], y: Optional[List[str]] = None, z: Dict[str, Any] = {}) -> List[str]:
    return {"a": [x, True, None, 1.5, "t"], "b": {x: (x, x)}}
"""
_WARM_UP_REQUESTS: Final = (
    b'N["call","f",[[1.5,2,8.25,30],"a b c"],{}]',
    b'N["call","f",[[]],{}]',
    b'N["call","g",[3],{}]',
    b'N["call","f",[1],{}]',
)
