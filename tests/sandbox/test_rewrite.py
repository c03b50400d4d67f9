from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.rewrite import rewrite
from sandbox.verdict import ASKED, run_check

PASSED = {"outcome": 0}


def report(source: str, **names: Any) -> dict[str, Any]:
    """Run a rewritten check."""
    return run_check(
        compile(rewrite(ast.parse(source), {"f", "candidate"}), "<check>", "exec"), ASKED | names
    )


def f(value: object) -> object:
    """What stands for the program."""
    return value


@pytest.mark.parametrize(
    ("source", "actual", "expected"),
    [
        ("assert f(1) == 2", "1", "2"),
        ("assert 2 == f(1)", "1", "2"),
        ("assert f(1) != 1", "1", "1"),
        ("assert f(1) in [2, 3]", "1", "[2, 3]"),
        ("assert f(1) is None", "1", "None"),
        ("assert abs(f(1.5) - 2) < 0.1", "1.5", "2"),
        ("import math\nassert math.isclose(f(1), 2, rel_tol=0.1)", "1", "2"),
        ("assert not f([1])", "[1]", ""),
        ("assert f([])", "[]", ""),
        ("x = f(1)\nassert x == 2", "1", "2"),
        ("def check(candidate):\n    assert candidate('a') == 'b'\ncheck(f)", "'a'", "'b'"),
    ],
)
def test_a_failed_assertion_shows_both_sides(source, actual, expected):
    """The side that calls the program is `actual`."""
    found = report(source, f=f)
    assert (found["actual"], found["expected"]) == (actual, expected)


@pytest.mark.parametrize(
    "source", ["assert f(1) == 1", "assert 1 < f(2) < 3", "assert f(0) == 0, f(1)", "assert not f(0)"]
)
def test_a_true_assertion_passes(source):
    """Rewriting changes no verdict."""
    assert report(source, f=f) == PASSED


def test_operands_are_evaluated_once_and_in_order():
    """Both operands are evaluated once, left first, and the message only on failure."""
    calls: list[int] = []
    found = report("assert g(1) == g(2), g(3)", g=lambda x: calls.append(x) or x)
    assert calls == [1, 2, 3]
    assert found["message"] == "g(1) == g(2): 3"
    calls.clear()
    assert report("assert g(1) != g(2), g(3)", g=lambda x: calls.append(x) or x) == PASSED
    assert calls == [1, 2]


@pytest.mark.parametrize(
    "source",
    [
        "def type(x):\n    return 7\nassert type(1) == 7",
        "type = lambda x: 7\nassert type(f(1)) == 7",
        "def g(type):\n    return type(3)\nassert g(lambda x: x + 1) == 4",
        "import builtins\nassert type(f(3)) is builtins.type(3)",
    ],
)
def test_a_type_of_the_checks_own_is_not_the_builtin(source):
    """Only the builtin is asked in another way."""
    assert report(source, f=f) == PASSED


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("if BadTruth():\n    pass", "ZeroDivisionError: no truth"),
        ("import numpy\nif numpy.array([1, 2]):\n    pass", "ValueError: The truth value of an array"),
        ("while (x := f(0)):\n    pass\nelse:\n    assert x == 1", "x == 1"),
        ("assert [x for x in (0, 1) if f(x) and not f(0) or BadTruth()]", "ZeroDivisionError: no truth"),
    ],
)
def test_conditions_of_plain_values_stay_pythons(source, message):
    """Truth is asked once, of what Python would ask, and may raise."""

    class BadTruth:
        def __bool__(self):
            raise ZeroDivisionError("no truth")

    assert report(source, f=f, BadTruth=BadTruth)["message"].startswith(message)


def test_long_values_are_cut_and_odd_ones_named():
    """A huge repr is cut; one that raises is replaced by the type's name."""
    assert len(report("assert f('x' * 10**6) == 1", f=f)["actual"]) == 2000
    assert report("assert f(10**5000) == 1", f=f)["actual"].startswith("<int without a repr")


expressions = st.recursive(
    st.sampled_from(["0", "1", "f(2)", "f([])", "[1]", "None", "f(1.5)"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["==", "!=", "<", "<=", "is", "in", "and", "or"]), inner).map(
            lambda t: f"({t[0]} {t[1]} {t[2]})"
        ),
        inner.map(lambda text: f"(not {text})"),
        st.tuples(inner, inner).map(lambda t: f"(abs({t[0]} - {t[1]}) < 1)"),
    ),
    max_leaves=6,
)


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@given(expressions)
def test_verdicts_agree_with_plain_python(expression):
    """For any expression the rewritten assertion ends as Python's own does."""
    source = f"assert {expression}"
    try:
        exec(compile(source, "<plain>", "exec", dont_inherit=True), {"f": f})
        plain = ""
    except Exception as error:  # noqa: BLE001 - any error has to be the same
        plain = type(error).__name__
    found = report(source, f=f)
    name = (
        ""
        if found == PASSED
        else "AssertionError"
        if found["outcome"] == 1
        else found["message"].partition(":")[0]
    )
    assert name == plain
