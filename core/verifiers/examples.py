"""Examples that a prompt shows: which call gives which value.

Read, in this order of trust: `>>>` sessions (by the doctest module's parser); a call of the
entry point followed by one of the arrows and verbs that docstrings use (`==>`, `=>`, `->`, `==`,
`=`, `returns`, `should return`, `# returns`, ...) and a literal; "For x = ... the output should
be ..."; blocks of "Input: ..." and "Output: ...". Arguments and results have to be literals, and
nothing but a comment, a full stop or a chain of equal sums may follow a result. Whatever looks
like an example and can't be read so is given back with the reason, never guessed.
"""

from __future__ import annotations

import ast
import builtins
import doctest
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from core.verifiers.literals import NotLiteralError, literal_prefix, literal_value

__all__ = ["Example", "Examples", "find_examples", "parameter_names"]


@dataclass(frozen=True, slots=True)
class Example:
    """One example of a prompt.

    Attributes:
        expression: source that holds one call of the entry point with literal arguments.
        arguments: those arguments.
        expected: the value that the expression has.
        method: how it was written: "session", "arrow", "sentence" or "block".
    """

    expression: str
    arguments: tuple[Any, ...]
    expected: Any
    method: str


@dataclass(frozen=True, slots=True)
class Examples:
    """What was found in one prompt; `unread` holds (text, reason) of what could not be read."""

    found: tuple[Example, ...]
    unread: tuple[tuple[str, str], ...]


def find_examples(prompt: str, entry_point: str) -> Examples:
    """The examples that the prompt gives for `entry_point`, in the order of the text, none twice."""
    start = re.search(rf"^\s*(?:async\s+)?def\s+{re.escape(entry_point)}\b", prompt, re.MULTILINE)
    text = prompt[start.start() :] if start else prompt
    parameters = parameter_names(prompt, entry_point)
    signature_end = _signature_end(text) if start else 0
    body = re.sub(r"\"\"\"|'''", "\n", text[signature_end:])
    reader = _Reader(body, entry_point, parameters)
    reader.sessions()
    reader.arrows(entry_point)
    if not reader.found and parameters:
        reader.sentences()
        reader.blocks()
    if not reader.found:
        for name in reader.other_names():
            reader.arrows(name)
    return reader.result()


def parameter_names(prompt: str, entry_point: str) -> tuple[str, ...]:
    """Names of the entry point's parameters, () if the prompt has no signature."""
    found = re.search(rf"^\s*def\s+{re.escape(entry_point)}\s*\(", prompt, re.MULTILINE)
    if not found:
        return ()
    text = prompt[found.start() :].lstrip()
    head = text[: _signature_end(text)]
    try:
        node = ast.parse(f"{head} pass").body[0]
    except SyntaxError:
        return ()
    assert isinstance(node, ast.FunctionDef)
    return tuple(argument.arg for argument in node.args.posonlyargs + node.args.args)


def _signature_end(text: str) -> int:
    depth = 0
    for index, character in enumerate(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if character == ":" and depth == 0:
            return index + 1
    return 0


_ARROW = re.compile(
    r"\s*(?:#\s*)?(?:==>|=>|-->|->|==|=|➞|→|⟹|\breturns?\b|\bshould\s+return\b|\bshould\s+be\b"
    r"|\bgives\b|#\s*(?=\S))\s*"
)
_SENTENCE = re.compile(
    r"\bfor\s+(?P<given>\w+\s*=.*?)\b(?:the\s+)?(?:output|result|answer|function)\s+should\s+(?:be|return)\s+",
    re.IGNORECASE,
)
_INPUT = re.compile(r"^\s*Input\s*:(?P<given>.*?)^\s*Output\s*:(?P<rest>.*)", re.MULTILINE | re.DOTALL)
_NAMED = re.compile(r"\s*,?\s*(?:and\s+)?([A-Za-z_]\w*)\s*[=:]\s*")


class _Reader:
    """Collects the examples of one text."""

    def __init__(self, text: str, entry_point: str, parameters: tuple[str, ...]) -> None:
        self._text = text
        self._entry_point = entry_point
        self._parameters = parameters
        self._sessions: list[tuple[int, int]] = []
        self._places: list[tuple[int, Example]] = []
        self._unread: list[tuple[str, str]] = []

    @property
    def found(self) -> bool:
        """Whether there is an example so far."""
        return bool(self._places)

    def result(self) -> Examples:
        """Everything in the order of the text, without repetitions and without what contradicts itself."""
        distinct = {(e.expression, repr(e.expected)): e for _, e in sorted(self._places, key=lambda p: p[0])}
        kept = list(distinct.values())
        if _describes_recurrence(self._text, self._entry_point) and len({_kind(e) for e in kept}) > 1:
            last = _kind(kept[-1])
            reason = "its result is of another kind than the last example's: a step of a definition"
            self._unread += [(f"{e.expression} = {e.expected!r}", reason) for e in kept if _kind(e) != last]
            kept = [example for example in kept if _kind(example) == last]
        return Examples(tuple(kept), tuple(self._unread))

    def sessions(self) -> None:
        """`>>>` examples."""
        for line in re.finditer(r"^[ \t]*>>>.*(?:\n(?![ \t]*>>>)[ \t]*\S.*)*", self._text, re.MULTILINE):
            self._sessions.append(line.span())
            block = line.group()
            try:
                parsed = doctest.DocTestParser().get_examples(block)
            except ValueError as error:
                self._unread.append((block.strip(), f"doctest can't parse it: {error}"))
                continue
            for example in parsed:
                want = re.split(r"\n\s*(?:Note|Explanation|Constraints|The )", example.want)[0]
                self._session(line.start(), example.source.strip(), want.strip())

    def _session(self, place: int, source: str, want: str) -> None:
        try:
            expression, expected = _sides(source, want)
            value = literal_value(expected) if expected else None
            call = _only_call(expression, self._entry_point)
            arguments = tuple(_literal(argument) for argument in call.args)
        except NotLiteralError as error:
            self._unread.append((f"{source}\n{want}".strip(), str(error)))
            return
        self._places.append((place, Example(ast.unparse(expression), arguments, value, "session")))

    def arrows(self, name: str) -> None:
        """A call, an arrow and a literal, anywhere outside of `>>>` sessions."""
        for match in re.finditer(rf"(?<![\w.]){re.escape(name)}\s*\(", self._text):
            if any(start <= match.start() < end for start, end in self._sessions):
                continue
            shown = self._text[match.start() :].split("\n", 1)[0].strip()
            try:
                call, end = _call_at(self._text, match.start())
            except SyntaxError:
                self._unread.append((shown, "the call is not closed"))
                continue
            arrow = _ARROW.match(self._text, end)
            if not arrow:
                continue
            try:
                arguments = tuple(self._argument(argument) for argument in call.args)
                expected = literal_prefix(self._text[arrow.end() :])
            except NotLiteralError as error:
                self._unread.append((shown, str(error)))
                continue
            self._add(match.start(), arguments, expected, "arrow")

    def _argument(self, node: ast.expr) -> Any:
        """A literal; a bare word that is no parameter stands for a string (`is_happy(abcd) => True`)."""
        if isinstance(node, ast.Name) and self._parameters and node.id not in self._parameters:
            return node.id
        return _literal(node)

    def sentences(self) -> None:
        """Sentences: For s = "abc", c = "b" the result should be ..."""
        for line in self._text.splitlines():
            match = _SENTENCE.search(line)
            if match:
                place = self._text.index(line)
                self._given(place, match["given"], line[match.end() :], line.strip(), "sentence")

    def blocks(self) -> None:
        """Blocks of "Input: ..." and "Output: ...", one or several lines each."""
        for block in re.split(r"(?=^\s*Input\s*:)", self._text, flags=re.MULTILINE):
            match = _INPUT.match(block)
            if match:
                place = self._text.index(block)
                self._given(place, match["given"], match["rest"].lstrip(), block.strip(), "block")

    def _given(self, place: int, given: str, rest: str, shown: str, method: str) -> None:
        try:
            arguments = self._assignments(given)
            expected = literal_prefix(rest)
        except NotLiteralError as error:
            self._unread.append((shown, str(error)))
            return
        self._add(place, arguments, expected, method)

    def _assignments(self, given: str) -> tuple[Any, ...]:
        """`a = 1, b = 2` (or one literal alone) as arguments, one for each parameter."""
        values: list[Any] = []
        rest = given.strip()
        while match := _NAMED.match(rest):
            value, length = _leading_literal(rest[match.end() :])
            values.append(value)
            rest = rest[match.end() + length :]
        if not values and rest:
            values.append(literal_value(rest))
        if len(values) != len(self._parameters):
            raise NotLiteralError(f"{len(values)} values for {len(self._parameters)} parameters")
        return tuple(values)

    def other_names(self) -> Iterator[str]:
        """Names called with as many arguments as there are parameters: docstrings with a stale name."""
        names = dict.fromkeys(re.findall(r"([A-Za-z]\w*)\(", self._text))
        for name in names:
            if hasattr(builtins, name) or len(name) < 4:
                continue
            yield name

    def _add(self, place: int, arguments: tuple[Any, ...], expected: Any, method: str) -> None:
        if self._parameters and len(arguments) != len(self._parameters):
            text = f"{self._entry_point}({', '.join(map(repr, arguments))})"
            self._unread.append((text, f"{len(arguments)} arguments for {len(self._parameters)} parameters"))
            return
        expression = f"{self._entry_point}({', '.join(map(repr, arguments))})"
        self._places.append((place, Example(expression, arguments, expected, method)))


def _sides(source: str, want: str) -> tuple[ast.expr, str]:
    """What a session evaluates and the text of its value; `f(x) == y` has its value in itself."""
    try:
        tree = ast.parse(source, mode="eval").body
    except SyntaxError:
        raise NotLiteralError("it is no Python expression") from None
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1 and isinstance(tree.ops[0], ast.Eq):
        if want not in ("", "True"):
            raise NotLiteralError("the comparison is not said to be true")
        return tree.left, ast.unparse(tree.comparators[0])
    return tree, want


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        raise NotLiteralError(f"the argument {ast.unparse(node)[:40]!r} is no literal") from None


def _only_call(expression: ast.expr, entry_point: str) -> ast.Call:
    calls = [
        node
        for node in ast.walk(expression)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == entry_point
    ]
    if len(calls) != 1 or calls[0].keywords:
        raise NotLiteralError(f"no single call of {entry_point}")
    if isinstance(expression, ast.Subscript):
        raise NotLiteralError("no operator between the call and its result")
    return calls[0]


def _call_at(text: str, start: int) -> tuple[ast.Call, int]:
    """The call that begins at `start` and where it ends; SyntaxError if it never does."""
    for match in re.finditer(r"\)", text[start : start + 2000]):
        end = start + match.end()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                node = ast.parse(" ".join(text[start:end].split("\n")), mode="eval").body
        except (SyntaxError, ValueError):
            continue
        if isinstance(node, ast.Call):
            return node, end
    raise SyntaxError("the call is not closed")


def _leading_literal(text: str) -> tuple[Any, int]:
    """The longest literal at the start of `text`, and its length."""
    ends = [match.start() for match in re.finditer(r"[,;\n]|\s(?:and|the)\b|$", text)]
    for end in reversed(ends):
        if text[:end].rstrip().endswith(","):
            continue
        try:
            return literal_value(text[:end]), end
        except NotLiteralError:
            continue
    raise NotLiteralError("no literal")


def _describes_recurrence(text: str, entry_point: str) -> bool:
    return bool(re.search(rf"=[^=\n]*\b{re.escape(entry_point)}\s*\([a-z]\w*\s*[-+]", text))


def _kind(example: Example) -> str:
    return type(example.expected).__name__
