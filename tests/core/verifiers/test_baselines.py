"""The verifiers that need no model."""

import ast
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmarks.humaneval import humaneval
from core.model import Assertion, Benchmark, Origin, Problem, Solution, TestSuite
from core.verifiers import BASELINES, make_suites
from core.verifiers.inputs import inputs_for, vary
from tests.core.benchmarks.runner import InProcess

HALF = Problem(
    "half",
    'def f(x: int):\n    """Half of x.\n    f(4) == 2\n    f(10) == 5\n    """\n',
    entry_point="f",
    reference_solution="def f(x: int):\n    if x < 0:\n        raise ValueError(x)\n    return x // 2\n",
    reference_tests=(Assertion("assert f(77777) == 38888"),),
)


def bodies(*lines: str) -> tuple[Solution, ...]:
    """Solutions with these bodies."""
    return tuple(Solution(f"s{n}", f"def f(x):\n    {line}\n") for n, line in enumerate(lines))


def suite(
    name: str, problem: Problem = HALF, solutions: tuple[Solution, ...] = (), seed: int = 0
) -> TestSuite:
    """The verifier's suite for one problem."""
    benchmark = Benchmark("b", (problem,), {problem.task_id: solutions})
    (made,) = make_suites(BASELINES[name], benchmark, InProcess(), seed=seed)
    return made


def sources(made: TestSuite) -> list[str]:
    """Sources of the suite's tests."""
    return [test.source for test in made.tests if isinstance(test, Assertion)]


THREE = bodies("return x // 2", "return x // 2", "return x / 0")


def test_docstring_takes_the_examples() -> None:
    """Exactly the prompt's examples, with how they were written."""
    assert suite("docstring").tests == (
        Assertion("assert f(4) == 2", Origin("docstring", "arrow")),
        Assertion("assert f(10) == 5", Origin("docstring", "arrow")),
    )


def test_typed_inputs_take_the_reference_as_oracle() -> None:
    """Every test holds for the reference; inputs on which it raises are counted, not tested."""
    made = suite("typed-inputs")
    assert len(made.tests) == 10
    space: dict[str, Any] = {}
    exec(HALF.reference_solution, space)
    for source in sources(made):
        exec(source, space)
    assert ("f(-4)", "not a valid input: the reference solution raises ValueError") in made.unparsed
    assert not any("-" in source for source in sources(made))


def test_consensus_takes_what_most_solutions_return() -> None:
    """Two agreeing wrong solutions outvote the right one: there is no oracle."""
    made = suite("consensus", solutions=bodies("return x // 2", "return 7", "return 7"))
    assert "assert f(4) == 7" in sources(made)


def test_consensus_needs_agreement() -> None:
    """Where no two solutions agree there is no test, and the reason is kept."""
    made = suite("consensus", solutions=bodies("return 1", "return 2", "return 3"))
    assert made.tests == ()
    assert made.unparsed[0] == ("f(4)", "the solutions do not agree: at most 33% give the same value")


def test_consensus_ignores_the_order_of_the_solutions() -> None:
    """The benchmark's order, best first, must not leak into ties."""
    tied = bodies("return 1", "return 1", "return 2", "return 2")
    assert suite("consensus", solutions=tied) == suite("consensus", solutions=tied[::-1])


def test_smoke_accepts_any_value() -> None:
    """Its tests hold for whatever is returned, even None, and fail where the call fails."""
    made = suite("smoke", solutions=THREE)
    assert "assert [f(4)]" in sources(made)
    for source in sources(made):
        exec(source, {"f": lambda _: None})
        with pytest.raises(ZeroDivisionError):
            exec(source, {"f": lambda _: 1 / 0})


def test_smoke_drops_inputs_that_most_solutions_fail_on() -> None:
    """An input that breaks most programs is taken for an invalid one."""
    made = suite("smoke", solutions=bodies("return 1 / 0", "return 1 / 0", "return 1"))
    assert made.tests == ()
    assert "most solutions fail" in made.unparsed[0][1]


@pytest.mark.parametrize("name", BASELINES)
def test_suites_are_the_same_for_a_seed(name: str) -> None:
    """Same problem, solutions and seed: same suite."""
    assert suite(name, solutions=THREE, seed=5) == suite(name, solutions=THREE, seed=5)


@pytest.mark.parametrize("name", BASELINES)
def test_hidden_tests_are_never_looked_at(name: str) -> None:
    """Reference tests have no influence on any suite."""
    other = Problem("half", HALF.prompt, entry_point="f", reference_solution=HALF.reference_solution)
    assert suite(name, solutions=THREE) == suite(name, other, THREE)


@pytest.mark.parametrize("name", BASELINES)
def test_a_problem_without_an_entry_point(name: str) -> None:
    """A stdio problem gets an empty suite, no error."""
    assert suite(name, Problem("io", "Read n."), (Solution("s", "print(1)"),)).tests == ()


@pytest.mark.parametrize("name", BASELINES)
def test_registry(name: str) -> None:
    """Each verifier is under its own name, with one sentence for the screen."""
    verifier = BASELINES[name]
    assert verifier.name == name
    assert verifier.description.endswith(".")
    assert verifier.description.count(". ") == 0


def test_types_are_found_by_trial_where_nothing_says_them() -> None:
    """Without examples and annotations the types that the reference accepts are found."""
    code = "def f(words):\n    return [word.upper() for word in words] + words\n"
    problem = Problem("t", "def f(words):\n", entry_point="f", reference_solution=code)
    assert {one.kinds for one in inputs_for(problem, 8)} == {"int", "list[int]", "str", "list[str]", "float"}
    assert all("['" in source or "[]" in source for source in sources(suite("typed-inputs", problem)))


def test_annotations_are_used_where_there_are_no_examples() -> None:
    """Inputs have the types that the signature says."""
    code = "from typing import List\ndef f(xs: List[str], n: int, y: float):\n    return 1\n"
    problem = Problem("t", "", entry_point="f", reference_solution=code)
    for one in inputs_for(problem, 10):
        xs, n, y = one.arguments
        assert all(type(x) is str for x in xs)
        assert (type(n), type(y)) == (int, float)


values = st.recursive(
    st.booleans() | st.integers(-99, 99) | st.floats(-9, 9) | st.text("ab C", max_size=6) | st.none(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(st.text("ab"), inner)
    ),
    max_leaves=6,
)


@given(values, st.integers(0, 99))
def test_variation_keeps_the_type(value: Any, seed: int) -> None:
    """A varied value has its original's type, a varied tuple its length; the original is untouched."""
    before = repr(value)
    varied = vary(value, random.Random(seed))
    assert type(varied) is type(value)
    assert repr(value) == before
    if isinstance(value, tuple):
        assert len(varied) == len(value)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(humaneval()), st.integers(0, 3))
def test_inputs_of_humaneval(problem: Problem, seed: int) -> None:
    """Every problem gets inputs: distinct, literal, of the right number, the same for a seed."""
    made = inputs_for(problem, 12, seed=seed)
    texts = [repr(one.arguments) for one in made]
    assert len(made) >= 4
    assert len(set(zip(texts, (one.kinds for one in made), strict=True))) == len(made)
    assert all(ast.literal_eval(text) == one.arguments for text, one in zip(texts, made, strict=True))
    assert made == inputs_for(problem, 12, seed=seed)
