"""What a verifier that writes test suites is, and how its suites are written for a whole benchmark.

A verifier plans calls for one problem and, given what came of them, writes its suite. Both steps
are pure functions, so that the calls of all problems can run side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from core.execution.executor import Executor, run_all
from core.model import Assertion, Benchmark, Problem, Solution, TestSuite
from core.progress import OnProgress
from core.verifiers.inputs import Input
from sandbox.contract import CallsJob, Execution, Limits
from sandbox.values import dumps

__all__ = ["Context", "SuiteVerifier", "calls_job", "make_suites", "spread"]

TESTS_PER_PROBLEM = 10
CALL_LIMITS = Limits(seconds=1.0)


@dataclass(frozen=True, slots=True)
class Context:
    """What a verifier may look at.

    Attributes:
        solutions: the candidates, in reference order; a verifier without an oracle must not
            make use of the order or of their reference scores.
        seed: decides every random choice.
    """

    problem: Problem
    solutions: tuple[Solution, ...]
    seed: int = 0


Plan: TypeAlias = Callable[[Context], tuple[CallsJob, ...]]
Write: TypeAlias = Callable[[Context, Mapping[str, Execution]], TestSuite]


@dataclass(frozen=True, slots=True)
class SuiteVerifier:
    """A verifier that needs no model.

    Attributes:
        name: short, of its files and its runs, on screen and on the command line.
        description: one sentence for the screen.
        plan: the calls that it wants to see the results of.
        write: its suite, given the executions of the planned jobs by their keys.
    """

    name: str
    description: str
    plan: Plan
    write: Write


def make_suites(
    verifier: SuiteVerifier,
    benchmark: Benchmark,
    executor: Executor,
    *,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> tuple[TestSuite, ...]:
    """The verifier's suite for each problem, in the benchmark's order."""
    contexts = [Context(p, benchmark.solutions.get(p.task_id, ()), seed) for p in benchmark.problems]
    jobs = [job for context in contexts for job in verifier.plan(context)]
    executions = run_all(executor, jobs, f"writing tests: {verifier.name}", on_progress)
    return tuple(verifier.write(context, executions) for context in contexts)


def calls_job(problem: Problem, solution_id: str, program: str, inputs: Sequence[Input]) -> CallsJob:
    """The job that calls the program's entry point with each input."""
    assert problem.entry_point is not None
    calls = tuple(dumps(list(one.arguments)) for one in inputs)
    return CallsJob(f"{problem.task_id}\n{solution_id}", program, problem.entry_point, calls, CALL_LIMITS)


def call_source(problem: Problem, one: Input) -> str:
    """The call as Python source."""
    return f"{problem.entry_point}({', '.join(map(repr, one.arguments))})"


def spread(tests: Sequence[tuple[str, Assertion]], count: int) -> tuple[Assertion, ...]:
    """Up to `count` of the tests, different results taking turns; each comes with its result's text."""
    groups: dict[str, list[Assertion]] = {}
    for result, test in tests:
        groups.setdefault(result, []).append(test)
    chosen: list[Assertion] = []
    for turn in range(max(map(len, groups.values()), default=0)):
        chosen.extend(group[turn] for group in groups.values() if turn < len(group))
    return tuple(chosen[:count])
