import ast
from collections.abc import Iterator

import pytest

from core.hunting.model import AnswerKind
from core.hunting.offline import offline_answers
from core.model import AnswerClass, Pair, ProblemKind
from sandbox import open_sandbox
from sandbox.contract import Sandbox
from tests.core.hunting.pieces import find

PROMPT = '''def sort_numbers(xs):
    """Sort the numbers.

    >>> sort_numbers([3, 1, 2])
    [1, 2, 3]
    >>> sort_numbers([])
    []
    """
'''
GOOD = PROMPT + "    return sorted(xs)\n"
SORTS = Pair(
    "s", PROMPT, ProblemKind.FUNCTION, GOOD, PROMPT + "    return sorted(xs[:3]) + xs[3:]\n", "sort_numbers"
)
STATEMENT = """Add two numbers.

-----Input-----
Two integers.

-----Example-----
Input
1 2
Output
3

Input
10 20
Output
30
"""
ADDS = Pair(
    "a",
    STATEMENT,
    ProblemKind.STDIO,
    "a, b = map(int, input().split())\nprint(a + b)",
    "a, b = map(int, input().split())\nif b > 20:\n    raise SystemExit(1)\nprint(a + b)",
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One for all tests of this module."""
    with open_sandbox(workers=1) as opened:
        yield opened


def test_a_name_that_says_sorted_finds_what_is_not(sandbox: Sandbox) -> None:
    """Varied examples and the check that the name gives away expose a sort that stops early."""
    answers = offline_answers([SORTS], AnswerKind.HARNESS)["s"]
    (found,) = find(sandbox, SORTS, *answers, repeat=5)

    assert found.answer_class is AnswerClass.TRUE_BUG, (found.message, found.trials)


def test_samples_of_a_statement_are_inputs(sandbox: Sandbox) -> None:
    """Numbers in the samples of a statement are varied, and what crashes is found."""
    answers = offline_answers([ADDS], AnswerKind.HARNESS)["a"]
    (found,) = find(sandbox, ADDS, *answers, repeat=3)

    assert {"1 2\n", "10 20\n"} <= {trial.input for trial in found.trials}
    assert found.answer_class is AnswerClass.TRUE_BUG, (found.message, found.trials)


def test_input_output_answers_are_the_examples(sandbox: Sandbox) -> None:
    """The good program meets every example, so these answers are never invalid."""
    for pair in (SORTS, ADDS):
        (answer,) = offline_answers([pair], AnswerKind.IO)[pair.pair_id]
        (found,) = find(sandbox, pair, answer, kind=AnswerKind.IO)

        assert len(found.trials) == 2
        assert found.answer_class is AnswerClass.NO_DIFFERENCE


@pytest.mark.parametrize("kind", AnswerKind)
def test_a_text_that_gives_nothing_away_gives_no_block(kind: AnswerKind) -> None:
    """Where no input can be made up the answer says so, and counts as a format error."""
    pair = Pair("n", "Do it.", ProblemKind.FUNCTION, "def f(x): 1", "def f(x): 2", "f")

    assert "```" not in offline_answers([pair], kind)["n"][0]


def test_the_good_program_is_not_looked_at() -> None:
    """Answers depend on what a model is shown: the description and the buggy program."""
    other = Pair("s", PROMPT, SORTS.kind, "def sort_numbers(other): return None", SORTS.buggy, "sort_numbers")

    assert offline_answers([SORTS], AnswerKind.HARNESS) == offline_answers([other], AnswerKind.HARNESS)


def test_types_of_the_signature_stand_in_for_examples() -> None:
    """With annotations and no example the inputs have the annotated types."""
    program = "def add(a: int, b: str) -> str:\n    return b * a\n"
    pair = Pair("t", "Repeat.", ProblemKind.FUNCTION, program, program, "add")
    text = offline_answers([pair], AnswerKind.HARNESS)["t"][0]
    code = text.removeprefix("```python\n").removesuffix("```\n")
    given = next(
        ast.literal_eval(node.value)
        for node in ast.parse(code).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "GIVEN"
    )

    assert given
    assert all(isinstance(one["a"], int) and isinstance(one["b"], str) for one in given)
    assert "isinstance(captured_output, (str,))" in code


IN_ORDER = Pair(
    "i",
    PROMPT,
    ProblemKind.FUNCTION,
    GOOD,
    PROMPT + "    return [1, 2, 3] if xs == [3, 1, 2] else xs[::-1]\n",
    "sort_numbers",
)


def test_a_name_that_says_idempotent_gives_results_back(sandbox: Sandbox) -> None:
    """The examples' results are inputs too, and a program that changes them is found by that check."""
    (answer,) = offline_answers([IN_ORDER], AnswerKind.HARNESS)["i"]
    (found,) = find(sandbox, IN_ORDER, answer)
    given = next(trial for trial in found.trials if trial.origin == "generate_input_4")
    assert given.input == '{"xs":[1,2,3]}'
    assert given.buggy_check is not None
    assert "not what it gave before" in given.buggy_check.message


@pytest.mark.parametrize(
    "prompt",
    [
        PROMPT.replace("sort_numbers", "double_numbers"),
        PROMPT.replace("    [1, 2, 3]", "    '1 2 3'"),
        PROMPT.replace("([])\n    []", "([1, 2, 3])\n    [3, 2, 1]"),
    ],
)
def test_nothing_is_given_back_where_the_text_speaks_against_it(prompt: str) -> None:
    """Another name, a result of another type, or an example that is changed: no such inputs."""
    name = "double_numbers" if "double" in prompt else "sort_numbers"
    pair = Pair("p", prompt, ProblemKind.FUNCTION, "", prompt + "    return xs\n", name)
    assert "generate_input_4" not in offline_answers([pair], AnswerKind.HARNESS)["p"][0]


def test_a_program_that_answers_by_chance_is_found(sandbox: Sandbox) -> None:
    """Every single result looks right; a second run with another seed gives another one."""
    prompt = 'def pick(xs):\n    """The middle one.\n\n    >>> pick([5])\n    5\n    """\n'
    good, bad = "    return xs[len(xs) // 2]\n", "    import random\n    return random.choice(xs)\n"
    pair = Pair("r", prompt, ProblemKind.FUNCTION, prompt + good, prompt + bad, "pick")
    (answer,) = offline_answers([pair], AnswerKind.HARNESS)["r"]
    answer = answer.replace("GIVEN = [{'xs': [5]}]", f"GIVEN = [{{'xs': {list(range(50))}}}]")
    (found,) = find(sandbox, pair, answer)
    assert found.answer_class is AnswerClass.TRUE_BUG, (found.message, found.trials)
    messages = [one.buggy_check.message for one in found.trials if one.buggy_check]
    assert any("not the same result when it runs again" in message for message in messages)
