"""What became of a check, from how its code ended."""

from __future__ import annotations

from types import CodeType
from typing import Any, Final

from sandbox.outcome import Outcome

CHECK_FILE: Final = "<check>"
PROGRAM_FILE: Final = "<program>"
REPR_LIMIT: Final = 2000
MESSAGE_LIMIT: Final = 500
FAIL: Final = "@fail"
"""The name under which rewritten checks report; no source text can spell it."""
SAME: Final = "@same"
"""The name under which rewritten checks ask `same`."""
ANSWER: Final = "@answer"
"""The name under which checks ask for the answer to their constant request."""
KIND: Final = "@kind"
"""The name under which checks ask for `type`."""
TRUTH: Final = "@truth"
"""The name under which conditions of checks ask for `bool`."""

_DEPTH_SHOWN: Final = 3
"""Objects of the program are looked for in containers within this many others."""
SCALARS: Final = frozenset({type(None), bool, int, float, complex, str, bytes})
"""Types whose values hold nothing else."""

Report = dict[str, Any]
"""Fields of a CheckResult that are not its defaults; always with its `outcome`."""


class CheckFailedError(AssertionError):
    """A comparison that did not hold, with what stood on its two sides."""

    def __init__(self, message: str, actual: str, expected: str) -> None:
        super().__init__(message)
        self.actual = actual
        self.expected = expected


class RaisedByProgram:
    """What is known of an exception that was raised on the program's side.

    Attributes:
        line: of the program, or None.
    """

    def __init__(self, line: int | None) -> None:
        self.line = line


def fail(
    text: str, actual: object = None, expected: object = None, sides: int = 0, note: object = None
) -> None:
    """Report a failed assertion; called by rewritten checks.

    Args:
        text: source of the assertion.
        actual: what stands on the program's side.
        expected: what stands on the other.
        sides: how many of the two are given.
        note: the assertion's own message.
    """
    message = text if note is None else f"{text}: {shown(note, str)}"
    raise CheckFailedError(message, shown(actual) if sides else "", shown(expected) if sides > 1 else "")


def same(left: object, right: object) -> bool:
    """`left is right`; two stand-ins for one object of the program are the same."""
    if _stands_in(left) and _stands_in(right):
        return bool(left.touchstone[:2] == right.touchstone[:2])  # type: ignore[attr-defined]
    return left is right


def _stands_in(value: object) -> bool:
    """Whether it is a `sandbox.proxy.Proxy`, which a program's process does not load."""
    return getattr(type(value), "stands_in", None) is True


def shown(value: object, how: Any = repr) -> str:
    """The value's repr, cut; a value that has none, or is the program's own, is named by its type."""
    value = _named(value)
    try:
        text = str(how(value))
    except Exception as error:  # noqa: BLE001 - a repr may raise anything
        text = f"<{type(value).__name__} without a repr: {type(error).__name__}>"
    return text if len(text) <= REPR_LIMIT else text[: REPR_LIMIT - 1] + "…"


class _Named:
    """What is shown of an object of the program: asked for its text, it could end the check."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __repr__(self) -> str:
        return f"<an object of type {self._kind}>"


def _named(value: Any, depth: int = 0) -> Any:
    """The value with such names for the objects of the program in it."""
    if _stands_in(value):
        return _Named(value.touchstone[2])
    if depth > _DEPTH_SHOWN:
        return value
    if type(value) in (list, tuple):
        return type(value)(_named(item, depth + 1) for item in value)
    if type(value) is dict:
        return {key: _named(item, depth + 1) for key, item in value.items()}
    return value


ASKED: Final[dict[str, Any]] = {FAIL: fail, SAME: same, KIND: type, TRUTH: bool}
"""What rewritten sources ask for, where no object is a stand-in; the namespace of a check begins with it."""


def run_check(code: CodeType, namespace: dict[str, Any]) -> Report:
    """Run a check to its end and say what became of it."""
    try:
        exec(code, namespace)  # noqa: S102 - this is what a judge does
    except BaseException as error:  # noqa: BLE001 - a check may raise anything
        return report(error)
    return {"outcome": Outcome.PASSED}


def report(error: BaseException) -> Report:
    """The outcome that an exception out of a check stands for."""
    origin = getattr(error, "touchstone_origin", None)
    line = origin.line if isinstance(origin, RaisedByProgram) else _line_of(error)
    text = one_line(shown(error, str))
    name = type(error).__name__
    if isinstance(error, CheckFailedError):
        return {
            "outcome": Outcome.ASSERTION_FAILED,
            "message": text,
            "actual": error.actual,
            "expected": error.expected,
        }
    if isinstance(error, AssertionError):
        where = "raised by the program: " if line is not None else ""
        return {
            "outcome": Outcome.ASSERTION_FAILED,
            "message": one_line(f"{where}{name}: {text}"),
            "line": line,
        }
    outcome = Outcome.MEMORY_LIMIT if isinstance(error, MemoryError) else Outcome.RUNTIME_ERROR
    return {"outcome": outcome, "message": f"{name}: {text}" if text else name, "line": line}


def one_line(text: str) -> str:
    """The text on one line, cut, and fit to be encoded."""
    flat = " ".join(text.split())
    return flat[:MESSAGE_LIMIT].encode("utf-8", "backslashreplace").decode()


def type_names(kind: type) -> list[str]:
    """The names of a class and its bases, with their module where it is not `builtins`."""
    return [
        base.__name__ if base.__module__ == "builtins" else f"{base.__module__}.{base.__name__}"
        for base in type.mro(kind)
    ]


def describe(error: BaseException) -> dict[str, Any]:
    """An exception as plain data: the names of its types, its message, what it holds, the program's line."""
    line = error.lineno if isinstance(error, SyntaxError) else None
    line = _line_of(error) or line
    try:
        message = str(error)[:2000]
    except BaseException:  # noqa: BLE001 - the program's own __str__
        message = ""
    args = list(error.args)
    if isinstance(error, OSError) and len(args) == 2 and error.filename is not None:
        args.append(error.filename)
    plain = SCALARS.issuperset(map(type, args))
    held = getattr(error, "__dict__", {}).items()
    return {
        "types": type_names(type(error)),
        "message": message,
        "args": args if plain else None,
        "attributes": {name: value for name, value in held if type(name) is str and type(value) in SCALARS},
        "line": line,
    }


def _line_of(error: BaseException) -> int | None:
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == PROGRAM_FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
