"""The judge's side of a program's process: ask the host for one, load it, call it, watch its clock."""

from __future__ import annotations

import builtins
import contextlib
import json
import math
import os
import socket
import struct
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final, NoReturn

from sandbox.outcome import Outcome
from sandbox.proxy import Part, Proxy, Result, is_class_name, is_proxy, update_in_place
from sandbox.values import Codec, Unsendable
from sandbox.verdict import RaisedByProgram, Report, one_line
from sandbox.wire import BrokenStreamError, Frames, frame

_TICK_US: Final = 10_000
_CALLBACK_DEPTH: Final = 50
_MODULES: Final = frozenset(
    """
    math cmath re string collections itertools functools operator heapq bisect copy datetime fractions
    decimal statistics random typing json numpy
    """.split()  # noqa: SIM905
)
_ERRORS: Final = {
    name: thing
    for name, thing in vars(builtins).items()
    if isinstance(thing, type) and issubclass(thing, BaseException) and "Group" not in name
}
_TYPES: Final = {name: thing for name, thing in vars(builtins).items() if isinstance(thing, type)}
_CALLABLES: Final = {id(thing): name for name, thing in _TYPES.items()}


class StopCheckError(BaseException):
    """The check is over, whatever its code does next; the verdict is in `RemoteProgram.verdict`."""


class HostClient:
    """The judge's end of the control channel.

    Attributes:
        outputs: descriptors of the files that catch the program's stdout and stderr.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        _, self.outputs, _, _ = self._ask({"op": "hello"}, 2)

    def spawn(self, limits: dict[str, Any], stdin: int | None) -> socket.socket:
        """A socket to a new program process; the one before is gone with all it started."""
        fds = self._ask({"op": "spawn", **limits}, 1, [] if stdin is None else [stdin])[1]
        return socket.socket(fileno=fds[0])

    def fate(self) -> dict[str, Any]:
        """End the program process and say how it ended: wait status (or None) and peak memory."""
        answer: dict[str, Any] = json.loads(self._ask({"op": "fate"}, 0)[0])
        return answer

    def end(self) -> None:
        """End the program process and all that it started."""
        self._ask({"op": "end"}, 0)

    def _ask(
        self, request: dict[str, Any], descriptors: int, given: list[int] | None = None
    ) -> tuple[bytes, list[int], int, Any]:
        socket.send_fds(self._control, [json.dumps(request).encode()], given or [])
        answer = socket.recv_fds(self._control, 4096, max(descriptors, 1))
        if not answer[0] or len(answer[1]) != descriptors:
            raise BrokenStreamError("the host is gone")
        return answer


class RemoteProgram:
    """One program process.

    Attributes:
        verdict: set when the check is over whatever the test does: time limit, death, broken program.
        died: the process closed its socket; the host knows its fate.
        deadline: on time.monotonic().
        spent: a fork of the judge talked to the process; nothing more can be asked of it here.
        used: whether the program's code was begun for the current check.
    """

    def __init__(self, channel: socket.socket, output: int, on_wait: Callable[[], None]) -> None:
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
        self._error_types: dict[str, type[BaseException]] = {}
        self._waiting_load = b""
        self._depth = 0
        self._output_limit = 0
        self.verdict: Report | None = None
        self.died = False
        self.spent = False
        self.used = False
        self.deadline = math.inf

    def load(self, source: str, name: str, seed: int) -> None:
        """Send the program with the first request."""
        self._waiting_load = frame(b"-" + self._codec.dumps(["load", source, name, seed]).encode())

    def begin(self, seconds: float, output_limit: int) -> None:
        """Start a check: a new namespace with its first request, and the clock now."""
        self.verdict, self.used = None, False
        self.deadline = time.monotonic() + seconds
        self._output_limit = output_limit
        self._callbacks.clear()
        self._proxies.clear()

    def entry(self, name: str, is_class: bool | None = None) -> Proxy:
        """The stub of a global name; None: a class if it is spelled like one."""
        if is_class_name(name) if is_class is None else is_class:
            return Part(self, name, "type")
        return Result(self, name, "function")

    def ask(self, gives: type[Proxy], operation: str, *arguments: object) -> Any:
        """Send a request and give the value that comes back, with objects in it as this class of proxy."""
        return self._request(gives, [operation, *arguments])[0]

    def call(
        self, gives: type[Proxy], target: str | int, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Call a function there; arguments that it changed in place are changed here."""
        value, changed = self._request(gives, ["call", target, list(args), kwargs])
        if changed is not None:
            if type(changed) is not list:
                raise self._stop(_broken("changed arguments are no list"))
            for argument, now in zip([*args, *kwargs.values()], changed, strict=False):
                if type(now) is list and len(now) == 1:
                    update_in_place(argument, now[0])
        return value

    def refuse(self, kind: str) -> NoReturn:
        """End the check, whatever it would catch: an object stands where it needs plain data."""
        message = f"the program gave an object of type {kind}, which is not plain data"
        raise self._stop({"outcome": Outcome.RUNTIME_ERROR, "message": message})

    def judge(self, code: bytes, support: bytes, entry_point: str | None, nonce: str) -> Report:
        """Run a check in the program's process."""
        answer = self._exchange(["judge", code, support, entry_point, nonce])
        if answer[:2] != ["verdict", nonce] or type(answer[2]) is not dict:
            raise self._stop(_broken("no verdict came back"))
        return _cleaned(answer[2])

    def run_script(self) -> None:
        """Run the program as a script; returns only by StopCheckError (it ended) or its exception."""
        self.used = True
        self._request(Result, ["script"])

    def resolve(self, name: str) -> tuple[bool, Any]:
        """What a global name of the program stands for: whether there is one, and its stand-in."""
        found = self.ask(Result, "name", name)
        if type(found) is not dict or found.get("found") is not True:
            return False, None
        if "module" in found:
            return found["module"] in _MODULES, _module(found["module"])
        if "exception" in found:
            return True, self._error_type(found["exception"])
        value = found.get("value")
        if is_proxy(value):
            return True, self.entry(name)
        return True, value

    def finish(self) -> None:
        """Begin the program's code if no call has: a program that can't run passes no check."""
        if not self.used:
            self.ask(Result, "run")

    def fileno(self) -> int:
        """The descriptor of the socket."""
        return self._channel.fileno()

    def close(self) -> None:
        """Drop the socket."""
        self._channel.close()

    # Requests.

    def _request(self, gives: type[Proxy], message: list[Any]) -> tuple[Any, Any]:
        outer, self._gives = self._gives, gives
        try:
            answer = self._exchange(message)
        finally:
            self._gives = outer
        if answer[0] == "value":
            return answer[1], answer[2]
        if answer[0] == "error":
            raise _not_control_flow(self._error(answer[1]), message)
        raise self._stop(_broken("an answer of no known kind"))

    def _exchange(self, message: list[Any]) -> list[Any]:
        if self.verdict is not None:
            raise StopCheckError
        data = (b"-" if self.used else b"N") + self._codec.dumps(message).encode()
        self.used = True
        self._send(frame(data))
        while True:
            answer = self._receive()
            if answer[0] == "unloadable":
                raise self._stop(_unloadable(answer[1]))
            if answer[0] != "callback":
                return answer
            self._run_callback(answer)

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

    def _receive(self) -> list[Any]:
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
            self._frames.feed(data)
        try:
            answer = self._codec.loads(payload.decode())
        except ValueError as error:
            raise self._stop(_broken(one_line(str(error)))) from None
        if type(answer) is not list or len(answer) < 2 or type(answer[0]) is not str:
            raise self._stop(_broken("an answer of no known form"))
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

    # Values and errors.

    def _hand_over(self, value: object) -> object:
        if is_proxy(value):
            return {"$ref": value.touchstone[1]}  # type: ignore[attr-defined]
        name = _CALLABLES.get(id(value))
        if name is not None:
            return {"$builtin": name}
        if callable(value):
            self._callbacks.append(value)
            return {"$callback": len(self._callbacks) - 1}
        raise Unsendable(f"an object of type {type(value).__name__} can't be given to the program")

    def _take(self, tag: str, payload: Any) -> object:
        if tag == "$builtin":
            return _TYPES[payload]
        if tag != "$object":
            raise ValueError("unknown tag")
        number, kind = payload
        if type(number) is not int or type(kind) is not str:
            raise ValueError("not an object")
        return self._proxies.setdefault((self._gives, number), self._gives(self, number, kind[:100]))

    def _error(self, told: Any) -> BaseException:
        """The exception that the program raised, to be raised again in the check."""
        if type(told) is not dict:
            raise self._stop(_broken("an exception of no known form"))
        error_type = self._error_type(told.get("types"))
        message, line = str(told.get("message", "")), told.get("line")
        args = told.get("args")
        arguments = tuple(args) if type(args) is list else (message,)
        try:
            error = error_type(*arguments)
        except Exception:  # noqa: BLE001 - a few types want other arguments than they keep
            error = error_type.__new__(error_type)
            error.args = arguments
        error.touchstone_origin = RaisedByProgram(line if type(line) is int else None)  # type: ignore[attr-defined]
        return error

    def _error_type(self, names: Any) -> type[BaseException]:
        """The class for a list of names: a builtin exception, or one made under the nearest builtin."""
        if type(names) is not list or not all(type(name) is str for name in names):
            return RuntimeError
        own = (names or ["RuntimeError"])[0]
        if own in _ERRORS:
            return _ERRORS[own]
        if own not in self._error_types:
            base = self._error_type(names[1:] or ["RuntimeError"])
            self._error_types[own] = _library_error(own) or type(
                own.rpartition(".")[2] or "Error", (base,), {}
            )
        return self._error_types[own]


def _not_control_flow(error: BaseException, message: list[Any]) -> BaseException:
    """What the program raised, as the check may see it.

    StopIteration and GeneratorExit steer loops and generators: raised by a function, they would make
    `all(map(f, ...))` end early. As in a generator (PEP 479) they become RuntimeError, but for the end
    of an iteration itself.
    """
    ends = message[0] == "do" and message[2] == "next" and isinstance(error, StopIteration)
    if ends or not isinstance(error, StopIteration | StopAsyncIteration | GeneratorExit):
        return error
    instead = RuntimeError(f"the program raised {type(error).__name__}")
    instead.touchstone_origin = error.touchstone_origin  # type: ignore[attr-defined, union-attr]
    return instead


def _library_error(name: str) -> type[BaseException] | None:
    """`decimal.InvalidOperation` and the like, where a check may name it."""
    module, _, own = name.rpartition(".")
    found = (
        getattr(_module(module.partition(".")[0]), own, None)
        if module.partition(".")[0] in _MODULES
        else None
    )
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def _module(name: object) -> ModuleType | None:
    if name not in _MODULES:
        return None
    with contextlib.suppress(ImportError):
        return __import__(str(name))
    return None


def _broken(what: str) -> Report:
    return {"outcome": Outcome.RUNTIME_ERROR, "message": f"the program's process sent no answer: {what}"}


def _unloadable(told: Any) -> Report:
    """The verdict on a program whose code does not compile or does not run."""
    if type(told) is not dict:
        return _broken("an error of no known form")
    names, line = told.get("types"), told.get("line")
    name = str(names[0]) if type(names) is list and names else "Error"
    outcome = Outcome.RUNTIME_ERROR
    if told.get("compile") is True:
        outcome = Outcome.COMPILE_ERROR
    elif name == "MemoryError":
        outcome = Outcome.MEMORY_LIMIT
    message = one_line(f"{name}: {told.get('message', '')}")
    return {"outcome": outcome, "message": message, "line": line if type(line) is int else None}


def _cleaned(told: dict[Any, Any]) -> Report:
    """A verdict from the program's process, with each field of its type; a pass only where it says so."""
    outcome = told.get("outcome")
    known = (Outcome.PASSED, Outcome.ASSERTION_FAILED, Outcome.RUNTIME_ERROR, Outcome.MEMORY_LIMIT)
    if type(outcome) is not int or outcome not in known:
        return _broken("a verdict without an outcome")
    report: Report = {"outcome": Outcome(outcome)}
    if report["outcome"] is Outcome.PASSED:
        return report
    for field in ("message", "actual", "expected"):
        if type(told.get(field)) is str:
            report[field] = told[field][:2000]
    if type(told.get("line")) is int:
        report["line"] = told["line"]
    return report
