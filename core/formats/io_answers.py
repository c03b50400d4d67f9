"""Raw answers of models asked for inputs and outputs: a JSON list of pairs (HarnessLLM, figure 9)."""

from __future__ import annotations

import json
from typing import Any

from core.formats.answers import MAX_ANSWER_CHARS, code_blocks, without_reasoning
from core.formats.loose_json import read_cut_off, read_whole
from core.model import Origin, StdioTest

__all__ = ["parse_io_answer"]

_MAX_STARTS = 20


def parse_io_answer(
    response: str, origin: Origin | None = None
) -> tuple[tuple[StdioTest, ...], tuple[tuple[str, str], ...]]:
    """The tests in an answer for a program that reads standard input.

    Args:
        response: the answer as it came: a list of {"input_str", "expected_output"}, in the last fenced
            block that has one, or in the text; one that is cut off gives the pairs that are whole.
        origin: who wrote the answer.

    Returns:
        The tests, no two alike, and (text, reason) of each piece that can't be one.
    """
    text, reasoning = without_reasoning(response)
    if len(text) > MAX_ANSWER_CHARS:
        return (), ((text[:200], f"the answer is longer than {MAX_ANSWER_CHARS} characters"),)
    pairs = _pairs(text)
    if pairs is None:
        if not text.strip() and not reasoning:
            return (), ()
        return (), (((text or reasoning)[-200:], "holds no list of inputs and outputs"),)
    tests: dict[StdioTest, None] = {}
    unparsed: list[tuple[str, str]] = []
    for pair in pairs:
        values = [pair.get(key) for key in ("input_str", "expected_output")] if isinstance(pair, dict) else []
        if len(values) == 2 and all(isinstance(value, str) for value in values):
            tests[StdioTest(str(values[0]), str(values[1]), origin or Origin())] = None
        else:
            unparsed.append((json.dumps(pair), "expected input_str and expected_output, both text"))
    return tuple(tests), tuple(unparsed)


def _pairs(text: str) -> list[Any] | None:
    blocks = [content for _, content in reversed(code_blocks(text))]
    for piece in [*blocks, text]:
        starts = [index for index, letter in enumerate(piece) if letter == "["][:_MAX_STARTS]
        for read in (read_whole, read_cut_off):
            for start in starts:
                value = read(piece[start:])
                if isinstance(value, list) and any(isinstance(item, dict) for item in value):
                    return value
    return None
