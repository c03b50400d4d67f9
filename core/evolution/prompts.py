"""Asking a model for tests that are hard for, or split, a few programs (EvolveCoder paper, appendix A).

The requirements are the paper's, the wording is ours (`assets/prompts/evolve_*.md`). Answers are
read tolerantly: one that was cut off gives the tests that are whole.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from core.evolution.patterns import Trial
from core.evolution.selection import Method, Selection
from core.formats.answers import code_blocks, parse_answer, without_reasoning
from core.formats.assertions import parse_quietly
from core.formats.loose_json import read_cut_off, read_whole
from core.model import Assertion, CallTest, Origin, PassMatrix, StdioTest, TestCase

__all__ = ["N_TESTS", "GeneratedTests", "parse_generated", "parse_seed", "render", "syntax_tree"]

N_TESTS = 20
"""How many tests the paper asks for at a time."""
_FOLDER = Path(__file__).parents[2] / "assets" / "prompts"
_FENCE = re.compile(r"`{3,}")
_OPENING = re.compile(r'[{\[]\s*["{\[]')
_MAX_STARTS = 8


@dataclass(frozen=True, slots=True)
class GeneratedTests:
    """What was found in an answer.

    Attributes:
        tests: new tests, no two alike.
        unparsed: (text, reason) of what should be a test and can't be one.
        duplicates: tests that are in the suite already, or twice in the answer, by their syntax tree.
        complete: the answer's JSON was whole.
    """

    tests: tuple[Assertion, ...]
    unparsed: tuple[tuple[str, str], ...]
    duplicates: int
    complete: bool


def render(trial: Trial, selection: Selection, n_tests: int = N_TESTS) -> list[dict[str, str]]:
    """The messages that ask for new tests: a system message with the rules, a user message with the data.

    Args:
        trial: the problem with the tests to show; the whole suite of it goes into the prompt.
        selection: which solutions to show, and by which method they were chosen.
        n_tests: how many tests to ask for.
    """
    rows = list(selection.rows)
    shown = PassMatrix(
        trial.task_id, selection.solution_ids, trial.outcomes[rows], np.zeros(0, dtype=np.float32)
    )
    programs = [_fenced(trial.solutions[row].code, f"Program {i}") for i, row in enumerate(rows, 1)]
    results = [f"Program {i}: {letters}" for i, letters in enumerate(shown.letters(), 1)]
    rules = _template(f"evolve_{selection.method}").substitute(n_programs=len(rows), n_tests=n_tests)
    data = _template("evolve_input").substitute(
        problem=trial.problem.prompt.strip(),
        programs="\n\n".join(programs),
        tests="\n".join(f"{i}. {_shown(test)}" for i, test in enumerate(trial.tests, 1)) or "none",
        results="\n".join(results) if trial.tests else "none",
    )
    return [{"role": "system", "content": rules}, {"role": "user", "content": data}]


def parse_generated(
    answer: str,
    existing: Iterable[TestCase],
    *,
    method: Method,
    verifier: str = "",
    number: int = 0,
) -> GeneratedTests:
    """The new tests in an answer.

    Args:
        answer: the model's text: a JSON object with "tests", or a list, bare or fenced, whole or
            cut off, behind reasoning up to `</think>` or not; without any JSON, plain assertions.
        existing: the suite; what is in it already is not new.
        method: how the tests were asked for.
        verifier: who answered.
        number: the round.
    """
    entries, complete, _ = _entries(without_reasoning(answer)[0])
    return _sorted_out(entries, complete, existing, Origin(verifier, method, number), answer)


def parse_seed(answer: str, *, verifier: str = "") -> tuple[str, GeneratedTests]:
    """The refined problem in an answer, and its tests (appendix A.1).

    Args:
        answer: as for `parse_generated`, with "question" beside "tests".
        verifier: who answered.

    Returns:
        The question, "" where the answer has none, and its tests.
    """
    entries, complete, question = _entries(without_reasoning(answer)[0])
    return question.strip(), _sorted_out(entries, complete, (), Origin(verifier, "seed", 0), answer)


def _sorted_out(
    entries: Iterable[Any], complete: bool, existing: Iterable[TestCase], origin: Origin, answer: str
) -> GeneratedTests:
    """New tests, what can't be one, and what is there already."""
    seen = {tree for test in existing if isinstance(test, Assertion) and (tree := syntax_tree(test.source))}
    tests: list[Assertion] = []
    unparsed: list[tuple[str, str]] = []
    duplicates = 0
    for entry in entries:
        if not isinstance(entry, str):
            unparsed.append((json.dumps(entry, ensure_ascii=False), "no text"))
        elif reason := _why_not(entry):
            unparsed.append((entry, reason))
        elif (tree := syntax_tree(entry)) in seen:
            duplicates += 1
        else:
            seen.add(tree)
            tests.append(Assertion(entry.strip(), origin))
    if not entries:
        unparsed.append((answer[:200], "holds no list of tests"))
    return GeneratedTests(tuple(tests), tuple(unparsed), duplicates, complete)


def syntax_tree(source: str) -> str:
    """What two sources share that differ in layout, quotes or comments only; "" if it is no Python.

    The message of an assertion is not part of it.
    """
    try:
        statements = parse_quietly(source)
    except SyntaxError:
        return ""
    for statement in statements:
        if isinstance(statement, ast.Assert):
            statement.msg = None
    return ast.dump(ast.Module(statements, []))


def _entries(text: str) -> tuple[list[Any], bool, str]:
    """The items of the list of tests, whether the JSON was whole, and its "question"."""
    candidates = _candidates(text)
    for read in (read_whole, read_cut_off):
        for candidate in candidates:
            value = read(candidate)
            listed = value.get("tests") if isinstance(value, dict) else value
            if isinstance(listed, list) and listed:
                question = value.get("question") if isinstance(value, dict) else ""
                return listed, read is read_whole, question if isinstance(question, str) else ""
    return [test.source for test in parse_answer(text, None).tests], False, ""


def _candidates(text: str) -> list[str]:
    """Pieces that may begin with the JSON: fenced blocks from the last one, then each opening bracket."""
    blocks = [content.strip() for _, content in reversed(code_blocks(text))]
    starts = [match.start() for match in _OPENING.finditer(text)][:_MAX_STARTS]
    return [piece for piece in [*blocks, *(text[start:] for start in starts)] if piece]


def _why_not(source: str) -> str:
    """Why a text can't be a test; "" if it can."""
    try:
        statements = parse_quietly(source)
    except SyntaxError as error:
        return f"no Python: {error.msg}"
    if not statements or not isinstance(statements[-1], ast.Assert):
        return "does not end in an assertion"
    if not any(isinstance(node, ast.Call) for node in ast.walk(statements[-1].test)):
        return "calls nothing"
    return ""


def _template(name: str) -> Template:
    return Template((_FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def _fenced(code: str, title: str) -> str:
    longest = max((len(run) for run in _FENCE.findall(code)), default=2)
    fence = "`" * (longest + 1)
    return f"## {title}\n\n{fence}python\n{code.strip()}\n{fence}"


def _shown(test: TestCase) -> str:
    if isinstance(test, Assertion):
        return test.source
    if isinstance(test, StdioTest):
        return f"input {json.dumps(test.stdin)} -> output {json.dumps(test.expected_stdout)}"
    assert isinstance(test, CallTest)
    return f"arguments {test.arguments} -> {test.expected}"
