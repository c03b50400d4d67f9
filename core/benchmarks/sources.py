"""Where the problems of a new benchmark come from: HumanEval, files in any format with problems, the hub."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from core import hub
from core.benchmarks.humaneval import humaneval
from core.errors import InputError, listed
from core.execution.executor import Executor, run_all
from core.formats import CallInputs, Loaded, load
from core.formats.evalplus import attach_expected, reference_program
from core.model import Outcome, Problem, Solution
from core.progress import OnProgress
from sandbox.contract import CallsJob, Limits

__all__ = ["Source", "read_source", "source_name"]


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


def read_source(
    source: str, on_loaded: Callable[[Loaded], None], on_progress: OnProgress | None = None
) -> Source:
    """Read `humaneval`, a file, a folder, or a dataset of the hub.

    Args:
        source: "humaneval"; a path; "hub:owner/name", with ":part" where it has several (`core.hub`).
        on_loaded: told of each file, with its errors and warnings.
        on_progress: told of a download.

    Raises:
        InputError: there is no such file or dataset, or it holds no problems.
        HubError: the hub can't be reached.
    """
    if source == "humaneval":
        return Source(humaneval(), {}, {})
    problems: dict[str, Problem] = {}
    solutions: dict[str, tuple[Solution, ...]] = {}
    inputs: dict[str, CallInputs] = {}
    for path in _files(source, on_progress):
        loaded = load(path)
        on_loaded(loaded)
        found = loaded.benchmark.problems if loaded.benchmark else loaded.problems
        if not found:
            raise InputError(
                f"{path}: is of the format {loaded.format}; expected problems (human-eval, EvalPlus, MBPP, "
                "LiveCodeBench, Scoring-Verifiers, Touchstone) or the word humaneval"
            )
        if twice := [one.task_id for one in found if one.task_id in problems]:
            raise InputError(f"{path}: has problems of another file of {source} again: {listed(twice)}")
        problems |= {one.task_id: one for one in found}
        solutions |= loaded.benchmark.solutions if loaded.benchmark else {}
        inputs |= loaded.inputs
    return Source(tuple(problems.values()), solutions, inputs)


def source_name(source: str) -> str:
    """What to call a benchmark made of this source."""
    if source.startswith(hub.PREFIX):
        return hub.find(source).name
    return source if source == "humaneval" else Path(source).name.split(".")[0]


def _files(source: str, on_progress: OnProgress | None) -> tuple[Path, ...]:
    if source.startswith(hub.PREFIX):
        return hub.fetch(hub.find(source), on_progress)
    path = Path(source)
    if not path.exists() and source.partition(":")[0] in hub.DATASETS:
        raise InputError(f"{source}: there is no such file; the dataset of the hub is {hub.PREFIX}{source}")
    if not path.exists():
        raise InputError(
            f"{source}: there is no such file; expected humaneval, a file or folder of problems, or "
            f"{hub.PREFIX}OWNER/NAME"
        )
    return hub.local_files(path) if path.is_dir() else (path,)
