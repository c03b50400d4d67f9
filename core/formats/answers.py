"""Raw answers of models that were asked to write tests: the one parser for all of them.

Read are, in this order: `<assertion>` tags; fenced blocks, if one of them has an assertion;
else the whole text, line by line. Reasoning up to `</think>` is set aside. Comments and prose
are text, not tests. What begins like code and can't be used is kept with the reason.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.errors import InputError
from core.formats.assertions import parse_quietly, split_tests
from core.model import Assertion, Origin

__all__ = [
    "MAX_ANSWER_CHARS",
    "ParsedAnswer",
    "code_blocks",
    "completion_text",
    "holds_harness",
    "parse_answer",
    "without_reasoning",
]

MAX_ANSWER_CHARS = 2**20
"""Longest answer that is parsed; a longer one is kept unparsed."""

_MAX_SPAN = 400
"""Lines that one statement of a broken answer may have."""
_PARSE_BUDGET = 20_000
"""Lines that may be parsed, over all attempts, to find the statements of one broken answer."""

_TAG = re.compile(r"<assertion>(.*?)(</assertion>|(?=<assertion>)|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[ \t]*([\w+-]*)[^\n`]*$", re.MULTILINE)
_BULLET = re.compile(r"^\s*(?:[-*+]\s+|\d+[.)]\s+|>>>\s?|\.\.\.\s)?`?(?=assert\b)")
_CODE = re.compile(
    r"^\s*(?:assert\b|@|def\s+\w+\s*\(|class\s+\w+|from\s+[\w.]+\s+import\b|import\s+\w|for\s.+\sin\s|with\s.+:)"
)
_GENERATOR = re.compile(r"^[ \t]*def[ \t]+generate_input_\w+[ \t]*\(", re.MULTILINE)
_CHECKER = re.compile(r"^[ \t]*def[ \t]+check_output[ \t]*\(", re.MULTILINE)
_ASSERT = re.compile(r"\bassert\b|\bself\.assert\w+\(")


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """What was found in one answer.

    Attributes:
        tests: one assertion each, with the statements it depends on; no two alike.
        unparsed: (text, reason) of each piece that looks like a test and can't be one.
        reasoning: the text up to `</think>`.
        redefinitions: definitions and imports of the entry point, which were left out so
            that the tests judge the solution and not the answer's own attempt.
        duplicates: tests that the answer says more than once.
    """

    tests: tuple[Assertion, ...] = ()
    unparsed: tuple[tuple[str, str], ...] = ()
    reasoning: str = ""
    redefinitions: tuple[str, ...] = ()
    duplicates: int = 0


def parse_answer(response: str, entry_point: str | None, origin: Origin | None = None) -> ParsedAnswer:
    """The tests in a model's raw answer.

    Args:
        response: the answer as it came.
        entry_point: the function or class under test; with None every assertion counts as a
            test and definitions of the function can't be recognised.
        origin: who wrote the answer.
    """
    text, reasoning = without_reasoning(response)
    if not text.strip() and reasoning:
        return ParsedAnswer((), ((_tail(reasoning), "the answer ends within its reasoning"),), reasoning)
    if len(text) > MAX_ANSWER_CHARS:
        reason = f"the answer is longer than {MAX_ANSWER_CHARS} characters"
        return ParsedAnswer((), ((text[:200], reason),), reasoning)
    statements: list[ast.stmt] = []
    unparsed: list[tuple[str, str]] = []
    for piece in _pieces(text):
        try:
            statements.extend(parse_quietly(textwrap.dedent(piece)))
        except SyntaxError:
            for found in _statements_of_broken(piece):
                if isinstance(found, tuple):
                    unparsed.append(found)
                else:
                    statements.extend(found)
    split = split_tests(statements, entry_point)
    tests = tuple(Assertion(source, origin or Origin()) for source in split.tests)
    return ParsedAnswer(
        tests, (*unparsed, *split.refused), reasoning, tuple(split.redefined), split.duplicates
    )


def holds_harness(response: str) -> bool:
    """Whether a raw answer defines a test harness: input generators and their check."""
    return bool(_GENERATOR.search(response) and _CHECKER.search(response))


def completion_text(completion: object) -> str:
    """The answer in a completion as trainers give it: a text, or messages of which the last is the answer.

    Raises:
        InputError: it is neither. No message, or one without content, is an empty answer.
    """
    if isinstance(completion, str):
        return completion
    if isinstance(completion, Sequence) and all(isinstance(one, Mapping) for one in completion):
        content = completion[-1].get("content") if completion else None
        if content is None or isinstance(content, str):
            return content or ""
    raise InputError(f"expected an answer as text or as messages, found {type(completion).__name__}")


def without_reasoning(response: str) -> tuple[str, str]:
    """An answer and its reasoning: (text after the last `</think>`, text before it)."""
    response = response.replace("\r\n", "\n").replace("\r", "\n")
    reasoning, end, text = response.rpartition("</think>")
    if end:
        return text, reasoning.replace("<think>", "", 1).strip()
    if response.lstrip().startswith("<think>"):
        return "", response.lstrip().removeprefix("<think>").strip()
    return response, ""


def code_blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of a text as (language, content); one that is left open ends with the text."""
    blocks: list[tuple[str, str]] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        else:
            blocks.append((opened[1].lower(), text[opened.end() : fence.start()]))
            opened = None
    if opened is not None:
        blocks.append((opened[1].lower(), text[opened.end() :]))
    return blocks


def _pieces(text: str) -> list[str]:
    """The parts of an answer that are meant as code."""
    tagged = [match[1] for match in _TAG.finditer(text)]
    if tagged:
        return [_without_fences(piece) for piece in tagged]
    fenced = [content for _, content in code_blocks(text) if content.strip()]
    if any(_ASSERT.search(content) for content in fenced):
        return fenced
    return [_without_fences(text)]


def _without_fences(text: str) -> str:
    return _FENCE.sub("", text)


def _statements_of_broken(text: str) -> Iterator[list[ast.stmt] | tuple[str, str]]:
    """Statements made out in a text that isn't Python as a whole; unusable pieces between them."""
    lines = [_BULLET.sub("", line).rstrip("`") if _BULLET.match(line) else line for line in text.split("\n")]
    budget = _PARSE_BUDGET
    index = 0
    while index < len(lines):
        line = lines[index]
        if not line.strip() or line.lstrip().startswith("#"):
            index += 1
            continue
        end, statements, cost = _longest_statement(lines, index, budget)
        budget -= cost
        if statements is not None:
            yield statements
            index = end
            continue
        if not _CODE.match(line):
            index += 1
            continue
        end = _next_start(lines, index)
        piece = "\n".join(lines[index:end]).strip()
        complete = _without_open_message(piece)
        if complete is not None:
            yield complete
            index = end
            continue
        if line.lstrip().startswith(("def ", "class ", "for ", "with ", "@")):
            end = index + 1  # its head can't be used; the assertions inside it may
            inner = _block_end(lines, index)
            if not any(_ASSERT.search(item) for item in lines[index:inner]):
                index = end
                continue
            piece = line.strip()
        yield piece, _why_not(piece, budget, is_end=end >= len(lines))
        index = end


def _longest_statement(lines: list[str], start: int, budget: int) -> tuple[int, list[ast.stmt] | None, int]:
    """The statement that begins on a line: (line after it, its statements or None, lines parsed)."""
    limit = min(len(lines), start + _MAX_SPAN)
    cost = 0
    first = lines[start]
    block = _block_end(lines, start) if first.rstrip().endswith(":") or first.lstrip().startswith("@") else 0
    ends = ([block] if block > start + 1 else []) + list(range(start + 1, limit + 1))
    for end in ends:
        cost += end - start
        if cost > budget:
            return start, None, cost
        if end > start + 1 and end != block and _starts_anew(lines[end - 1]):
            return start, None, cost
        try:
            return end, parse_quietly(textwrap.dedent("\n".join(lines[start:end])) + "\n"), cost
        except SyntaxError:
            continue
    return start, None, cost


def _block_end(lines: list[str], start: int) -> int:
    """The line after the indented block that a line opens, its `else` and `except` parts included."""
    depth = _indent(lines[start])
    end = start + 1
    for index in range(start + 1, len(lines)):
        line = lines[index]
        if line.strip():
            continues = re.match(r"\s*(else|elif|except|finally|case)\b.*:", line) or (
                lines[start].lstrip().startswith("@") and index == start + 1
            )
            if _indent(line) <= depth and not (continues and _indent(line) == depth):
                break
            end = index + 1
    return end


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def _starts_anew(line: str) -> bool:
    return re.match(r"assert\b|def |class |@", line) is not None


def _next_start(lines: list[str], start: int) -> int:
    for index in range(start + 1, len(lines)):
        line = lines[index]
        if not line.strip() or line.lstrip().startswith("#") or _CODE.match(line):
            return index
    return len(lines)


def _without_open_message(piece: str) -> list[ast.stmt] | None:
    """`assert f(1) == 2, "cut of` without its message: the assertion itself is complete."""
    for comma in reversed(list(re.finditer(r",\s*[fr]?[\"']", piece))):
        try:
            statements = parse_quietly(piece[: comma.start()])
        except SyntaxError:
            continue
        if len(statements) == 1 and isinstance(statements[0], ast.Assert) and statements[0].msg is None:
            return statements
    return None


def _why_not(piece: str, budget: int, *, is_end: bool) -> str:
    if budget <= 0:
        return "the answer is too broken to be searched further"
    try:
        parse_quietly(piece)
    except SyntaxError as error:
        message = error.msg or "invalid syntax"
        unfinished = (
            "was never closed" in message or "unterminated" in message or "expected an indented" in message
        )
        if is_end and (unfinished or error.lineno is None):
            return f"the answer is cut off: {message}"
        return f"no Python: {message}"
    return "no Python in its place"


def _tail(text: str) -> str:
    return text if len(text) <= 200 else "..." + text[-200:]
