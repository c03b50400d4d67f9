import ast
import copy
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.evolution.calls import answered
from core.evolution.offline import (
    Answer,
    Generated,
    Proposal,
    existing_inputs,
    keep,
    mutated,
    propose,
)
from core.evolution.patterns import Trial
from core.evolution.selection import Method, Role, Selection, splits
from core.model import Assertion, CallTest, Outcome, Problem, Solution, StdioTest
from sandbox import open_sandbox
from sandbox.contract import CallsJob, CheckResult, Job
from sandbox.fake import FakeSandbox
from sandbox.values import dumps, loads
from tests.core.evolution.trials import cells

GOOD = "def f(xs, n): return [x for x in xs if x > n]"
STRICT = "def f(xs, n): return [x for x in xs if x >= n]"
EMPTY = "def f(xs, n): return [x for x in xs if x > n] if len(xs) > 2 else []"
BROKEN = "def f(xs, n): return 1 / 0"
TESTS = ("assert f([1, 2, 3], 2) == [3]", "assert f([5, 7], 4) == [5, 7]")


Run = Callable[[Sequence[str], str, Sequence[list[Any]]], Sequence[Sequence[Answer]]]


def generate(
    trial: Trial, selection: Selection, run: Run, *, number: int = 0, seed: int = 0, **options: Any
) -> Generated:
    """Propose inputs, call the programs, keep what splits."""
    proposal = propose(trial, selection, attempts=options.pop("attempts", 200), number=number, seed=seed)
    answers = run(proposal.programs, trial.problem.entry_point or "", proposal.candidates)
    return keep(proposal, answers, number=number, **options)


def run(programs: Sequence[str], entry_point: str, calls: Sequence[list[Any]]) -> list[list[Answer]]:
    """Runs the programs of these tests, which mean no harm."""
    rows = []
    for program in programs:
        scope: dict[str, Any] = {}
        exec(program, scope)
        row = []
        for arguments in copy.deepcopy(list(calls)):
            try:
                row.append(Answer(Outcome.PASSED, scope[entry_point](*arguments)))
            except Exception:  # noqa: BLE001 - any error of the program is its outcome
                row.append(Answer(Outcome.RUNTIME_ERROR))
        rows.append(row)
    return rows


def crossing(programs: Sequence[str], entry_point: str, calls: Sequence[list[Any]]) -> list[list[Answer]]:
    """The same, with values as they come out of a sandbox."""
    rows = run(programs, entry_point, calls)
    return [[Answer(one.outcome, loads(dumps(one.value))) for one in row] for row in rows]


def subject(
    *programs: str, reference: str = GOOD, tests: Sequence[str] = TESTS, entry_point: str | None = "f"
) -> Trial:
    """A pool of programs under tests that all of them pass."""
    return Trial(
        Problem("p", "Those above n.", entry_point=entry_point, reference_solution=reference),
        tuple(Solution(str(i), code) for i, code in enumerate(programs)),
        tuple(Assertion(source) for source in tests),
        cells(*["P" * len(tests)] * len(programs)),
    )


def all_of(trial: Trial) -> Selection:
    """Every solution of a pool as the group to split."""
    rows = tuple(range(len(trial.solutions)))
    names = tuple(s.id for s in trial.solutions)
    return Selection("p", Method.DISCRIMINATIVE, rows, names, (Role.SAME,) * len(rows))


def outcomes(programs: Sequence[str], source: str) -> list[int]:
    """What an assertion says of each program, by running it."""
    found = []
    for program in programs:
        scope: dict[str, Any] = {}
        exec(program, scope)
        try:
            exec(source, scope)
            found.append(int(Outcome.PASSED))
        except AssertionError:
            found.append(int(Outcome.ASSERTION_FAILED))
        except Exception:  # noqa: BLE001 - any error of the program is its outcome
            found.append(int(Outcome.RUNTIME_ERROR))
    return found


@pytest.mark.parametrize("seed", range(5))
def test_generated_tests_split_and_are_right(seed: int) -> None:
    """Every test splits the group when it is really run, and the reference passes it."""
    pool = [GOOD, STRICT, EMPTY]
    trial = subject(*pool)
    made = generate(trial, all_of(trial), run, seed=seed, number=1)
    assert made.tests
    for test in made.tests:
        assert splits(outcomes(pool, test.source))
        assert outcomes([GOOD], test.source) == [Outcome.PASSED]
        assert (test.origin.verifier, test.origin.method, test.origin.round) == (
            "offline",
            "discriminative",
            1,
        )


def test_the_same_seed_makes_the_same_tests() -> None:
    """A seed repeats itself, another gives other tests."""
    trial = subject(GOOD, STRICT)
    made = [generate(trial, all_of(trial), run, seed=seed).tests for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_no_test_twice() -> None:
    """No generated test has the syntax tree of another one or of a present one."""
    trial = subject(GOOD, STRICT, EMPTY)
    made = generate(trial, all_of(trial), run, attempts=400, n_tests=100)
    trees = [ast.dump(ast.parse(source)) for source in [*TESTS, *(t.source for t in made.tests)]]
    assert len(set(trees)) == len(trees)


def test_new_ways_of_splitting_come_first() -> None:
    """With as many tests as there are ways to split, each way has its test."""
    pool = [GOOD, STRICT, EMPTY]
    trial = subject(*pool)
    every = generate(trial, all_of(trial), run, n_tests=1000)
    ways = {tuple(outcomes(pool, test.source)) for test in every.tests}
    few = generate(trial, all_of(trial), run, n_tests=len(ways))
    assert {tuple(outcomes(pool, test.source)) for test in few.tests} == ways


def test_a_group_that_agrees_is_not_split() -> None:
    """Programs that behave alike give no test, and the inputs are counted."""
    trial = subject(GOOD, GOOD)
    made = generate(trial, all_of(trial), run, attempts=50)
    assert (made.tests, made.tried, made.no_split) == ((), 50, 50)


def test_without_a_reference_the_majority_decides() -> None:
    """Two of three programs outvote the third; the tests then are what they say."""
    trial = subject(GOOD, GOOD, STRICT, reference="")
    made = generate(trial, all_of(trial), run)
    assert made.tests
    assert {tuple(outcomes([GOOD, STRICT], test.source)) for test in made.tests} == {(0, 1)}


@pytest.mark.parametrize(
    "value", ["map(abs, xs)", "iter(int, 1)", "Counter({1: Decimal('NaN'), 2: Decimal(1)})"]
)
def test_values_that_no_constant_stands_for_have_no_majority(value: str) -> None:
    """Iterators, one of them without end, and what Python can't show make no test and stop nothing."""
    code = f"from collections import Counter\nfrom decimal import Decimal\ndef f(xs, n): return {value}"
    trial = subject(code, code, STRICT, reference="")
    made = generate(trial, all_of(trial), crossing, attempts=20)
    assert (made.tests, made.no_expected) == ((), 20)


def test_without_a_majority_there_is_no_expected_value() -> None:
    """Where one half contradicts the other, nobody knows what is right."""
    trial = subject(GOOD, "def f(xs, n): return None", reference="")
    made = generate(trial, all_of(trial), run, attempts=40)
    assert (made.tests, made.no_expected) == ((), 40)


def test_a_reference_among_the_solutions_is_used() -> None:
    """A pool's own reference solution gives the expected values, though most solutions say otherwise."""
    trial = subject(STRICT, STRICT, reference="")
    with_reference = Trial(
        trial.problem,
        (*trial.solutions, Solution("r", GOOD, "reference")),
        trial.tests,
        cells("PP", "PP", "PP"),
    )
    made = generate(with_reference, all_of(with_reference), run, agreement=0)
    assert made.tests
    assert all(outcomes([GOOD], test.source) == [Outcome.PASSED] for test in made.tests)


def test_inputs_on_which_few_agree_with_the_reference_are_doubted() -> None:
    """Where most of the group contradicts the reference, the input is left out, unless asked for."""
    trial = subject(GOOD, STRICT, STRICT)
    assert generate(trial, all_of(trial), run).tests == ()
    assert generate(trial, all_of(trial), run).no_agreement > 0
    assert generate(trial, all_of(trial), run, agreement=1 / 3).tests


def test_a_contract_settles_the_doubt() -> None:
    """Where a contract says what is allowed, the reference is believed against most of the group."""
    pool = subject(GOOD, STRICT, STRICT)
    trial = replace(pool, problem=replace(pool.problem, metadata={"contract": "assert len(xs) < 9"}))
    assert generate(trial, all_of(trial), run).tests


def test_a_failing_reference_gives_no_tests() -> None:
    """Inputs on which the reference raises have no expected value."""
    trial = subject(GOOD, STRICT, reference=BROKEN)
    made = generate(trial, all_of(trial), run, attempts=30)
    assert (made.tests, made.no_expected) == ((), 30)


def test_missing_answers_split_nothing() -> None:
    """An answer nobody knows is neither a pass nor a failure."""

    def unknown(programs: Sequence[str], entry_point: str, calls: Sequence[list[Any]]) -> list[list[Answer]]:
        rows = run(programs, entry_point, calls)
        rows[1] = [Answer(Outcome.INTERNAL_ERROR)] * len(calls)
        return rows

    trial = subject(GOOD, STRICT)
    assert generate(trial, all_of(trial), unknown).tests == ()


def test_numbers_stay_positive_unless_a_test_has_a_negative_one() -> None:
    """Mutation leaves the sign alone until a present test shows that negative numbers are allowed."""
    for tests, expected in ((TESTS, False), ((*TESTS, "assert f([-1], 0) == []"), True)):
        trial = subject(GOOD, STRICT, tests=tests)
        made = generate(trial, all_of(trial), run, attempts=400, n_tests=400)
        assert any("-" in test.source for test in made.tests) is expected


def test_a_contract_keeps_inputs_out() -> None:
    """Inputs that break the contract in the problem's metadata become no tests."""
    pool = subject(GOOD, STRICT)
    contract = "assert all(x < 3 for x in xs), 'invalid inputs'"
    problem = replace(pool.problem, metadata={"contract": contract})
    made = generate(replace(pool, problem=problem), all_of(pool), run, attempts=300, n_tests=300)
    assert made.tests
    assert made.no_expected
    found = existing_inputs(made.tests, "f")
    assert all(x < 3 for xs, _ in found for x in xs)


def test_floats_are_compared_with_a_tolerance() -> None:
    """A float result is asserted within a tolerance, so that another order of sums still passes."""
    half, other = "def f(x): return x / 3", "def f(x): return x * (1 / 3)"
    wrong = "def f(x): return x / 3 if x < 5 else 0.0"
    trial = Trial(
        Problem("p", "", entry_point="f", reference_solution=half),
        (Solution("0", other), Solution("1", wrong)),
        (Assertion("assert abs(f(1.0) - 0.333333333) < 1e-6"), Assertion("assert f(9.0) == 3.0")),
        cells("PP", "PP"),
    )
    made = generate(trial, all_of(trial), run)
    assert made.tests
    assert {tuple(outcomes([other, wrong], test.source)) for test in made.tests} == {(0, 1)}


@pytest.mark.parametrize(
    "value",
    ["float('nan')", "float('inf')", "{0.5}", "frozenset()", "object()", "[float('nan')]", "'x' * 5000"],
)
def test_values_that_no_constant_stands_for(value: str) -> None:
    """Results that can't be written as an exact constant make no test."""
    code = f"def f(xs, n): return {value}"
    trial = subject(code, STRICT, reference=code)
    made = generate(trial, all_of(trial), run, attempts=20)
    assert (made.tests, made.no_expected) == ((), 20)


@pytest.mark.parametrize(
    ("tests", "entry_point", "words"),
    [(TESTS, None, "entry point"), (("assert f(*[1]) == 2",), "f", "constants"), ((), "f", "constants")],
)
def test_where_nothing_can_be_tried_it_says_why(
    tests: Sequence[str], entry_point: str | None, words: str
) -> None:
    """Without an entry point or a constant input there are no tests, and a reason."""
    trial = subject(GOOD, tests=tests, entry_point=entry_point)
    made = generate(trial, all_of(trial), run)
    assert made.tests == ()
    assert words in made.reason


def test_inputs_of_present_tests() -> None:
    """Constant arguments are found in assertions of any form and in calls, each once."""
    tests = [
        Assertion("assert f(1, 'a') == 2"),
        Assertion("x = 1\nassert not f(-2, [None, (True,)])"),
        Assertion("assert f(1, 'a') == 3"),
        Assertion("assert abs(f(1.5, {'k': {2}}) - 1) < 1e-6"),
        Assertion("assert f(x, 1) and f(1, key=2) and g(3, 4)"),
        Assertion("no Python"),
        CallTest('[3, "c"]', "4"),
        StdioTest("1", "2"),
    ]
    assert existing_inputs(tests, "f") == [[1, "a"], [-2, [None, (True,)]], [1.5, {"k": {2}}], [3, "c"]]


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text("ab ", max_size=4),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
        | st.tuples(inner, inner)
    ),
    max_leaves=8,
)


@given(st.lists(plain, max_size=3), st.integers(0, 1000))
def test_mutation_keeps_types_and_its_argument(arguments: list[Any], seed: int) -> None:
    """A mutation keeps the number and the types of arguments, and leaves the original alone."""
    before = copy.deepcopy(arguments)
    changed = mutated([arguments], random.Random(seed))
    assert [type(a) for a in changed] == [type(a) for a in arguments]
    assert repr(arguments) == repr(before)


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=5), st.integers(0, 1000))
def test_items_keep_their_type(items: list[int], seed: int) -> None:
    """A list of ints stays a list of ints."""
    (changed,) = mutated([[items]], random.Random(seed))
    assert all(type(item) is int for item in changed)


def proposal(*programs: str, calls: Sequence[list[Any]] = ((1, {2}), (None,))) -> Proposal:
    """A proposal of these programs and calls."""
    trial = subject("x")
    return Proposal(trial, all_of(trial), programs, tuple(map(list, calls)))


def test_each_program_is_called_once_in_the_sandbox() -> None:
    """The sandbox sees each different program of a problem once, and answers come back in its order."""

    def handler(job: Job) -> list[CheckResult]:
        assert isinstance(job, CallsJob)
        if job.program == "raises":
            return [CheckResult(Outcome.TIME_LIMIT) for _ in job.calls]
        if job.program == "odd":
            return [CheckResult(Outcome.PASSED) for _ in job.calls]
        return [CheckResult(Outcome.PASSED, value=dumps(tuple(loads(call)))) for call in job.calls]

    sandbox = FakeSandbox(handler)
    first, second = proposal("echo", "raises", "echo", "odd"), proposal("raises")
    nothing = Proposal(first.trial, first.selection, reason="no input")
    found = {id(one): rows for one, rows in answered([first, nothing, second], sandbox)}
    echo = [Answer(Outcome.PASSED, (1, {2})), Answer(Outcome.PASSED, (None,))]
    late = [Answer(Outcome.TIME_LIMIT)] * 2
    assert found[id(first)] == [echo, late, echo, [Answer(Outcome.ASSERTION_FAILED)] * 2]
    assert found[id(second)] == [late]
    assert found[id(nothing)] == ()
    programs = [job.program for job in sandbox.jobs if isinstance(job, CallsJob)]
    assert programs == ["echo", "raises", "odd", "raises"]


def test_generation_in_a_real_sandbox() -> None:
    """In the sandbox of this machine the generator makes the tests that it makes in-process."""
    trial = subject(GOOD, STRICT, EMPTY)
    with open_sandbox(workers=1) as sandbox:
        ((asked, rows),) = answered([propose(trial, all_of(trial), attempts=30)], sandbox)
        made = keep(asked, rows)
    assert made == generate(trial, all_of(trial), run, attempts=30)
    assert made.tests
