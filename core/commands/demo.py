"""`demo`: build the demo here, or start it as a job."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from core.commands.common import Sheet, default_workers, long_work, refuse_folder_of_run, workspace_at
from core.commands.score import sheet_of
from core.demo import Demo, build_demo
from core.jobs import JobState, working
from core.jobs import read as read_job
from core.jobs import start as start_job
from core.scoring import run_scores
from core.store import open_run
from core.views.measured import measures
from core.workspace import DEMO_JOB, ENVIRONMENT_VARIABLE, Workspace


@dataclass(frozen=True, slots=True)
class Built:
    """The demo: its scores as `score` has them, and in a few lines where it is and what to do with it."""

    scores: Sheet
    next_steps: tuple[str, ...]


def demo(out: Path | None, problems: int, workers: int | None, seed: int, backend: str) -> Built:
    """Build HE-M and run the four baseline verifiers on it."""
    workspace = workspace_at(out)
    refuse_folder_of_run(workspace.run_dir(DEMO_JOB))
    with (
        long_work() as on_progress,
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
        for folder in built.runs.values():
            measures(open_run(folder), "nan")  # kept beside the run, so that the app opens it at once
    scores = sheet_of(run_scores(open_run(folder)) for folder in built.runs.values())
    return Built(scores, next_steps(workspace, built))


def next_steps(workspace: Workspace, built: Demo) -> tuple[str, ...]:
    """Where a demo is, and the commands that show more of it."""
    folders = list(built.runs.values())
    here = workspace == Workspace.default()
    export = f"python -m core export {shlex.join(map(str, folders))} --out paper"
    show = f"python -m core show {shlex.quote(str(folders[0]))}"
    app = "make run" if here else f"{ENVIRONMENT_VARIABLE}={shlex.quote(str(workspace.root))} make run"
    return (
        f"benchmark: {built.benchmark}",
        f"runs: {workspace.runs_dir} ({', '.join(folder.name for folder in folders)})",
        "What to do next:",
        f"  # opens them in the app\n  {app}",
        f"  # lists the problems of one, the worst first\n  {show}",
        f"  # draws figures and tables for a paper\n  {export}",
    )


def start_demo(out: Path | None, problems: int) -> str:
    """Start the demo as a job, unless it was built or started before; returns what is the case."""
    workspace = workspace_at(out)
    job = read_job(workspace.run_dir(DEMO_JOB))
    if job is not None and job.state is not JobState.FAILED:
        return f"the demo is {job.state} in {workspace.root}"
    if workspace.run_dirs() or workspace.benchmark_files():
        return f"{workspace.root} holds other work, so the demo is not built by itself; `make demo` adds it"
    start_job(
        ["demo", "--out", str(workspace.root), "--problems", str(problems)], workspace.run_dir(DEMO_JOB)
    )
    return (
        f"building the demo in {workspace.root}; the app shows how far it is, and where to go when it is done"
    )
