import ast
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.hunting.answers import FaultError, parse_cases, parse_harness
from core.hunting.model import Fault
from core.model import Pair, ProblemKind
from tests.core.hunting.pieces import harness

FUNCTION = Pair("p", "", ProblemKind.FUNCTION, "def f(x): return x", "def f(x): return 1", "f")
STDIO = Pair("q", "", ProblemKind.STDIO, "print(input())", "print(1)")
CODE = """\
def generate_input_1():
    return [{"x": 1}]


def check_output(given, out):
    assert out == 1
"""


def fault(text: str, pair: Pair = FUNCTION) -> Fault:
    """The fault of an answer that has one."""
    with pytest.raises(FaultError) as caught:
        parse_harness(text, pair)
    return caught.value.fault


def test_the_last_python_block_is_the_harness() -> None:
    """Earlier blocks and blocks of other languages are not."""
    text = harness("first = 1") + "then\n" + harness(CODE) + "```text\nassert nothing\n```\n"

    assert parse_harness(text, FUNCTION).code == CODE


def test_reasoning_does_not_count() -> None:
    """A harness in the chain of thought is none."""
    assert fault(f"<think>{harness(CODE)}</think>That was it.") is Fault.NO_BLOCK


def test_at_most_five_generators_in_the_order_of_their_numbers() -> None:
    """Of seven generators the first five count, 2 before 10."""
    names = ["generate_input_10", *(f"generate_input_{i}" for i in (3, 1, 2, 11, 4, 12))]
    code = CODE.replace("generate_input_1", "generate_input_99") + "".join(
        f"\n\ndef {name}():\n    return []\n" for name in names
    )

    assert parse_harness(harness(code), FUNCTION).generators == (
        "generate_input_1",
        "generate_input_2",
        "generate_input_3",
        "generate_input_4",
        "generate_input_10",
    )


def test_a_helper_may_assert() -> None:
    """An assertion that the check reaches through other functions is one."""
    code = CODE.replace("assert out == 1", "deeper(out)")
    code += "\n\ndef deeper(out):\n    same(out)\n\n\ndef same(out):\n    raise AssertionError(out)\n"

    assert parse_harness(harness(code), FUNCTION).generators == ("generate_input_1",)


def test_an_assertion_out_of_reach_is_none() -> None:
    """A helper that nobody calls asserts nothing."""
    code = CODE.replace("assert out == 1", "pass") + "\n\ndef unused(out):\n    assert out\n"

    assert fault(harness(code)) is Fault.NO_ASSERTION


@pytest.mark.parametrize(
    "extra",
    [
        "def f(x):\n    return 1",
        "f = lambda x: 1",
        "from solution import f",
        "class S:\n    def f(self): pass",
    ],
)
def test_any_definition_of_the_target_is_a_fault(extra: str) -> None:
    """The name of the function under test must not be bound by the harness."""
    assert fault(harness(f"{CODE}\n\n{extra}\n")) is Fault.REDEFINES_TARGET


def test_a_program_that_reads_text_has_no_name_to_redefine() -> None:
    """Helpers of a harness may be called anything where no function is under test."""
    code = CODE.replace('{"x": 1}', '"1"') + "\n\ndef main():\n    return 1\n"

    assert parse_harness(harness(code), STDIO).generators == ("generate_input_1",)


def test_own_seeding_is_taken_out_and_lines_stay_where_they_were() -> None:
    """Statements that seed are gone, calls of a generator's own seed stay, line numbers hold."""
    code = (
        "import random; random.seed(\n    7\n)\nimport numpy as np\n"
        "np.random.seed(1); é = 'ü'; random.seed(0)\n"
        "rng = random.Random(3)\n" + CODE
    )
    parsed = parse_harness(harness(code), FUNCTION)
    names = {ast.unparse(node) for node in ast.walk(ast.parse(parsed.program)) if isinstance(node, ast.Call)}

    assert names >= {"random.Random(3)"}
    assert not any("seed" in name for name in names)
    place = parsed.program.split("\n").index("def generate_input_1():")
    assert place - parsed.offset == code.split("\n").index("def generate_input_1():")


def test_typing_names_are_known() -> None:
    """A harness may use List without importing it, unless its first line must stay the first."""
    plain = parse_harness(harness(CODE), FUNCTION)
    future = parse_harness(harness("from __future__ import annotations\n" + CODE), FUNCTION)

    assert (plain.program.split("\n")[0], plain.offset) == ("from typing import Any, Dict, List, Tuple", 1)
    assert future.offset == 0
    compile(future.program, "<harness>", "exec")


def test_cases_are_read_once_each() -> None:
    """A case that is there twice counts once; another output of the same input is another case."""
    rows = [{"input_str": "1", "expected_output": output} for output in "aba"]

    assert [case.expected for case in parse_cases(f"```json\n{json.dumps(rows)}\n```", STDIO)] == ["a", "b"]


def test_half_a_character_can_not_be_fed() -> None:
    """A lone surrogate in an input is a fault of the answer, not of the sandbox."""
    with pytest.raises(FaultError, match="half a character"):
        parse_cases('```json\n[{"input_str": "\\ud800", "expected_output": ""}]\n```', STDIO)


def test_an_endless_answer_is_not_read() -> None:
    """An answer beyond the limit is a fault with its own name."""
    assert fault("x" * (2**20 + 1)) is Fault.TOO_LONG


@given(
    st.text(alphabet="`python\njs[]{}():=assert_ def1\\\x00é", max_size=200),
    st.sampled_from([FUNCTION, STDIO]),
)
@example("```python\n" + "(" * 5000 + "\n```", FUNCTION)
@example("```json\n" + "[" * 100_000 + "\n```", STDIO)
@example("```json\n[{" + '"input_str": "", "expected_output": ' + "1" * 5000 + "}]\n```", STDIO)
def test_no_answer_breaks_the_parsers(text: str, pair: Pair) -> None:
    """Whatever a model says is a harness, a list of cases, or a fault with a name and a message."""
    for parse in (parse_harness, parse_cases):
        try:
            parse(text, pair)
        except FaultError as error:
            assert str(error)
