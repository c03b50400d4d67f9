"""Answers worth learning from: rejection sampling for supervised fine-tuning (HarnessLLM, appendix A.1).

Kept are the answers "where g passes the test but f does not", one line each in chat format:

    {"messages": [{"role": "user", "content": prompt}, {"role": "assistant", "content": answer}],
     "pair_id", "answer_index"}
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.formats.touchstone import write_rows
from core.hunting.folder import Hunt
from core.hunting.model import AnswerKind
from core.llm.prompts import Message, PromptName, Template, load_template
from core.model import AnswerClass, Pair, Problem, ProblemKind

__all__ = ["nothing_to_learn", "prompt_for", "sft_jsonl", "sft_rows", "write_sft"]

_MAX_TESTS = 20
_PROMPTS: Mapping[tuple[AnswerKind, ProblemKind], PromptName] = {
    (AnswerKind.HARNESS, ProblemKind.FUNCTION): PromptName.HARNESS,
    (AnswerKind.HARNESS, ProblemKind.STDIO): PromptName.HARNESS_STDIO,
    (AnswerKind.IO, ProblemKind.FUNCTION): PromptName.IO,
    (AnswerKind.IO, ProblemKind.STDIO): PromptName.TESTS_STDIO_WITH_SOLUTION,
}


def prompt_for(pair: Pair, kind: AnswerKind, template: Template | None = None) -> list[Message]:
    """The messages that ask for an answer about a pair: what is shown is its description and f."""
    problem = Problem(pair.pair_id, pair.description, pair.kind, pair.buggy_entry_point or pair.entry_point)
    chosen = template or load_template(_PROMPTS[kind, pair.kind])
    return chosen.fill(problem, n_tests=_MAX_TESTS, solution=pair.buggy)


def sft_rows(
    hunt: Hunt, template: Template | None = None, *, most: int | None = None
) -> Iterator[dict[str, Any]]:
    """The true bugs of a hunt as training examples, in its order.

    Args:
        hunt: finished or not.
        template: the prompt that the answers were asked with; Touchstone's own if not given.
        most: at most so many answers of one pair.
    """
    pairs = {pair.pair_id: pair for pair in hunt.pairs()}
    classes = {(row["pair_id"], row["answer_index"]): row["class"] for row in hunt.answers()}
    for pair_id, answers in hunt.texts().items():
        kept = 0
        for index, text in sorted(answers.items()):
            if classes[pair_id, index] != AnswerClass.TRUE_BUG.key or (most is not None and kept >= most):
                continue
            kept += 1
            messages = prompt_for(pairs[pair_id], hunt.kind, template)
            answer = {"role": "assistant", "content": text}
            yield {"messages": [*messages, answer], "pair_id": pair_id, "answer_index": index}


def write_sft(hunt: Hunt, path: Path, template: Template | None = None, *, most: int | None = None) -> int:
    """Write the training examples as JSON lines; returns how many there are.

    Raises:
        InputError: there are none; no file is written.
    """
    if reason := nothing_to_learn(row["class"] for row in hunt.answers()):
        raise InputError(f"{path}: not written, as there is nothing to learn from {hunt.folder}: {reason}")
    rows = list(sft_rows(hunt, template, most=most))
    write_rows(path, rows)
    return len(rows)


def nothing_to_learn(answers: Iterable[str]) -> str:
    """Why a hunt has no training examples; "" where it has some.

    Args:
        answers: the key of the class of each.
    """
    classes = Counter(answers)
    if classes[AnswerClass.TRUE_BUG.key]:
        return ""
    if not classes:
        return "it has no answer yet"
    found = ", ".join(f"{count} {key.replace('_', ' ')}" for key, count in classes.most_common())
    return f"none of its answers is a true bug ({found}), and only those are examples"


def sft_jsonl(hunt: Hunt) -> str:
    """The training examples as the text of a JSONL file, with Touchstone's own prompts."""
    return "".join(json.dumps(row) + "\n" for row in sft_rows(hunt))
