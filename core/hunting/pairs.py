"""Pairs out of a benchmark, by the filters of HarnessLLM (section 3.4 and appendix A.1).

The good program is the reference solution. A buggy one passes at least one reference test and not all of
them; of those that do, the two that pass the most are taken, the earlier in the benchmark's order if
they pass equally many. Section 3.4 also wants it to pass the demo tests of the problem's description,
which appendix A.1 does not mention; they are asked for where the description has examples that can be
read and a sandbox is there to run them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from core.execution.checks import CheckSet
from core.execution.executor import Executor
from core.model import Assertion, Benchmark, Origin, Outcome, Pair, Problem, ProblemKind, Solution
from core.verifiers.assertions import assertion
from core.verifiers.examples import find_examples
from sandbox.contract import Execution, Job, Limits

__all__ = ["MadePairs", "pairs_of"]

BUGGY_PER_PROBLEM = 2
_LIMITS = Limits(seconds=3.0)


@dataclass(frozen=True, slots=True)
class MadePairs:
    """What a benchmark gives.

    Attributes:
        left_out: task_id -> why the problem gives no pair.
        demo_failed: solutions that were left out because they fail an example of the description.
    """

    pairs: tuple[Pair, ...]
    left_out: Mapping[str, str]
    demo_failed: int


def pairs_of(benchmark: Benchmark, executor: Executor | None = None) -> MadePairs:
    """The pairs that a benchmark gives, in its order.

    Args:
        benchmark: its solutions carry reference scores.
        executor: runs the examples of the descriptions; without it they are not asked for.
    """
    candidates = {
        problem.task_id: _candidates(benchmark.solutions.get(problem.task_id, ()))
        for problem in benchmark.problems
    }
    passing = _demo_passing(benchmark, candidates, executor) if executor else {}
    pairs: list[Pair] = []
    left_out: dict[str, str] = {}
    demo_failed = 0
    for problem in benchmark.problems:
        partly = candidates[problem.task_id]
        chosen = [one for one in partly if passing.get((problem.task_id, one.id), True)]
        demo_failed += len(partly) - len(chosen)
        if not problem.reference_solution:
            left_out[problem.task_id] = "it has no reference solution"
        elif not partly:
            left_out[problem.task_id] = "no solution passes some of its tests and not all"
        elif not chosen:
            left_out[problem.task_id] = "every such solution fails an example of its description"
        else:
            pairs += [_pair(problem, one) for one in chosen[:BUGGY_PER_PROBLEM]]
    return MadePairs(tuple(pairs), left_out, demo_failed)


def _candidates(solutions: tuple[Solution, ...]) -> list[Solution]:
    """The solutions that are partly right, those that pass the most first."""
    partly = [one for one in solutions if one.reference_score is not None and 0 < one.reference_score < 1]
    return sorted(partly, key=lambda one: -(one.reference_score or 0.0))


def _pair(problem: Problem, solution: Solution) -> Pair:
    metadata = {"buggy": solution.id, "buggy_score": solution.reference_score, "source": solution.source}
    return Pair(
        pair_id=f"{problem.task_id}:{solution.id}",
        description=problem.prompt,
        kind=problem.kind,
        good=problem.reference_solution,
        buggy=solution.code,
        entry_point=problem.entry_point if problem.kind is ProblemKind.FUNCTION else None,
        metadata={**problem.metadata, "task_id": problem.task_id} | metadata,
    )


def _demo_passing(
    benchmark: Benchmark, candidates: Mapping[str, list[Solution]], executor: Executor
) -> dict[tuple[str, str], bool]:
    """By (task_id, solution id) whether a solution passes the examples; only where there are any."""
    jobs: dict[str, tuple[tuple[str, str], Job]] = {}
    for problem in benchmark.problems:
        tests = tuple(_demo_tests(problem))
        for solution in candidates[problem.task_id] if tests else ():
            for asked in CheckSet(problem, tests).jobs(str(len(jobs)), solution.code, _LIMITS):
                jobs[asked.job.key] = (problem.task_id, solution.id), asked.job
    passing = {}
    for execution in executor.run(job for _, job in jobs.values()) if jobs else ():
        passing[jobs[execution.key][0]] = _all_passed(execution)
    return passing


def _demo_tests(problem: Problem) -> Iterator[Assertion]:
    if problem.kind is not ProblemKind.FUNCTION or problem.entry_point is None:
        return
    for example in find_examples(problem.prompt, problem.entry_point).found:
        test = assertion(example.expression, example.expected, Origin("docstring", example.method))
        if test is not None:
            yield test


def _all_passed(execution: Execution) -> bool:
    return all(result.outcome is Outcome.PASSED for result in execution.results)
