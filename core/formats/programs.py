"""Whole programs from what models write: complete, body only, fenced, with prose around, wrongly indented."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from textwrap import dedent, indent

from core.formats.answers import code_blocks, without_reasoning
from core.formats.assertions import parse_quietly
from core.formats.support import prompt_statements, support_source

__all__ = ["OPENERS", "compiles", "extract_program", "refusal"]

_MAX_CUTS = 200
"""Lines at which a text with prose around its code is tried to be cut."""

OPENERS = ("def ", "async def ", "class ", "import ", "from ", "@")
"""What lines that open code begin with."""


def extract_program(completion: str, prompt: str, entry_point: str | None) -> str:
    """The whole program that a completion stands for.

    Args:
        completion: a model's raw text: a program, or what follows the prompt's code.
        prompt: the problem's prompt; its imports and helpers go before a complete
            function, the whole of it before a body. One that is no Python is left out.
        entry_point: what the program must define; None for programs read from stdin.

    Returns:
        Source that compiles and defines the entry point if there is a way to read the
        completion so; else prompt and completion as they are, so that the failure is
        the solution's own.
    """
    text = without_reasoning(completion)[0]
    prompt = prompt.replace("\r\n", "\n")
    is_code = bool(prompt_statements(prompt))
    for piece in _pieces(text, entry_point):
        for program in _readings(piece, prompt if is_code else "", entry_point):
            if compiles(program) and _defines(program, entry_point):
                return program
    return prompt + text if is_code else text


def compiles(source: str) -> bool:
    """Whether Python accepts the source."""
    return refusal(source) is None


def refusal(source: str) -> Exception | None:
    """Why Python does not accept the source, None if it does."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "<program>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return error
    return None


def _pieces(text: str, entry_point: str | None) -> Iterator[str]:
    """The parts of a completion that may be its code, the likeliest first."""
    blocks = [content for _, content in code_blocks(text) if content.strip()]
    if blocks:
        starts_outside = not text.lstrip().startswith("```") and text.count("```") % 2 == 1
        if starts_outside:
            yield text[: text.index("```")]
        defining = [block for block in blocks if entry_point and f" {entry_point}(" in block]
        yield from reversed(defining)
        yield from sorted((b for b in blocks if b not in defining), key=len, reverse=True)
        yield text.split("```")[0]
    yield text


def _readings(piece: str, prompt: str, entry_point: str | None) -> Iterator[str]:
    """Ways to make a whole program of a piece, the most literal first."""
    piece = piece.replace("\t", "    ") if "\n\t" in piece and "\n    " in piece else piece
    if entry_point is None:
        yield piece
        yield from _cuts(dedent(piece))
        return
    support = support_source(prompt, entry_point)
    for whole in (piece, dedent(piece)):
        if _defines(whole, entry_point):
            yield _joined(support, whole)
    if prompt:
        for body in _bodies(piece):
            yield f"{prompt.rstrip()}\n{body}"
    for cut in _cuts(dedent(piece)):
        if _defines(cut, entry_point):
            yield _joined(support, cut)
    if prompt:
        for body in _bodies(piece):
            for cut in _heads(body):
                yield f"{prompt.rstrip()}\n{cut}"


def _joined(support: str, program: str) -> str:
    if not support or "from __future__" in program:
        return program
    return f"{support}\n\n{program.lstrip(chr(10))}"


def _bodies(piece: str) -> Iterator[str]:
    """The piece as a function's body: as it is, then with its indentation mended."""
    body = piece.strip("\n").rstrip()
    yield body
    first, _, rest = body.partition("\n")
    yield f"    {first.lstrip()}\n{rest}"
    yield indent(dedent(body), "    ")
    yield indent(f"{first.lstrip()}\n{dedent(rest)}", "    ")


def _heads(body: str) -> Iterator[str]:
    """An indented body without more and more of the unindented text that follows it."""
    lines = body.split("\n")
    ends = [index for index in range(len(lines) - 1, 0, -1) if lines[index][:1].strip()]
    for end in ends[:_MAX_CUTS]:
        yield "\n".join(lines[:end])


def _cuts(text: str) -> Iterator[str]:
    """The text from a line that opens code, without more and more of its last lines."""
    lines = text.split("\n")
    starts = [index for index, line in enumerate(lines) if line.startswith(OPENERS)]
    if not starts:
        return
    start = starts[0]
    ends = [len(lines)] + [
        index for index in range(len(lines) - 1, start, -1) if lines[index].strip() and lines[index][0] != " "
    ]
    for end in ends[:_MAX_CUTS]:
        yield "\n".join(lines[start:end])
    for later in starts[1:_MAX_CUTS]:
        yield "\n".join(lines[later:])


def _defines(source: str, entry_point: str | None) -> bool:
    """Whether the source gives the entry point a body of its own."""
    try:
        statements = parse_quietly(source)
    except SyntaxError:
        return False
    if entry_point is None:
        return bool(statements)
    for statement in reversed(statements):
        if isinstance(statement, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom):
            if entry_point in _bound(statement):
                return True
        elif getattr(statement, "name", None) == entry_point:
            return not _is_stub(statement)
    return False


def _bound(statement: ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom) -> set[str]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {alias.asname or alias.name for alias in statement.names}
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _is_stub(definition: ast.stmt) -> bool:
    """Whether the body, or each method's of a class, is a docstring only; `pass` is a body, if a poor one."""
    body: list[ast.stmt] = getattr(definition, "body", [])
    return all(
        (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))
        or (isinstance(definition, ast.ClassDef) and isinstance(s, ast.FunctionDef) and _is_stub(s))
        for s in body
    )
