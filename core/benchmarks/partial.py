"""Mutants that treat some inputs wrongly and the rest as the reference does.

The recipe wants solutions that pass a quarter, a half or three quarters of the tests; a
single slip tends to break nearly all of them or nearly none. A partial mutant answers early,
with a fixed or a lazy value, whenever a condition on one argument holds. Conditions are cut
at the values that the reference tests use, so that they part those tests.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from core.benchmarks.edits import Edit, Source
from core.benchmarks.observed import NO_RESULT, ObservedCall

__all__ = ["partial_edits"]

_CUTS = (0.25, 0.5, 0.75)


def partial_edits(program: str, function: ast.FunctionDef, calls: Sequence[ObservedCall]) -> list[Edit]:
    """Every early answer that parts the observed calls; generic conditions where there are no calls.

    Args:
        program: the whole source.
        function: the entry point's node in `ast.parse(program)`.
        calls: what the reference tests call it with.
    """
    source = Source(program)
    first = _first_statement(function)
    if first is None or not source.opens_line(first):
        return []
    indent = " " * first.col_offset
    names = [argument.arg for argument in function.args.posonlyargs + function.args.args]
    edits = []
    for condition, held in _conditions(function, names, calls):
        for answer, right in _answers(names, calls):
            text = f"if {condition}:\n{indent}    {answer}\n{indent}"
            description = f"line {first.lineno}: `if {condition}: {answer}` was put in front"
            start = source.start(first)
            passed = [index in right or not holds for index, holds in enumerate(held)]
            guess = sum(passed) / len(passed) if passed else None
            edits.append(Edit(start, start, text, "partial", description, guess=guess))
    return edits


def _first_statement(function: ast.FunctionDef) -> ast.stmt | None:
    for node in function.body:
        if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            return node
    return None


def _conditions(
    function: ast.FunctionDef, names: Sequence[str], calls: Sequence[ObservedCall]
) -> Iterator[tuple[str, tuple[bool, ...]]]:
    """Conditions, each with whether it holds for each call (empty where that can't be said)."""
    arguments = function.args.posonlyargs + function.args.args
    for place, name in enumerate(names):
        values = [call.arguments[place] for call in calls if len(call.arguments) > place]
        if values and len(values) == len(calls):
            yield from _parting(name, values)
        else:
            yield from ((condition, ()) for condition in _generic(name, arguments[place].annotation))


def _parting(name: str, values: Sequence[Any]) -> Iterator[tuple[str, tuple[bool, ...]]]:
    """Conditions on `name` that hold for some of the values and not for all, no two for the same ones."""
    seen: set[tuple[bool, ...]] = set()
    for condition in _on_values(name, values):
        held = _held(name, condition, values)
        if 0 < sum(held) < len(held) and held not in seen:
            seen.add(held)
            yield condition, held


def _on_values(name: str, values: Sequence[Any]) -> Iterator[str]:
    if all(_is_number(value) for value in values):
        for cut in _cuts(values):
            yield from (f"{name} > {cut!r}", f"{name} <= {cut!r}")
        if all(isinstance(value, int) for value in values):
            yield from (f"{name} % 2 == 0", f"{name} % 2 == 1", f"{name} % 3 == 0")
    elif all(isinstance(value, (str, list, tuple, dict)) for value in values):
        for cut in _cuts([len(value) for value in values]):
            yield from (f"len({name}) > {cut}", f"len({name}) <= {cut}")
        yield from (f"len({name}) % 2 == 0", f"len({name}) % 2 == 1")
        yield from _on_contents(name, values)
    elif all(isinstance(value, bool) for value in values):
        yield from (name, f"not {name}")
    else:
        yield from (f"isinstance({name}, {kind})" for kind in ("str", "int", "float", "list"))


def _on_contents(name: str, values: Sequence[Any]) -> Iterator[str]:
    if all(isinstance(value, str) for value in values):
        yield from (f"' ' in {name}", f"{name} != {name}.lower()", f"{name} == {name}[::-1]")
    elif all(isinstance(value, list) and all(map(_is_number, value)) for value in values):
        yield from (f"sum({name}) > {cut!r}" for cut in _cuts([sum(value) for value in values]))
        first = [value[0] for value in values if value]
        yield from (f"{name} and {name}[0] > {cut!r}" for cut in _cuts(first))
        yield from (f"len(set({name})) < len({name})", f"{name} == sorted({name})")


def _held(name: str, condition: str, values: Sequence[Any]) -> tuple[bool, ...]:
    """Whether the condition holds for each value; () where it can't be asked (`name` hides a builtin)."""
    code = compile(condition, "<condition>", "eval")
    try:
        return tuple(bool(eval(code, {name: value})) for value in values)  # noqa: S307 - written above
    except (TypeError, ValueError, NameError, IndexError):
        return ()


def _generic(name: str, annotation: ast.expr | None) -> Iterator[str]:
    written = ast.unparse(annotation).lower() if annotation is not None else ""
    if any(word in written for word in ("list", "str", "dict", "tuple", "sequence")):
        yield from (f"len({name}) > {cut}" for cut in (0, 2, 5, 10))
    elif written in ("int", "float"):
        yield from (f"{name} > {cut}" for cut in (0, 5, 20, 100))
        yield from (f"{name} % {modulus} == 0" for modulus in (2, 3) if written == "int")


def _answers(names: Sequence[str], calls: Sequence[ObservedCall]) -> Iterator[tuple[str, frozenset[int]]]:
    """Statements that answer early, each with the calls for which that is right.

    Usual results, an argument given back, nothing, an error.
    """
    results = [call.expected for call in calls if call.expected is not NO_RESULT]
    usual = [text for text, _ in Counter(map(_short_literal, results)).most_common(3) if text]
    kinds = {type(result) for result in results}
    defaults = {int: "0", float: "0.0", str: "''", list: "[]", tuple: "()", dict: "{}"}
    usual += [text for kind, text in defaults.items() if kind in kinds]
    for text in dict.fromkeys([*usual, "None"]):
        yield f"return {text}", frozenset(i for i, call in enumerate(calls) if _repr(call.expected) == text)
    for place, name in enumerate(names):
        given = {type(call.arguments[place]) for call in calls if len(call.arguments) > place}
        if kinds and kinds == given and kinds != {bool}:
            yield f"return {name}", frozenset(i for i, call in enumerate(calls) if _gives_back(call, place))
    yield "raise NotImplementedError", frozenset()


def _gives_back(call: ObservedCall, place: int) -> bool:
    return len(call.arguments) > place and bool(call.arguments[place] == call.expected)


def _short_literal(value: Any) -> str:
    text = _repr(value)
    return text if len(text) <= 30 and "inf" not in text and "nan" not in text else ""


def _repr(value: Any) -> str:
    """The value's repr; "" where an int in it is too long for Python to spell."""
    try:
        return repr(value)
    except ValueError:
        return ""


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _cuts(values: Sequence[float]) -> list[float]:
    distinct = sorted(set(values))[:-1]
    if not distinct:
        return []
    ordered = sorted(values)
    cuts = {ordered[int(share * (len(ordered) - 1))] for share in _CUTS}
    return sorted(cut for cut in cuts if cut in distinct)
