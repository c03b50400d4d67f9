"""Constant calls are sent ahead for many checks at once, and nobody can tell."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.checks import prepare
from sandbox.contract import AssertsJob, CallsJob, Limits, Outcome
from sandbox.pool import PooledSandbox
from sandbox.values import dumps, loads
from tests.sandbox.conftest import QUICK, Judge

CONSTANTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)
BOX = """
class Box:
    def __init__(self, value):
        self.held = value
def f(x):
    return Box(x)
"""


@pytest.mark.parametrize(
    ("source", "request_text"),
    [
        ("assert f(1) == 2", '["give","f",[1],{}]'),
        ("assert abs(f(-1.5, key=(2, 'a')) - 3) < 1e-6", '["give","f",[-1.5],{"key":{"$tuple":[2,"a"]}}]'),
        ("import math\nassert math.isclose(f([]), 2)", '["give","f",[[]],{}]'),
        ("try:\n    f({1})\nexcept ValueError:\n    pass", '["give","f",[{"$set":[1]}],{}]'),
        ("assert f(float('inf')) == 2", None),
        ("x = [1]\nassert f(x) == x", None),
        ("assert f(1) == f(2)", None),
        ("assert f(f(1)) == 2", None),
        ("assert [f(1) for _ in range(2)] == [2, 2]", None),
        ("for _ in range(2):\n    assert f(1) == 2", None),
        ("g = lambda: f(1)\nassert g() == 2", None),
        ("assert f(*[1]) == 2", None),
        ("assert f(**{'x': 1}) == 2", None),
        ("assert f(1) == other(1)", None),
        ("from math import floor as f\nassert f(1.5) == 1", None),
        ("assert f({[]}) == 2", None),
        ("import os\nassert f(1) == 2", None),
    ],
)
def test_the_constant_request_of_a_check(source: str, request_text: str | None) -> None:
    """A check has one if it calls the entry point once, outside of loops and functions, with literals."""
    found = prepare(source, "f", "").request
    assert (found and found.decode()) == request_text


def test_a_keyword_given_twice_is_still_a_syntax_error() -> None:
    """What the call said wrongly is not lost when the call is taken out."""
    assert prepare("assert f(x=1, x=2) == 1", "f", "").code is None


@given(value=CONSTANTS)
def test_a_constant_crosses_as_itself(sandbox: PooledSandbox, value: object) -> None:
    """A literal argument reaches the program as the value that the check's source says."""
    check = f"assert f({value!r}) == {repr(value)!r}"
    (execution,) = sandbox.run([AssertsJob("job", "def f(x):\n    return repr(x)", (check,), "f")])
    assert execution.results[0].outcome is Outcome.PASSED, execution


def test_each_check_gets_its_own_answer(letters) -> None:
    """Many checks sent ahead get their answers in order, right and wrong ones among them."""
    checks = [f"assert f({n}) == {n + (n % 7 == 3)}" for n in range(1000)]
    assert letters("def f(x):\n    return x", *checks) == "".join(
        "F" if n % 7 == 3 else "P" for n in range(1000)
    )


def test_a_check_that_never_asks_keeps_its_verdict_and_those_of_the_others(letters) -> None:
    """A check that fails or ends before its call does not shift the answers of those after it."""
    checks = ("assert f(1) == 1", "assert 1 == 2 and f(2) == 2", "assert True or f(0)", "assert f(3) == 3")
    assert letters("def f(x):\n    return x", *checks) == "PFPP"


def test_a_program_that_can_not_run_passes_no_check_that_never_asks(letters) -> None:
    """The program's code is begun even where the check's call is not reached."""
    assert letters("def f(x):\n    return x\nf(1)()", "assert True or f(1)", "assert True or f(2)") == "EE"


def test_objects_of_checks_sent_ahead_can_be_asked(letters) -> None:
    """An object that a function gave lives as long as its check, whatever was sent ahead."""
    checks = [f"assert f({n}).held == {n}" for n in range(5)]
    assert letters(BOX, *checks, "assert f(7) == 7", "assert f(8).held == 9") == "PPPPPEF"


def test_a_death_among_checks_sent_ahead_costs_one(letters) -> None:
    """A check at which the program's process ends, loops or fails is the only one to get that verdict."""
    program = (
        "def f(x):\n    if x == 2:\n        while True:\n            pass\n"
        "    if x == 4:\n        return [0] * 10 ** 10\n    return 1 // x"
    )
    checks = [f"assert f({n}) == 1 // {n or 1}" for n in range(7)]
    assert letters(program, *checks, limits=Limits(seconds=0.5, memory_mb=256)) == "EPTPMPP"


def test_prints_stay_with_their_checks(judge: Judge) -> None:
    """What a program prints is told with the check that made it print."""
    checks = [f"assert f({n}) == -1" for n in range(3)]
    for name in ("print", "\N{FULLWIDTH LATIN SMALL LETTER P}rint"):
        results = judge(f"def f(x):\n    {name}('saw', x)", *checks)
        assert [result.stdout for result in results] == ["saw 0\n", "saw 1\n", "saw 2\n"]


def test_changes_in_one_check_are_unknown_to_the_next(letters) -> None:
    """Globals and default values are new for each check that is sent ahead."""
    program = "seen = []\ndef f(x, y=[]):\n    seen.append(x)\n    y.append(x)\n    return len(seen) + len(y)"
    assert letters(program, *[f"assert f({n}) == 2" for n in range(20)]) == "P" * 20


def test_large_constants_cross_alone(letters) -> None:
    """Requests and answers that do not fit into the socket together are not sent ahead together."""
    checks = [f"assert len(f({'x' * 50_000!r})) == {n}" for n in (1_000_000, 3)] * 3
    assert letters("def f(x):\n    return x * 20", *checks) == "PF" * 3
    answers = [f"assert len(f({n})) == 400_000 + {n}" for n in range(30)]
    assert letters("def f(x):\n    return 'y' * (400_000 + x)", *answers) == "P" * 30


@pytest.mark.parametrize("program", ["def f(*x):\n    return x[0]", "import os\ndef f(*x):\n    return x[0]"])
def test_calls_give_values_and_say_what_is_none(sandbox: PooledSandbox, program: str) -> None:
    """Calls give their values in order, with and without a process to themselves; unreadable ones say so."""
    calls = (dumps([1]), dumps([(2, {3})]), "[1", '"ab"', dumps([]), dumps(list(range(600))))
    (execution,) = sandbox.run([CallsJob("job", program, "f", calls, QUICK)])
    outcomes = [result.outcome for result in execution.results]
    unreadable, failed = Outcome.INTERNAL_ERROR, Outcome.RUNTIME_ERROR
    assert outcomes == [Outcome.PASSED, Outcome.PASSED, unreadable, unreadable, failed, Outcome.PASSED]
    values = [loads(execution.results[place].value or "") for place in (0, 1, 5)]
    assert values == [1, (2, {3}), 0]


def test_a_call_that_gives_an_object_names_its_type(sandbox: PooledSandbox) -> None:
    """An object anywhere in a returned value is an error that names it."""
    (execution,) = sandbox.run([CallsJob("job", BOX, "f", ("[1]",), QUICK)])
    assert execution.results[0].message == "returned an object of type Box, which is not plain data"


@pytest.mark.parametrize(
    "program",
    [
        "import random\ndef f(x): return random.random()",
        "import \N{FULLWIDTH LATIN SMALL LETTER R}andom as r\ndef f(x): return r.getrandbits(64)",
        "import statistics\ndef f(x): return statistics.NormalDist().samples(1)",
        "r = __import__('ran' + 'dom')\ndef f(x): return r.random()",
        "import tempfile, sys\ndef f(x): return sys.modules['ran' + 'dom'].random()",
        "n = getattr(__import__('num' + 'py'), 'ran' + 'dom')\ndef f(x): return float(n.rand())",
    ],
)
def test_chance_is_the_same_in_every_check(judge: Judge, program: str) -> None:
    """However a program asks for random numbers, each check begins with the seed."""
    assert len({result.actual for result in judge(program, *["assert f(1) == 5"] * 4)}) == 1


@pytest.mark.parametrize(
    "check",
    [
        "import random\nassert f(random.random()) == 5",
        "import numpy as np\nassert f(float(np.random.rand())) == 5",
        "assert f(float(np.random.rand())) == 5",
    ],
)
def test_chance_in_a_check_is_the_same_each_time(judge: Judge, check: str) -> None:
    """Random numbers that a check draws, in the judge or a fork of it, begin with the seed."""
    program = "def f(x):\n    return x"
    assert judge(program, check)[0].actual == judge(program, check)[0].actual != ""


@given(st.lists(st.tuples(st.integers(), st.booleans()), max_size=6), st.sampled_from(["", "import os\n"]))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_values_are_the_same_whether_they_are_expected_or_not(
    sandbox: PooledSandbox, items: list[tuple[int, bool]], head: str
) -> None:
    """A call gives its value, and that text, whatever was expected of it."""
    program = f"{head}def f(x, many):\n    return [x] * (200 if many else 2)"
    calls = tuple(dumps([x, many]) for x, many in items)
    expected = tuple(dumps([x] * 200) for x, _ in items)
    jobs = [
        CallsJob("as", program, "f", calls, QUICK, expected=expected),
        CallsJob("is", program, "f", calls, QUICK),
    ]
    values = {run.key: [result.value for result in run.results] for run in sandbox.run(jobs)}
    assert values["as"] == values["is"] == [dumps([x] * (200 if many else 2)) for x, many in items]


def test_an_expected_value_does_not_leave_the_judge(sandbox: PooledSandbox) -> None:
    """The text of a value that is as expected is the very text that was given with the job."""
    expected = (dumps(list(range(1000))), "[1, 2]")
    job = CallsJob(
        "job", "def f(n):\n    return list(range(n))", "f", ("[1000]", "[3]"), QUICK, expected=expected
    )
    ((first, second),) = [run.results for run in sandbox.run([job])]
    assert first.value is expected[0]
    assert second.value == "[0,1,2]"


@pytest.mark.parametrize(
    "program", ["return 1\ndef f(): return 1", "def f(x, x): return 1", "x = 1\nnonlocal x"]
)
def test_what_parses_and_does_not_compile_is_a_compile_error(letters, program: str) -> None:
    """A program that only the compiler refuses fails all its checks as one that can't be parsed."""
    assert letters(program, "assert f() == 1", "assert f() == 2") == "CC"


def test_what_is_printed_without_print_stays_with_its_check(judge: Judge) -> None:
    """A program that prints by other means, while the judge is still at the check before, is told apart."""
    program = """
import abc
class A(abc.ABC):
    pass
def f(x):
    for _ in range(x * 100):
        A._dump_registry()
    return x
"""
    late = "assert f(0) == 0 and sum(range(5_000_000)) == 0"
    results = judge(program, late, "assert f(1) == 1", "assert f(0) == 0", limits=Limits(output_kb=1))
    outcomes = [result.outcome for result in results]
    assert outcomes == [Outcome.ASSERTION_FAILED, Outcome.OUTPUT_LIMIT, Outcome.PASSED]
    assert [bool(result.stdout) for result in results] == [False, True, False]


def test_a_check_that_is_asked_again_alone_has_its_whole_time(letters) -> None:
    """The time of a check counts from when it was asked for good."""
    slow = 0.6 * QUICK.seconds
    program = f"import datetime\ndef now(): return datetime.datetime.now().timestamp()\n{BOX}".replace(
        "def f(x):", f"def f(x):\n    end = now() + {slow}\n    while now() < end: pass"
    )
    assert letters(program, "assert f(1).held == 1", "assert f(2).held == 2") == "PP"


@pytest.mark.parametrize("answer", ['["value",,null]', '["value",null]'])
def test_no_answer_is_taken_for_one_that_was_expected_to_be_empty(
    sandbox: PooledSandbox, answer: str
) -> None:
    """Where no text can be expected, a program that answers with nothing has not given it."""
    program = f"""
import os
def f():
    answer = {answer.encode()!r}
    os.write(3, len(answer).to_bytes(4, "big") + answer)
    os._exit(0)
"""
    (execution,) = sandbox.run([CallsJob("job", program, "f", ("[]",), QUICK, expected=("",))])
    assert execution.results[0].value in (None, "null")
