"""Mutants of a reference solution."""

import ast
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmarks.edits import apply, first_order
from core.benchmarks.humaneval import humaneval
from core.benchmarks.mutation import mutants, mutate
from core.model import Assertion, Problem

HUMANEVAL = humaneval()


def problem(code: str, *tests: str, prompt: str = "") -> Problem:
    """A problem whose entry point is `f`."""
    return Problem(
        "p", prompt, entry_point="f", reference_solution=code, reference_tests=tuple(map(Assertion, tests))
    )


def bodies(code: str) -> set[str]:
    """What every first-order mutant of `def f(a, b)` returns or does, as text."""
    program = f"def f(a, b):\n    {code}\n"
    found = first_order(program, ast.parse(program).body)
    return {apply(program, [edit]).split("\n", 1)[1].strip() for edit in found}


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("return a < b", "return a <= b"),
        ("return a == b", "return a != b"),
        ("return a + b", "return a - b"),
        ("return a - b", "return b - a"),
        ("return a & b", "return a | b"),
        ("return a and b", "return a or b"),
        ("return not a", "return a"),
        ("return a + 1", "return a + 2"),
        ("return 'x' + a", "return '' + a"),
        ("return True", "return False"),
        ("return range(a)", "return range(a - 1)"),
        ("return range(a + 1)", "return range(a)"),
        ("return a[1:]", "return a[0:]"),
        ("return a[1:]", "return a[:]"),
        ("return min(a, b)", "return max(a, b)"),
        ("return min(a, b)", "return min(b, a)"),
        ("return any(a)", "return all(a)"),
        ("return a.upper()", "return a.lower()"),
        ("return sorted(a)", "return sorted(a, reverse=True)"),
        ("return a if b else 0", "return 0 if b else a"),
        ("a += b", "a -= b"),
        ("a += b", "pass"),
        ("a.append(b)", "a.extend(b)"),
        ("return a.get(b, 0)", "return a.get(b, 1)"),
        ("return [x for x in a if x]", "return [x for x in a if True]"),
        ("return (a, b)", "return (b, a)"),
        ("return a(b)", "return None"),
    ],
)
def test_operators(code: str, wrong: str) -> None:
    """Each family of operators offers the mistake it is there for."""
    assert wrong in bodies(code)


def test_blocks() -> None:
    """Alternatives and statements go, loops end early, a return moves into its loop."""
    program = (
        "def f(a):\n    n = 0\n    for x in a:\n        if x:\n            n += 1\n"
        "        else:\n            break\n    return n\n"
    )
    found = {apply(program, [edit]) for edit in first_order(program, ast.parse(program).body)}
    assert any("else" not in code for code in found)
    assert any("continue" in code for code in found)
    assert any(
        "            break\n        return n" in code or code.count("return n\n") > 1 for code in found
    )


def test_precedence_is_kept() -> None:
    """A changed operator binds as the old one did: `a * b` in `1 - a * b` becomes one sum."""
    assert "return 1 - (a + b)" in bodies("return 1 - a * b")


def test_docstrings_annotations_and_f_strings_stay() -> None:
    """Text that is not code, or whose place is not known, is left alone."""
    program = 'def f(a: "x" = None) -> "y":\n    """Adds 1."""\n    print(f"{a + 1}")\n'
    changed = {edit.description for edit in first_order(program, ast.parse(program).body)}
    assert all("print" in description for description in changed)


def test_description_says_line_and_change() -> None:
    """A mutant's source tells a person what was done."""
    code = "def f(a):\n    return a < 3\n"
    assert "mutant: line 2: `a < 3` became `a <= 3`" in {s.source for s in mutants(problem(code), 50)}


def test_helpers_of_the_prompt_stay() -> None:
    """Functions that the prompt defines belong to the problem; those of the solution are mutated."""
    given_and_own = "def given(a):\n    return a + 1\n\ndef own(a):\n    return a * 2\n\n"
    code = f"{given_and_own}def f(a):\n    return given(own(a))\n"
    made = mutants(problem(code, prompt="def given(a):\n    return a + 1\n\ndef f(a):\n"), 500)
    assert all("return a + 1" in one.code for one in made)
    assert any("return a * 2" not in one.code for one in made)


def test_partial_mutants_part_the_tests() -> None:
    """Some mutants are wrong for a part of the tested inputs only."""
    code = "def f(xs):\n    return xs[::-1]\n"
    tests = [f"assert f({list(range(n))}) == {list(range(n))[::-1]}" for n in range(1, 9)]
    shares = set()
    for one in mutants(problem(code, *tests), 60):
        passed = 0
        for test in tests:
            space: dict[str, object] = {}
            exec(one.code, space)
            try:
                exec(test, space)
                passed += 1
            except (AssertionError, NotImplementedError, LookupError, TypeError, ValueError, NameError):
                continue
        shares.add(passed / len(tests))
    assert {0.25, 0.5, 0.75} <= shares


def test_yes_or_no_is_turned_round_everywhere() -> None:
    """A function of True and False gets a mutant that is wrong on every input."""
    code = "def f(a):\n    if a < 0:\n        return False\n    return a > 3\n"
    made = mutants(problem(code, "assert f(5) == True", "assert f(-1) == False"), 8)
    assert "def f(a):\n    if a < 0:\n        return True\n    return not a > 3\n" in [
        one.code for one in made
    ]


def test_pairs_come_when_single_changes_are_used_up() -> None:
    """A tiny function still gives many mutants."""
    supply = list(islice(mutate(problem("def f(a):\n    b = a + 1\n    return b < 2\n")), 60))
    assert any(len(one.edits) == 2 for one in supply)
    assert len(supply[0].edits) == 1


@pytest.mark.parametrize("code", ["", "def f(:", "print(1)", "x = 1"])
def test_programs_without_the_function(code: str) -> None:
    """What does not define the entry point, or is no Python, gives no mutants and no error."""
    assert mutants(problem(code), 10) == ()


def test_overlapping_edits_are_refused() -> None:
    """Two changes to one place can't both be made."""
    program = "def f(a):\n    return a + 1\n"
    edits = first_order(program, ast.parse(program).body)
    with pytest.raises(ValueError, match="overlap"):
        apply(program, [edits[0], edits[0]])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(HUMANEVAL) - 1), st.integers(0, 3))
def test_mutants_of_humaneval(index: int, seed: int) -> None:
    """Every mutant parses, defines the entry point, differs from all others, and comes again for its seed."""
    one = HUMANEVAL[index]
    made = mutants(one, 12, seed=seed)
    shapes = {ast.dump(ast.parse(solution.code)) for solution in made}
    assert len(made) >= 8
    assert len(shapes) == len(made)
    assert ast.dump(ast.parse(one.reference_solution)) not in shapes
    assert all(f"def {one.entry_point}(" in solution.code for solution in made)
    assert made == mutants(one, 12, seed=seed)
