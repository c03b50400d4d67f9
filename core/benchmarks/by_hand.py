"""Solutions written by hand, for problems whose other solutions don't reach k (Scoring Verifiers v2, 3.1).

The paper's authors added 25 solutions so. Here one is judged on the reference tests at once, and
the recipe decides whether it takes a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy.optimize import linear_sum_assignment

from core.benchmarks.build import build
from core.benchmarks.records import read_report, read_unranked, write_report
from core.benchmarks.report import BuildReport, ProblemReport
from core.errors import InputError
from core.execution.checks import CheckSet
from core.execution.executor import Executor, run_all
from core.formats.answers import code_blocks
from core.formats.errors import plain_message
from core.formats.programs import OPENERS, extract_program, refusal
from core.formats.touchstone import write_benchmark
from core.model import Benchmark, Limits, Outcome, Problem, Solution

__all__ = ["SOURCE", "Added", "Judged", "add", "judge", "missing_quantiles", "syntax_error"]

SOURCE = "by hand"
_DEFAULT_K = 5


@dataclass(frozen=True, slots=True)
class Judged:
    """A program on the reference tests of its problem.

    Attributes:
        code: the whole program that was run.
        outcomes: one per reference test.
        messages: of the tests that did not pass, by index.
    """

    code: str
    outcomes: tuple[Outcome, ...]
    messages: dict[int, str]

    @property
    def score(self) -> float:
        """Fraction of the reference tests passed."""
        return self.outcomes.count(Outcome.PASSED) / len(self.outcomes)


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a solution that was offered.

    Attributes:
        solution_id: its id in the benchmark.
        taken: whether the recipe chose it.
        reason: why not; "" if it did.
        gone: ids of solutions that lost their place to it.
    """

    solution_id: str
    taken: bool
    reason: str
    gone: tuple[str, ...]


def missing_quantiles(scores: Sequence[float], k: int) -> tuple[float, ...]:
    """The quantiles 1, 1 - 1/(k-1), ..., 0 for which there is no solution, highest first.

    The scores there are stand for the quantiles to which they are nearest in sum.

    Args:
        scores: of the solutions chosen so far, the reference's 1.0 among them.
        k: solutions wanted, at least 2.
    """
    wanted = np.linspace(1.0, 0.0, k)
    distance = np.abs(np.subtract.outer(np.asarray(scores, dtype=np.float64), wanted))
    met = set(linear_sum_assignment(distance)[1].tolist())
    return tuple(float(quantile) for place, quantile in enumerate(wanted) if place not in met)


def judge(problem: Problem, text: str, executor: Executor, limits: Limits | None = None) -> Judged:
    """Run a program, or a model's answer that holds one, on a problem's reference tests.

    Raises:
        InputError: there is no code, it does not compile, or the problem has no reference tests.
    """
    if not text.strip():
        raise InputError("expected the code of a solution, found nothing")
    if broken := syntax_error(text):
        raise InputError(f"it does not compile. {broken}")
    if not problem.reference_tests:
        raise InputError(f"{problem.task_id}: has no reference tests to judge a solution by")
    code = extract_program(text, problem.prompt, problem.entry_point)
    checks = CheckSet(problem, problem.reference_tests)
    asked = tuple(checks.jobs("solution", code, limits or Limits()))
    executions = run_all(executor, [one.job for one in asked], "scoring the solution", None)
    results = checks.results(asked, executions)
    failed = {i: one.message for i, one in enumerate(results) if one.outcome is not Outcome.PASSED}
    return Judged(code, tuple(one.outcome for one in results), failed)


def syntax_error(text: str) -> str:
    """Why code that was written does not compile, with the line as it stands there; "" if it does.

    Args:
        text: a program, the indented rest of one, or an answer with fences, of which one has to compile.
            What begins otherwise, as prose does, is no code: "".
    """
    pieces = [content for _, content in code_blocks(text) if content.strip()] or [text]
    found = [_complaint(text, piece) for piece in pieces]
    return found[0] if all(found) else ""


def _complaint(text: str, piece: str) -> str:
    opening = piece.lstrip("\n")
    if not opening.startswith(OPENERS) and not opening[:1].isspace():
        return ""
    source, before = piece, text[: text.find(piece)].count("\n")
    if opening[:1].isspace():  # the rest of a function
        source, before = f"def _():\n{piece}", before - 1
    fault = refusal(source)
    if not isinstance(fault, SyntaxError) or not fault.lineno:
        return str(fault) if fault else ""
    number, lines = fault.lineno + before, text.splitlines()
    shown = f": {lines[number - 1].strip()}" if 0 < number <= len(lines) else ""
    return f"Line {number}: {plain_message(fault.msg)}{shown}"


def add(
    path: Path,
    benchmark: Benchmark,
    task_id: str,
    judged: Judged,
    executor: Executor,
    limits: Limits | None = None,
) -> Added:
    """Offer a judged solution to a problem of the benchmark file at `path`, and write the file.

    The recipe chooses anew among the problem's solutions and the new one; the file and the report of its
    build change only if the new one takes a place. A problem that the build left out with nothing to
    rank comes in with it, behind the others.

    Raises:
        InputError: the benchmark has no such problem.
    """
    unranked = read_unranked(path, benchmark)
    everything = (*benchmark.problems, *unranked.problems)
    problem = next((one for one in everything if one.task_id == task_id), None)
    if problem is None:
        raise InputError(f"{path}: has no problem {task_id}")
    before = benchmark.solutions.get(task_id) or unranked.solutions.get(task_id, ())
    report = read_report(path)
    k = report.k if report else max(_DEFAULT_K, len(before))
    new = Solution(_free_id(before), judged.code, SOURCE)
    others = [one for one in before if one.code != problem.reference_solution]
    result = build((problem,), {task_id: [*others, new]}, executor, k=k, limits=limits)
    found = result.report.problems[0]
    chosen = result.benchmark.solutions.get(task_id, ())
    if all(one.id != new.id for one in chosen):
        why = next((str(drop.reason) for drop in found.dropped if drop.solution_id == new.id), "")
        return Added(new.id, False, why or found.problem_left_out, ())
    solutions = {**benchmark.solutions, task_id: chosen}
    problems = benchmark.problems if problem in benchmark.problems else (*benchmark.problems, problem)
    write_benchmark(replace(benchmark, problems=problems, solutions=solutions), path)
    if report is not None:
        write_report(path, _updated(report, found))
    gone = {one.id for one in others} - {one.id for one in chosen}
    return Added(new.id, True, "", tuple(sorted(gone)))


def _updated(report: BuildReport, found: ProblemReport) -> BuildReport:
    def merged(old: ProblemReport) -> ProblemReport:
        return replace(
            old,
            problem_left_out="",
            scores=found.scores,
            targets=found.targets,
            tried=old.tried + 1,
            dropped=old.dropped + found.dropped,
        )

    return replace(
        report,
        problems=tuple(merged(one) if one.task_id == found.task_id else one for one in report.problems),
    )


def _free_id(solutions: Sequence[Solution]) -> str:
    taken = {one.id for one in solutions}
    return next(name for n in range(1, len(taken) + 2) if (name := f"by-hand-{n}") not in taken)
