import pytest

from core.hunting.strategies import (
    CheckerStrategy,
    GeneratorStrategy,
    checker_strategies,
    generator_strategies,
)

HARDCODED, DYNAMIC = GeneratorStrategy.HARDCODED, GeneratorStrategy.DYNAMIC

GENERATORS = {
    "literals": ('return ["1 2", "3 4"]', HARDCODED),
    "a variable that holds literals": ('inputs = ["1", "2"]\n    return inputs', HARDCODED),
    "literals put together one by one": ('inputs = []\n    inputs.append("1")\n    return inputs', HARDCODED),
    "a loop over literals": ("return [str(n) for n in [1, 2, 3]]", HARDCODED),
    "random numbers": ("import random\n    return [str(random.randint(1, 9))]", DYNAMIC),
    "a loop over a range": ("return [str(n) for n in range(4)]", DYNAMIC),
    "a long text": ('return ["a" * 1000]', DYNAMIC),
    "a while loop": ("n = 1\n    while n < 9:\n        n += 1\n    return [str(n)]", DYNAMIC),
    "combinations": ("import itertools\n    return list(itertools.product('ab', 'c'))", DYNAMIC),
    "a helper that is dynamic": ("return [helper()]", DYNAMIC),
    "a helper that is not": ("return [constant()]", HARDCODED),
}
HELPERS = """
def helper():
    return "".join(str(n) for n in range(3))


def constant():
    return "5"

"""


@pytest.mark.parametrize("name", GENERATORS)
def test_generators_are_told_apart(name: str) -> None:
    """A generator whose inputs come out of code is dynamic, one that writes them out is hardcoded."""
    body, expected = GENERATORS[name]
    code = f"{HELPERS}\ndef generate_input_1():\n    {body}\n"

    assert generator_strategies(code, ["generate_input_1"]) == (expected,)


CHECKERS = {
    "a type": ("assert isinstance(out, int)", {"invariant"}),
    "sortedness": ("assert out == sorted(out)", {"invariant"}),
    "the same items": (
        "assert len(out) == len(given['xs'])\n    assert set(out) <= set(given['xs'])",
        {"invariant"},
    ),
    "a property of every item": ("for x in out:\n        assert x > 0", {"invariant"}),
    "a raised assertion": ("if len(out) > 3:\n        raise AssertionError('long')", {"invariant"}),
    "a helper of the harness": ("assert out == brute(given['xs'])", {"reference"}),
    "a helper by a variable": ("expected = brute(given['xs'])\n    assert out == expected", {"reference"}),
    "a loop over the input": (
        "total = 0\n    for x in given['xs']:\n        total = total + x * x\n    assert out == total",
        {"reference"},
    ),
    "a comprehension": ("assert out == [x * 2 for x in given['xs']]", {"reference"}),
    "a known input": ("if given == 'abc':\n        assert out == 'cba'", {"hardcoded"}),
    "a table": (
        "table = {'a': 1, 'b': 2}\n    if given in table:\n        assert out == table[given]",
        {"hardcoded"},
    ),
    "a table at the top": (
        "for known, expected in KNOWN:\n        if given == known:\n            assert out == expected",
        {"hardcoded"},
    ),
    "several": (
        "assert len(out)\n    if given == 'a':\n        assert out == ['c']\n    assert out == brute(given)",
        {"reference", "invariant", "hardcoded"},
    ),
    "nothing": ("return None", set()),
}
TOP = """
KNOWN = [("a", 1), ("b", 2)]


def brute(xs):
    return sorted(xs)

"""


@pytest.mark.parametrize("name", CHECKERS)
def test_checkers_are_told_apart(name: str) -> None:
    """A check may compare with a reference, assert invariants, know results by heart, or all of these."""
    body, expected = CHECKERS[name]
    code = f"{TOP}\ndef check_output(given, out):\n    {body}\n"

    assert {one.value for one in checker_strategies(code)} == expected


def test_strategies_come_in_one_order() -> None:
    """The strategies of a check are listed invariant before reference, whatever comes first in its code."""
    code = "def check_output(given, out):\n    assert out > 0\n    assert out == [x + 1 for x in given]\n"

    assert checker_strategies(code) == (CheckerStrategy.INVARIANT, CheckerStrategy.REFERENCE)


def test_what_is_no_python_has_no_strategies() -> None:
    """Code that can't be parsed is not guessed at."""
    assert generator_strategies("def (", ["generate_input_1"]) == ()
    assert checker_strategies("def (") == ()
