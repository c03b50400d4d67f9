"""Reading examples out of prompts."""

from typing import Any

import pytest

from core.benchmarks.humaneval import humaneval
from core.verifiers.examples import find_examples
from core.verifiers.literals import NotLiteralError, literal_prefix


def prompt(text: str, signature: str = "f(x)") -> str:
    """A prompt with this docstring."""
    return f'def {signature}:\n    """{text}\n    """\n'


def read(text: str, signature: str = "f(x)") -> list[tuple[Any, Any]]:
    """(arguments, result) of each example."""
    return [(e.arguments, e.expected) for e in find_examples(prompt(text, signature), "f").found]


@pytest.mark.parametrize(
    "text",
    [
        ">>> f([1, 2])\n    3",
        ">>> f([1, 2]) == 3",
        ">>> f([1, 2]) == 3\n    True",
        "f([1, 2]) ==> 3",
        "f([1,2])=>3",
        "f([1, 2]) -> 3",
        "f([1, 2]) ➞ 3",
        "* f([1, 2]) = 3",
        "f([1, 2]) == 3 # because",
        "f([1, 2]) returns 3",
        "f([1, 2]) should return 3.",
        "f([1, 2])   # returns 3",
        "f([1, 2]) # => 3 (as was said)",
        "f([1, 2]) -> 1 + 2 = 3",
        "f([\n      1,\n      2\n    ]) == 3",
        "For x = [1, 2] the output should be 3.",
        "Example 1:\n        Input: [1, 2]\n        Output: 3\n        Explanation: it is so",
        "Input: x = [1, 2]\n    Output: 3 # 1 + 2",
        "assert g_of([1, 2]) => 3",
    ],
)
def test_ways_to_write_an_example(text: str) -> None:
    """Each way that docstrings write an example is read."""
    assert read(text) == [(([1, 2],), 3)]


@pytest.mark.parametrize(
    "text",
    [
        "f(x) = x + 1",
        "f(1) ==> about 3",
        "f(1) == 2 or 3",
        'f(["a"]) == ""a"',
        "f(1, 2) == 3",
        "f(1) is fine",
        "f(1) = 19 - 5 = 13",
        ">>> f(1) 3",
        ">>> f(1)\n    ...",
        "f([1, 2) == 3",
        "For x = 1, y = 2 the output should be 3",
        "xf(1) == 3",
    ],
)
def test_what_can_not_be_read_soundly_is_not_guessed(text: str) -> None:
    """Variables, prose, broken brackets, wrong sums and wrong numbers of arguments give no example."""
    assert read(text) == []


def test_several_parameters() -> None:
    """Sentences and blocks name the parameters, or count them."""
    assert read('For s = "a, b", c = "b" the result should be ("a", False)', "f(s, c)") == [
        (("a, b", "b"), ("a", False))
    ]
    assert read("Input:\n    grid : [[0, 1]]\n    bucket : 2\n    Output: 1", "f(grid, capacity)") == [
        (([[0, 1]], 2), 1)
    ]


def test_a_blank_after_a_session_is_none() -> None:
    """A session that prints nothing returned None."""
    assert read(">>> f([])\n\n    >>> f([1])\n    1") == [(([],), None), (([1],), 1)]


def test_an_expression_around_the_call_is_kept() -> None:
    """`round(f(x), 2)` is compared as a whole."""
    (example,) = find_examples(prompt(">>> round(f([1, 2]), 2) # one\n    -0.5"), "f").found
    assert (example.expression, example.expected) == ("round(f([1, 2]), 2)", -0.5)


def test_bare_words_are_strings() -> None:
    """`f(abc) => False` means the string, unless it is the parameter's name."""
    assert read("f(abc) => False\n    f(x) => True") == [(("abc",), False)]


def test_escapes_stay_as_they_are_written() -> None:
    """A backslash in the docstring belongs to the example's literal."""
    assert read(">>> f('a\\nb')\n    'ab'") == [(("a\nb",), "ab")]


def test_steps_of_a_definition_are_no_examples() -> None:
    """A recurrence whose values are of another kind than the examples' is not taken for examples."""
    text = "f(1) = 3\n    f(n) = f(n - 1) + 1\n    Examples:\n    f(3) = [1, 3]"
    assert read(text, "f(n)") == [((3,), [1, 3])]


def test_what_was_not_read_is_said() -> None:
    """Broken examples come back with the reason."""
    unread = find_examples(prompt("f([1]) == [2"), "f").unread
    assert [text for text, _ in unread] == ["f([1]) == [2"]
    assert unread[0][1]


def test_no_example_twice() -> None:
    """A repeated example counts once."""
    assert len(read("f(1) == 2\n    f(1) == 2")) == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [("True", True), ("true", True), ("[1,\n 2] # x", [1, 2]), ("'a.b'.", "a.b"), ("6.00", 6.0)],
)
def test_literals(text: str, value: Any) -> None:
    """A literal ends where a remark begins."""
    assert literal_prefix(text) == value


@pytest.mark.parametrize("text", ["", "x", "1 2", "[1", "2 of them", "3 = 4"])
def test_no_literals(text: str) -> None:
    """Anything else is refused."""
    with pytest.raises(NotLiteralError):
        literal_prefix(text)


def test_humaneval() -> None:
    """158 of the 164 prompts have an example; the reference solutions contradict only known mistakes."""
    found = {p.task_id: find_examples(p.prompt, p.entry_point or "").found for p in humaneval()}
    without = [task_id.removeprefix("HumanEval/") for task_id, examples in found.items() if not examples]
    assert without == ["38", "41", "50", "83", "105", "160"]
    contradicted = set()
    for problem in humaneval():
        for example in found[problem.task_id]:
            space: dict[str, Any] = {}
            exec(problem.reference_solution, space)
            if eval(example.expression, space) != example.expected:
                contradicted.add(problem.task_id)
    assert contradicted == {"HumanEval/47", "HumanEval/116", "HumanEval/148"}
