"""How a known value is asserted."""

import math
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model import Origin
from core.verifiers.assertions import agrees, assertion, assertion_of_text
from sandbox import open_sandbox
from sandbox.contract import AssertsJob, Outcome

values = st.recursive(
    st.booleans() | st.integers(-99, 99) | st.floats(-9, 9) | st.text("ab C", max_size=6) | st.none(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(st.text("ab"), inner)
    ),
    max_leaves=6,
)


def passes(source: str, value: Any) -> bool:
    """Whether an assertion about v holds for the value."""
    try:
        exec(source, {"v": value})
    except (AssertionError, TypeError):
        return False
    return True


@given(values)
def test_an_assertion_holds_for_its_own_value(value: Any) -> None:
    """What is asserted of a value is true of that value."""
    made = assertion("v", value, Origin())
    assert made is not None
    assert passes(made.source, value)


@given(values, values)
def test_agreement_is_what_the_assertion_checks(value: Any, expected: Any) -> None:
    """A value agrees with an expected one exactly where the written test passes."""
    made = assertion("v", expected, Origin())
    assert made is not None
    assert agrees(value, expected) is passes(made.source, value)


@given(st.recursive(st.floats(-1e9, 1e9), lambda inner: st.lists(inner, min_size=1), max_leaves=5))
def test_floats_are_never_compared_exactly(value: Any) -> None:
    """A last digit does not matter at any depth, a thousandth of the value does."""

    def moved(item: Any, share: float) -> Any:
        return (
            [moved(one, share) for one in item]
            if isinstance(item, list)
            else item + share * max(1, abs(item))
        )

    made = assertion("v", value, Origin())
    assert made is not None
    assert passes(made.source, moved(value, 1e-9))
    assert not passes(made.source, moved(value, 1e-3))


@pytest.mark.parametrize(
    ("value", "expected", "same"),
    [
        (1.0 + 1e-9, 1.0, True),
        (1.1, 1.0, False),
        ("1", 1.0, False),
        (1, 1.0, True),
        (True, 1, True),
        ([1], (1,), False),
        ([0.1 + 0.2, "a"], [0.3, "a"], True),
        ((0.3,), [0.3], False),
        ({"a": [1e9 + 1]}, {"a": [1e9]}, True),
        ({"b": 1.0}, {"a": 1.0}, False),
        (None, [0.5], False),
    ],
)
def test_examples_of_agreement(value: Any, expected: Any, same: bool) -> None:
    """Floats agree within a millionth, containers only with their own kind."""
    made = assertion("v", expected, Origin())
    assert made is not None
    assert (agrees(value, expected), passes(made.source, value)) == (same, same)


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, [math.nan], "x" * 500, object(), {0.5}, {0.5: 1}, 1j, [[0.5]] * 60]
)
def test_values_without_a_short_literal_give_no_assertion(value: Any) -> None:
    """NaN, infinities, long texts, objects, and floats that no tolerance reaches can't be asserted."""
    assert assertion("v", value, Origin()) is None


def test_nested_floats_are_judged_in_a_sandbox() -> None:
    """The assertion about nested floats is judged outside the program, and tells right from wrong."""
    made = assertion("f(2)", {"a": [0.5, None], "b": (1,)}, Origin())
    assert made is not None
    programs = {
        "right": "def f(x): return {'b': (1,), 'a': [1 / x + 1e-12, None]}",
        "wrong": "def f(x): return {'b': (1,), 'a': [1 / x + 1e-3, None]}",
    }
    with open_sandbox(workers=1) as sandbox:
        jobs = [AssertsJob(key, code, (made.source,), "f") for key, code in programs.items()]
        found = {one.key: one.results[0] for one in sandbox.run(jobs)}
    assert {key: result.outcome for key, result in found.items()} == {
        "right": Outcome.PASSED,
        "wrong": Outcome.ASSERTION_FAILED,
    }
    assert not any(result.in_process for result in found.values())


def test_a_value_that_cannot_be_compared_does_not_agree() -> None:
    """Arrays and signaling NaNs, which no assertion survives, agree with nothing."""
    assert not agrees(Decimal("sNaN"), 1)
    assert not agrees(np.zeros(2), 1)
    assert not agrees(1 << 5000, 1.0)


def test_a_text_that_cannot_be_read_gives_no_assertion() -> None:
    """A value nested deeper than Python reads is no expected value."""
    assert assertion_of_text("f()", "[" * 5000 + "]" * 5000, Origin("x", "y")) is None
    assert assertion_of_text("f()", "[1]", Origin("x", "y")) is not None
