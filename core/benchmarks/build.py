"""Building a benchmark: problems, candidates and mutants in; ranked solutions and a report out.

What is decided here, beyond the recipe (`core.benchmarks.recipe`):

- The reference solution is the truth. Reference tests that it does not pass are taken off
  the problem and reported; a problem of which none is left, or whose reference could not
  be judged, is left out and reported.
- Mutants run under tight limits per test: `MUTANT_FACTOR` times what the reference took, at
  least `MUTANT_SECONDS`, rounded up to a power of two so that noise seldom changes it. A
  mutant that runs into one is set aside, reported, and gets no score: so no verdict in the
  benchmark depends on the tight limits. Where the reference has a `while` loop, mutants
  first run on one test, so that an endless one costs one test and not all of them.
  Candidates that were given run under the caller's limits, and their time limits count.
- Mutants come in batches, only for problems whose solutions are not yet well spread, until
  each quantile has a score within half a step or one test of it, or the supply of `mutants` is used up.
- Mean times are kept to `TIME_STEP`: finer differences are the machine's, and would make two
  builds of one benchmark differ.
"""

from __future__ import annotations

import ast
import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from core.benchmarks.judging import Executor, job_for, outcomes_of
from core.benchmarks.mutation import Mutant, mutate
from core.benchmarks.recipe import TIME_STEP, Candidate, Dropped, Reason, Selection, select, whole_steps
from core.model import Benchmark, Outcome, Problem, Solution, TestCase
from core.progress import OnProgress, Progress
from sandbox.contract import Execution, Job, Limits

__all__ = ["BuildReport", "BuildResult", "FailedTest", "ProblemReport", "build"]

MUTANT_FACTOR = 20.0
MUTANT_SECONDS = 1.0
_BATCH = 8
_REFERENCE = "reference"


@dataclass(frozen=True, slots=True)
class FailedTest:
    """A reference test that the reference solution itself does not pass."""

    index: int
    test: TestCase
    outcome: Outcome
    message: str


@dataclass(frozen=True, slots=True)
class ProblemReport:
    """What became of one problem.

    Attributes:
        problem_left_out: why it is not in the benchmark; "" if it is.
        failed_tests: reference tests taken off because the reference fails them.
        scores: scores of the chosen solutions, best first.
        targets: the score wanted in each place.
        tried: candidates and mutants judged.
        dropped: those left out, with the reason.
    """

    task_id: str
    problem_left_out: str = ""
    failed_tests: tuple[FailedTest, ...] = ()
    scores: tuple[float, ...] = ()
    targets: tuple[float, ...] = ()
    tried: int = 0
    dropped: tuple[Dropped, ...] = ()


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build did, problem by problem, in the order of the problems."""

    k: int
    seed: int
    problems: tuple[ProblemReport, ...]

    @property
    def complete(self) -> int:
        """Problems that reached `k` distinct scores."""
        return sum(len(problem.scores) == self.k for problem in self.problems)

    @property
    def incomplete(self) -> tuple[str, ...]:
        """task_ids of the problems in the benchmark with fewer than `k` solutions."""
        return tuple(p.task_id for p in self.problems if 0 < len(p.scores) < self.k)

    @property
    def left_out(self) -> tuple[str, ...]:
        """task_ids of the problems that are not in the benchmark."""
        return tuple(p.task_id for p in self.problems if p.problem_left_out)

    @property
    def dropped(self) -> dict[Reason, int]:
        """How many candidates were left out, for each reason."""
        counts = Counter(drop.reason for problem in self.problems for drop in problem.dropped)
        return {reason: counts[reason] for reason in Reason if counts[reason]}


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The benchmark and how it came about."""

    benchmark: Benchmark
    report: BuildReport


@dataclass(slots=True)
class _State:
    """A problem while its benchmark entry is being made."""

    problem: Problem
    reference: Candidate
    failed: tuple[FailedTest, ...]
    limits: tuple[float, ...]
    supply: Iterator[Mutant]
    selection: Selection
    may_loop: bool
    made: int = 0
    judged: list[Candidate] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)


def build(
    problems: Sequence[Problem],
    candidates: Mapping[str, Sequence[Solution]],
    executor: Executor,
    *,
    name: str = "benchmark",
    k: int = 5,
    mutants: int = 0,
    seed: int = 0,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
) -> BuildResult:
    """Make a scoring and ranking benchmark (Scoring-Verifiers v2, section 2).

    Args:
        problems: with reference solutions and reference tests.
        candidates: task_id -> solutions to choose from, in an order that stays the same.
        executor: runs the programs; with a cached one a repeated build runs nothing.
        name: the benchmark's name.
        k: solutions wanted for each problem, the reference among them.
        mutants: how many mutants of the reference may be tried for each problem.
        seed: decides which mutants.
        limits: for the reference and the given candidates; 3 seconds a test by default.
        on_progress: called at the start of each phase and after each program.
    """
    limits = limits or Limits()
    builder = _Builder(executor, limits, on_progress or _silent, k)
    opened: dict[str, _State | ProblemReport] = builder.check_references(problems, seed)
    states = [state for state in opened.values() if isinstance(state, _State)]
    builder.judge_given(states, candidates)
    builder.judge_mutants(states, mutants)
    reports = tuple(
        one if isinstance(one := opened[problem.task_id], ProblemReport) else _report(one)
        for problem in problems
    )
    benchmark = Benchmark(
        name,
        tuple(state.problem for state in states),
        {state.problem.task_id: _ranked(state) for state in states},
    )
    return BuildResult(benchmark, BuildReport(k, seed, reports))


class _Builder:
    """Runs the phases of a build; what each does to a problem is kept in its `_State`."""

    def __init__(self, executor: Executor, limits: Limits, on_progress: OnProgress, k: int) -> None:
        self._executor = executor
        self._limits = limits
        self._on_progress = on_progress
        self._k = k

    def check_references(self, problems: Sequence[Problem], seed: int) -> dict[str, _State | ProblemReport]:
        """Run each reference solution on its own tests."""
        found: dict[str, _State | ProblemReport] = {}
        jobs: list[Job] = []
        for problem in problems:
            if missing := _missing(problem):
                found[problem.task_id] = ProblemReport(problem.task_id, missing)
                continue
            try:
                jobs.append(self._job(problem, problem.reference_solution, problem.task_id))
            except ValueError as error:
                found[problem.task_id] = ProblemReport(problem.task_id, str(error))
        executions = self._run(jobs, "checking reference solutions")
        for problem in problems:
            if problem.task_id not in found:
                found[problem.task_id] = self._open(problem, executions[problem.task_id], seed)
        return found

    def judge_given(self, states: Sequence[_State], candidates: Mapping[str, Sequence[Solution]]) -> None:
        """Score the candidates that were given."""
        jobs = [
            self._job(state.problem, solution.code, _key(state, solution))
            for state in states
            for solution in candidates.get(state.problem.task_id, ())
        ]
        executions = self._run(jobs, "scoring candidates") if jobs else {}
        for state in states:
            for solution in candidates.get(state.problem.task_id, ()):
                execution = executions[_key(state, solution)]
                state.judged.append(_candidate(solution, state.problem.reference_tests, execution))
            state.selection = select(state.reference, state.judged, self._k)

    def judge_mutants(self, states: Sequence[_State], most: int) -> None:
        """Score batches of mutants for the problems whose solutions are not yet well spread."""
        turn = 0
        while True:
            turn += 1
            batches: dict[str, list[Solution]] = {}
            for state in states:
                if state.made < most and not self._well_spread(state):
                    batch = self._next_batch(state, min(_BATCH, most - state.made))
                    if batch:
                        batches[state.problem.task_id] = batch
            if not batches:
                return
            self._judge_batches([s for s in states if s.problem.task_id in batches], batches, turn)

    def _judge_batches(
        self, states: Sequence[_State], batches: Mapping[str, Sequence[Solution]], turn: int
    ) -> None:
        everything = [(state, solution) for state in states for solution in batches[state.problem.task_id]]
        probed = [(state, solution) for state, solution in everything if state.may_loop]
        jobs = [self._mutant_job(state, solution, slice(1)) for state, solution in probed]
        first = self._run(jobs, f"round {turn}: looking for endless mutants") if jobs else {}
        jobs = [
            self._mutant_job(state, solution, slice(1 if state.may_loop else 0, None))
            for state, solution in everything
            if not _timed_out(first.get(_key(state, solution)))
        ]
        rest = self._run(jobs, f"round {turn}: scoring mutants")
        for state, solution in everything:
            parts = [part[_key(state, solution)] for part in (first, rest) if _key(state, solution) in part]
            if any(_timed_out(part) for part in parts):
                state.slow.append(solution.id)
            else:
                results = tuple(result for part in parts for result in part.results)
                execution = Execution(_key(state, solution), results)
                state.judged.append(_candidate(solution, state.problem.reference_tests, execution))
        for state in states:
            state.selection = select(state.reference, state.judged, self._k)

    def _next_batch(self, state: _State, size: int) -> list[Solution]:
        batch = []
        for mutant in islice(state.supply, size):
            solution = Solution(f"mutant-{state.made:03d}", mutant.code, f"mutant: {mutant.description}")
            batch.append(solution)
            state.made += 1
        return batch

    def _well_spread(self, state: _State) -> bool:
        """Whether every quantile (0, 1/(k-1), ..., 1) has a chosen score within half a step or one test."""
        scores = [one.candidate.score for one in state.selection.selected]
        steps = self._k - 1
        if len(scores) > len(state.problem.reference_tests):
            return True
        near = max(0.5 / steps, 1 / len(state.problem.reference_tests))
        return len(scores) == self._k and all(
            abs(score - (1 - place / steps)) <= near for place, score in enumerate(scores)
        )

    def _open(self, problem: Problem, execution: Execution, seed: int) -> _State | ProblemReport:
        tests = problem.reference_tests
        outcomes = outcomes_of(tests, execution)
        failed = tuple(
            FailedTest(index, tests[index], outcome, execution.results[index].message)
            for index, outcome in enumerate(outcomes)
            if outcome is not Outcome.PASSED
        )
        if Outcome.INTERNAL_ERROR in outcomes:
            reason = "its reference solution could not be judged"
            return ProblemReport(problem.task_id, reason, failed)
        if len(failed) == len(tests):
            reason = "its reference solution passes none of its reference tests"
            return ProblemReport(problem.task_id, reason, failed)
        kept = [index for index, outcome in enumerate(outcomes) if outcome is Outcome.PASSED]
        problem = replace(problem, reference_tests=tuple(tests[index] for index in kept))
        seconds = [execution.results[index].seconds for index in kept]
        solution = Solution(_REFERENCE, problem.reference_solution, "reference")
        reference = Candidate(solution, (Outcome.PASSED,) * len(kept), math.fsum(seconds) / len(kept))
        limits = tuple(_mutant_limit(taken, self._limits.seconds) for taken in seconds)
        supply = mutate(problem, seed=seed)
        alone = select(reference, (), self._k)
        may_loop = _has_while(problem.reference_solution) and len(kept) > 1
        return _State(problem, reference, failed, limits, supply, alone, may_loop)

    def _job(self, problem: Problem, program: str, key: str) -> Job:
        return job_for(problem, program, problem.reference_tests, key=key, limits=self._limits)

    def _mutant_job(self, state: _State, solution: Solution, part: slice) -> Job:
        tests = state.problem.reference_tests[part]
        return job_for(
            state.problem,
            solution.code,
            tests,
            key=_key(state, solution),
            limits=self._limits,
            seconds=state.limits[part],
        )

    def _run(self, jobs: Sequence[Job], phase: str) -> dict[str, Execution]:
        started = time.monotonic()
        done: dict[str, Execution] = {}
        self._on_progress(Progress(phase, 0, len(jobs), "programs"))
        for execution in self._executor.run(jobs):
            done[execution.key] = execution
            passed = time.monotonic() - started
            self._on_progress(Progress(phase, len(done), len(jobs), "programs", seconds=passed))
        return done


def _silent(_: Progress) -> None:
    """Nobody watches."""


def _key(state: _State, solution: Solution) -> str:
    return f"{state.problem.task_id}\n{solution.id}"


def _timed_out(execution: Execution | None) -> bool:
    return execution is not None and any(r.outcome is Outcome.TIME_LIMIT for r in execution.results)


def _missing(problem: Problem) -> str:
    if not problem.reference_solution.strip():
        return "it has no reference solution"
    if not problem.reference_tests:
        return "it has no reference tests"
    return ""


def _has_while(program: str) -> bool:
    return any(isinstance(node, ast.While) for node in ast.walk(ast.parse(program)))


def _mutant_limit(reference_seconds: float, most: float) -> float:
    wanted = max(MUTANT_SECONDS, MUTANT_FACTOR * reference_seconds)
    return min(most, MUTANT_SECONDS * 2.0 ** math.ceil(math.log2(wanted / MUTANT_SECONDS)))


def _candidate(solution: Solution, tests: Sequence[TestCase], execution: Execution) -> Candidate:
    seconds = math.fsum(result.seconds for result in execution.results) / len(tests)
    return Candidate(solution, outcomes_of(tests, execution), seconds)


def _ranked(state: _State) -> tuple[Solution, ...]:
    return tuple(
        replace(
            one.candidate.solution,
            reference_score=one.candidate.score,
            reference_rank=float(place),
            mean_seconds=whole_steps(one.candidate.mean_seconds) * TIME_STEP,
        )
        for place, one in enumerate(state.selection.selected, start=1)
    )


def _report(state: _State) -> ProblemReport:
    slow = tuple(Dropped(solution_id, Reason.TIME_LIMIT) for solution_id in state.slow)
    return ProblemReport(
        state.problem.task_id,
        failed_tests=state.failed,
        scores=tuple(one.candidate.score for one in state.selection.selected),
        targets=tuple(one.target for one in state.selection.selected),
        tried=len(state.judged) + len(state.slow),
        dropped=state.selection.dropped + slow,
    )
