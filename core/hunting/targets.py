"""How a program of a pair is run on an input, and whether two outputs are the same.

Arguments are named as in f, which is what the model was shown, and given by position, so that g may
name them otherwise.
"""

from __future__ import annotations

import ast
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.execution.judge import equal, judge_stdout
from core.formats.assertions import parse_quietly
from core.hunting.model import Ran
from core.model import Outcome, Pair, ProblemKind
from sandbox.contract import CallsJob, CheckResult, Job, Limits, StdioJob
from sandbox.values import loads

__all__ = ["TOLERANCE", "Signature", "ran", "same_output", "signature_of", "target_job"]

TOLERANCE: Final = 1e-6
"""Largest absolute difference of numbers in returned values that are still the same (EvalPlus' own)."""

_WRAPPER: Final = "touchstone_entry"
_NOT_PLAIN: Final = "returned an object of type "


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of an entry point.

    Attributes:
        positional: names in order, `self` left out.
        required: those that have no default.
        keyword_only: names that can't be given by position.
        method: it is a method of class `Solution`.
    """

    positional: tuple[str, ...]
    required: frozenset[str]
    keyword_only: tuple[str, ...] = ()
    method: bool = False

    def arguments(self, named: Mapping[str, Any]) -> list[Any] | None:
        """The values in the order of the parameters; None if one is missing. Other names are ignored."""
        values = []
        for name in self.positional + self.keyword_only:
            if name in named:
                values.append(named[name])
            elif name in self.required or any(
                later in named for later in self.positional[len(values) :] + self.keyword_only
            ):
                return None
            else:
                break
        return values


def signature_of(pair: Pair) -> Signature | None:
    """The parameters of f's function, else of g's; None if neither tells."""
    for program, name in (
        (pair.buggy, pair.buggy_entry_point or pair.entry_point),
        (pair.good, pair.entry_point),
    ):
        found = _find(program, name or "")
        if found is not None:
            return found
    return None


def target_job(pair: Pair, key: str, inputs: Sequence[str], limits: Limits, *, buggy: bool) -> Job:
    """The job that runs g or f on standard inputs, or on lists of arguments as `sandbox.values` text."""
    program = pair.buggy if buggy else pair.good
    if pair.kind is ProblemKind.STDIO:
        return StdioJob(key, program, tuple(inputs), limits)
    name = (buggy and pair.buggy_entry_point) or pair.entry_point or ""
    signature = _find(program, name)
    if signature is not None and (signature.method or signature.keyword_only):
        program, name = _wrapped(program, name, signature), _WRAPPER
    return CallsJob(key, program, name, tuple(inputs), limits)


def ran(result: CheckResult, kind: ProblemKind) -> Ran:
    """What a result of `target_job` says."""
    returned = kind is ProblemKind.FUNCTION and result.outcome is Outcome.PASSED
    return Ran(
        result.outcome,
        (result.value or "null") if returned else result.stdout,
        result.message,
        result.line,
        result.seconds,
        sendable=not (kind is ProblemKind.FUNCTION and result.message.startswith(_NOT_PLAIN)),
    )


def same_output(a: str, b: str, kind: ProblemKind) -> bool:
    """Whether two outputs are the same.

    Printed text is compared line by line, blanks at the ends of lines and of the text aside. Returned
    values are compared as Python compares them (1 == 1.0), lists and tuples alike at any depth, numbers
    within `TOLERANCE`, NaN equal to NaN; a value that can't be read equals nothing but its own text.
    """
    if a == b:
        return True
    if kind is ProblemKind.STDIO:
        return judge_stdout(CheckResult(Outcome.PASSED, stdout=a), b).outcome is Outcome.PASSED
    try:
        return equal(_as_lists(loads(a)), _as_lists(loads(b)), TOLERANCE)
    except (ValueError, TypeError, ArithmeticError, RecursionError):
        return False


def _as_lists(value: Any) -> Any:
    """The value with tuples and what an iterator gives as lists."""
    if isinstance(value, Iterator):
        try:
            return _as_lists(list(value))
        except RuntimeError as error:  # it has more items than cross over
            raise ValueError(str(error)) from error
    if isinstance(value, list | tuple):
        return [_as_lists(item) for item in value]
    if isinstance(value, dict):
        return {key: _as_lists(item) for key, item in OrderedDict(value).items()}
    return value


def _find(program: str, name: str) -> Signature | None:
    try:
        statements = parse_quietly(program)
    except SyntaxError:
        return None
    found: Signature | None = None
    for node in statements:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            found = _signature(node.args)
        elif (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Lambda)
            and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
        ):
            found = _signature(node.value.args)
    return found or _find_method(statements, name)


def _find_method(statements: Sequence[ast.stmt], name: str) -> Signature | None:
    for node in statements:
        if not isinstance(node, ast.ClassDef) or node.name != "Solution":
            continue
        for inner in node.body:
            if isinstance(inner, ast.FunctionDef) and inner.name == name:
                decorators = {ast.unparse(one) for one in inner.decorator_list}
                return _signature(inner.args, skip=0 if "staticmethod" in decorators else 1, method=True)
    return None


def _signature(args: ast.arguments, skip: int = 0, *, method: bool = False) -> Signature:
    names = [one.arg for one in args.posonlyargs + args.args]
    required = set(names[: len(names) - len(args.defaults)])
    required |= {
        one.arg for one, default in zip(args.kwonlyargs, args.kw_defaults, strict=True) if default is None
    }
    return Signature(
        tuple(names[skip:]),
        frozenset(required - set(names[:skip])),
        tuple(one.arg for one in args.kwonlyargs),
        method,
    )


def _wrapped(program: str, name: str, signature: Signature) -> str:
    """The program with a function that takes every argument by position."""
    count = len(signature.positional)
    target = f"Solution().{name}" if signature.method else name
    return (
        f"{program}\n\n\ndef {_WRAPPER}(*values):\n"
        f"    named = dict(zip({list(signature.keyword_only)!r}, values[{count}:]))\n"
        f"    return {target}(*values[:{count}], **named)\n"
    )
