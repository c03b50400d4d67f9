from collections.abc import Sequence

from core.hunting.pairs import pairs_of
from core.model import Benchmark, Outcome, Problem, Solution
from sandbox.contract import AssertsJob, CheckResult, Job
from sandbox.fake import FakeSandbox

PROMPT = 'def f(x):\n    """\n    >>> f(1)\n    2\n    """\n'


def benchmark(
    *scores: float | None, prompt: str = "No example.", reference: str = "def f(x): 1"
) -> Benchmark:
    """One problem with a solution of each score, named by its place."""
    problem = Problem("t/1", prompt, entry_point="f", reference_solution=reference)
    solutions = tuple(Solution(str(i), f"code {i}", reference_score=score) for i, score in enumerate(scores))
    return Benchmark("b", (problem,), {"t/1": solutions})


def test_the_two_that_pass_the_most_are_taken() -> None:
    """Of the partly right solutions the two best, first come first, never a right or wholly wrong one."""
    made = pairs_of(benchmark(1.0, 0.5, 0.9, 0.9, 0.0, None, 0.9))

    assert [pair.buggy for pair in made.pairs] == ["code 2", "code 3"]
    assert [pair.pair_id for pair in made.pairs] == ["t/1:2", "t/1:3"]
    assert made.pairs[0].metadata["buggy_score"] == 0.9


def test_a_problem_without_a_partly_right_solution_is_left_out_with_its_reason() -> None:
    """What gives no pair is said."""
    assert "passes some" in pairs_of(benchmark(1.0, 0.0)).left_out["t/1"]
    assert "no reference" in pairs_of(benchmark(0.5, reference="")).left_out["t/1"]


def test_solutions_that_fail_an_example_are_left_out_where_there_is_a_sandbox() -> None:
    """The demo tests of the description are asked for when they can be run."""

    def judge(job: Job) -> Sequence[CheckResult]:
        assert isinstance(job, AssertsJob)
        assert job.checks == ("assert f(1) == 2",)
        passes = job.program == "code 2"
        return [CheckResult(Outcome.PASSED if passes else Outcome.ASSERTION_FAILED)]

    found = benchmark(0.9, 0.8, 0.7, prompt=PROMPT)

    assert [pair.buggy for pair in pairs_of(found).pairs] == ["code 0", "code 1"]
    made = pairs_of(found, FakeSandbox(judge))
    assert [pair.buggy for pair in made.pairs] == ["code 2"]
    assert made.demo_failed == 2
