"""Building a benchmark: problems, candidates and mutants in; ranked solutions and a report out.

What is decided here, beyond the recipe (`core.benchmarks.recipe`):

- A problem without a reference solution takes the first candidate that passes all of its tests for one.
- The reference solution is the truth. Reference tests that it does not pass are taken off
  the problem and reported; a problem of which none is left, or whose reference could not
  be judged, is left out and reported.
- Mutants run under tight limits per test: `MUTANT_FACTOR` times what the reference took, at
  least `MUTANT_SECONDS`, rounded up to a power of two so that noise seldom changes it. A
  mutant that runs into one is set aside, reported, and gets no score: so no verdict in the
  benchmark depends on the tight limits. Where the reference has a `while` loop, mutants
  first run on one test, so that an endless one costs one test and not all of them.
  Candidates that were given run under the caller's limits, and their time limits count. They run
  in parts, the first tests first: one that runs into the limit on half of what it was run on, or on
  `MOST_TIME_LIMITS` tests, is set aside and reported: a suite of a thousand tests would take it an hour.
- Mutants come in batches, only for problems whose solutions are not yet well spread, until
  each quantile has a score within half a step or one test of it, or the supply of `mutants` is used up.
- A problem for which nothing but the reference solution is left has nothing to rank: it is
  left out and reported.
- Mean times are kept to `TIME_STEP`: finer differences are the machine's, and would make two
  builds of one benchmark differ.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from core.benchmarks.mutation import Mutant, mutate
from core.benchmarks.recipe import TIME_STEP, Candidate, Dropped, Reason, Selection, select, whole_steps
from core.benchmarks.report import BuildReport, FailedTest, ProblemReport
from core.benchmarks.trials import Keyed, LimitedChecks, Trial, TrialRunner
from core.execution.checks import CheckSet
from core.execution.executor import Executor
from core.model import Benchmark, Outcome, Problem, ProblemKind, Solution
from core.progress import OnProgress
from sandbox.contract import CheckResult, Limits

__all__ = ["BuildResult", "build"]

MUTANT_FACTOR = 20.0
MUTANT_SECONDS = 1.0
MOST_TIME_LIMITS = 20
_BATCH = 8
_REFERENCE = "reference"
_NOTHING_TO_RANK = "only its reference solution is left: nothing to rank"


@dataclass(frozen=True, slots=True)
class BuildResult:
    """The benchmark and how it came about.

    Attributes:
        unranked: the problems that are left out since they have nothing but their reference solution: a
            solution written by hand brings them in.
    """

    benchmark: Benchmark
    report: BuildReport
    unranked: Benchmark


@dataclass(slots=True)
class _State:
    """A problem while its benchmark entry is being made.

    Attributes:
        mutant_checks: its reference tests, without those that the reference fails, in two parts, of
            which mutants run the first one first; it is empty
            where the reference can't loop.
    """

    problem: Problem
    reference: Candidate
    failed: tuple[FailedTest, ...]
    mutant_checks: tuple[LimitedChecks, LimitedChecks]
    supply: Iterator[Mutant]
    selection: Selection
    made: int = 0
    judged: list[Candidate] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    hopeless: list[str] = field(default_factory=list)

    @property
    def nothing_to_rank(self) -> bool:
        """Whether no solution but the reference was chosen."""
        return len(self.selection.selected) < 2


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
    builder = _Builder(TrialRunner(executor, limits or Limits(), on_progress), k)
    problems = builder.adopt_references(problems, candidates)
    opened: dict[str, _State | ProblemReport] = builder.check_references(problems, seed)
    states = [state for state in opened.values() if isinstance(state, _State)]
    builder.judge_given(states, candidates)
    builder.judge_mutants(states, mutants)
    reports = tuple(
        one if isinstance(one := opened[problem.task_id], ProblemReport) else _report(one)
        for problem in problems
    )
    return BuildResult(
        _benchmark(name, [state for state in states if not state.nothing_to_rank]),
        BuildReport(k, seed, reports),
        _benchmark(name, [state for state in states if state.nothing_to_rank]),
    )


class _Builder:
    """Runs the phases of a build; what each does to a problem is kept in its `_State`."""

    def __init__(self, runner: TrialRunner, k: int) -> None:
        self._runner = runner
        self._k = k

    def adopt_references(
        self, problems: Sequence[Problem], candidates: Mapping[str, Sequence[Solution]]
    ) -> list[Problem]:
        """Give problems without a reference solution the first candidate that passes all of their tests."""
        given = [
            Keyed(problem, one)
            for problem in problems
            if not problem.reference_solution.strip() and problem.reference_tests
            and (problem.entry_point or problem.kind is ProblemKind.STDIO)
            for one in candidates.get(problem.task_id, ())
        ]  # fmt: skip
        if not given:
            return list(problems)
        _, right = self._runner.run_in_parts(given, "looking for reference solutions", _all_passed)
        adopted: dict[str, Solution] = {}
        for one in given:
            if one.key in right:
                adopted.setdefault(one.problem.task_id, one.solution)
        return [_adopting(problem, adopted.get(problem.task_id)) for problem in problems]

    def check_references(self, problems: Sequence[Problem], seed: int) -> dict[str, _State | ProblemReport]:
        """Run each reference solution on its own tests."""
        found: dict[str, _State | ProblemReport] = {}
        trials: list[Trial] = []
        for problem in problems:
            try:
                checks = CheckSet(problem, problem.reference_tests)
            except ValueError as error:
                found[problem.task_id] = ProblemReport(problem.task_id, str(error))
                continue
            if missing := _missing(problem):
                found[problem.task_id] = ProblemReport(problem.task_id, missing)
            else:
                trials.append(Trial(problem.task_id, problem.reference_solution, LimitedChecks(checks)))
        results = self._runner.run(trials, "checking reference solutions")
        for problem in problems:
            if problem.task_id not in found:
                found[problem.task_id] = self._open(problem, results[problem.task_id], seed)
        return found

    def judge_given(self, states: Sequence[_State], candidates: Mapping[str, Sequence[Solution]]) -> None:
        """Score the candidates that were given."""
        given = [
            (state, Keyed(state.problem, one))
            for state in states
            for one in candidates.get(state.problem.task_id, ())
        ]
        results, finished = self._runner.run_in_parts(
            [one for _, one in given], "scoring candidates", _is_worth_more
        )
        for state, one in given:
            if one.key in finished:
                state.judged.append(_candidate(one.solution, results[one.key]))
            else:
                state.hopeless.append(one.solution.id)
        for state in states:
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
        everything = [
            (state, Keyed(state.problem, one)) for state in states for one in batches[state.problem.task_id]
        ]
        first = self._runner.run(
            [one.on(state.mutant_checks[0]) for state, one in everything],
            f"round {turn}: looking for endless mutants",
        )
        rest = self._runner.run(
            [one.on(state.mutant_checks[1]) for state, one in everything if not _timed_out(first[one.key])],
            f"round {turn}: scoring mutants",
        )
        for state, one in everything:
            results = first[one.key] + rest.get(one.key, ())
            if _timed_out(results):
                state.slow.append(one.solution.id)
            else:
                state.judged.append(_candidate(one.solution, results))
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

    def _open(self, problem: Problem, results: Sequence[CheckResult], seed: int) -> _State | ProblemReport:
        tests = problem.reference_tests
        failed = tuple(
            FailedTest(index, tests[index], result.outcome, result.message)
            for index, result in enumerate(results)
            if result.outcome is not Outcome.PASSED
        )
        if any(one.outcome is Outcome.INTERNAL_ERROR for one in failed):
            reason = "its reference solution could not be judged"
            return ProblemReport(problem.task_id, reason, failed)
        if len(failed) == len(tests):
            reason = "its reference solution passes none of its reference tests"
            return ProblemReport(problem.task_id, reason, failed)
        passed = [index for index, result in enumerate(results) if result.outcome is Outcome.PASSED]
        problem = replace(problem, reference_tests=tuple(tests[index] for index in passed))
        solution = Solution(_REFERENCE, problem.reference_solution, "reference")
        reference = _candidate(solution, [results[index] for index in passed])
        limits = [_mutant_limit(results[index].seconds, self._runner.seconds) for index in passed]
        alone = 1 if _has_while(problem.reference_solution) and len(passed) > 1 else 0
        return _State(
            problem,
            reference,
            failed,
            (_limited(problem, limits, slice(alone)), _limited(problem, limits, slice(alone, None))),
            mutate(problem, seed=seed),
            select(reference, (), self._k),
        )


def _benchmark(name: str, states: Sequence[_State]) -> Benchmark:
    return Benchmark(
        name,
        tuple(state.problem for state in states),
        {state.problem.task_id: _ranked(state) for state in states},
    )


def _limited(problem: Problem, limits: Sequence[float], part: slice) -> LimitedChecks:
    checks = CheckSet(problem, problem.reference_tests[part])
    return LimitedChecks(checks, checks.per_check(limits[part]))


def _adopting(problem: Problem, right: Solution | None) -> Problem:
    if right is None:
        return problem
    metadata = {**problem.metadata, "reference_from": right.id}
    return replace(problem, reference_solution=right.code, metadata=metadata)


def _all_passed(_: Problem, results: Sequence[CheckResult]) -> bool:
    return all(result.outcome is Outcome.PASSED for result in results)


def _timed_out(results: Sequence[CheckResult]) -> bool:
    return any(result.outcome is Outcome.TIME_LIMIT for result in results)


def _is_worth_more(problem: Problem, results: Sequence[CheckResult]) -> bool:
    """Whether a candidate is not to be set aside for its time limits while tests are left."""
    count = sum(result.outcome is Outcome.TIME_LIMIT for result in results)
    left = len(problem.reference_tests) - len(results)
    return left == 0 or (count < MOST_TIME_LIMITS and 2 * count < len(results))


def _missing(problem: Problem) -> str:
    if not problem.reference_solution.strip():
        return "it has no reference solution, and no given solution passes all of its tests"
    if not problem.reference_tests:
        return "it has no reference tests: none in the file, or its reference solution fails on every input"
    return ""


def _has_while(program: str) -> bool:
    return any(isinstance(node, ast.While) for node in ast.walk(ast.parse(program)))


def _mutant_limit(reference_seconds: float, most: float) -> float:
    wanted = max(MUTANT_SECONDS, MUTANT_FACTOR * reference_seconds)
    return min(most, MUTANT_SECONDS * 2.0 ** math.ceil(math.log2(wanted / MUTANT_SECONDS)))


def _candidate(solution: Solution, results: Sequence[CheckResult]) -> Candidate:
    seconds = math.fsum(result.seconds for result in results) / len(results)
    return Candidate(solution, tuple(result.outcome for result in results), seconds)


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
    slow += tuple(Dropped(solution_id, Reason.MOSTLY_TIME_LIMITS) for solution_id in state.hopeless)
    selected = () if state.nothing_to_rank else state.selection.selected
    return ProblemReport(
        state.problem.task_id,
        _NOTHING_TO_RANK if state.nothing_to_rank else "",
        failed_tests=state.failed,
        scores=tuple(one.candidate.score for one in selected),
        targets=tuple(one.target for one in selected),
        tried=len(state.judged) + len(slow),
        dropped=state.selection.dropped + slow,
    )
