from __future__ import annotations

import pytest

from sandbox.checks import prepare


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
