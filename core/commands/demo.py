"""`demo`: build the demo here, or start it as a job."""

from __future__ import annotations

import sys
from pathlib import Path

from core import terminal
from core.commands.common import Sheet, default_workers, long_work, refuse_folder_of_run, workspace_at
from core.commands.score import sheet_of
from core.demo import build_demo
from core.jobs import JobState, working
from core.jobs import read as read_job
from core.jobs import start as start_job
from core.scoring import run_scores
from core.store import open_run
from core.views.measured import measures
from core.workspace import DEMO_JOB


def demo(out: Path | None, problems: int, workers: int | None, seed: int, backend: str) -> Sheet:
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
    terminal.say(f"benchmark: {built.benchmark}")
    return sheet_of(run_scores(open_run(folder)) for folder in built.runs.values())


def start_demo(out: Path | None, problems: int) -> str:
    """Start the demo as a job, unless it was built or started before; returns what is the case."""
    workspace = workspace_at(out)
    job = read_job(workspace.run_dir(DEMO_JOB))
    if job is not None and job.state is not JobState.FAILED:
        return f"the demo is {job.state} in {workspace.root}"
    if workspace.run_dirs() or workspace.benchmark_files():
        return f"{workspace.root} is in use; `python -m core demo` adds the demo to it"
    start_job(
        ["demo", "--out", str(workspace.root), "--problems", str(problems)], workspace.run_dir(DEMO_JOB)
    )
    return f"building the demo in {workspace.root}; the app shows how far it is"
