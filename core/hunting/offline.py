"""Answers that need no model: what the problem's own text gives away, written as a model would answer.

Inputs: the examples of the description, else values of the annotated types; and variations of them that
keep their types. Checks that need no reference: the examples' own results; the type that every example's
result (or the annotation) has; what the function's name says of any result (sorted, without
duplicates, a count); where the name says that the function is idempotent, that the examples' results, given
to it, come out as they are; and that a second run with another seed gives the same result.

Only the description and the buggy program are looked at, as a model is shown them.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from core.formats.assertions import parse_quietly
from core.hunting.model import AnswerKind
from core.hunting.offline_templates import AGAIN, FUNCTION, IDEMPOTENT, STDIO
from core.hunting.targets import signature_of
from core.model import Pair, Problem, ProblemKind
from core.verifiers.examples import find_examples
from core.verifiers.inputs import inputs_for

__all__ = ["offline_answers"]

_MAX_EXAMPLES: Final = 8
NOTHING: Final = "Nothing in the problem's text gives an input."

_NAMES: Final = (
    (r"^(is|has|can|check|valid)_", ("bool",), ""),
    (r"^(count|num|number|how_many)_|_count$|(^|_)length", ("int",), "captured_output >= 0"),
    (
        r"(^|_)(unique|distinct|dedup\w*)(_|$)",
        ("list", "tuple"),
        "len(set(map(repr, captured_output))) == len(captured_output)",
    ),
)
"""(what a name looks like, the types of its results, what holds of each)."""
_IDEMPOTENT_NAME: Final = (
    r"(^|_)(sort\w*|unique|distinct|dedup\w*|normali[sz]e\w*|strip\w*|trim\w*|clean\w*|simplify|canonical\w*"
    r"|flatten\w*|lower\w*|upper\w*|capitali[sz]e\w*|remove)(_|$)"
)
"""Names of functions that change nothing in what they gave."""
_TYPES: Final = frozenset({"bool", "int", "float", "str", "list", "tuple", "dict", "set"})


@dataclass(frozen=True, slots=True)
class _Known:
    given: dict[str, Any]
    expected: Any


def offline_answers(pairs: Iterable[Pair], kind: AnswerKind, seed: int = 0) -> dict[str, tuple[str, ...]]:
    """One answer to each pair, by pair_id; one that has no block where the text gives nothing away."""
    write = _harness if kind is AnswerKind.HARNESS else _cases
    return {pair.pair_id: (write(pair, seed),) for pair in pairs}


def _harness(pair: Pair, seed: int) -> str:
    if pair.kind is ProblemKind.STDIO:
        samples = _samples(pair.description)
        if not samples:
            return NOTHING
        checks = _stdio_checks(samples)
        return _fenced("python", STDIO.format(known=repr(samples), checks=checks, again=AGAIN))
    known, given = _known(pair), _given(pair, seed)
    if not given:
        return NOTHING
    shown = [(one.given, one.expected) for one in known]
    unchanged = _unchanged(pair, known)
    return _fenced(
        "python",
        FUNCTION.format(
            known=repr(shown),
            given=repr(given),
            unchanged=repr(unchanged),
            idempotent=IDEMPOTENT if unchanged else "",
            checks=_function_checks(pair, known),
            again=AGAIN,
        ),
    )


def _cases(pair: Pair, seed: int) -> str:  # noqa: ARG001 - the other kind needs it
    """The examples as they are: nothing else has an expected output without a reference."""
    if pair.kind is ProblemKind.STDIO:
        rows: list[dict[str, Any]] = [
            {"input_str": given, "expected_output": out} for given, out in _samples(pair.description)
        ]
    else:
        rows = [
            {"input_args": one.given, "expected_output": one.expected}
            for one in _known(pair)
            if _is_json(one.given) and _is_json(one.expected)
        ]
    return _fenced("json", json.dumps(rows, indent=1)) if rows else NOTHING


def _fenced(language: str, content: str) -> str:
    return f"```{language}\n{content.rstrip()}\n```\n"


def _known(pair: Pair) -> list[_Known]:
    """The examples of the description whose values can be written out."""
    signature = signature_of(pair)
    if signature is None or pair.entry_point is None:
        return []
    found = []
    for example in find_examples(pair.description, pair.entry_point).found:
        is_call = example.expression.startswith(f"{pair.entry_point}(")
        if len(example.arguments) == len(signature.positional) and is_call:
            given = dict(zip(signature.positional, example.arguments, strict=True))
            if _is_plain(given) and _is_plain(example.expected) and _is_one_call(example.expression):
                found.append(_Known(given, example.expected))
    return found[:_MAX_EXAMPLES]


def _unchanged(pair: Pair, known: Sequence[_Known]) -> list[dict[str, Any]]:
    """The examples' results as inputs of a function whose name says that it leaves them alone.

    Empty where an example says otherwise, or gives a result of another type than its input.
    """
    if not re.search(_IDEMPOTENT_NAME, pair.entry_point or "") or not known:
        return []
    found: list[dict[str, Any]] = []
    for one in known:
        if len(one.given) != 1:
            return []
        ((name, value),) = one.given.items()
        if type(value) is not type(one.expected):
            return []
        if {name: one.expected} not in found:
            found.append({name: one.expected})
    if any(one.given in found and one.expected != next(iter(one.given.values())) for one in known):
        return []
    return found


def _given(pair: Pair, seed: int) -> list[dict[str, Any]]:
    """Inputs to begin with: those of the examples, else values of the annotated types."""
    known = _known(pair)
    if known:
        return [one.given for one in known]
    signature = signature_of(pair)
    if signature is None:
        return []
    shown = Problem(pair.pair_id, pair.description, pair.kind, pair.entry_point, pair.buggy)
    made = [one for one in inputs_for(shown, _MAX_EXAMPLES, seed=seed) if one.origin != "trial"]
    return [
        dict(zip(signature.positional, one.arguments, strict=False))
        for one in made
        if len(one.arguments) == len(signature.positional) and _is_plain(one.arguments)
    ]


def _function_checks(pair: Pair, known: Sequence[_Known]) -> str:
    name = pair.entry_point or ""
    types = {type(one.expected).__name__ for one in known}
    rules: list[str] = []
    for pattern, named, rule in _NAMES:
        if re.search(pattern, name) and (not types or types <= set(named)):
            types = types or set(named)
            rules += [rule] if rule else []
    types = types or _annotated(pair)
    if known and _says_sorted(name, known):
        rules.append("list(captured_output) == sorted(captured_output)")
    lines = []
    if types and types <= _TYPES:
        types |= {"int"} if "float" in types else set()
        accepted = ", ".join(sorted(types))
        lines.append(
            f'assert isinstance(captured_output, ({accepted},)), "not of the type the examples have"'
        )
    lines += [f'assert {rule}, "not what the function\'s name says"' for rule in dict.fromkeys(rules)]
    return "".join(f"    {line}\n" for line in lines)


def _says_sorted(name: str, known: Sequence[_Known]) -> bool:
    """Whether the name says that results are sorted, and every example agrees."""
    if not re.search(r"(^|_)sort", name):
        return False
    try:
        return all(isinstance(k.expected, list) and k.expected == sorted(k.expected) for k in known)
    except TypeError:
        return False


def _annotated(pair: Pair) -> set[str]:
    """The return type that f's signature names, if it is a plain one."""
    try:
        statements = parse_quietly(pair.buggy)
    except SyntaxError:
        return set()
    for node in statements:
        if isinstance(node, ast.FunctionDef) and node.name == pair.entry_point and node.returns is not None:
            name = ast.unparse(node.returns).partition("[")[0].lower()
            return {name} & _TYPES
    return set()


_HEAD: Final = r"[-#*\s]*(?:sample\s+|example\s+)?{}s?\b[^\n]*\n"
_SAMPLE: Final = re.compile(
    rf"^{_HEAD.format('input')}(?P<given>(?:(?!{_HEAD.format('input')})[^\n]*\n)*?)"
    rf"^{_HEAD.format('output')}(?P<out>.*?)"
    r"(?=^\s*$|^[-#*\s]*(?:note|explanation|sample|example|inputs?)\b|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


def _samples(description: str) -> list[tuple[str, str]]:
    """(input, output) of the samples that a description shows under headings."""
    text = re.sub(r"^```.*\n?", "", description, flags=re.MULTILINE)
    found = []
    for match in _SAMPLE.finditer(text):
        given, out = match["given"].strip(), match["out"].strip()
        if given and out and re.search(r"\d|^\S+$", given):
            found.append((given + "\n", out + "\n"))
    return found[:_MAX_EXAMPLES]


def _stdio_checks(samples: Sequence[tuple[str, str]]) -> str:
    words = [line.strip() for _, out in samples for line in out.strip().splitlines()]
    if all(re.fullmatch(r"-?\d+", word) for word in words):
        return '    assert all(line.lstrip("-").isdigit() for line in lines), "not a number"\n'
    if all(word.lower() in {"yes", "no"} for word in words):
        return '    assert all(line.lower() in ("yes", "no") for line in lines), "neither yes nor no"\n'
    return ""


def _is_one_call(expression: str) -> bool:
    """Whether an example's expression is the call alone, so that its value is the function's."""
    try:
        return isinstance(ast.parse(expression, mode="eval").body, ast.Call)
    except SyntaxError:
        return False


def _is_plain(value: Any) -> bool:
    """Whether a value can be written out as it is."""
    try:
        return bool(ast.literal_eval(repr(value)) == value)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return False


def _is_json(value: Any) -> bool:
    try:
        return bool(json.loads(json.dumps(value, allow_nan=False)) == _listed(value))
    except (ValueError, TypeError, RecursionError):
        return False


def _listed(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_listed(item) for item in value]
    return {key: _listed(item) for key, item in value.items()} if isinstance(value, dict) else value
