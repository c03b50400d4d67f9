"""Models' raw answers."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import InputError
from core.formats import answers
from core.formats.answers import completion_text, parse_answer
from core.model import Origin


def sources(response: str, entry_point: str | None = "f") -> list[str]:
    """The tests found in an answer."""
    return [test.source for test in parse_answer(response, entry_point).tests]


BOTH = ["assert f(1) == 2", "assert f([1, 2]) == 3"]


@pytest.mark.parametrize(
    "response",
    [
        "assert f(1) == 2\nassert f([1, 2]) == 3",
        "# first\nassert f(1) == 2  # one\n\n# second\nassert f([1,\n   2]) == 3\n",
        "Here:\n\n```python\nassert f(1) == 2\nassert f([1, 2]) == 3\n```\nI assert that they are right.",
        "```\nassert f(1) == 2\n```\nand\n```py\nassert f([1, 2]) == 3\n```",
        "```python\nassert f(1) == 2\nassert f([1, 2]) == 3\n",
        "<assertion>\nassert f(1) == 2\n</assertion>\ntext\n<assertion>assert f([1, 2]) == 3</assertion>",
        "<assertion>\n```python\nassert f(1) == 2\n```\n</assertion><assertion>assert f([1, 2]) == 3",
        "<think>assert f(9) == 9</think>\nassert f(1) == 2\nassert f([1, 2]) == 3",
        "Sure! The tests are:\nassert f(1) == 2\nThis one is for lists:\nassert f([1, 2]) == 3\nDone.",
        "- assert f(1) == 2\n- `assert f([1, 2]) == 3`",
        "1. assert f(1) == 2\n2. assert f([1, 2]) == 3",
        "    assert f(1) == 2\n    assert f([1, 2]) == 3",
        "def test_f():\n    assert f(1) == 2\n    assert f([1, 2]) == 3\n\ntest_f()",
        "def check(candidate):\r\n    pass\r\n\r\nassert f(1) == 2\r\nassert f([1, 2]) == 3\r\n",
        "assert f(1) == 2\nassert f(1) == 2\nassert f([1, 2]) == 3",
        "def f(x):\n    return x + 1\n\nassert f(1) == 2\nassert f([1, 2]) == 3",
        "assert f(1) == 2\n\nfunction nonsense() {\n\nassert f([1, 2]) == 3",
    ],
)
def test_the_same_tests_are_found_however_they_are_written(response: str) -> None:
    """Tags, fences, prose, comments, bullets, reasoning and functions around make no difference."""
    assert sources(response) == BOTH


def test_reasoning_is_kept_apart() -> None:
    """What stands before the end of reasoning is kept and not read."""
    answer = parse_answer("<think>let me see\nassert f(0)</think>assert f(1)", "f")
    assert answer.reasoning == "let me see\nassert f(0)"
    assert [test.source for test in answer.tests] == ["assert f(1)"]


def test_an_answer_that_never_ends_its_reasoning_has_no_tests() -> None:
    """Reasoning that was cut off is no answer, and that is said."""
    answer = parse_answer("<think>maybe\nassert f(1) == 2", "f")
    assert not answer.tests
    assert answer.unparsed[0][1] == "the answer ends within its reasoning"


def test_a_cut_off_assertion_is_kept_with_its_reason() -> None:
    """The last assertion of an answer that hit its length is not lost in silence."""
    answer = parse_answer("assert f(1) == 2\nassert f([1, 2", "f")
    assert [test.source for test in answer.tests] == ["assert f(1) == 2"]
    ((text, reason),) = answer.unparsed
    assert text == "assert f([1, 2"
    assert "cut off" in reason


def test_an_assertion_whose_message_is_cut_off_is_complete() -> None:
    """A message is not needed to judge."""
    assert sources("assert f('a, b') == [1], \"the list of") == ["assert f('a, b') == [1]"]


def test_a_broken_assertion_in_the_middle_costs_itself_only() -> None:
    """What can't be parsed is reported with its text, the rest is read."""
    answer = parse_answer("assert f(1) == 2\nassert f(2 == )\nassert f([1, 2]) == 3", "f")
    assert [test.source for test in answer.tests] == BOTH
    assert [text for text, _ in answer.unparsed] == ["assert f(2 == )"]


def test_assertions_of_a_broken_function_are_found() -> None:
    """Prose inside a test function does not cost its assertions."""
    assert (
        sources("def test_f():\n    First we try one\n    assert f(1) == 2\n    assert f([1, 2]) == 3\n")
        == BOTH
    )


def test_variables_of_a_broken_answer_stay_with_their_tests() -> None:
    """Helper statements are found line by line too."""
    response = "Let us begin.\nx = [1,\n  2]\nassert f(x) == 3\n\nThat's it"
    assert sources(response) == ["x = [1, 2]\nassert f(x) == 3"]


def test_redefinitions_and_duplicates_are_reported() -> None:
    """What is left out on purpose is told."""
    answer = parse_answer("def f(x):\n    return 1\nassert f(1) == 1\nassert f(1) == 1", "f")
    assert answer.redefinitions == ("def f(x):\n    return 1",)
    assert answer.duplicates == 1


def test_origin_goes_to_every_test() -> None:
    """A test knows who wrote it."""
    origin = Origin("model", "docstring", 2)
    assert [test.origin for test in parse_answer("assert f(1)", "f", origin).tests] == [origin]


def test_a_monstrous_answer_is_kept_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a bound to what is parsed."""
    monkeypatch.setattr(answers, "MAX_ANSWER_CHARS", 100)
    answer = parse_answer("assert f(1)\n" * 100, "f")
    assert not answer.tests
    assert "longer" in answer.unparsed[0][1]


def test_an_answer_of_open_brackets_ends() -> None:
    """Hopeless text is given up after a bounded effort, and that is said."""
    answer = parse_answer("assert f((\n" * 3000, "f")
    assert not answer.tests
    assert answer.unparsed


def test_deep_nesting_does_not_crash() -> None:
    """Python's own parser gives up on it, and so it is reported."""
    answer = parse_answer("assert f(" + "(" * 5000 + ")" * 5000 + ")\nassert f(1) == 2", "f")
    assert [test.source for test in answer.tests] == ["assert f(1) == 2"]
    assert len(answer.unparsed) == 1


PIECES = st.sampled_from(
    ["assert f(1) == 2", "```", "```python", "</think>", "<assertion>", "</assertion>", "def f(x):",
     "    return (", "for i in x:", "    assert f(i)", "'''", "\\", "\t", "x = 1", "Sure:", "@", "\x00",
     "\ud800", "async def g():"]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(PIECES | st.text(max_size=20), max_size=12).map("\n".join), st.sampled_from(["f", None]))
def test_any_answer_is_read_without_a_crash(response: str, entry_point: str | None) -> None:
    """Whatever a model writes, what comes out are tests that Python accepts."""
    for test in parse_answer(response, entry_point).tests:
        compile(test.source, "<test>", "exec")


@given(st.lists(st.tuples(st.integers(), st.text()), unique=True, max_size=8))
def test_every_clean_assertion_is_found_in_order(cases: list[tuple[int, str]]) -> None:
    """Nothing is lost of an answer that is clean."""
    lines = [f"assert f({number}) == {text!r}" for number, text in cases]
    assert sources("\n\n".join(lines)) == lines


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        ("an answer", "an answer"),
        ([{"role": "user", "content": "?"}, {"role": "assistant", "content": "an answer"}], "an answer"),
        ([{"role": "assistant", "content": None}], ""),
        ([{"role": "assistant"}], ""),
        ([], ""),
    ],
)
def test_a_completion_is_a_text_or_messages(completion: object, text: str) -> None:
    """The last message is the answer; no message, or one without content, is an empty one."""
    assert completion_text(completion) == text


@pytest.mark.parametrize("completion", [None, 7, ["text"], [{"content": ["part"]}]])
def test_a_completion_that_is_neither_is_refused(completion: object) -> None:
    """Whatever has no text in it is the caller's mistake, in one sentence."""
    with pytest.raises(InputError, match="expected an answer as text or as messages"):
        completion_text(completion)
