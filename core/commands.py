"""What each command of `python -m core` does: from arguments to the dictionary it prints.

The JSON shapes are a contract with other programs (README, "The command line").
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from core import formats, terminal
from core.benchmarks.build import build as build_benchmark
from core.benchmarks.sources import read_source
from core.demo import build_demo
from core.errors import InputError
from core.evolution import commands as evolution
from core.execution import ExecutionRequest, execute
from core.formats import Loaded, RowError
from core.formats.touchstone import write_benchmark
from core.hunting import commands as hunting
from core.hunting.model import AnswerKind, HuntOptions
from core.jobs import JobState, announced, working
from core.jobs import read as read_job
from core.jobs import start as start_job
from core.metrics import saturates_at
from core.model import Assertion, Benchmark, Limits, Problem, Solution, StdioTest, TestCase
from core.scoring import Method, ScoreSet, Undefined, load_scores, run_scores
from core.store import open_run
from core.studies import saturation_of, scaling_of
from core.workspace import DEMO_JOB, Workspace
from sandbox import open_sandbox, survey

Sheet = dict[str, Any]


def demo(out: Path | None, problems: int, workers: int | None, seed: int, backend: str) -> Sheet:
    """Build HE-M and run the four baseline verifiers on it."""
    workspace = _workspace(out)
    with (
        terminal.progress_bar() as on_progress,
        working(workspace.run_dir(DEMO_JOB), sys.argv[1:], on_progress) as tell,
    ):
        built = build_demo(
            workspace.root,
            problems=problems,
            workers=workers or default_workers(),
            seed=seed,
            backend=backend,
            on_progress=tell,
        )
    terminal.say(f"benchmark: {built.benchmark}")
    return _sheet(run_scores(open_run(folder)) for folder in built.runs.values())


def start_demo(out: Path | None, problems: int) -> str:
    """Start the demo as a job, unless it was built or started before; returns what is the case."""
    workspace = _workspace(out)
    job = read_job(workspace.run_dir(DEMO_JOB))
    if job is not None and job.state is not JobState.FAILED:
        return f"the demo is {job.state} in {workspace.root}"
    if workspace.run_dirs() or workspace.benchmark_files():
        return f"{workspace.root} is in use; `python -m core demo` adds the demo to it"
    start_job(
        ["demo", "--out", str(workspace.root), "--problems", str(problems)], workspace.run_dir(DEMO_JOB)
    )
    return f"building the demo in {workspace.root}; the app shows how far it is"


def evolve_filter(path: Path, **options: Any) -> Sheet:
    """What the filters of EvolveCoder leave of the suites of a run or pipeline file."""
    return evolution.filter_suites(path, evolution.rules_from(**options), _say_row_error)


def evolve_select(path: Path, task_id: str, method: str, seed: int) -> Sheet:
    """The solutions of one problem that a test generator is shown."""
    return evolution.select_solutions(path, task_id, method, seed, _say_row_error)


def evolve_report(paths: Sequence[Path]) -> Sheet:
    """Rounds of refinement side by side."""
    return evolution.report_rounds(paths, None, _say_row_error)


def hunt(
    pairs: Path,
    answers: str,
    out: Path,
    *,
    kind: str,
    first: int | None,
    repeat: int,
    seed: int,
    format_reward: float,
    backend: str,
    workers: int | None,
) -> hunting.Report:
    """Run answers that are to expose bugs."""
    options = HuntOptions(AnswerKind(kind), first, repeat, seed)
    hunting.refuse_foreign(out)
    with (
        terminal.progress_bar() as on_progress,
        working(out, sys.argv[1:], on_progress) as tell,
        open_sandbox(backend, workers or default_workers()) as sandbox,
    ):
        terminal.say(f"sandbox: {sandbox.isolation.backend}")
        return hunting.hunt(
            pairs,
            answers,
            out,
            options,
            sandbox,
            format_reward=format_reward,
            command=sys.argv[1:],
            say=terminal.say,
            on_progress=tell,
        )


def check(file: Path, benchmark: Path | None) -> Sheet:
    """Validate one file; warnings go to stderr."""
    report = formats.report(file, benchmark)
    for warning in report.warnings:
        terminal.say(f"note: {warning}")
    return report.to_json()


def build(
    source: str,
    out: Path,
    *,
    solution_files: Sequence[Path],
    mutants: int,
    k: int,
    seed: int,
    backend: str,
    workers: int | None,
    limits: Limits,
) -> Sheet:
    """Turn problems into a benchmark file by the recipe."""
    found = read_source(source, _say_notes)
    candidates: dict[str, list[Solution]] = {
        task_id: list(solutions) for task_id, solutions in found.solutions.items()
    }
    for path in solution_files:
        for task_id, more in _load(path, "solutions", found.problems).solutions.items():
            candidates.setdefault(task_id, []).extend(more)
    with (
        open_sandbox(backend, workers or default_workers()) as sandbox,
        terminal.progress_bar() as on_progress,
    ):
        terminal.say(f"sandbox: {sandbox.isolation.backend}")
        result = build_benchmark(
            found.with_reference_tests(sandbox, limits),
            candidates,
            sandbox,
            name=out.name.split(".")[0],
            k=k,
            mutants=mutants,
            seed=seed,
            limits=limits,
            on_progress=on_progress,
        )
    write_benchmark(result.benchmark, out)
    solutions = [one for many in result.benchmark.solutions.values() for one in many]
    scores = [one.reference_score for one in solutions if one.reference_score is not None]
    return {
        "benchmark": str(out),
        "n_problems": len(result.benchmark.problems),
        "n_solutions": len(solutions),
        "mean_tests": mean(len(problem.reference_tests) for problem in result.benchmark.problems),
        "mean_score": mean(scores),
        "complete": result.report.complete,
        "incomplete": list(result.report.incomplete),
        "left_out": {
            one.task_id: one.problem_left_out for one in result.report.problems if one.problem_left_out
        },
        "dropped": {str(reason): count for reason, count in result.report.dropped.items()},
    }


def run(
    benchmark: Path,
    tests: Path,
    out: Path,
    *,
    name: str | None,
    backend: str,
    workers: int | None,
    limits: Limits,
    timeout_factor: float | None,
    repeat: int,
    resume: bool,
) -> Sheet:
    """Run a tests file on a benchmark file and score it."""
    loaded = _load(benchmark, "benchmark")
    if loaded.benchmark is None:
        raise InputError(
            f"{benchmark}: is a {loaded.format} file; expected a benchmark with scored solutions"
        )
    suites = _load(tests, "suites", loaded.benchmark)
    known = {problem.task_id for problem in loaded.benchmark.problems}
    strangers = [suite.task_id for suite in suites.suites if suite.task_id not in known]
    if strangers:
        terminal.say(
            f"note: {tests}: {len(strangers)} task_ids are not in the benchmark, e.g. {strangers[0]}"
        )
    verifier = name or _stem(tests)
    with announced(out, sys.argv[1:]), open_sandbox(backend, workers or default_workers()) as sandbox:
        terminal.say(f"sandbox: {sandbox.isolation.backend}")
        request = ExecutionRequest(
            benchmark=loaded.benchmark,
            suites=tuple(suite for suite in suites.suites if suite.task_id in known),
            out=out,
            verifier=verifier,
            name=verifier,
            sandbox=sandbox,
            limits=limits,
            timeout_factor=timeout_factor,
            cache=Workspace.default().cache_path,
            repeat=repeat,
            resume=resume,
            command=tuple(sys.argv[1:]),
        )
        with terminal.progress_bar() as on_progress:
            execute(request, on_progress)
    return _sheet([run_scores(open_run(out))])


def score(
    paths: Sequence[Path], method: Method | None, undefined: Undefined, bootstrap: int, seed: int
) -> Sheet:
    """Metrics of runs and of Scoring-Verifiers flat files."""
    return _sheet(load_scores(paths, method, _say_row_error), undefined, bootstrap, seed)


def show(folder: Path, task_id: str) -> Sheet:
    """One problem of a run with its pass matrix.

    Raises:
        InputError: the run has no such problem.
    """
    run = open_run(folder)
    if task_id not in run.task_ids():
        some = ", ".join(run.task_ids()[:3])
        raise InputError(f"{folder}: has no problem {task_id!r}; it has {some}, ...")
    matrix = run.matrix(task_id)
    scored = {
        str(row.solution_id): row for row in run.scores().query("task_id == @task_id").itertuples(index=False)
    }
    letters = dict(zip(matrix.solution_ids, matrix.letters(), strict=True))
    return {
        "task_id": task_id,
        "tests": [_test_text(test) for test in run.suite(task_id).tests],
        "solutions": [
            {
                "id": solution.id,
                "reference_score": solution.reference_score,
                "reference_rank": solution.reference_rank,
                "score": scored[solution.id].score,
                "rank": scored[solution.id].rank,
                "outcomes": letters[solution.id],
            }
            for solution in run.solutions(task_id)
        ],
    }


def study_scaling(folder: Path, undefined: Undefined, bootstrap: int, seed: int) -> Sheet:
    """Metrics against the number of tests."""
    points = scaling_of(open_run(folder), undefined=undefined, bootstrap=bootstrap, seed=seed)
    return {"study": "scaling", "run": str(folder), "points": [dataclasses.asdict(point) for point in points]}


def study_saturation(folder: Path, draws: int, undefined: Undefined, seed: int) -> Sheet:
    """Agreement of k random tests with all tests, and the smallest k that is enough."""
    points = saturation_of(open_run(folder), draws=draws, undefined=undefined, seed=seed)
    return {
        "study": "saturation",
        "run": str(folder),
        "saturates_at": saturates_at(points),
        "points": [dataclasses.asdict(point) for point in points],
    }


def sandboxes() -> list[Sheet]:
    """What each backend guarantees here, or why it does not run."""
    return [dataclasses.asdict(row) for row in survey()]


def default_workers() -> int:
    """One worker for each core this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _workspace(root: Path | None) -> Workspace:
    return Workspace(root.resolve()) if root else Workspace.default()


def _load(path: Path, expect: str, belongs_to: Benchmark | Iterable[Problem] | None = None) -> Loaded:
    loaded = formats.load(path, expect=expect, benchmark=belongs_to)
    _say_notes(loaded)
    return loaded


def _say_notes(loaded: Loaded) -> None:
    for error in loaded.errors:
        _say_row_error(error)
    for warning in loaded.warnings:
        terminal.say(f"note: {warning}")


def _say_row_error(error: RowError) -> None:
    terminal.say(f"skipped: {error}")


def _stem(path: Path) -> str:
    return path.name.split(".")[0]


def _test_text(test: TestCase) -> str:
    if isinstance(test, Assertion):
        return test.source
    if isinstance(test, StdioTest):
        return f"stdin {test.stdin!r} -> stdout {test.expected_stdout!r}"
    return f"arguments {test.arguments} -> {test.expected}"


def _sheet(
    sets: Iterable[ScoreSet], undefined: Undefined = "nan", bootstrap: int = 2000, seed: int = 0
) -> Sheet:
    entries = []
    for scores in sets:
        evaluation = scores.evaluate(undefined=undefined, bootstrap=bootstrap, seed=seed)
        entries.append(
            {
                "run": scores.run,
                "benchmark": scores.benchmark,
                "verifier": scores.verifier,
                "n_problems": int(scores.table["task_id"].nunique()),
                "n_solutions": len(scores.table),
                "metrics": {key: dataclasses.asdict(metric) for key, metric in evaluation.metrics.items()},
            }
        )
    return {"runs": entries}
