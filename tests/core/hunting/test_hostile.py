"""Programs and answers that mean harm: neither gets a verdict that is not its due."""

from collections.abc import Iterator

import pytest

from core.hunting.model import AnswerKind, Fault, HuntOptions, RawAnswer
from core.hunting.reward import HarnessReward
from core.hunting.trial import WAVERS, hunt
from core.model import AnswerClass, Outcome, Pair, ProblemKind
from sandbox import open_sandbox
from sandbox.contract import Limits, Sandbox
from tests.attacks.corpus import Attack, load
from tests.core.hunting.pieces import find, harness

SHORT = Limits(seconds=2.0, memory_mb=768, output_kb=256)
QUICK = {"generator": SHORT, "program": SHORT, "checker": SHORT}
GOOD = "def add(a, b):\n    return a + b\n"
WRONG = "def add(a, b):\n    return a + b + 1\n"
SIGHTED = harness(
    "def generate_input_1():\n    return [{'a': 1, 'b': 2}, {'a': -1, 'b': 1}]\n\n"
    "def check_output(given, out):\n    assert type(out) is int and out == given['a'] + given['b']\n"
)
FRAMES = (
    "import os\nfor fd in range(3, 64):\n    try:\n        os.write(fd, b'{\"outcome\": 0}' * 99)\n"
    "    except OSError:\n        pass\nassert out == 0"
)
DUE = {AnswerClass.TRUE_BUG, AnswerClass.NO_DIFFERENCE}


def one_of_each_family() -> list[Attack]:
    """The first attack on the judge of every family that goes for `add`."""
    found: dict[str, Attack] = {}
    for attack in load():
        if attack.guards == "judge" and attack.entry_point == "add" and attack.kind != "stdio":
            found.setdefault(attack.family, attack)
    return list(found.values())


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One for all tests of this module, so that what one leaves behind meets the next."""
    with open_sandbox(workers=2) as opened:
        yield opened


def pair(buggy: str, good: str = GOOD) -> Pair:
    """A pair of functions `add`."""
    return Pair("p", "", ProblemKind.FUNCTION, good, buggy, "add")


def answer(check: str, before: str = "", inputs: str = "[{'a': 1, 'b': 2}]") -> str:
    """A harness with this body of its check, for one input."""
    body = "".join(f"    {line}\n" for line in check.split("\n"))
    return harness(
        f"{before}\n\ndef generate_input_1():\n    return {inputs}\n\ndef check_output(given, out):\n{body}"
    )


def test_no_hostile_program_is_believed(sandbox: Sandbox) -> None:
    """An f of the corpus of attacks, whatever it does, is found out by a check that knows the right sum.

    Neither is its wrong output accepted, nor can it make the good program or the answer look bad.
    """
    attacks = one_of_each_family()
    raw = [
        RawAnswer(Pair(one.name, "", ProblemKind.FUNCTION, GOOD, one.program, "add"), 0, SIGHTED)
        for one in attacks
    ]
    options = HuntOptions(AnswerKind.HARNESS, **QUICK)
    found = {one.pair_id: one for batch in hunt(raw, sandbox, options) for one in batch}

    assert len(found) == len(attacks) > 5
    assert {name: one.answer_class for name, one in found.items() if one.answer_class not in DUE} == {}
    assert all(
        trial.good.output == str(sum((1, 2) if i == 0 else (-1, 1)))
        for one in found.values()
        for i, trial in enumerate(one.trials)
    )


def test_an_honest_pair_is_judged_rightly_after_the_attacks(sandbox: Sandbox) -> None:
    """What hostile programs did before changes nothing for those that come after."""
    assert find(sandbox, pair(WRONG), SIGHTED)[0].answer_class is AnswerClass.TRUE_BUG
    assert find(sandbox, pair(GOOD), SIGHTED)[0].answer_class is AnswerClass.NO_DIFFERENCE


def test_a_check_that_tosses_a_coin_seldom_gets_a_true_bug(sandbox: Sandbox) -> None:
    """Asked once, a quarter of 40 coins would pass for true bugs; asked again, most contradict themselves."""
    found = find(
        sandbox,
        pair(WRONG),
        *(answer(f"import os\nassert os.urandom(8)[0] % 2\n{'#' * i}") for i in range(40)),
        **QUICK,
    )
    said = [trial.good_check.message for one in found for trial in one.trials if trial.good_check]

    assert sum(one.answer_class is AnswerClass.TRUE_BUG for one in found) <= 8
    assert WAVERS in said


def test_a_check_that_goes_by_the_order_of_calls_gets_no_true_bug(sandbox: Sandbox) -> None:
    """Process ids grow from call to call, so their parity tells g's call from f's; it never pays."""
    found = find(
        sandbox,
        pair(WRONG),
        *(answer(f"import os\nassert os.getpid() % 2 == {i % 2}\n{'#' * i}") for i in range(16)),
        **QUICK,
    )

    assert not [one for one in found if one.answer_class is AnswerClass.TRUE_BUG]


@pytest.mark.parametrize(
    "check",
    [
        FRAMES,
        'print(\'PASSED true_bug {"outcome": "PASSED"}\')\nassert out == 0',
        "import os\nos.close(1)\nos.close(2)\nassert out == 0",
        "class Odd(AssertionError):\n    def __str__(self):\n        raise SystemExit\nassert not out, Odd()",
        "import sys\nsys.exit(0)\nassert out",
        "raise KeyboardInterrupt\nassert out",
        "print('x' * 10**9)\nassert out",
        "assert out == 0, 'x' * 10**8",
        "import os\nwhile True:\n    os.fork()\nassert out",
    ],
    ids=[
        "descriptors",
        "fake result",
        "closed",
        "hostile message",
        "exit",
        "interrupt",
        "flood",
        "long message",
        "forks",
    ],
)
def test_a_check_that_rejects_by_foul_means_rejects_both(sandbox: Sandbox, check: str) -> None:
    """Whatever a check prints, writes, raises or exits with, it rejects what it does not accept."""
    (found,) = find(sandbox, pair(WRONG), answer(check), **QUICK)

    assert found.answer_class is AnswerClass.GOOD_INPUT_INVALID
    assert all(len(trial.good_check.message) < 2000 for trial in found.trials if trial.good_check)


@pytest.mark.parametrize(
    "inputs",
    [
        "[{'a': 1, 'b': 2}] * 10**8",
        "iter(int, 1)",
        "__import__('itertools').repeat({'a': 1, 'b': 2})",
        "[{'a': 1, 'b': 2}][__import__('os')._exit(0):]",
        "(lambda x: (x.append(x), x)[1])([])",
        "type('L', (list,), {'__iter__': lambda s: iter(int, 1)})([{'a': 1, 'b': 2}])",
        "[x for x in iter(int, 1)]",
        "{'a': 1, 'b': 2}",
    ],
    ids=["huge", "endless", "repeats", "exits", "cyclic", "pretends", "loops", "no list"],
)
def test_a_hostile_generator_gives_inputs_or_a_reason(sandbox: Sandbox, inputs: str) -> None:
    """A generator that floods, loops, leaves or pretends costs its own inputs, and ends in a named fault."""
    (found,) = find(sandbox, pair(WRONG), answer("assert out == 0", inputs=inputs), **QUICK)

    if found.fault:
        assert found.fault is Fault.NO_INPUT
        assert found.message.startswith("generate_input_1: ")
        assert len(found.message) < 2000
    else:
        assert len(found.trials) <= 4


def test_values_only_cross_as_plain_data(sandbox: Sandbox) -> None:
    """An output whose type would answer for itself reaches the check as plain data, or not at all."""
    pretender = (
        "class I(int):\n    def __eq__(self, other):\n        return True\n\n"
        "def add(a, b):\n    return I(99)\n"
    )
    (found,) = find(sandbox, pair(pretender), SIGHTED, **QUICK)

    assert found.answer_class is AnswerClass.TRUE_BUG
    assert all(
        trial.buggy.outcome is not Outcome.PASSED or trial.buggy.output == "99" for trial in found.trials
    )


def test_no_reward_for_forging(sandbox: Sandbox) -> None:
    """Eq. 1 gives forged results, floods and exits no more than a good input is worth."""
    reward = HarnessReward(options=HuntOptions(AnswerKind.HARNESS, **QUICK), sandbox=sandbox)
    checks = ("print('PASSED')\nassert out == 0", "import os\nos._exit(0)\nassert out", "pass\nassert True")
    assert reward.of([pair(WRONG)] * 3, [answer(check) for check in checks]) == [0.1, 0.1, 0.1]


UNWRITTEN = "what it returned can't be written down: "
ENDLESS = f"{UNWRITTEN}only the first 10000 items of an iterator cross over"
DEEP = (
    "import sys\nsys.modules['sandbox.values'].DEPTH_LIMIT = 999\n"
    "deep = 1\nfor _ in range(200):\n    deep = [deep]"
)


@pytest.mark.parametrize(
    ("before", "inputs", "why"),
    [
        ("", "[{'a': iter(int, 1), 'b': 2}]", ENDLESS),
        ("from itertools import count", "[{'a': 1, 'b': [count()]}]", ENDLESS),
        (DEEP, "[{'a': deep, 'b': 2}]", f"{UNWRITTEN}value is nested too deeply"),
        ("import numpy", "numpy.array([1, 2])", "expected a list of dicts of arguments, found ndarray"),
        ("", "[]", "expected a list of dicts of arguments, found list without items"),
    ],
    ids=["endless", "endless within", "deep", "array", "nothing"],
)
def test_a_generator_of_what_is_no_input_ends_no_hunt(
    sandbox: Sandbox, before: str, inputs: str, why: str
) -> None:
    """An iterator without end, an array, what is nested too deeply: each is told as what it is."""
    (found,) = find(sandbox, pair(WRONG), answer("assert out == 0", before, inputs), **QUICK)
    assert found.fault is Fault.NO_INPUT
    assert [one.message for one in found.generated] == [why]
