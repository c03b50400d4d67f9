"""`run`: a verifier's tests on the solutions of a benchmark."""

from __future__ import annotations

import sys
from pathlib import Path

from core import terminal
from core.commands.common import Sheet, load, long_work, opened_sandbox, refuse_folder_of_run, stem
from core.commands.score import sheet_of
from core.errors import InputError, listed
from core.execution import ExecutionRequest, execute
from core.formats import Loaded
from core.jobs import announced, working
from core.model import Benchmark, Limits
from core.scoring import run_scores
from core.store import open_run
from core.verifiers.rewards import scores_run
from core.views.measured import measures
from core.workspace import Workspace


def run(
    benchmark: Path,
    tests: Path,
    out: Path,
    *,
    name: str | None,
    backend: str,
    workers: int | None,
    cluster: str | None,
    limits: Limits,
    timeout_factor: float | None,
    repeat: int,
    resume: bool,
) -> Sheet:
    """Run a tests file on a benchmark file and score it; scores that a file holds are only taken over."""
    refuse_folder_of_run(out)
    loaded = load(benchmark, "benchmark")
    if loaded.benchmark is None:
        raise InputError(
            f"{benchmark}: is a {loaded.format} file; expected a benchmark with scored solutions"
        )
    suites = load(tests, None, loaded.benchmark)
    if suites.flat:
        return _run_of_scores(suites, loaded.benchmark, out, name or stem(tests))
    if suites.kind != "suites":
        raise InputError(f"{tests}: is a {suites.format} file; expected tests, or scores of solutions")
    known = {problem.task_id for problem in loaded.benchmark.problems}
    strangers = [suite.task_id for suite in suites.suites if suite.task_id not in known]
    if strangers:
        terminal.say(
            f"note: {tests}: {len(strangers)} task_ids are not in the benchmark: {listed(strangers)}"
        )
    verifier = name or stem(tests)
    with (
        announced(out, sys.argv[1:]),
        long_work("the same command with --resume goes on from there") as on_progress,
        opened_sandbox(backend, workers, cluster) as sandbox,
    ):
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
        execute(request, on_progress)
        measures(open_run(out), "nan")  # kept beside the run, so that the app opens it at once
    return sheet_of([run_scores(open_run(out))])


def _run_of_scores(loaded: Loaded, benchmark: Benchmark, out: Path, name: str) -> Sheet:
    with long_work() as on_progress, working(out, sys.argv[1:], on_progress):
        folder, strangers = scores_run(loaded, benchmark, out, name=name, command=sys.argv[1:])
        measures(open_run(folder), "nan")
    for note in strangers:
        terminal.say(f"skipped: {note}")
    return sheet_of([run_scores(open_run(folder))])
