"""Arguments to call an entry point with, when nobody gives any.

Three sources, the first that has something: the arguments of the prompt's examples, varied
in ways that keep their types; the annotations of the signature; values of the usual types,
tried in every combination (`Trial`), of which whoever runs them keeps the combination that
works best. Hidden reference tests are never looked at. Values stay small.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from core.model import Problem
from core.verifiers.examples import find_examples, parameter_names

__all__ = ["Input", "inputs_for", "varied"]

_FROM_EXAMPLES = 3
_ATTEMPTS = 40
_LONGEST = 300
_WORDS = ("a", "ab", "hello", "Hello World", "abba", "x y z", "123", "aBc")


@dataclass(frozen=True, slots=True)
class Input:
    """One list of arguments.

    Attributes:
        origin: "example", "mutated", "annotation" or "trial".
        kinds: for a trial, which combination of types this is; "" otherwise.
    """

    arguments: tuple[Any, ...]
    origin: str
    kinds: str = ""


def inputs_for(problem: Problem, count: int, *, seed: int = 0) -> tuple[Input, ...]:
    """Up to `count` different inputs (more for trials: that many of each combination), fixed for a seed."""
    if problem.entry_point is None:
        return ()
    rng = random.Random(f"{seed}/{problem.task_id}/inputs")  # noqa: S311 - reproducible, no secret
    examples = find_examples(problem.prompt, problem.entry_point).found
    shown = [example.arguments for example in examples]
    if shown:
        return _distinct(_around(shown, rng), count)
    annotations = _annotations(problem)
    if annotations:
        return _distinct(_annotated(annotations, rng), count)
    names = parameter_names(problem.reference_solution, problem.entry_point)
    return tuple(_trials(len(names), min(count, 8), rng)) if names else ()


def varied(shown: Sequence[tuple[Any, ...]], count: int, seed: str) -> tuple[tuple[Any, ...], ...]:
    """Up to `count` different lists of arguments near those shown, fixed for a seed."""
    usable = [arguments for arguments in shown if arguments]
    if not usable:
        return ()
    rng = random.Random(seed)  # noqa: S311 - reproducible, no secret
    made = (one for one in _around(usable, rng) if one.origin == "mutated")
    return tuple(one.arguments for one in _distinct(made, count))


def _distinct(supply: Iterator[Input], count: int) -> tuple[Input, ...]:
    kept: dict[str, Input] = {}
    for attempt, one in enumerate(supply):
        text = repr(one.arguments)
        if len(text) <= _LONGEST:
            kept.setdefault(text, one)
        if len(kept) >= count or attempt >= count * _ATTEMPTS:
            break
    return tuple(kept.values())


def _around(shown: Sequence[tuple[Any, ...]], rng: random.Random) -> Iterator[Input]:
    yield from (Input(arguments, "example") for arguments in shown[:_FROM_EXAMPLES])
    while True:
        arguments: list[Any] = list(rng.choice(shown))
        same = [other for other in shown if len(other) == len(arguments)]
        if len(same) > 1 and len(arguments) > 1 and rng.random() < 0.25:
            place = rng.randrange(len(arguments))
            arguments[place] = rng.choice(same)[place]
        for _ in range(rng.choice((1, 1, 2))):
            if arguments:
                place = rng.randrange(len(arguments))
                arguments[place] = vary(arguments[place], rng)
        yield Input(tuple(arguments), "mutated")


def vary(value: Any, rng: random.Random) -> Any:
    """A value of the same type near `value`."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return rng.choice(
            (value + 1, value - 1, value + 2, value * 2, value // 2, -value, 0, 1, rng.randint(2, 12))
        )
    if isinstance(value, float):
        return rng.choice((value + 0.5, value - 1.0, -value, value * 2, round(value / 3, 2), 0.0, 1.0))
    if isinstance(value, str):
        return _vary_text(value, rng)
    if isinstance(value, list):
        return _vary_list(value, rng)
    if isinstance(value, tuple):
        return _vary_one(list(value), rng) if value else value
    if isinstance(value, dict):
        return _vary_dict(value, rng)
    return value


def _vary_text(text: str, rng: random.Random) -> str:
    if not text:
        return rng.choice(_WORDS)
    place = rng.randrange(len(text))
    changes: tuple[Callable[[], str], ...] = (
        lambda: text[:place] + text[place + 1 :],
        lambda: text[:place] + text[place] + text[place:],
        lambda: text[:place] + rng.choice(text) + text[place + 1 :],
        lambda: text[::-1],
        lambda: text.swapcase(),
        lambda: text + text[: place + 1],
        lambda: text[: place + 1],
        lambda: "".join(rng.sample(text, len(text))),
        lambda: " ".join(rng.sample(text.split(" "), len(text.split(" ")))),
        lambda: "",
    )
    return rng.choice(changes)()


def _vary_list(items: list[Any], rng: random.Random) -> list[Any]:
    if not items:
        return [rng.randint(-3, 9) for _ in range(rng.randint(1, 3))]
    place = rng.randrange(len(items))
    changes: tuple[Callable[[], list[Any]], ...] = (
        lambda: items[:place] + items[place + 1 :],
        lambda: [*items, items[place]],
        lambda: list(_vary_one(items, rng)),
        lambda: list(_vary_one(items, rng)),
        lambda: [*items, vary(items[place], rng)],
        lambda: items[::-1],
        lambda: rng.sample(items, len(items)),
        lambda: items[: place + 1],
        lambda: [items[place]],
        list,
    )
    return rng.choice(changes)()


def _vary_one(items: list[Any], rng: random.Random) -> tuple[Any, ...]:
    place = rng.randrange(len(items))
    return (*items[:place], vary(items[place], rng), *items[place + 1 :])


def _vary_dict(items: dict[Any, Any], rng: random.Random) -> dict[Any, Any]:
    if not items:
        return {"a": 1}
    key = rng.choice(list(items))
    rest = {name: value for name, value in items.items() if name != key}
    return rng.choice((rest, {**items, key: vary(items[key], rng)}, {**rest, vary(key, rng): items[key]}))


def _annotations(problem: Problem) -> tuple[ast.expr, ...]:
    """The annotations of the entry point's parameters; () unless each has one."""
    try:
        tree = ast.parse(problem.reference_solution)
    except (SyntaxError, ValueError):
        return ()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == problem.entry_point:
            found = [argument.annotation for argument in node.args.posonlyargs + node.args.args]
            return tuple(one for one in found if one is not None) if all(found) else ()
    return ()


def _annotated(annotations: Sequence[ast.expr], rng: random.Random) -> Iterator[Input]:
    while True:
        yield Input(tuple(_value_of(ast.unparse(one), rng) for one in annotations), "annotation")


def _value_of(annotation: str, rng: random.Random) -> Any:
    name, _, inner = annotation.partition("[")
    inner = inner.removesuffix("]")
    kind = name.rsplit(".", 1)[-1].lower()
    if kind in ("list", "sequence", "iterable"):
        return [_value_of(inner or "int", rng) for _ in range(rng.randint(0, 5))]
    if kind == "tuple":
        return tuple(_value_of(part.strip() or "int", rng) for part in (inner or "int, int").split(","))
    if kind == "dict":
        return {rng.choice(_WORDS): rng.randint(0, 9) for _ in range(rng.randint(0, 3))}
    if kind == "optional":
        return _value_of(inner, rng)
    if kind == "str":
        return "".join(rng.sample("abcdefgh xyz", rng.randint(0, 9)))
    if kind == "float":
        return round(rng.uniform(-5, 10), 1)
    if kind == "bool":
        return rng.random() < 0.5
    return rng.randint(0, 12)


_TRIAL_KINDS = ("int", "list[int]", "str", "list[str]", "float")


def _trials(parameters: int, count: int, rng: random.Random) -> Iterator[Input]:
    if parameters <= 2:
        combinations = list(product(_TRIAL_KINDS, repeat=parameters))
    else:
        combinations = [(kind,) * parameters for kind in _TRIAL_KINDS]
    for combination in combinations:
        kinds = ", ".join(combination)
        supply = (
            Input(tuple(_value_of(kind, rng) for kind in combination), "trial", kinds)
            for _ in range(count * 4)
        )
        yield from _distinct(supply, count)
