"""Splitting source into single tests."""

from __future__ import annotations

import ast
import textwrap
import unittest

import pytest

from core.formats.assertions import Split, parse_quietly, split_tests


def split(source: str, entry_point: str | None = "f") -> Split:
    """Split source text."""
    return split_tests(ast.parse(textwrap.dedent(source)).body, entry_point)


def test_each_assertion_is_a_test() -> None:
    """Assertions that share nothing stand alone."""
    assert split("assert f(1) == 2\nassert f(2) == 3").tests == ["assert f(1) == 2", "assert f(2) == 3"]


def test_tests_keep_what_they_depend_on_and_nothing_else() -> None:
    """Assignments, imports and helpers go with the tests that need them, through each other."""
    source = """
        import math
        import os
        base = 3
        big = base * 10
        other = 7
        def near(a, b):
            return math.isclose(a, b)
        assert near(f(big), 1.0)
        assert f(other) == 2
        """
    first, second = split(source).tests
    assert first == (
        "import math\nbase = 3\nbig = base * 10\n\n"
        "def near(a, b):\n    return math.isclose(a, b)\nassert near(f(big), 1.0)"
    )
    assert second == "other = 7\nassert f(other) == 2"


def test_a_huge_number_is_refused_in_words() -> None:
    """What Python can't read as a number is said without its advice for programmers."""
    with pytest.raises(SyntaxError) as refused:
        parse_quietly(f"assert f({'9' * 5000}) == 1")
    assert refused.value.msg == "a whole number has more than 4,300 digits"


def test_later_assignments_do_not_reach_earlier_tests() -> None:
    """A variable that is set anew has the value of its place in each test."""
    source = "x = 1\nassert f(x) == 1\nx = 2\nassert f(x) == 2"
    assert split(source).tests == ["x = 1\nassert f(x) == 1", "x = 2\nassert f(x) == 2"]


def test_a_store_that_a_function_reads_later_is_kept() -> None:
    """A global that a helper reads when it is called is not taken for dead."""
    source = "x = 1\ndef g():\n    return x\nassert f(g()) == 1\nx = 2\nassert f(g()) == 2"
    last = split(source).tests[-1]
    namespace: dict[str, object] = {"f": lambda value: value}
    exec(last, namespace)


def test_changes_in_place_are_kept() -> None:
    """What is appended, popped or set in an object belongs to the tests of that object."""
    source = """
        cases = []
        cases.append(1)
        cases[0] += 1
        for i in range(2):
            cases.append(i)
        assert f(cases) == 3
        """
    (test,) = split(source).tests
    namespace: dict[str, object] = {"f": len}
    exec(test, namespace)
    assert namespace["cases"] == [2, 0, 1]


def test_effects_of_earlier_assertions_stay_without_their_judgement() -> None:
    """A method called in one assertion has happened when the next one runs."""
    tests = split("s = f()\nassert s.push(1) is None\nassert s.pop() == 1").tests
    assert tests[1] == "s = f()\ns.push(1) is None\nassert s.pop() == 1"


def test_seeds_are_always_kept() -> None:
    """A seed changes every test after it."""
    assert split("import random\nrandom.seed(1)\nassert f(2)").tests == [
        "import random\nrandom.seed(1)\nassert f(2)"
    ]


@pytest.mark.parametrize(
    "block",
    [
        "for i in range(3):\n    assert f(i) == i",
        "while f(1) < 0:\n    assert f(2)",
        "if f(1):\n    assert f(2)",
        "try:\n    f(-1)\n    assert False\nexcept ValueError:\n    pass",
        "with open('x') as s:\n    assert f(s)",
    ],
)
def test_a_block_with_an_assertion_is_one_test(block: str) -> None:
    """An assertion inside a block stays in it."""
    assert split(block).tests == [block]


@pytest.mark.parametrize(
    "source", ["assert True", "assert True, 'good for debugging'", "assert 1 == 1", "assert False"]
)
def test_constants_are_refused(source: str) -> None:
    """An assertion that no program can change tells no two programs apart, and is reported."""
    found = split(source)
    assert not found.tests
    assert "constant" in found.refused[0][1]


def test_assertions_about_something_else_are_refused() -> None:
    """A test has to use the entry point, through a variable if need be."""
    found = split("y = f(1)\nassert y == 1\nassert g(1) == 1")
    assert found.tests == ["y = f(1)\nassert y == 1"]
    assert found.refused == [("assert g(1) == 1", "it does not use f")]


def test_without_an_entry_point_every_assertion_is_a_test() -> None:
    """Where the function under test is unknown nothing is refused for it."""
    assert split("assert g(1) == 1", None).tests == ["assert g(1) == 1"]


def test_literal_messages_stay_and_computed_ones_go() -> None:
    """A message that calls the program under test again is left out."""
    assert split("assert f(1), 'one'\nassert f(2), f'got {f(2)}'").tests == [
        "assert f(1), 'one'",
        "assert f(2)",
    ]


def test_duplicates_count_once_whatever_their_message() -> None:
    """The same assertion with another message is the same test."""
    found = split("assert f(1) == 1, 'a'\nassert f(1)==1, 'b'\nassert f(1) == 1")
    assert found.tests == ["assert f(1) == 1, 'a'"]
    assert found.duplicates == 2


def test_functions_without_parameters_are_opened() -> None:
    """The assertions of `test_x` are tests, with the function's own set-up; calling it adds nothing."""
    source = """
        limit = 9
        def test_x():
            data = [1]
            assert f(data) == 1
            assert f(limit) == 2
        test_x()
        """
    assert split(source).tests == ["data = [1]\nassert f(data) == 1", "limit = 9\nassert f(limit) == 2"]


def test_functions_that_leave_early_stay_whole() -> None:
    """A body with `return` is called as it is."""
    (test,) = split("def test_x():\n    if not f(0):\n        return\n    assert f(1)").tests
    assert test.endswith("test_x()")
    assert "def test_x" in test


def test_each_call_of_an_asserting_helper_is_a_test() -> None:
    """A helper with parameters asserts when it is called."""
    source = "def verify(x, y):\n    assert f(x) == y\nverify(1, 2)\nverify(2, 3)"
    tests = split(source).tests
    assert [test.rsplit("\n", 1)[1] for test in tests] == ["verify(1, 2)", "verify(2, 3)"]


def test_a_helper_that_is_never_called_is_reported() -> None:
    """Assertions that never run are not lost in silence."""
    assert "nothing calls" in split("def verify(x):\n    assert f(x) == 1").refused[0][1]


def test_main_guard_is_opened() -> None:
    """What stands under the main guard runs."""
    assert split("if __name__ == '__main__':\n    assert f(1)").tests == ["assert f(1)"]


@pytest.mark.parametrize(
    "definition",
    [
        "def f(x):\n    return x",
        "class f:\n    pass",
        "f = print",
        "from solution import f",
        "import os as f",
    ],
)
def test_redefinitions_are_left_out_and_reported(definition: str) -> None:
    """Tests judge the solution, not the answer's own attempt at it."""
    found = split(f"{definition}\nassert f(1) == 2")
    assert found.tests == ["assert f(1) == 2"]
    assert found.redefined == [definition]


def test_star_imports_of_unknown_modules_are_left_out() -> None:
    """`from solution import *` would fail every test; the standard library's is kept."""
    assert split("from solution import *\nfrom math import *\nassert f(pi)").tests == [
        "from math import *\nassert f(pi)"
    ]


def test_tests_written_into_a_redefinition_are_found() -> None:
    """Models put assertions where the function's body should be; those that need no parameter are tests."""
    found = split(
        'def f(x):\n    """Doc."""\n    assert x > 0\n    data = [1]\n    assert f(data) == 1\n    return x'
    )
    assert found.tests == ["data = [1]\nassert f(data) == 1"]


def test_unittest_methods_are_opened() -> None:
    """Assertions of test classes are written as plain ones."""
    source = """
        class TestF(unittest.TestCase):
            def test_a(self):
                self.assertEqual(f(1), 2)
                self.assertTrue(f(2), "two")
                self.assertIsNone(f(3))
                with self.assertRaises(ValueError):
                    f(4)
                self.assertEqual(f(self.x), 1)
        """
    found = split(source)
    assert found.tests[:3] == ["assert f(1) == 2", "assert f(2), 'two'", "assert f(3) is None"]
    assert found.tests[3].startswith("try:\n    f(4)\nexcept ValueError:")
    assert found.refused == [("self.assertEqual(f(self.x), 1)", "it needs the object of its test class")]


@pytest.mark.parametrize(
    ("call", "right", "wrong"),
    [
        ("self.assertAlmostEqual(f(), 1.0)", 1.00000001, 1.001),
        ("self.assertAlmostEqual(f(), 1.0, places=2)", 1.001, 1.1),
        ("self.assertAlmostEqual(f(), 1.0, delta=0.5)", 1.5, 1.6),
        ("self.assertIn(f(), [1, 2])", 2, 3),
        ("self.assertNotEqual(f(), 1)", 2, 1),
        ("self.assertFalse(f())", 0, 1),
        ("self.assertGreater(f(), 1)", 2, 1),
        ("self.assertIsInstance(f(), int)", 1, "1"),
        ("self.assertListEqual(f(), [1])", [1], [2]),
    ],
)
def test_plain_form_judges_as_unittest_does(call: str, right: object, wrong: object) -> None:
    """A translated assertion and unittest's own agree on what passes."""
    (test,) = split(f"class T:\n    def test(self):\n        {call}").tests
    for value, passes in ((right, True), (wrong, False)):
        own = _judgement(call, {"self": unittest.TestCase(), "f": lambda value=value: value})
        assert _judgement(test, {"f": lambda value=value: value}) == own == passes


def _judgement(source: str, namespace: dict[str, object]) -> bool:
    try:
        exec(source, namespace)
    except AssertionError:
        return False
    return True
