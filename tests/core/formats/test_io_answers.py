import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formats.io_answers import parse_io_answer
from core.model import StdioTest

PAIR = '{"input_str": "1 2", "expected_output": "3"}'


@pytest.mark.parametrize(
    "answer",
    [
        f"[{PAIR}]",
        f"Here you are:\n```json\n[\n  {PAIR}\n]\n```\nGood luck.",
        f"<think>[1, 2]</think>[{PAIR}]",
        f"[{PAIR}, {PAIR}]",
        f'[{PAIR}, {{"input_str": "4", "expe',
        f"A list [1] first, then\n```\n[{PAIR}]\n```",
    ],
)
def test_pairs_are_found(answer: str) -> None:
    """Fenced, bare, repeated, cut off or behind reasoning: the pair that is whole is a test."""
    assert parse_io_answer(answer)[0] == (StdioTest("1 2", "3"),)


def test_what_is_no_pair_is_kept_with_its_reason() -> None:
    """Entries without both texts, and answers without a list, are told of and never run."""
    tests, unparsed = parse_io_answer(f'[{PAIR}, {{"input_str": 1, "expected_output": "2"}}, 7]')
    assert len(tests) == 1
    assert [json.loads(text) for text, _ in unparsed] == [{"input_str": 1, "expected_output": "2"}, 7]
    assert parse_io_answer("no idea") == ((), (("no idea", "holds no list of inputs and outputs"),))
    assert parse_io_answer("") == ((), ())


TEXTS = st.text(max_size=9).filter(lambda text: "</think>" not in text)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, unique=True))
def test_any_pairs_are_read_back(pairs: list[tuple[str, str]]) -> None:
    """Whatever texts an answer's JSON has come out unchanged and in order."""
    answer = json.dumps([{"input_str": a, "expected_output": b} for a, b in pairs])
    assert parse_io_answer(answer) == (tuple(StdioTest(a, b) for a, b in pairs), ())
