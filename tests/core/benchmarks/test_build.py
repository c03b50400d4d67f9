"""From problems to a benchmark."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from core.benchmarks.build import build
from core.benchmarks.recipe import Reason
from core.model import Assertion, CallTest, Problem, Solution
from core.progress import Progress
from sandbox.contract import AssertsJob, CallsJob, CheckResult, Execution, Job, Outcome
from tests.core.benchmarks.runner import InProcess

REFERENCE = "def f(a):\n    return a * a\n"
TESTS = tuple(Assertion(f"assert f({n}) == {n * n}") for n in range(-4, 4))
SQUARE = Problem("square", "", entry_point="f", reference_solution=REFERENCE, reference_tests=TESTS)
ZERO = Solution("zero", "def f(a):\n    return 0\n", "model")


def solution(name: str, code: str) -> Solution:
    """A model's solution with this body."""
    return Solution(name, f"def f(a):\n    {code}\n", "model")


def test_candidates_are_scored_ranked_and_reported() -> None:
    """Scores are fractions of the reference tests; ranks follow them; what is left out is counted."""
    given = [
        solution("never", "return None"),
        solution("raises", "return a / 0"),
        solution("positive", "return a * a if a > 0 else -1"),
        solution("same score", "return a * a if a < -1 else -1"),
        solution("right too", "return a ** 2"),
    ]
    result = build([SQUARE], {"square": given}, InProcess())
    made = result.benchmark.solutions["square"]
    assert [(s.id, s.reference_score, s.reference_rank) for s in made] == [
        ("reference", 1.0, 1.0),
        ("positive", 3 / 8, 2.0),
        ("never", 0.0, 3.0),
    ]
    assert result.report.dropped == {Reason.ONLY_ERRORS: 1, Reason.REFERENCE_SCORE: 1, Reason.SAME_SCORE: 1}
    assert result.report.incomplete == ("square",)


def test_mutants_fill_the_benchmark() -> None:
    """With mutants five distinct scores are found, well spread, the same for the same seed."""
    result = build([SQUARE], {}, InProcess(), mutants=40, seed=3)
    scores = [s.reference_score for s in result.benchmark.solutions["square"]]
    assert len(set(scores)) == 5
    assert scores[0] == 1.0
    assert result.report.complete == 1
    assert result == build([SQUARE], {}, InProcess(), mutants=40, seed=3)


def test_no_more_mutants_than_needed() -> None:
    """A problem that is well spread already gets no mutants."""
    given = [solution(str(n), f"return a * a if a < {n} else None") for n in (-4, -2, 0, 2)]
    sandbox = InProcess()
    result = build([SQUARE], {"square": given}, sandbox, mutants=40)
    assert [s.reference_score for s in result.benchmark.solutions["square"]] == [1.0, 0.75, 0.5, 0.25, 0.0]
    assert len(sandbox.jobs) == 1 + len(given)


def test_tests_that_the_reference_fails_are_taken_off_and_reported() -> None:
    """The reference solution is the truth: a test it fails does not stay in the problem."""
    wrong = replace(SQUARE, reference_tests=(*TESTS, Assertion("assert f(2) == 5")))
    result = build([wrong], {"square": [ZERO]}, InProcess())
    assert result.benchmark.problems[0].reference_tests == TESTS
    failed = result.report.problems[0].failed_tests
    assert [(one.index, one.outcome) for one in failed] == [(8, Outcome.ASSERTION_FAILED)]


def test_problems_that_can_not_be_used_are_left_out_with_the_reason() -> None:
    """No reference, no tests, no test passed: each is said, and the others are built."""
    broken = [
        replace(SQUARE, task_id="empty", reference_solution=" "),
        replace(SQUARE, task_id="untested", reference_tests=()),
        replace(SQUARE, task_id="wrong", reference_solution="def f(a):\n    return None\n"),
    ]
    result = build([*broken, SQUARE], {"square": [ZERO]}, InProcess())
    assert result.report.left_out == ("empty", "untested", "wrong")
    assert [p.problem_left_out for p in result.report.problems] == [
        "it has no reference solution, and no given solution passes all of its tests",
        "it has no reference tests: none in the file, or its reference solution fails on every input",
        "its reference solution passes none of its reference tests",
        "",
    ]
    assert [p.task_id for p in result.benchmark.problems] == ["square"]


def test_a_given_solution_that_passes_every_test_stands_in_for_a_missing_reference() -> None:
    """The first one that does, in the order in which they are given; it says which, and ranks first."""
    bare = replace(SQUARE, reference_solution="")
    right = [solution("right", "return a * a"), solution("too", "return a ** 2")]
    result = build([bare], {"square": [ZERO, *right]}, InProcess())
    (problem,) = result.benchmark.problems
    assert problem.reference_solution == SQUARE.reference_solution
    assert problem.metadata["reference_from"] == "right"
    assert [one.id for one in result.benchmark.solutions["square"]] == ["reference", ZERO.id]


class Unjudged(InProcess):
    """Loses the judge on every program that adds."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """What the jobs give, where nothing is lost."""
        for execution, job in ((next(super(Unjudged, self).run([job])), job) for job in jobs):
            lost = (CheckResult(Outcome.INTERNAL_ERROR),) * len(execution.results)
            yield Execution(job.key, lost) if "+" in job.program else execution


def test_missing_data_is_never_a_score() -> None:
    """Internal errors drop a candidate, and a problem if they hit its reference."""
    given = [solution("lost", "return a + a"), solution("wrong", "return 0")]
    result = build([SQUARE], {"square": given}, Unjudged())
    assert result.report.dropped == {Reason.MISSING_DATA: 1}
    lost = replace(SQUARE, reference_solution="def f(a):\n    return a * a + 0\n")
    assert build([lost], {}, Unjudged()).report.left_out == ("square",)


def test_endless_mutants_cost_one_test_and_get_no_score() -> None:
    """Where the reference loops, mutants run on one test first; one that does not end is set aside."""
    code = "def f(a):\n    n = abs(a)\n    while n < 0:\n        n = forever\n    return a * a\n"
    looping = replace(SQUARE, reference_solution=code.replace("forever", "1"))

    class Looping(InProcess):
        def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
            """Only the reference's own loop ends."""
            for job in jobs:
                self.jobs.append(job)
                endless = "n = 1" not in job.program and "while" in job.program
                outcome = Outcome.TIME_LIMIT if endless else Outcome.PASSED
                yield Execution(job.key, (CheckResult(outcome, 0.001),) * len(job.checks))  # type: ignore[union-attr]

    sandbox = Looping()
    result = build([looping], {}, sandbox, mutants=40)
    slow = [
        drop.solution_id for drop in result.report.problems[0].dropped if drop.reason is Reason.TIME_LIMIT
    ]
    assert slow
    for name in slow:
        assert [len(job.checks) for job in sandbox.jobs if job.key.endswith(name)] == [1]  # type: ignore[union-attr]


def test_time_limits_of_given_candidates_count() -> None:
    """A given candidate that hits a time limit everywhere fails by errors only, as the recipe says."""
    result = build([SQUARE], {"square": [solution("slow", "return forever")]}, InProcess())
    assert result.report.dropped == {Reason.ONLY_ERRORS: 1}


def test_candidates_that_mostly_hit_time_limits_are_not_run_on_all_tests() -> None:
    """Of 300 tests a candidate that never ends is run on the first 16, and reported with its reason."""
    many = replace(SQUARE, reference_tests=tuple(Assertion(f"assert f({n}) == {n * n}") for n in range(300)))
    given = [solution("slow", "return forever"), solution("small", "return a * a if a < 150 else -1")]
    sandbox = InProcess()
    result = build([many], {"square": given}, sandbox)
    assert result.report.dropped == {Reason.MOSTLY_TIME_LIMITS: 1}
    assert [len(job.checks) for job in sandbox.jobs if job.key.endswith("slow")] == [16]  # type: ignore[union-attr]
    assert [s.reference_score for s in result.benchmark.solutions["square"]] == [1.0, 0.5]


def test_call_tests_compare_values() -> None:
    """Tests that give arguments and a result are judged by the returned value, within their tolerance."""
    tests = tuple(CallTest(f"[{n}]", f"{n * n}.01", tolerance=0.1) for n in range(4))
    given = [solution("near", "return a * a if a < 2 else a * a + 1.0")]
    result = build([replace(SQUARE, reference_tests=tests)], {"square": given}, InProcess())
    assert [s.reference_score for s in result.benchmark.solutions["square"]] == [1.0, 0.5]


def test_a_problem_with_only_its_reference_is_left_out() -> None:
    """Where no other solution is left there is nothing to rank: the problem is reported, not kept."""
    alone = replace(SQUARE, task_id="alone")
    result = build(
        [alone, SQUARE], {"alone": [solution("raises", "return a / 0")], "square": [ZERO]}, InProcess()
    )
    assert [p.task_id for p in result.benchmark.problems] == ["square"] == list(result.benchmark.solutions)
    assert result.report.left_out == ("alone",)
    assert "nothing to rank" in result.report.problems[0].problem_left_out
    assert result.report.dropped[Reason.ONLY_ERRORS] == 1


def test_tests_of_several_kinds_are_judged_together() -> None:
    """A problem may have assertions and calls side by side: a score counts them all, each once."""
    mixed = replace(SQUARE, reference_tests=(*TESTS, *(CallTest(f"[{n}]", str(n * n)) for n in range(-4, 4))))
    given = [solution("positive", "return a * a if a > 0 else -1")]
    sandbox = InProcess()
    result = build([mixed], {"square": given}, sandbox)
    assert [s.reference_score for s in result.benchmark.solutions["square"]] == [1.0, 3 / 8]
    assert [type(job) for job in sandbox.jobs] == [AssertsJob, CallsJob] * 2


def test_calls_without_an_entry_point_are_refused_for_one_problem_only() -> None:
    """A problem whose tests can't be run is left out and says so."""
    calls = replace(SQUARE, task_id="calls", entry_point=None, reference_tests=(CallTest("[1]", "1"),))
    result = build([calls, SQUARE], {"square": [ZERO]}, InProcess())
    assert result.report.left_out == ("calls",)
    assert "has none" in result.report.problems[0].problem_left_out


def test_progress_names_its_phases() -> None:
    """Whoever watches sees each phase reach its total."""
    seen: list[Progress] = []
    build([SQUARE], {}, InProcess(), mutants=8, on_progress=seen.append)
    ended = {p.phase for p in seen if p.done == p.total}
    assert {"checking reference solutions", "round 1: scoring mutants"} <= ended
