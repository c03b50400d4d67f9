from collections.abc import Iterator

import pytest

from core.hunting.model import AnswerKind, Fault
from core.model import AnswerClass, Outcome, Pair, ProblemKind
from sandbox import open_sandbox
from sandbox.contract import CheckResult, Job, Sandbox
from sandbox.fake import FakeSandbox
from tests.core.hunting.pieces import find, harness

READER = Pair("p", "", ProblemKind.STDIO, "print(input())", "print(input()[:3])")
FUNCTION = Pair("q", "", ProblemKind.FUNCTION, "def f(x): return x", "def f(x): return abs(x)", "f")
RANDOM = harness(
    "import random\n\n"
    "def generate_input_1():\n    random.seed(1)\n    return [str(random.random()) for _ in range(9)]\n\n"
    "def generate_input_2():\n    return ['fixed']\n\n"
    "def check_output(given, out):\n    assert out.strip() == given\n"
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One for all tests of this module."""
    with open_sandbox(workers=1) as opened:
        yield opened


def test_a_generator_gives_at_most_four_inputs(sandbox: Sandbox) -> None:
    """Of nine texts the first four are taken."""
    (found,) = find(sandbox, READER, RANDOM)

    assert [trial.origin for trial in found.trials] == ["generate_input_1"] * 4 + ["generate_input_2"]
    assert found.answer_class is AnswerClass.TRUE_BUG


def test_the_same_seed_gives_the_same_inputs_and_another_one_others(sandbox: Sandbox) -> None:
    """Inputs are fixed by the seed of the hunt, whatever the harness seeds itself with."""
    first, again, other = (
        [trial.input for trial in find(sandbox, READER, RANDOM, seed=seed)[0].trials] for seed in (42, 42, 43)
    )

    assert first == again
    assert set(first) & set(other) == {"fixed"}


def test_repeats_add_inputs_behind_those_of_fewer_repeats(sandbox: Sandbox) -> None:
    """Running generators thrice gives new inputs, keeps the old ones in front, and drops duplicates."""
    once, thrice = (find(sandbox, READER, RANDOM, repeat=n)[0].trials for n in (1, 3))

    assert [trial.input for trial in thrice[: len(once)]] == [trial.input for trial in once]
    assert len(thrice) == 4 * 3 + 1
    assert {trial.seed for trial in thrice if trial.origin == "generate_input_1"} == {42, 47, 52}


def test_generators_that_draw_alike_give_different_inputs(sandbox: Sandbox) -> None:
    """Two generators with the same code have seeds of their own."""
    body = "():\n    return [str(random.random())]\n\n"
    code = f"import random\n\ndef generate_input_1{body}def generate_input_2{body}"
    (found,) = find(sandbox, READER, harness(code + "def check_output(a, b):\n    assert b\n"))

    assert len(found.trials) == 2


def test_first_counts_inputs_over_all_generators(sandbox: Sandbox) -> None:
    """With first = 2 two inputs are run."""
    assert len(find(sandbox, READER, RANDOM, first=2)[0].trials) == 2


def test_an_answer_has_at_most_twenty_cases(sandbox: Sandbox) -> None:
    """The twenty-first case of an answer is not run."""
    rows = ", ".join(f'{{"input_str": "{i}", "expected_output": "{i}"}}' for i in range(25))
    (found,) = find(sandbox, READER, f"```json\n[{rows}]\n```", kind=AnswerKind.IO)

    assert len(found.trials) == 20


def test_what_fired_is_kept_with_the_line_of_the_answer(sandbox: Sandbox) -> None:
    """The assertion's message and its line in the harness as it was written are there to show."""
    (found,) = find(sandbox, READER, RANDOM)
    fired = found.trials[0].buggy_check

    assert fired is not None
    assert fired.outcome is Outcome.ASSERTION_FAILED
    assert found.code.split("\n")[(fired.line or 0) - 1].strip().startswith("assert")
    assert "raised by" not in fired.message


def test_why_generators_gave_nothing_is_said(sandbox: Sandbox) -> None:
    """A format error for want of inputs names each generator and its reason."""
    code = "def generate_input_1():\n    return ['a', 1]\n\ndef generate_input_2():\n    return 1 / 0\n\n"
    (found,) = find(sandbox, READER, harness(code + "def check_output(a, b):\n    assert a\n"))

    assert found.fault is Fault.NO_INPUT
    assert "generate_input_1: expected a list of texts, found other items" in found.message
    assert "generate_input_2: ZeroDivisionError" in found.message


def test_programs_are_given_each_input_once(sandbox: Sandbox) -> None:
    """Inputs that differ only in an argument nobody takes are the same input."""
    code = "def generate_input_1():\n    return [{'x': 1, 'y': 1}, {'x': 1, 'y': 2}]\n\n"
    (found,) = find(sandbox, FUNCTION, harness(code + "def check_output(a, b):\n    assert b\n"))

    assert [trial.input for trial in found.trials] == ['{"x":1,"y":1}']


def test_an_answer_that_expects_two_outputs_of_one_input_is_invalid(sandbox: Sandbox) -> None:
    """No program meets both, so the good one fails the test, whichever comes first."""
    for outputs in ((-1, 1), (1, -1)):
        rows = ", ".join(f'{{"input_args": {{"x": -1}}, "expected_output": {output}}}' for output in outputs)
        (found,) = find(sandbox, FUNCTION, f"```json\n[{rows}]\n```", kind=AnswerKind.IO)

        assert len(found.trials) == 2
        assert found.answer_class is AnswerClass.GOOD_INPUT_INVALID


def test_what_the_sandbox_could_not_run_is_left_out() -> None:
    """INTERNAL_ERROR is missing data: it neither exposes a bug nor makes an answer invalid."""

    def broken(job: Job) -> list[CheckResult]:
        return [CheckResult(Outcome.INTERNAL_ERROR, message="no worker")]

    rows = '```json\n[{"input_args": {"x": 1}, "expected_output": 2}]\n```'
    (found,) = find(FakeSandbox(broken), FUNCTION, rows, kind=AnswerKind.IO)

    assert found.answer_class is AnswerClass.NO_DIFFERENCE
    assert found.trials[0].left_out == "the sandbox could not run it"


def test_programs_that_are_alike_run_once() -> None:
    """Two answers with the same inputs for the same pair cost one job for each program."""
    seen = FakeSandbox(lambda job: [CheckResult(Outcome.PASSED, value="1")])
    rows = '```json\n[{"input_args": {"x": 1}, "expected_output": 1}]\n```'
    found = find(seen, FUNCTION, rows, rows, kind=AnswerKind.IO)

    assert len(seen.jobs) == 2
    assert [one.answer_class for one in found] == [AnswerClass.NO_DIFFERENCE] * 2
