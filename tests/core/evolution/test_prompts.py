import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evolution.prompts import N_TESTS, parse_generated, parse_seed, render, syntax_tree
from core.evolution.selection import Method, select
from core.model import Assertion, CallTest, StdioTest
from tests.core.evolution.trials import trial


def sources(answer: str, *existing: str) -> list[str]:
    """The new tests in an answer."""
    found = parse_generated(answer, [Assertion(s) for s in existing], method=Method.ADVERSARIAL)
    return [test.source for test in found.tests]


@pytest.mark.parametrize("method", list(Method))
def test_prompt_holds_problem_programs_tests_and_matrix(method: Method) -> None:
    """Both prompts show the problem, the selected programs, the tests and each program's outcomes."""
    subject = trial("PPE", "PFT", "FPI")
    system, user = render(subject, select(subject, method))
    assert (system["role"], user["role"]) == ("system", "user")
    assert f"{N_TESTS} new tests" in system["content"]
    assert "3 programs" in system["content"]
    for part in ("Double x.", "def f(x): return 1", "1. assert f(0) == 0", "Program 2: PFT"):
        assert part in user["content"]


@pytest.mark.parametrize("method", list(Method))
def test_prompts_state_the_requirements(method: Method) -> None:
    """Both prompts ask for correct, independent, constant tests with inputs and outputs, as JSON."""
    subject = trial("P")
    rules = render(subject, select(subject, method), n_tests=7)[0]["content"]
    for words in (
        "7 new tests",
        "correct by the statement",
        "stand alone",
        "constant values only",
        '{"tests": [',
    ):
        assert words in rules


def test_the_two_prompts_ask_for_different_things() -> None:
    """Only the adversarial prompt aims at the best, only the discriminative one demands a split."""
    subject = trial("P")
    adversarial, discriminative = (render(subject, select(subject, m))[0]["content"] for m in Method)
    assert "best of them is likely to fail" in adversarial
    assert "at least one of them must pass it and at least one must fail it" in discriminative


def test_what_programs_contain_changes_no_prompt() -> None:
    """Dollar signs and fences in a program stay as they are, inside a longer fence."""
    subject = trial("P")
    code = 'def f(x):\n    return "$tests ${programs} ```"'
    hostile = type(subject)(
        subject.problem, (type(subject.solutions[0])("s0", code),), subject.tests, subject.outcomes
    )
    text = render(hostile, select(hostile, Method.ADVERSARIAL))[1]["content"]
    assert f"````python\n{code}\n````" in text


def test_other_kinds_of_tests_are_shown() -> None:
    """Tests by standard input and by arguments are written out with what they expect."""
    subject = trial("PP")
    mixed = type(subject)(
        subject.problem, subject.solutions, (StdioTest("1\n", "2\n"), CallTest("[1]", "2")), subject.outcomes
    )
    text = render(mixed, select(mixed, Method.ADVERSARIAL))[1]["content"]
    assert '1. input "1\\n" -> output "2\\n"' in text
    assert "2. arguments [1] -> 2" in text


WANTED = ["assert f(1) == 2", 'assert f("a") == "b"']
WHOLE = json.dumps({"tests": WANTED})


@pytest.mark.parametrize(
    "answer",
    [
        WHOLE,
        json.dumps(WANTED),
        f"Here they are:\n```json\n{WHOLE}\n```\nGood luck!",
        f"```\n{WHOLE}\n```",
        f'<think>maybe {{"tests": ["assert f(0) == 9"]}}</think>\n{WHOLE}',
        f"Sure! {WHOLE} I hope [this] helps {{a lot}}.",
        json.dumps({"question": "q", "tests": WANTED}, indent=2),
    ],
)
def test_whole_answers_in_any_wrapping(answer: str) -> None:
    """The tests are found bare, fenced, in prose, behind reasoning, as an object or a list."""
    found = parse_generated(answer, [], method=Method.DISCRIMINATIVE, verifier="m", number=2)
    assert [t.source for t in found.tests] == WANTED
    assert found.complete
    origin = found.tests[0].origin
    assert (origin.verifier, origin.method, origin.round) == ("m", "discriminative", 2)


@given(st.integers(0, len(WHOLE) - 1))
def test_an_answer_cut_anywhere_gives_its_whole_tests(end: int) -> None:
    """Of an answer that was cut off, the tests that are whole are kept and no half one is."""
    found = sources(WHOLE[:end])
    assert found == WANTED[: len(found)]
    ends = [WHOLE.index(json.dumps(test)) + len(json.dumps(test)) for test in WANTED]
    assert len(found) == sum(end >= position for position in ends)


def test_a_cut_off_answer_says_so() -> None:
    """An answer without its end is marked as incomplete."""
    assert not parse_generated('{"tests": ["assert f(1) == 2", "ass', [], method=Method.ADVERSARIAL).complete


def test_plain_assertions_instead_of_json() -> None:
    """A model that answers with code instead of JSON is understood all the same."""
    assert sources("```python\nassert f(1) == 2\nassert f(3) == 4\n```") == [
        "assert f(1) == 2",
        "assert f(3) == 4",
    ]


def test_line_breaks_inside_strings() -> None:
    """Raw line breaks in a JSON string, which models write, don't lose the answer."""
    assert sources('{"tests": ["x = 1\nassert f(x) == 2"]}') == ["x = 1\nassert f(x) == 2"]


def test_duplicates_by_syntax_tree() -> None:
    """Tests that differ from known ones in layout, quotes, comments or message only are dropped."""
    answer = json.dumps(
        ["assert f( 'a' )==1", "assert f('a') == 1, 'why'", "assert f(2) == 3", "assert f(2)==3  # x"]
    )
    found = parse_generated(answer, [Assertion('assert f("a") == 1')], method=Method.ADVERSARIAL)
    assert [t.source for t in found.tests] == ["assert f(2) == 3"]
    assert found.duplicates == 3


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("assert f(1) ==", "no Python"),
        ("f(1)", "does not end in an assertion"),
        ("assert True", "calls nothing"),
        ({"input": 1}, "no text"),
    ],
)
def test_what_is_no_test_is_kept_with_its_reason(entry: object, reason: str) -> None:
    """An entry that can't be a test is reported and the others stay."""
    found = parse_generated(json.dumps([entry, "assert f(1) == 2"]), [], method=Method.ADVERSARIAL)
    assert [t.source for t in found.tests] == ["assert f(1) == 2"]
    assert found.unparsed[0][1].startswith(reason)


@pytest.mark.parametrize(
    "answer", ["", "I can't do that.", "<think>endless", '{"tests": []}', "{" * 5000, "[" * 5000]
)
def test_answers_without_tests(answer: str) -> None:
    """An answer without a test gives none, and says that it holds none."""
    found = parse_generated(answer, [], method=Method.ADVERSARIAL)
    assert (found.tests, found.unparsed) == ((), ((answer[:200], "holds no list of tests"),))


@given(st.text(max_size=300))
def test_no_text_breaks_the_parser(answer: str) -> None:
    """Any text at all gives an answer without an exception."""
    parse_generated(answer, [], method=Method.ADVERSARIAL)


def test_syntax_tree_of_no_python_is_empty() -> None:
    """What is no Python has no tree."""
    assert syntax_tree("assert (") == ""


@pytest.mark.parametrize("cut", [0, 12])
def test_a_refined_seed_is_read(cut: int) -> None:
    """Question and tests are found, also where the answer was cut off within its last test."""
    text = json.dumps({"question": " Count paths. ", "tests": ["assert f(1) == 1", "assert f(2) == 3"]})
    question, made = parse_seed(f"<think>hm</think>```json\n{text[: len(text) - cut]}")
    assert question == "Count paths."
    assert made.tests[0].source == "assert f(1) == 1"
    assert made.complete is (cut == 0)


def test_an_answer_without_a_question_is_none() -> None:
    """Tests alone are no refined problem."""
    assert parse_seed('{"tests": ["assert f(1) == 1"]}')[0] == ""
