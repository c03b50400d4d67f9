"""When a returned value or an output is the expected one."""

import math
from collections import Counter
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.execution.judge import as_python, equal, judge_call, judge_stdout, shortened
from sandbox.contract import CheckResult, Outcome
from sandbox.values import dumps

PASSED = Outcome.PASSED
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner) | st.tuples(inner)
    ),
    max_leaves=8,
)


@given(PLAIN, PLAIN)
def test_without_tolerance_it_is_python_equality(a: object, b: object) -> None:
    """Plain values are equal exactly when Python says so."""
    assert equal(a, b) == (a == b)
    assert equal(a, a)


@pytest.mark.parametrize(
    ("actual", "expected", "tolerance", "same"),
    [
        (1, 1.0, 0.0, True),
        (True, 1, 0.0, True),
        ((1, 2), [1, 2], 0.0, False),
        ([1, (2, {"a": 0.1 + 0.2})], [1, (2, {"a": 0.3})], 0.0, False),
        ([1, (2, {"a": 0.1 + 0.2})], [1, (2, {"a": 0.3})], 1e-9, True),
        (0.5, 0.6, 0.1000001, True),
        (0.5, 0.6, 0.09, False),
        (math.nan, math.nan, 0.0, True),
        ([math.nan], [1.0], 9.0, False),
        (math.inf, math.inf, 1.0, True),
        (math.inf, 1e308, 1.0, False),
        (10**400, 10**400 + 1, 0.5, False),
        (10**400, 1.5, 0.5, False),
        (1j, 1.0000001j, 1e-3, True),
        ({1, 2}, {2, 1}, 0.0, True),
        ({"a": 1}, {"a": 1, "b": 2}, 0.0, False),
        ([1], [1, 2], 0.5, False),
        ("1", 1, 5.0, False),
        (None, 0, 5.0, False),
        (np.array([1.0, 2.0]), np.array([1.0, 2.0]), 0.0, True),
        (np.array([1.0, 2.0]), np.array([1.0, 2.1]), 0.0, False),
        (np.array([1.0, 2.0]), np.array([[1.0, 2.0]]), 0.0, False),
        (np.array([1.0]), [1.0], 0.0, False),
    ],
)
def test_equality(actual: object, expected: object, tolerance: float, same: bool) -> None:
    """Numbers may differ by the tolerance wherever they stand; types of containers may not."""
    assert equal(actual, expected, tolerance) is same


def test_wrong_value_fails_with_both_sides() -> None:
    """A wrong returned value is a failed assertion that shows both values."""
    result = judge_call(CheckResult(PASSED, 0.1, value=dumps([1, 3])), dumps([1, 2]), 0.0)
    assert (result.outcome, result.actual, result.expected) == (Outcome.ASSERTION_FAILED, "[1, 3]", "[1, 2]")
    assert judge_call(CheckResult(PASSED, value=dumps((1,))), dumps((1,)), 0.0).outcome is PASSED


def test_unreadable_value_fails() -> None:
    """A returned value that is no plain data can't be the expected one."""
    result = judge_call(CheckResult(PASSED, value='{"$os.system": 1}'), dumps(1), 0.0)
    assert result.outcome is Outcome.ASSERTION_FAILED
    assert "can't be read" in result.message


def test_missing_value_is_nobodys_fault() -> None:
    """If the sandbox gave no value, nothing is known of the cell."""
    assert judge_call(CheckResult(PASSED), dumps(1), 0.0).outcome is Outcome.INTERNAL_ERROR


@pytest.mark.parametrize("outcome", [o for o in Outcome if o is not PASSED])
def test_other_outcomes_stay(outcome: Outcome) -> None:
    """What did not end normally is not compared."""
    result = CheckResult(outcome, 0.5, "why", stdout="1", value="1")
    assert judge_call(result, "1", 0.0) == result
    assert judge_stdout(result, "1") == result


@pytest.mark.parametrize(
    ("stdout", "expected", "outcome"),
    [
        ("1 2\n3\n", "1 2\n3", PASSED),
        ("  1 2  \r\n3\n\n\n", "1 2\n3", PASSED),
        ("1  2\n", "1 2\n", Outcome.ASSERTION_FAILED),
        ("1\n\n2", "1\n2", Outcome.ASSERTION_FAILED),
        ("", "1", Outcome.ASSERTION_FAILED),
        ("1\n2", "1", Outcome.ASSERTION_FAILED),
        ("\n", "", PASSED),
        ("Yes", "YES", Outcome.ASSERTION_FAILED),
        ("1.0", "1", Outcome.ASSERTION_FAILED),
    ],
)
def test_output_is_compared_line_by_line(stdout: str, expected: str, outcome: Outcome) -> None:
    """Blanks around lines and blank lines around the output don't count; all else does."""
    assert judge_stdout(CheckResult(PASSED, stdout=stdout), expected).outcome is outcome


def test_message_names_the_line() -> None:
    """A wrong output says from which line on it differs."""
    result = judge_stdout(CheckResult(PASSED, stdout="a\nb\nx"), "a\nb\nc")
    assert "line 3" in result.message


def test_long_numbers_are_shown() -> None:
    """An integer too long for Python's decimal limit is still reported."""
    huge = dumps(10**5000)
    result = judge_call(CheckResult(PASSED, value=huge), dumps(1), 0.0)
    assert result.outcome is Outcome.ASSERTION_FAILED
    assert result.actual


def test_a_value_that_python_cannot_show_is_shown_as_its_text() -> None:
    """Showing a Counter sorts it, and NaN has no place in an order."""
    text = dumps(Counter({1: Decimal("NaN"), 2: Decimal(1)}))
    result = judge_call(CheckResult(PASSED, value=text), dumps(1), 0.0)
    assert (result.outcome, result.actual) == (Outcome.ASSERTION_FAILED, text)
    assert (as_python(text), as_python("[1"), as_python(dumps((1,)))) == (text, "[1", "(1,)")


def test_kept_texts_are_short() -> None:
    """Long texts are cut, of the output the end stays; a pass keeps no text at all."""
    long = "x" * 9999 + "end"
    kept = shortened(CheckResult(Outcome.RUNTIME_ERROR, 0.1234567, long, long, long, long, value=long))
    assert all(len(text) < 2010 for text in (kept.message, kept.actual, kept.expected, kept.stdout))
    assert kept.stdout.endswith("end")
    assert kept.value is None
    assert kept.seconds == 0.123457
    assert shortened(CheckResult(PASSED, 1.0, "noise", stdout="noise")) == CheckResult(PASSED, 1.0)


SIGNALING = '{"$decimal":"sNaN"}'
ARRAY = '{"$array":["<i4",[2],"AAAAAAAAAAA="]}'
HUGE = '{"$range":[0,1000000000000000,1]}'
SCALAR = '{"$scalar":["<f8","AAAAAAAA+H8="]}'


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        (SIGNALING, "1"),
        ('{"$named":["P",["x","y"],[' + ARRAY + ",2]]}", '{"$tuple":[1,2]}'),
        ('{"$named":["P",["x","y"],[' + HUGE + ",2]]}", '{"$tuple":[' + ARRAY + ",2]}"),
        ('{"$items":[[1,' + ARRAY + "]]}", '{"$set":[1]}'),
        ('{"$deque":[[' + ARRAY + "],null]}", '{"$deque":[[1],null]}'),
        (HUGE, SCALAR),
        (SCALAR, '{"$int":"0x' + "f" * 5000 + '"}'),
        ("[" * 2000 + "]" * 2000, "[1]"),
    ],
)
def test_what_cannot_be_compared_is_not_equal(actual: str, expected: str) -> None:
    """A value that Python refuses to compare, or would fill the memory for, fails its own test only."""
    for one, other in ((actual, expected), (expected, actual)):
        if other.count("[") < 1000:
            verdict = judge_call(CheckResult(PASSED, value=one), other, 0.001)
            assert verdict.outcome is Outcome.ASSERTION_FAILED
