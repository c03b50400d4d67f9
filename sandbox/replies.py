"""What is made of the things a program's process says: exceptions, modules, verdicts.

Whatever it says is data of no known form until it has been looked at here; nothing of it is run.
"""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Collection
from types import ModuleType
from typing import Any, Final

from sandbox.outcome import Outcome
from sandbox.verdict import SCALARS, RaisedByProgram, Report, one_line

_MODULES: Final = frozenset(
    """
    math cmath re string collections itertools functools operator heapq bisect copy datetime fractions
    decimal statistics random typing json numpy
    """.split()  # noqa: SIM905
)
_LINE_LIMIT: Final = 1 << 31
OF_CHECKS: Final = frozenset(
    {Outcome.PASSED, Outcome.ASSERTION_FAILED, Outcome.RUNTIME_ERROR, Outcome.MEMORY_LIMIT}
)
"""How a check's own code may end."""
_BASES_LIMIT: Final = 50
"""Names of an exception's classes that are looked at."""
_ERRORS: Final = {
    name: thing
    for name, thing in vars(builtins).items()
    if isinstance(thing, type) and issubclass(thing, BaseException) and "Group" not in name
}


class Errors:
    """Exceptions of a program, to be raised again in checks; one class for each name."""

    def __init__(self) -> None:
        self._types: dict[str, type[BaseException]] = {}

    def error(self, told: dict[Any, Any]) -> BaseException:
        """The exception that the program raised."""
        error_type = self.type_of(told.get("types"))
        message, args = str(told.get("message", "")), told.get("args")
        # an object of the program in there could not be shown: asking for its text would end the check
        if type(args) is not list or not SCALARS.issuperset(map(type, args)):
            args = [message]
        try:
            error = error_type(*args)
        except Exception:  # noqa: BLE001 - a few types want other arguments than they keep
            error = error_type.__new__(error_type)
            error.args = tuple(args)
        error.touchstone_origin = RaisedByProgram(_line(told))  # type: ignore[attr-defined]
        error.touchstone_message = message  # type: ignore[attr-defined]
        _give_attributes(error, told.get("attributes"))
        return error

    def type_of(self, names: Any) -> type[BaseException]:
        """The class for a list of names: a builtin exception, or one made under the nearest builtin."""
        if type(names) is not list or not all(type(name) is str for name in names):
            return RuntimeError
        names = names[:_BASES_LIMIT]
        own = (names or ["RuntimeError"])[0]
        if own in _ERRORS:
            return _ERRORS[own]
        if own not in self._types:
            base = self.type_of(names[1:] or ["RuntimeError"])
            own_text = {"__str__": lambda error: error.touchstone_message}
            self._types[own] = _library_error(own) or type(
                own.rpartition(".")[2] or "Error", (base,), own_text
            )
        return self._types[own]


def _give_attributes(error: BaseException, held: Any) -> None:
    """What the program's exception holds beside its arguments, as far as it is plain and new to this one."""
    for name, value in held.items() if type(held) is dict else ():
        if type(name) is str and name[:1] != "_" and type(value) in SCALARS and not hasattr(error, name):
            setattr(error, name, value)


def not_control_flow(error: BaseException) -> BaseException:
    """What the program raised, as the check may see it.

    StopIteration and GeneratorExit steer loops and generators: raised by a function, they would make
    `all(map(f, ...))` end early. As in a generator (PEP 479) they become RuntimeError.
    """
    if not isinstance(error, StopIteration | StopAsyncIteration | GeneratorExit):
        return error
    instead = RuntimeError(f"the program raised {type(error).__name__}")
    instead.touchstone_origin = error.touchstone_origin  # type: ignore[attr-defined, union-attr]
    return instead


def _library_error(name: str) -> type[BaseException] | None:
    """`decimal.InvalidOperation` and the like, where a check may name it."""
    path, _, own = name.rpartition(".")
    found = getattr(module(path.partition(".")[0]), own, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def module(name: object) -> ModuleType | None:
    """The module of the standard library (or numpy) of this name, if a check may have it from a program."""
    if name not in _MODULES:
        return None
    with contextlib.suppress(ImportError):
        return __import__(str(name))
    return None


def broken(what: str) -> Report:
    """The verdict on a process that does not answer as it should."""
    return {"outcome": Outcome.RUNTIME_ERROR, "message": f"the program's process sent no answer: {what}"}


def unloadable(told: Any) -> Report:
    """The verdict on a program whose code does not compile or does not run."""
    if type(told) is not dict:
        return broken("an error of no known form")
    names = told.get("types")
    name = str(names[0]) if type(names) is list and names else "Error"
    outcome = Outcome.RUNTIME_ERROR
    if told.get("compile") is True:
        outcome = Outcome.COMPILE_ERROR
    elif name == "MemoryError":
        outcome = Outcome.MEMORY_LIMIT
    message = one_line(f"{name}: {told.get('message', '')}")
    return {"outcome": outcome, "message": message, "line": _line(told)}


def _line(told: dict[Any, Any]) -> int | None:
    """The line that it names, if a source can have it."""
    line = told.get("line")
    return line if type(line) is int and 0 < line < _LINE_LIMIT else None


def cleaned(told: Any, known: Collection[Outcome] = OF_CHECKS) -> Report:
    """A verdict from a process that may be anybody's, with each field of its type.

    Raises:
        ValueError: it says none of the known outcomes.
    """
    outcome = told.get("outcome") if type(told) is dict else None
    if type(outcome) is not int or outcome not in known:
        raise ValueError("a verdict without an outcome")
    report: Report = {"outcome": Outcome(outcome)}
    if report["outcome"] is Outcome.PASSED:
        return report
    for field in ("message", "actual", "expected"):
        if type(told.get(field)) is str:
            report[field] = told[field][:2000].encode("utf-8", "backslashreplace").decode()
    line = _line(told)
    if line is not None:
        report["line"] = line
    return report
