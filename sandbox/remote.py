"""The judge's side of a program's process: load it, call it, watch its clock.

Constant requests, which ask the same of every program, may be sent ahead for many checks at once: the
program then answers one while the judge looks at another. They are answered in their order, each in a
namespace of its own. A check that asks anything else while answers to later ones are under way is
`out_of_step`: it needs a process to itself.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import math
import os
import socket
import struct
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from sandbox.outcome import Outcome
from sandbox.proxy import (
    FUNCTIONS,
    Defaults,
    Function,
    Part,
    Proxy,
    Result,
    is_class_name,
    is_proxy,
    update_in_place,
)
from sandbox.replies import Errors, broken, cleaned, module, not_control_flow, unloadable
from sandbox.values import Codec, Unsendable, dumps, fingerprint, loads, type_name
from sandbox.verdict import Report, one_line
from sandbox.wire import Frames, frame

_TICK_US: Final = 10_000
_CALLBACK_DEPTH: Final = 50
_ALL_DEFAULTS: Final = int(Defaults.TRUTH | Defaults.EQUALITY)
_NAMESAKES: Final = (1 << 30) - 1
_TYPES: Final = {name: thing for name, thing in vars(builtins).items() if isinstance(thing, type)}
_CALLABLES: Final = {id(thing): name for name, thing in _TYPES.items()}


class StopCheckError(BaseException):
    """The check is over, whatever its code does next; the verdict is in `RemoteProgram.verdict`."""


def constant_request(name: str, args: str, kwargs: str = "{}") -> bytes:
    """The request to call a global function with constants.

    Args:
        name: of the function.
        args: a list, as `sandbox.values` text.
        kwargs: a dict, likewise.
    """
    return f'["give",{_quoted(name)},{args},{kwargs}]'.encode()


@functools.lru_cache(maxsize=64)
def _quoted(name: str) -> str:
    return dumps(name)


def _name_kind(value: object) -> object:
    raise Unsendable(f"an object of type {value.touchstone[2] if is_proxy(value) else type_name(value)}")  # type: ignore[attr-defined]


_PLAIN_VALUE: Final = ('["value",', ",null]")
"""What stands around the text of a value in an answer."""
_NAMING: Final = Codec(_name_kind)


class RemoteProgram:
    """One program process.

    Args:
        channel: to the process.
        output: descriptor of the file that catches what it prints.
        on_wait: called while it takes its time.
        program: what it is to load, sent with the first request: see `sandbox.program`.

    Attributes:
        verdict: set when the check is over whatever the test does: time limit, death, broken program.
        died: the process closed its socket; the host knows its fate.
        deadline: on time.monotonic().
        spent: a fork of the judge talked to the process; nothing more can be asked of it here.
        used: whether the program's code was begun for the current check.
        out_of_step: the current check asked what can't be asked here.
    """

    def __init__(
        self, channel: socket.socket, output: int, on_wait: Callable[[], None], program: bytes
    ) -> None:
        self._channel = channel
        self._output = output
        self._on_wait = on_wait
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            channel.setsockopt(socket.SOL_SOCKET, option, struct.pack("@ll", 0, _TICK_US))
        self._frames = Frames()
        self._codec = Codec(self._hand_over, self._take)
        self._callbacks: list[Callable[..., Any]] = []
        self._proxies: dict[tuple[type[Proxy], int], Proxy] = {}
        self._gives: type[Proxy] = Result
        self._errors = Errors()
        self._ahead = 0
        self._waiting_load = frame(b"L" + program)
        self._depth = 0
        self._output_limit = 0
        self.verdict: Report | None = None
        self.died = False
        self.spent = False
        self.used = False
        self.out_of_step = False
        self.deadline = math.inf

    def begin(self, seconds: float, output_limit: int) -> None:
        """Start a check: a new namespace with its first request, and the clock now."""
        self.verdict, self.used = None, False
        self.deadline = time.monotonic() + seconds
        self._output_limit = output_limit
        self._callbacks.clear()
        self._proxies.clear()

    @property
    def idle(self) -> bool:
        """Whether no answer is under way."""
        return not self._ahead

    def send_ahead(self, requests: Sequence[bytes]) -> None:
        """Send the constant requests of this check and those after it."""
        self._ahead = len(requests)
        self._send(b"".join(frame(b"N" + request) for request in requests))

    def entry(self, name: str, is_class: bool | None = None) -> Proxy:
        """The stub of a global name; None: a class if it is spelled like one."""
        if is_class_name(name) if is_class is None else is_class:
            return Part(self, name, "type")
        return Result(self, name, "function")

    def ask(self, gives: type[Proxy], operation: str, *arguments: object) -> Any:
        """Send a request and give the value that comes back, with objects in it as this class of proxy."""
        return self._request(gives, [operation, *arguments])[0]

    def constant(self, request: bytes) -> Any:
        """The value of a constant request, the only one of its check; sent now if it was not sent ahead."""
        return self._value(self._parsed(self._constant(request)))[0]

    def constant_text(self, request: bytes, expected: str | None = None) -> str | None:
        """The same as `sandbox.values` text; None if it is the one with the expected fingerprint, "" aside.

        Raises:
            Unsendable: an object of the program is in it.
        """
        text = self._constant(request)
        if text.startswith(_PLAIN_VALUE[0]) and text.endswith(_PLAIN_VALUE[1]):
            value = text[len(_PLAIN_VALUE[0]) : -len(_PLAIN_VALUE[1])]
            if expected and fingerprint(value) == expected:
                return None
            with contextlib.suppress(ValueError):
                loads(value)
                return value
        return _NAMING.dumps(self._value(self._parsed(text))[0])

    def call(
        self, gives: type[Proxy], target: str | int, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call a function there; arguments that it changed in place are changed here."""
        value, changed = self._request(gives, ["call", target, list(args), kwargs])
        if changed is not None:
            if type(changed) is not list:
                raise self._stop(broken("changed arguments are no list"))
            for argument, now in zip([*args, *kwargs.values()], changed, strict=False):
                if type(now) is list and len(now) == 1:
                    update_in_place(argument, now[0])
        return value

    def refuse(self, target: str | int, kind: str) -> NoReturn:
        """End the check, whatever it would catch: an object stands where it needs plain data."""
        message = (
            f"the program gave an object of type {kind}, and the test asks what only the object could "
            f"answer: compare its attributes or its text, or compare it with {kind}(...) made in the test"
        )
        if isinstance(target, str):
            message = (
                f"the test needs plain data where it has {target} itself, of type {kind}; is a call missing?"
            )
        raise self._stop({"outcome": Outcome.RUNTIME_ERROR, "message": message})

    def judge(self, code: bytes, support: bytes, names: Sequence[str], nonce: str) -> Report:
        """Run a check in the program's process, in which these names are the program's."""
        answer = self._exchange(["judge", code, support, list(names), nonce])
        if answer[:2] != ["verdict", nonce]:
            raise self._stop(broken("no verdict came back"))
        try:
            return cleaned(answer[2])
        except ValueError as error:
            raise self._stop(broken(str(error))) from None

    def run_script(self) -> None:
        """Run the program as a script; returns only by StopCheckError (it ended) or its exception."""
        self.used = True
        self._request(Result, ["script"])

    def resolve(self, name: str, is_class: bool | None = None) -> tuple[bool, Any]:
        """What a global name of the program stands for: whether there is one, and it or its stand-in."""
        found: Any = self.ask(Result, "name", name)
        if type(found) is not dict or found.get("found") is not True:
            return False, None
        if "module" in found:
            library = module(found["module"])
            return library is not None, library
        if "exception" in found:
            return True, self._errors.type_of(found["exception"])
        value: Any = found.get("value")
        if not is_proxy(value):
            return True, value
        stub, kind = self.entry(name, is_class), value.touchstone[2]
        if type(stub) is Result:
            stub = (Function if kind in FUNCTIONS else Result)(self, name, kind)
        return True, stub

    def finish(self) -> None:
        """Begin the program's code if no call has: a program that can't run passes no check."""
        if not self.used:
            self.ask(Result, "run")

    def fileno(self) -> int:
        """The descriptor of the socket."""
        return self._channel.fileno()

    # Requests.

    def _request(self, gives: type[Proxy], message: list[Any]) -> tuple[Any, Any]:
        outer, self._gives = self._gives, gives
        try:
            answer = self._exchange(message)
        finally:
            self._gives = outer
        return self._value(answer, ends_iteration=message[0] == "do" and message[2] == "next")

    def _value(self, answer: list[Any], *, ends_iteration: bool = False) -> tuple[Any, Any]:
        if answer[0] == "value":
            return answer[1], answer[2]
        if answer[0] != "error":
            raise self._stop(broken("an answer of no known kind"))
        if type(answer[1]) is not dict:
            raise self._stop(broken("an exception of no known form"))
        error = self._errors.error(answer[1])
        raise error if ends_iteration and isinstance(error, StopIteration) else not_control_flow(error)

    def _exchange(self, message: list[Any]) -> list[Any]:
        self._post(self._codec.dumps(message).encode())
        while True:
            answer = self._parsed(self._receive())
            if answer[0] != "callback":
                return answer
            self._run_callback(answer)
            self._tick()

    def _constant(self, request: bytes) -> str:
        if self._ahead and not self.used and self.verdict is None:
            self._ahead -= 1
            self.used = True
        else:
            self._post(request)
        return self._receive()

    def _post(self, request: bytes) -> None:
        if self.verdict is not None:
            raise StopCheckError
        if self._ahead:
            self.out_of_step = True
            raise StopCheckError
        self._send(frame((b"-" if self.used else b"N") + request))
        self.used = True

    def _run_callback(self, message: list[Any]) -> None:
        try:
            _, number, args, kwargs = message[:4]
            self._depth += 1
            text = self._codec.dumps(["value", self._callback(number)(*args, **kwargs)])
        except Exception as error:  # noqa: BLE001 - the test's function may raise anything
            text = self._codec.dumps(["error", {"type": type(error).__name__, "message": str(error)}])
        finally:
            self._depth -= 1
        self._send(frame(b"=" + text.encode()))

    def _callback(self, number: int) -> Callable[..., Any]:
        if self._depth > _CALLBACK_DEPTH:
            raise RecursionError("calls between check and program are nested too deeply")
        return self._callbacks[number]

    def _send(self, data: bytes) -> None:
        view = memoryview(self._waiting_load + data)
        self._waiting_load = b""
        while view:
            try:
                view = view[self._channel.send(view) :]
            except BlockingIOError:
                self._tick()
            except OSError:
                raise self._death() from None

    def _receive(self) -> str:
        """The text of the next answer."""
        partial = False
        while True:
            try:
                payload = self._frames.next()
                if payload is not None:
                    break
                data = self._channel.recv(1 << 18)
            except BlockingIOError:
                self._tick()
                continue
            except OSError:
                data = b""
            if not data:
                raise self._death()
            if partial:  # one that sends a byte now and then must not keep the clock from being read
                self._tick()
            self._frames.feed(data)
            partial = True
        try:
            return payload.decode()
        except ValueError as error:
            raise self._stop(broken(one_line(str(error)))) from None

    def _parsed(self, text: str) -> list[Any]:
        try:
            answer = self._codec.loads(text)
        except ValueError as error:
            raise self._stop(broken(one_line(str(error)))) from None
        if type(answer) is not list or len(answer) < 2 or type(answer[0]) is not str:
            raise self._stop(broken("an answer of no known form"))
        if answer[0] == "unloadable":
            raise self._stop(unloadable(answer[1]))
        return [*answer, None]

    # The clock and the end.

    def _tick(self) -> None:
        """While the program takes its time: report, look at the clock and at what it prints."""
        self._on_wait()
        if os.fstat(self._output).st_size > self._output_limit:
            raise self._stop({"outcome": Outcome.OUTPUT_LIMIT})
        if time.monotonic() > self.deadline:
            raise self._stop({"outcome": Outcome.TIME_LIMIT})

    def _death(self) -> StopCheckError:
        self.died = True
        return self._stop({"outcome": Outcome.RUNTIME_ERROR, "message": "the program's process ended"})

    def _stop(self, verdict: Report) -> StopCheckError:
        if self.verdict is None:
            self.verdict = verdict
        return StopCheckError()

    # Values.

    def _hand_over(self, value: object) -> object:
        if is_proxy(value):
            return {"$ref": value.touchstone[1]}  # type: ignore[attr-defined]
        name = _CALLABLES.get(id(value))
        if name is not None:
            return {"$builtin": name}
        if callable(value):
            self._callbacks.append(value)
            return {"$callback": len(self._callbacks) - 1}
        raise Unsendable(
            f"the test's own object of type {type(value).__name__} can't be given to the program: "
            "only plain data, functions, and objects of classes that the program defines can"
        )

    def _take(self, tag: str, payload: Any) -> object:
        if tag == "$builtin":
            return _TYPES[payload]
        if tag != "$object":
            raise ValueError("unknown tag")
        number, kind, which, defaults = payload
        if type(kind) is not str or {int} != {type(number), type(which), type(defaults)}:
            raise ValueError("not an object")
        known = Defaults(defaults & _ALL_DEFAULTS)
        stand_in = self._gives(self, number, one_line(kind[:100]), known, which & _NAMESAKES)
        return self._proxies.setdefault((self._gives, number), stand_in)
