from __future__ import annotations

import pytest

from sandbox.checks import prepare


@pytest.mark.parametrize(
    "source",
    [
        "assert f(1) == 2",
        "assert f(1) == f(2)",
        "candidate = f\nassert candidate([1.0], 0.3) == True",
        "assert isinstance(f(1), int)",
        "s = Stack()\ns.push(1)\nassert s.pop() == 1",
        "assert len(Stack([1])) == 1",
        "assert Stack([1]).size == 1",
        "def check(candidate):\n    assert candidate(1) == 2\ncheck(f)",
        "assert MAX == 3",
        "assert Find_Max([1]) == Find_Max([2])",
        "assert Strongest('a') == 'b'",
        "p = Point(1)\nassert p == 3 and 3 + p == [4]",
        "assert Stack()",
        "assert 3 in Stack(1) and f(1) in [f(2), 3]",
        "assert f(1) not in [Point]",
        "class Probe:\n    holds = f(1) == 2\nassert Probe.holds",
        "class T:\n    def test(self):\n        assert f(1) == 2\nT().test()",
        "try:\n    f(1)\nexcept ValueError:\n    pass\nelse:\n    assert False",
        "import sys\nassert f(1) < sys.maxsize",
        "from contextlib import suppress\nwith suppress(ValueError):\n    f(1)",
        "assert f(1) == Color.RED.value or f(2) == Color.red",
        "import unittest\nassert f(1)",
    ],
)
def test_plain_checks_are_judged_apart(source):
    """What needs only calls, plain values and handles is judged outside the program's process."""
    assert not prepare(source, "f", "").in_process


@pytest.mark.parametrize(
    "source",
    [
        "assert Point(1) == Point(1)",
        "p = Point(1)\nassert p == Point(2)",
        "assert Point(1) + Point(2) == 3",
        "assert Point(1).moved(1) == Point(2)",
        "assert f(1) == Point(1)",
        "assert Point(1) in [Point(1), Point(2)]",
        "assert f(1) not in (Color.RED, Color.BLUE)",
        "assert isinstance(f(), Point)",
        "assert f.__name__ == 'f'",
        "import inspect\nassert inspect.signature(f)",
        "from inspect import signature",
        "class Node:\n    pass\nassert f(Node())",
        "class Node:\n    pass\nnodes = [Node()]\ng = f\nassert g(*nodes)",
        "class Node(Base):\n    pass\nassert Node().x",
        "assert f() == Color.RED",
        "import asyncio\nassert asyncio.run(f()) == 3",
        "from unittest.mock import patch\nwith patch('builtins.input', return_value='3'):\n    assert f()",
        "from unittest import mock",
        "from contextlib import redirect_stdout",
        "import contextlib\nwith contextlib.redirect_stdout(None):\n    f()",
        "import io, sys\nsys.stdout = io.StringIO()\nf()",
    ],
)
def test_what_only_the_programs_process_has_is_judged_there(source):
    """Whole objects of the program's classes, functions as objects, and classes of the test."""
    assert prepare(source, "f", "").in_process


def test_names_of_the_support_are_not_the_programs():
    """A class that the support defines does not send a check into the program's process."""
    support = "class Point:\n    pass"
    assert prepare("assert isinstance(f(), Point)", "f", support).free == ()
    assert not prepare("assert isinstance(f(), Point)", "f", support).in_process


@pytest.mark.parametrize(
    ("source", "free"), [("assert f(g(x)) == abs(y)", ("g", "x", "y")), ("import a\na.b", ())]
)
def test_free_names(source, free):
    """Names that neither check nor builtins bind are asked of the program; the entry point is not one."""
    assert prepare(source, "f", "").free == free


@pytest.mark.parametrize(
    ("source", "free"),
    [
        ("assert math.isclose(f(1), 2)", ()),
        ("assert isclose(f(1), 2) and Counter(f(1)) == {}", ()),
        ("assert np.allclose(f(1), numpy.zeros(1))", ()),
        ("assert f(datetime(2020, 1, 1)) == datetime.max", ()),
        ("queue.append(f(1))\nassert code(f(1)) == 1", ("code", "queue")),
        ("math.pi = 3\nassert f(1)", ("math",)),
        ("assert isclose(1, 1)", ("isclose",)),
    ],
)
def test_names_of_the_standard_library_are_not_asked_of_the_program(source, free):
    """A module that is only read from, or a known function beside the one under test, is the real one."""
    assert prepare(source, "f", "").free == free


def test_a_check_that_does_not_compile_says_why():
    """The error names the check, not the program."""
    assert prepare("assert f(", "f", "").error.startswith("check: SyntaxError")
    assert prepare("assert 1", "f", "def").error.startswith("support: SyntaxError")


@pytest.mark.parametrize(
    "source", ["import os\nos._exit(0)", "while True:\n    pass", "f.x = 1", "open('x')"]
)
def test_wild_checks_are_kept_out_of_the_judge(source):
    """A check that could exit, loop or change the judge runs in a fork of it."""
    assert not prepare(source, "f", "").tame
