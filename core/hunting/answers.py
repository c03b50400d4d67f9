"""A raw answer to what it stands for: a harness, input/output cases, or the name of what is wrong with it.

The last ```python block is the harness, the last ```json block the list of cases; a chain of thought up
to `</think>` does not count. Nothing of an answer is run here.

A harness may also define `check_again(generated_input, first_output, second_output)`, which is ours and not
the paper's: programs then run twice on each input, the second time with another seed. That is how a
harness can ask whether a program is deterministic, since `check_output` sees one output.

A harness is run as it is written, but for two things that the released evaluation does too: the names
List, Dict, Tuple and Any of `typing` are known, and calls of `random.seed` that are statements are
taken out, or a generator could not be repeated with other seeds (section 4.2).
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.formats.answers import MAX_ANSWER_CHARS, code_blocks, without_reasoning
from core.formats.assertions import parse_quietly
from core.hunting.model import MAX_GENERATORS, Fault
from core.model import Pair, ProblemKind
from sandbox.values import dumps

__all__ = [
    "CHECK_AGAIN_ENTRY",
    "CHECK_ENTRY",
    "Case",
    "FaultError",
    "Harness",
    "encodable_stdin",
    "parse_cases",
    "parse_harness",
]

CHECK = "check_output"
CHECK_AGAIN = "check_again"
CHECK_ENTRY = "touchstone_check"
CHECK_AGAIN_ENTRY = "touchstone_check_again"
"""What is called in the program of a harness: the checks, whatever they return."""
_GENERATOR = "generate_input_"
_PYTHON = frozenset({"python", "py", "python3"})
_TYPING = "from typing import Any, Dict, List, Tuple\n"
_SEEDS = frozenset({"random.seed", "np.random.seed", "numpy.random.seed"})
_TAKEN_OUT = "None"
_FOOTER = f"""

def {CHECK_ENTRY}(generated_input, captured_output):
    {CHECK}(generated_input, captured_output)
"""
_AGAIN_FOOTER = f"""

def {CHECK_AGAIN_ENTRY}(generated_input, first_output, second_output):
    {CHECK_AGAIN}(generated_input, first_output, second_output)
"""


class FaultError(Exception):
    """The answer can't be run.

    Attributes:
        code: the block that was found in it, if one was.
    """

    def __init__(self, fault: Fault, message: str, code: str = "") -> None:
        super().__init__(message)
        self.fault = fault
        self.code = code


@dataclass(frozen=True, slots=True)
class Harness:
    """A harness that can be run.

    Attributes:
        code: as the answer has it.
        program: as it is run.
        offset: lines of `program` before the first line of `code`.
        generators: at most five names, in the order of their numbers.
        again: whether programs run twice, for `check_again`.
    """

    code: str
    program: str
    offset: int
    generators: tuple[str, ...]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """One input and its expected output.

    Attributes:
        input: standard input, or the dict of arguments as `sandbox.values` text.
        expected: expected standard output, or the expected value as `sandbox.values` text.
    """

    input: str
    expected: str


def parse_harness(text: str, pair: Pair) -> Harness:
    """The harness in an answer.

    Raises:
        FaultError: there is none, or one that can't be a harness for this pair.
    """
    code = _last_block(text, _PYTHON, "python")
    try:
        statements = parse_quietly(code)
    except SyntaxError as error:
        place = f" in line {error.lineno}" if error.lineno else ""
        raise FaultError(Fault.NOT_PYTHON, f"the block is no Python: {error.msg}{place}", code) from None
    names = {node.name for node in statements if isinstance(node, ast.FunctionDef)}
    generators = sorted((name for name in names if name.startswith(_GENERATOR)), key=_number)
    if not generators:
        raise FaultError(Fault.NO_GENERATOR, f"no function {_GENERATOR}1 at the top of the block", code)
    if CHECK not in names and CHECK not in _assigned(statements):
        raise FaultError(Fault.NO_CHECK, f"no function {CHECK} at the top of the block", code)
    if not _asserts(statements):
        raise FaultError(Fault.NO_ASSERTION, f"nothing that {CHECK} reaches asserts anything", code)
    if pair.kind is ProblemKind.FUNCTION:
        for target in filter(None, {pair.entry_point, pair.buggy_entry_point}):
            if _defines(statements, target):
                raise FaultError(Fault.REDEFINES_TARGET, f"the block defines {target} itself", code)
    header = "" if any(_is_future(node) for node in statements) else _TYPING
    again = CHECK_AGAIN in names
    program = header + _without_seeds(code, statements) + _FOOTER + (_AGAIN_FOOTER if again else "")
    return Harness(code, program, header.count("\n"), tuple(generators[:MAX_GENERATORS]), again)


def parse_cases(text: str, pair: Pair) -> tuple[Case, ...]:
    """The input/output cases in an answer, each once, in order; two outputs of one input are two cases.

    Raises:
        FaultError: there is no list of cases, or one of them has not what it needs.
    """
    code = _last_block(text, frozenset({"json"}), "json")
    try:
        rows = json.loads(code)
    except (ValueError, RecursionError) as error:
        raise FaultError(Fault.BAD_JSON, f"the block is no JSON: {error}", code) from None
    if not isinstance(rows, list) or not rows:
        raise FaultError(Fault.MISSING_KEYS, "expected a list of at least one case", code)
    cases: list[Case] = []
    for index, row in enumerate(rows):
        try:
            cases.append(_case(row, pair.kind))
        except (ValueError, TypeError, RecursionError) as error:
            raise FaultError(Fault.MISSING_KEYS, f"case {index + 1}: {error}", code) from None
    return tuple(dict.fromkeys(cases))


def code_of(text: str, language: str) -> str:
    """The last block of a language ("python" or "json"), "" if there is none."""
    try:
        return _last_block(text, _PYTHON if language == "python" else frozenset({language}), language)
    except FaultError:
        return ""


def encodable_stdin(text: str) -> bool:
    """Whether a text can be fed to a program at all: lone surrogates are no bytes."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _last_block(text: str, languages: frozenset[str], name: str) -> str:
    answer, _ = without_reasoning(text)
    if len(answer) > MAX_ANSWER_CHARS:
        raise FaultError(Fault.TOO_LONG, f"the answer is longer than {MAX_ANSWER_CHARS} characters")
    blocks = [content for language, content in code_blocks(answer) if language in languages]
    if not blocks:
        raise FaultError(Fault.NO_BLOCK, f"no ```{name} block")
    return blocks[-1].strip("\n") + "\n"


def _case(row: Any, kind: ProblemKind) -> Case:
    key = "input_str" if kind is ProblemKind.STDIO else "input_args"
    if not isinstance(row, dict) or key not in row or "expected_output" not in row:
        raise ValueError(f"expected an object with {key} and expected_output")
    given, expected = row[key], row["expected_output"]
    if kind is ProblemKind.FUNCTION:
        if not isinstance(given, dict):
            raise TypeError("expected input_args to be an object: each argument by its name")
        return Case(dumps(given), dumps(expected))
    if not isinstance(given, str) or not isinstance(expected, str):
        raise TypeError("expected input_str and expected_output to be texts")
    if not encodable_stdin(given):
        raise ValueError("input_str has half a character in it, which no program can be fed")
    return Case(given, expected)


def _number(name: str) -> tuple[int, int, str]:
    """Sorts generate_input_2 before generate_input_10, and both before generate_input_last."""
    match = re.fullmatch(r"[0-9]{1,6}", name.removeprefix(_GENERATOR))
    return (0, int(match[0]), name) if match else (1, 0, name)


def _assigned(statements: Sequence[ast.stmt]) -> set[str]:
    """Names that top-level assignments and imports bind."""
    found: set[str] = set()
    for node in statements:
        if isinstance(node, ast.Assign):
            found |= {
                one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)
            }
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            found.add(node.target.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def _defines(statements: Sequence[ast.stmt], name: str) -> bool:
    """Whether a function or class of this name is defined anywhere, or a variable at the top."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    defined = any(
        isinstance(node, kinds) and node.name == name for top in statements for node in ast.walk(top)
    )
    return defined or name in _assigned(statements)


def _asserts(statements: Sequence[ast.stmt]) -> bool:
    """Whether an assertion can be reached from the check, through the names it mentions."""
    defined: dict[str, list[ast.stmt]] = {}
    for top in statements:
        if isinstance(top, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            defined.setdefault(top.name, []).append(top)
        else:
            for name in _assigned([top]):
                defined.setdefault(name, []).append(top)
    waiting, seen = [CHECK], {CHECK}
    while waiting:
        for top in defined.get(waiting.pop(), ()):
            for node in ast.walk(top):
                if _is_assertion(node):
                    return True
                if isinstance(node, ast.Name) and node.id in defined and node.id not in seen:
                    seen.add(node.id)
                    waiting.append(node.id)
    return False


def _is_assertion(node: ast.AST) -> bool:
    """`assert`, `raise AssertionError`, and calls like `np.testing.assert_allclose(...)`."""
    if isinstance(node, ast.Assert):
        return True
    if isinstance(node, ast.Raise) and node.exc is not None:
        raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return isinstance(raised, ast.Name) and raised.id == "AssertionError"
    if isinstance(node, ast.Call):
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        return name.startswith("assert")
    return False


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _without_seeds(code: str, statements: Sequence[ast.stmt]) -> str:
    """The code with its own seeding taken out, every line where it was."""
    lines = code.encode().split(b"\n")  # columns of the tree count bytes
    for node in _seedings(statements):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        rest = lines[last][node.end_col_offset :]
        lines[first] = (
            lines[first][: node.col_offset] + _TAKEN_OUT.encode() + (rest if first == last else b"")
        )
        if first != last:
            lines[first + 1 : last + 1] = [b""] * (last - first)
            lines[first] += rest
    return b"\n".join(lines).decode()


def _seedings(statements: Sequence[ast.stmt]) -> Iterator[ast.Expr]:
    """Statements that do nothing but seed, last first."""
    found = [
        node
        for top in statements
        for node in ast.walk(top)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) in _SEEDS
    ]
    yield from sorted(found, key=lambda node: (node.lineno, node.col_offset), reverse=True)
