"""More reference tests for problems that have few: typed input mutation, the reference as oracle.

What EvalPlus did to make HumanEval+ of HumanEval (Liu et al., 2023), and what Scoring Verifiers recommends
for such benchmarks (v2, section 3.1). The inputs that the problem's own tests show are varied in ways that
keep their types; what the reference solution returns is what is expected. EvalPlus refuses inputs that break
a hand-written contract; here an input is refused on which the reference raises or does not end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.benchmarks.observed import observed_calls
from core.execution.executor import Executor, run_all
from core.formats.evalplus_oracles import reference_test_of_texts
from core.model import Outcome, Problem, TestCase
from core.progress import OnProgress
from core.verifiers.inputs import varied
from sandbox.contract import CallsJob, CheckResult, Limits
from sandbox.values import dumps

__all__ = ["METHOD", "with_more_tests"]

METHOD = "mutated"
"""The origin of the tests that were added."""
_SPARE = 2


def with_more_tests(
    problems: Sequence[Problem],
    executor: Executor,
    count: int,
    *,
    seed: int = 0,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[Problem, ...]:
    """The problems, each with up to `count` tests more.

    Nothing is added to a problem that reads standard input, or whose tests show no literal call.

    Args:
        problems: with reference solutions and reference tests.
        executor: runs the reference solutions.
        count: tests wanted beside those that are there.
        seed: decides the inputs.
        limits: of each call.
        on_progress: told after each problem.
    """
    calls = {
        problem.task_id: _new_calls(problem, _SPARE * count, seed)
        for problem in problems
        if problem.entry_point and problem.reference_solution
    }
    jobs = [
        CallsJob(
            one.task_id,
            one.reference_solution,
            one.entry_point or "",
            calls[one.task_id],
            limits or Limits(),
        )
        for one in problems
        if calls.get(one.task_id)
    ]
    executions = run_all(executor, jobs, "writing more tests", on_progress)
    return tuple(
        replace(
            problem,
            reference_tests=(
                *problem.reference_tests,
                *_tests(problem, calls[problem.task_id], executions[problem.task_id].results)[:count],
            ),
        )
        if problem.task_id in executions
        else problem
        for problem in problems
    )


def _new_calls(problem: Problem, count: int, seed: int) -> tuple[str, ...]:
    shown = [call.arguments for call in observed_calls(problem.reference_tests, problem.entry_point or "")]
    there = {dumps(list(arguments)) for arguments in shown}
    made = (dumps(list(arguments)) for arguments in varied(shown, count, f"{seed}/{problem.task_id}/tests"))
    return tuple(call for call in made if call not in there)


def _tests(problem: Problem, calls: Sequence[str], results: Sequence[CheckResult]) -> list[TestCase]:
    tests = (
        reference_test_of_texts(problem.task_id, problem.entry_point or "", call, result.value, 0.0, METHOD)
        for call, result in zip(calls, results, strict=True)
        if result.outcome is Outcome.PASSED and result.value is not None
    )
    return [test for test in tests if test is not None]
