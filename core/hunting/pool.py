"""All answers about one problem as tests, and what every solution does under them.

A test passes where the answer's check accepts the output. It fails its assertion where the check rejects
it or breaks on it; a solution that gave no output has the outcome of its own failure.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.execution.executor import Executor
from core.execution.judge import as_python
from core.hunting.answers import CHECK_ENTRY
from core.hunting.inputs import MISSING, Prepared, run_jobs
from core.hunting.model import Checked, HuntOptions, Ran
from core.hunting.targets import TOLERANCE, ran, target_job
from core.hunting.trial import check_call, checked, compared
from core.model import (
    Assertion,
    CallTest,
    Origin,
    Outcome,
    Pair,
    Problem,
    ProblemKind,
    Solution,
    StdioTest,
    TestCase,
    TestSuite,
)
from core.store import CellDetail, SolutionOutcomes
from sandbox.contract import CallsJob, Job

__all__ = ["Pool", "PooledTest", "outcomes_of", "pair_about"]

_LONGEST_SHOWN = 600
_LONGEST_KEPT = 2000
_ACCEPTED = "(whatever check_output accepts)"


@dataclass(frozen=True, slots=True)
class PooledTest:
    """An input of an answer: `answer` and `place` say which."""

    answer: int
    place: int


@dataclass(slots=True)
class Pool:
    """A problem with all its answers' tests."""

    problem: Problem
    solutions: tuple[Solution, ...]
    answers: list[Prepared]

    @property
    def tests(self) -> list[PooledTest]:
        """Every input of every answer that can be run."""
        return [
            PooledTest(answer, place)
            for answer, one in enumerate(self.answers)
            for place in range(0 if one.fault else len(one.inputs))
        ]

    def arguments(self) -> list[str]:
        """What programs are given, each input once."""
        given = (self.answers[test.answer].inputs[test.place].arguments for test in self.tests)
        return list(dict.fromkeys(one for one in given if one is not None))

    def suite(self) -> TestSuite:
        """The tests as they are shown, and the answers that gave none."""
        return TestSuite(
            self.problem.task_id,
            tuple(self._shown(test) for test in self.tests),
            tuple((one.text, one.message) for one in self.answers if one.fault is not None),
            "\n\n".join(one.text for one in self.answers) if self.answers else None,
        )

    def _shown(self, test: PooledTest) -> TestCase:
        given = self.answers[test.answer].inputs[test.place]
        origin = Origin(f"answer {test.answer + 1}", given.origin)
        stdio = self.problem.kind is ProblemKind.STDIO
        if given.expected is not None and stdio:
            return StdioTest(given.text, given.expected, origin)
        if given.expected is not None and given.arguments is not None:
            return CallTest(given.arguments, given.expected, TOLERANCE, origin)
        shown = repr(given.text) if stdio else _shown(given.text, self.problem.kind)
        if len(shown) > _LONGEST_SHOWN:
            shown = shown[:_LONGEST_SHOWN] + " …"
        output = "what it prints" if stdio else f"what {self.problem.entry_point} returns"
        return Assertion(f"check_output({shown}, <{output}>)", origin)


def pair_about(problem: Problem, program: str) -> Pair:
    """The problem as a pair of its reference and a program that names the arguments."""
    entry_point = problem.entry_point if problem.kind is ProblemKind.FUNCTION else None
    return Pair(
        problem.task_id, problem.prompt, problem.kind, problem.reference_solution, program, entry_point
    )


def outcomes_of(
    pools: Iterable[Pool], executor: Executor, options: HuntOptions
) -> Iterator[list[SolutionOutcomes]]:
    """Rows of the pass matrices of some problems, a list for each problem."""
    group = list(pools)
    limits = dataclasses.replace(options.program, seed=options.seed)
    programs: dict[tuple[int, int], Job] = {}
    for number, pool in enumerate(group):
        given = pool.arguments()
        for place, solution in enumerate(pool.solutions if given else ()):
            programs[number, place] = target_job(
                pair_about(pool.problem, solution.code), "", given, limits, buggy=True
            )
    results = run_jobs(programs, executor)
    outputs = {
        (number, place, given): ran(result, group[number].problem.kind)
        for number, place in programs
        for given, result in zip(group[number].arguments(), results[number, place], strict=True)
    }
    verdicts = _verdicts(group, outputs, executor, options)
    for number, pool in enumerate(group):
        yield [_row(pool, number, place, outputs, verdicts) for place in range(len(pool.solutions))]


Outputs = Mapping[tuple[int, int, str], Ran]
"""By (problem, solution, arguments) what the program did."""
Verdicts = Mapping[tuple[int, PooledTest, str], Checked]
"""By (problem, test, output) what the answer says of it."""


def _verdicts(group: Sequence[Pool], outputs: Outputs, executor: Executor, options: HuntOptions) -> Verdicts:
    """Each output of each test judged once, whichever solutions gave it."""
    found: dict[tuple[int, PooledTest, str], Checked] = {}
    asked: dict[tuple[int, int], list[tuple[PooledTest, str]]] = {}
    jobs: dict[tuple[int, int], CallsJob] = {}
    limits = dataclasses.replace(options.checker, seed=options.seed)
    for number, pool in enumerate(group):
        for test in pool.tests:
            answer = pool.answers[test.answer]
            given = answer.inputs[test.place]
            for output in _given_outputs(number, pool, given.arguments, outputs):
                if given.expected is None:
                    asked.setdefault((number, test.answer), []).append((test, output))
                elif said := compared(Ran(Outcome.PASSED, output), given.expected, pool.problem.kind):
                    found[number, test, output] = said
    for (number, index), calls in asked.items():
        answer = group[number].answers[index]
        assert answer.harness is not None
        texts = tuple(check_call(answer.pair, answer.inputs[test.place], output) for test, output in calls)
        jobs[number, index] = CallsJob("", answer.harness.program, CHECK_ENTRY, texts, limits)
    for (number, index), results in run_jobs(jobs, executor).items():
        harness = group[number].answers[index].harness
        for (test, output), result in zip(asked[number, index], results, strict=True):
            found[number, test, output] = checked(result, harness.offset if harness else 0)
    return found


def _given_outputs(number: int, pool: Pool, arguments: str | None, outputs: Outputs) -> Iterable[str]:
    """The different outputs that the solutions gave for an input."""
    if arguments is None:
        return ()
    ran_ones = (outputs[number, place, arguments] for place in range(len(pool.solutions)))
    return dict.fromkeys(one.output for one in ran_ones if one.outcome is Outcome.PASSED)


def _row(pool: Pool, number: int, place: int, outputs: Outputs, verdicts: Verdicts) -> SolutionOutcomes:
    solution = pool.solutions[place]
    codes = np.zeros(len(pool.tests), np.uint8)
    seconds = np.zeros(len(pool.tests), np.float32)
    details = []
    for index, test in enumerate(pool.tests):
        given = pool.answers[test.answer].inputs[test.place]
        if given.arguments is None:
            one, said = Ran(Outcome.RUNTIME_ERROR, message=MISSING), None
        else:
            one = outputs[number, place, given.arguments]
            said = verdicts.get((number, test, one.output)) if one.outcome is Outcome.PASSED else None
        outcome = one.outcome if said is None else _outcome(said)
        codes[index], seconds[index] = outcome, one.seconds
        if outcome is not Outcome.PASSED:
            details.append(_detail(pool, solution, index, outcome, one, said, given.expected))
    return SolutionOutcomes(pool.problem.task_id, solution.id, codes, seconds, details=tuple(details))


def _outcome(said: Checked) -> Outcome:
    if said.outcome in (Outcome.PASSED, Outcome.INTERNAL_ERROR):
        return said.outcome
    return Outcome.ASSERTION_FAILED


def _detail(
    pool: Pool,
    solution: Solution,
    index: int,
    outcome: Outcome,
    one: Ran,
    said: Checked | None,
    expected: str | None,
) -> CellDetail:
    where = pool.problem.task_id, solution.id, index, outcome
    if said is None:
        return CellDetail(*where, one.message, stdout=one.output[-_LONGEST_SHOWN:], line=one.line)
    message = said.message
    if said.outcome not in (Outcome.ASSERTION_FAILED, Outcome.INTERNAL_ERROR):
        message = f"the check broke: {said.message or said.outcome.name.lower().replace('_', ' ')}"
    if said.line is not None:
        message = f"{message} (line {said.line} of the harness)"
    kind = pool.problem.kind
    wanted = _ACCEPTED if expected is None else _shown(expected, kind)[:_LONGEST_KEPT]
    return CellDetail(*where, message, _shown(one.output, kind)[:_LONGEST_KEPT], wanted)


def _shown(text: str, kind: ProblemKind) -> str:
    """An output as a person reads it."""
    return text if kind is ProblemKind.STDIO else as_python(text)
