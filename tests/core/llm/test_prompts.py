from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.llm import Generation, Kind, Method, Mode, Shown, Template, plan, preview, read_template
from core.llm.prompts import PromptName, load_template
from core.model import Benchmark
from tests.core.llm.conftest import SOLUTIONS, problem

SHOWING = {
    PromptName.TESTS_WITH_SOLUTION,
    PromptName.TESTS_STDIO_WITH_SOLUTION,
    PromptName.REWARD,
    PromptName.JUDGE,
    PromptName.HARNESS,
    PromptName.HARNESS_STDIO,
    PromptName.SEEDS,
    PromptName.IO,
    PromptName.GENERATORS,
    PromptName.CHECKERS,
}


@pytest.mark.parametrize("name", list(PromptName))
def test_every_template_can_be_filled_in(name: PromptName) -> None:
    """Each template of ours holds the problem, the solution where it is about one, and nothing open."""
    template = load_template(name)
    template.require(name in SHOWING)
    text = "\n".join(
        message["content"] for message in template.fill(problem(7), n_tests=13, solution="CODE = 1")
    )
    assert "Costs $5. (number 7)" in text
    assert ("CODE = 1" in text) is (name in SHOWING)
    assert ("13" in text) is name.startswith(("tests", "seeds", "io"))


@pytest.mark.parametrize("shown", [Shown.NONE, Shown.BEST])
def test_prompts_for_tests_state_the_requirements(shown: Shown) -> None:
    """The papers' rules for tests are there: tags, no indents, no test library, complete, no fences."""
    asked = Generation(Kind.TESTS, "m", n_tests=25, shown=shown)
    (message,) = preview(asked, problem(0), SOLUTIONS[0])
    for words in (
        "exactly 25 assertions for `double`",
        "<assertion>",
        "no spaces or indentation",
        "unittest or pytest",
        "complete and run by itself",
        "no ``` fences",
        "Read the question carefully",
    ):
        assert words in message["content"]
    assert message["content"].count("<assertion>assert") >= 5
    assert ("may or may not be correct" in message["content"]) is (shown is Shown.BEST)


@pytest.mark.parametrize("mode", [Mode.CORRECT, Mode.PARTIAL])
def test_prompts_for_solutions_state_the_requirements(mode: Mode) -> None:
    """Both prompts ask for a python block, no tests, code that compiles and the standard library only."""
    text = preview(Generation(Kind.SOLUTIONS, "m", mode=mode), problem(0))[0]["content"]
    for words in ("```python", "no tests", "must compile", "standard library only"):
        assert words in text
    for words in ("somewhat incorrect", "no hint", "negative numbers", "last element"):
        assert (words in text) is (mode is Mode.PARTIAL)


def test_the_prompt_for_a_harness_states_the_requirements() -> None:
    """Generators, checker, their numbers, diversity and time limit are those of HarnessLLM."""
    asked = Generation(Kind.HARNESS, "m", shown=Shown.EACH)
    text = preview(asked, problem(0), SOLUTIONS[1])[0]["content"]
    for words in ("generate_input_1()", "check_output(", "1 to 4 inputs", "At most 5", "5 seconds", "x ** 2"):
        assert words in text


def test_the_prompt_for_inputs_and_outputs_states_the_requirements() -> None:
    """A function's cases name every argument, at most as many as asked for, with the program shown."""
    asked = Generation(Kind.IO, "m", n_tests=7, shown=Shown.EACH)
    text = preview(asked, problem(0), SOLUTIONS[1])[0]["content"]
    for words in ('"input_args"', '"expected_output"', "1 to 7 tests", "name every argument", "x ** 2"):
        assert words in text
    with pytest.raises(InputError, match="expected a solution to show"):
        Generation(Kind.IO, "m")


def test_rewards_are_a_turn_of_the_user_and_one_of_the_assistant() -> None:
    """A reward model is given the problem as the user's and the solution as the assistant's words."""
    user, assistant = preview(Generation(Kind.REWARDS, "m"), problem(0), SOLUTIONS[0])
    assert (user["role"], assistant["role"]) == ("user", "assistant")
    assert assistant["content"].endswith("return x * 2")
    (judged,) = preview(Generation(Kind.REWARDS, "m", method=Method.JUDGE), problem(0), SOLUTIONS[0])
    assert "Probability: 0.50" in judged["content"]


def test_a_template_of_ones_own_is_used(tmp_path: Path) -> None:
    """A user's file replaces ours, with roles, and leaves its mark in what answers keep."""
    path = tmp_path / "mine.md"
    path.write_text("[system]\nBe brief; pay $$1.\n[user]\n$n_tests for $entry_point:\n$problem")
    asked = Generation(Kind.TESTS, "m", template=read_template(path))
    system, user = preview(asked, problem(3))
    assert system == {"role": "system", "content": "Be brief; pay $1."}
    assert user["content"].startswith("10 for double:\ndef double(x):")
    assert asked.described()["template_sha256"] == read_template(path).sha256


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Solve:\n$problem for $5", "line 2"),
        ("$problem and $tests", "tests is no placeholder"),
        ("no place", "expected .problem"),
        ("$problem $solution", "no solution was chosen"),
    ],
)
def test_what_is_wrong_with_a_template_is_said(text: str, words: str) -> None:
    """A template that can't be filled in is refused before anything is asked."""
    with pytest.raises(InputError, match=words):
        Generation(Kind.TESTS, "m", template=Template("mine.md", text))


def test_a_template_must_show_the_solution_that_was_chosen() -> None:
    """A reward template without the solution would rate nothing."""
    with pytest.raises(InputError, match=r"expected \$solution"):
        Generation(Kind.REWARDS, "m", template=Template("mine.md", "$problem"))


@given(st.text(alphabet="$[]usersystem{}\n ", max_size=60))
def test_what_is_filled_in_is_never_read_as_template(text: str) -> None:
    """Code with placeholders or role lines in it stays one message, letter for letter."""
    template = Template("t", "$problem<<$solution>>")
    (message,) = template.fill(problem(0), n_tests=1, solution=text)
    assert message["content"].endswith(f"<<{text.strip()}>>")


def test_requests_have_keys_of_their_own(benchmark: Benchmark) -> None:
    """Every request of a plan is told from the others by its key."""
    for asked in (
        Generation(Kind.TESTS, "m", samples=3),
        Generation(Kind.SOLUTIONS, "m", samples=2, mode=Mode.BOTH),
        Generation(Kind.REWARDS, "m"),
        Generation(Kind.HARNESS, "m", samples=2, shown=Shown.EACH),
    ):
        keys = [ask.key for ask in plan(benchmark, asked)]
        assert len(keys) == len(set(keys)) > 4


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": Kind.REWARDS, "samples": 2},
        {"kind": Kind.TESTS, "n_tests": 0},
        {"kind": Kind.HARNESS, "shown": Shown.NONE},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    """Several rewards a solution, no tests, and a harness for no program are bad input."""
    with pytest.raises(InputError):
        Generation(model="m", **wrong)  # type: ignore[arg-type]


def test_prompts_for_seeds_state_the_requirements() -> None:
    """A harder question is asked for with about 20 tests, JSON out, and the reference is shown."""
    messages = preview(
        Generation(Kind.SEEDS, "m", n_tests=20, shown=Shown.REFERENCE), problem(0), SOLUTIONS[0]
    )
    text = "\n".join(message["content"] for message in messages)
    for words in (
        "about 20 tests",
        "hard or very hard",
        '{"question"',
        "stand alone",
        "constant",
        SOLUTIONS[0].code.strip(),
    ):
        assert words in text


def test_a_seed_is_refined_with_a_program() -> None:
    """Without a solution to show there is nothing to refine from."""
    with pytest.raises(InputError, match="expected a solution to show"):
        Generation(Kind.SEEDS, "m")
