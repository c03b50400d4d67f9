"""The Benchmark page: what the recipe made of problems and solutions, what it dropped, what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import numpy as np
import pandas as pd

from core import hub, jobs
from core.benchmarks import by_hand
from core.benchmarks.by_hand import Added, Judged, missing_quantiles
from core.benchmarks.recipe import targets
from core.benchmarks.records import read_report, read_unranked
from core.benchmarks.report import BuildReport
from core.benchmarks.sources import source_name
from core.execution import CachedExecutor, ExecutionError
from core.execution.cache import CellCache
from core.figures import Basis, Lines, LineSeries
from core.formats import load
from core.model import Benchmark, Outcome, Problem
from core.views.published import published_sizes
from core.workspace import Workspace, safe_name
from sandbox import open_sandbox
from sandbox.contract import SandboxError

USUAL_K = 5
_MOST_MESSAGES = 5


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """What a build is started with; the words are those of `python -m core build`."""

    source: str
    name: str
    solutions: tuple[Path, ...] = ()
    mutants: int = 0
    more_tests: int = 0
    k: int = USUAL_K
    seed: int = 0
    backend: str = "auto"
    timeout: float = 3.0
    workers: int | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """A benchmark as the recipe left it.

    Attributes:
        benchmark: with problems and solutions.
        unranked: problems that the build left out with nothing but their reference solution.
        k: solutions wanted for each problem.
        has_report: whether the build was made here, so that its report is known.
        sizes: one row for it and one for each published benchmark: benchmark, problems, tests a
            problem, solutions, mean score, from.
        complete: problems that reached k.
        tried: candidates that were judged; 0 without a report.
        dropped: candidates left out: reason, candidates.
        incomplete: problems below k: task_id, solutions, scores, wanted.
        left_out: problems not in the benchmark: task_id, reason.
        failed_tests: reference tests that the reference fails: task_id, test, outcome, message.
        chart: target quantiles and chosen scores; None without a problem that reached k.
    """

    benchmark: Benchmark
    unranked: Benchmark
    k: int
    has_report: bool
    sizes: pd.DataFrame
    complete: int
    tried: int
    dropped: pd.DataFrame
    incomplete: pd.DataFrame
    left_out: pd.DataFrame
    failed_tests: pd.DataFrame
    chart: Lines | None

    def problem(self, task_id: str) -> Problem:
        """The problem with this task_id."""
        everything = (*self.benchmark.problems, *self.unranked.problems)
        return next(one for one in everything if one.task_id == task_id)

    def scores(self, task_id: str) -> tuple[float, ...]:
        """Reference scores of a problem's solutions, best first."""
        return _scores(self.benchmark, task_id) or _scores(self.unranked, task_id)

    def wanted(self, task_id: str) -> str:
        """The scores that are missing to reach k, in words; "" if none is."""
        scores = self.scores(task_id)
        return _near(missing_quantiles(scores, self.k)) if len(scores) < self.k else ""

    def task_ids(self) -> tuple[str, ...]:
        """All problems that a solution can be added to, those with the fewest solutions first."""
        ids = [one.task_id for one in (*self.benchmark.problems, *self.unranked.problems)]
        return tuple(sorted(ids, key=lambda task_id: min(self.k, len(self.scores(task_id)))))


@dataclass(frozen=True, slots=True)
class HandTrial:
    """A solution written by hand, on the reference tests.

    Attributes:
        counts: outcome letter -> tests.
        failures: of the first tests that did not pass: test, outcome, message.
        same_score: whether a chosen solution has this score already.
    """

    judged: Judged
    counts: tuple[tuple[str, int], ...]
    failures: pd.DataFrame
    same_score: bool

    @property
    def compiles(self) -> bool:
        """Whether a test could be run at all."""
        return any(outcome is not Outcome.COMPILE_ERROR for outcome in self.judged.outcomes)


def start_build(workspace: Workspace, request: BuildRequest) -> str:
    """Start a build as a job; returns the benchmark's name.

    Raises:
        JobError: it can't be started.
    """
    name = safe_name(request.name.strip() or source_name(request.source))
    out = workspace.benchmark_file(name)
    command = ["build", request.source]
    for path in request.solutions:
        command += ["--solutions", str(path)]
    command += jobs.spelled(
        {
            "--out": out,
            "--more-tests": request.more_tests,
            "--mutants": request.mutants,
            "--k": request.k,
            "--seed": request.seed,
            "--sandbox": request.backend,
            "--timeout": f"{request.timeout:g}",
            "--workers": request.workers,
        }
    )
    jobs.start(command, jobs.job_folder(out))
    return name


def start_fetch(workspace: Workspace, source: str) -> str:
    """Start downloading a data set as it is, as a job; returns its name. Errors as `start_build`."""
    wanted = hub.find(source)
    out = workspace.benchmark_file(wanted.name)
    command = ["fetch", source.removeprefix(hub.PREFIX), "--out", str(workspace.root)]
    jobs.start(command, jobs.job_folder(out))
    return wanted.name


def problem_files(workspace: Workspace) -> tuple[Path, ...]:
    """Files that hold problems and are kept here: those that wait, and benchmarks."""
    waiting = sorted(path for path in workspace.problems_dir.glob("*") if path.is_file())
    return (*waiting, *workspace.benchmark_files())


def solution_files(workspace: Workspace) -> tuple[Path, ...]:
    """Files of candidate solutions that are kept here."""
    return tuple(sorted(path for path in workspace.solutions_dir.glob("*") if path.is_file()))


def hub_sources() -> dict[str, str]:
    """Datasets of the hub: what to show -> the source to build from."""
    return {
        f"{one.name}{f' · {part}' if len(one.parts) > 1 else ''}": f"{hub.PREFIX}{one.name}:{part}"
        for one in hub.DATASETS.values()
        for part in one.parts
    }


def hub_source(picked: str) -> str:
    """The source of a listed dataset, or of owner/name that somebody typed."""
    return hub_sources().get(picked) or f"{hub.PREFIX}{picked.removeprefix(hub.PREFIX)}"


def read_built(path: Path) -> Built:
    """A benchmark of the data folder, with the report of its build if there is one.

    Raises:
        FormatError: the file can't be read, or holds no benchmark.
        InputError: its report can't be read.
    """
    benchmark = load(path).scored(path)
    report = read_report(path)
    most = max((len(many) for many in benchmark.solutions.values()), default=0)
    k = report.k if report else max(USUAL_K, most)
    by_task = {one.task_id: _scores(benchmark, one.task_id) for one in benchmark.problems}
    problems = report.problems if report else ()
    return Built(
        benchmark=benchmark,
        unranked=read_unranked(path, benchmark),
        k=k,
        has_report=report is not None,
        sizes=_sizes(benchmark),
        complete=sum(len(scores) >= k for scores in by_task.values()),
        tried=sum(one.tried for one in problems),
        dropped=_dropped(report),
        incomplete=pd.DataFrame(
            [
                (task_id, len(scores), _near(scores), _near(missing_quantiles(scores, k)))
                for task_id, scores in by_task.items()
                if len(scores) < k
            ],
            columns=["task_id", "solutions", "scores", "wanted"],
        ),
        left_out=pd.DataFrame(
            [(one.task_id, one.problem_left_out) for one in problems if one.problem_left_out],
            columns=["task_id", "reason"],
        ),
        failed_tests=pd.DataFrame(
            [
                (one.task_id, failed.index + 1, failed.outcome.letter, failed.message)
                for one in problems
                for failed in one.failed_tests
            ],
            columns=["task_id", "test", "outcome", "message"],
        ),
        chart=_chart(benchmark.name, [s for s in by_task.values() if len(s) == k], k),
    )


def judge_by_hand(
    workspace: Workspace, built: Built, task_id: str, text: str, backend: str = "auto"
) -> HandTrial:
    """Run a program on a problem's reference tests.

    Raises:
        InputError: there is no code in it, or it does not compile; the message names the line.
        ExecutionError: the backend can't run here.
    """
    problem = built.problem(task_id)
    with _executor(workspace, backend) as executor:
        judged = by_hand.judge(problem, text, executor)
    counts = Counter(outcome.letter for outcome in judged.outcomes)
    shown = [
        (index + 1, judged.outcomes[index].letter, message)
        for index, message in list(judged.messages.items())[:_MOST_MESSAGES]
    ]
    return HandTrial(
        judged,
        tuple((outcome.letter, counts[outcome.letter]) for outcome in Outcome if counts[outcome.letter]),
        pd.DataFrame(shown, columns=["test", "outcome", "message"]),
        judged.score in built.scores(task_id),
    )


def add_by_hand(
    workspace: Workspace, path: Path, built: Built, task_id: str, trial: HandTrial, backend: str = "auto"
) -> Added:
    """Offer a judged program to the benchmark's file; errors as `judge_by_hand`."""
    with _executor(workspace, backend) as executor:
        return by_hand.add(path, built.benchmark, task_id, trial.judged, executor)


def starting_code(problem: Problem) -> str:
    """What the editor begins with: the reference solution, to be made partly wrong."""
    return problem.reference_solution


@contextmanager
def _executor(workspace: Workspace, backend: str) -> Iterator[CachedExecutor]:
    try:
        with (
            open_sandbox(backend, 1) as sandbox,
            CachedExecutor(sandbox, CellCache(workspace.cache_path, _ignored)) as executor,
        ):
            yield executor
    except SandboxError as error:
        raise ExecutionError(str(error)) from error


def _ignored(message: str) -> None:
    """A damaged cache costs time and nothing else; here nobody is there to be told."""


def _scores(benchmark: Benchmark, task_id: str) -> tuple[float, ...]:
    found = [one.reference_score for one in benchmark.solutions.get(task_id, ())]
    return tuple(sorted((score for score in found if score is not None), reverse=True))


def _near(scores: Sequence[float]) -> str:
    return ", ".join(f"{score:.2f}" for score in scores)


def _sizes(benchmark: Benchmark) -> pd.DataFrame:
    scores = [score for one in benchmark.problems for score in _scores(benchmark, one.task_id)]
    tests = [len(one.reference_tests) for one in benchmark.problems]
    own = (
        benchmark.name,
        len(benchmark.problems),
        mean(tests) if tests else float("nan"),
        sum(len(many) for many in benchmark.solutions.values()),
        mean(scores) if scores else float("nan"),
        "this one",
    )
    published = [
        (one.benchmark, one.problems, one.tests_per_problem, one.solutions, one.mean_score, "published")
        for one in published_sizes()
    ]
    columns = ["benchmark", "problems", "tests per problem", "solutions", "mean score", "from"]
    return pd.DataFrame([own, *published], columns=columns)


def _dropped(report: BuildReport | None) -> pd.DataFrame:
    counts = report.dropped if report else {}
    return pd.DataFrame(
        [(str(reason), count) for reason, count in counts.items()], columns=["reason", "candidates"]
    )


def _chart(name: str, complete: Sequence[tuple[float, ...]], k: int) -> Lines | None:
    if not complete:
        return None
    chosen = np.array(complete)
    wanted = np.array([(1.0, *targets(k - 1, k, scores[-1])) for scores in complete])
    places = tuple(float(place) for place in range(1, k + 1))
    apart = float(np.abs(chosen - wanted).mean())
    low, middle, high = (tuple(q.tolist()) for q in np.quantile(chosen, [0.1, 0.5, 0.9], axis=0))
    return Lines(
        title=f"Chosen scores against their targets, {name}",
        x_label="Place in the problem's ranking (1 is the reference solution)",
        y_label="Reference score",
        alt=f"Median chosen score by place beside the median target of the recipe; on average a chosen "
        f"score is {apart:.3f} away from its target.",
        basis=Basis(n=len(complete), interval="band: 10% to 90% of the problems"),
        series=(
            LineSeries("Target", places, tuple(np.median(wanted, axis=0).tolist())),
            LineSeries("Chosen", places, middle, low, high),
        ),
    )
