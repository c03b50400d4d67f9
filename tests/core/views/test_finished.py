"""What ended well a while ago, and where it leads."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest

from core.progress import PROGRESS_FILE, Progress, write_progress
from core.views.catalog import read_catalog
from core.views.finished import finished, first_fooled
from core.views.runs import summarise_run
from core.workspace import DEMO_JOB, Workspace

ENDED = 999_999_999  # no process has this id


@pytest.fixture
def own(workspace: Workspace, tmp_path: Path) -> Workspace:
    """A copy of the small data folder that may be changed."""
    shutil.copytree(workspace.root, tmp_path / "data")
    return Workspace(tmp_path / "data")


def _leave_job(folder: Path, *command: str, state: str = "done") -> None:
    folder.mkdir(exist_ok=True)
    record = {"command": command, "pid": ENDED, "create_time": time.time() - 60}
    (folder / "job.json").write_text(json.dumps(record), encoding="utf-8")
    write_progress(folder, Progress("running tests", 10, 10, state=state))


def test_a_finished_run_leads_to_itself(own: Workspace) -> None:
    """A run's job that is done is told of, with links to its benchmark and verifier."""
    _leave_job(own.run_dir("careless-1"), "run", "--name", "model-a tests")
    (told,) = finished(own, read_catalog(own))
    assert told.said.startswith("model-a tests is done: ")
    assert told.link() == {"benchmark": "tiny", "verifier": "model-a tests"}


def test_a_finished_demo_leads_to_one_of_its_own_runs(own: Workspace) -> None:
    """Only the runs that the demo made count, and one with failed tests is shown."""
    for name in ("careless-1", "smoke-1"):
        manifest = own.run_dir(name) / "manifest.json"
        made = json.loads(manifest.read_text(encoding="utf-8")) | {"command": ["demo", "--out", "x"]}
        manifest.write_text(json.dumps(made), encoding="utf-8")
    _leave_job(own.run_dir(DEMO_JOB), "demo", "--out", "x")
    (told,) = finished(own, read_catalog(own))
    assert told.said == "The demo is built: tiny, 8 problems, 2 verifiers."
    assert told.run.label == "model-a tests"


@pytest.mark.parametrize("state", ["stopped", "failed"])
def test_what_did_not_end_well_is_not_finished(own: Workspace, state: str) -> None:
    """A stopped or failed job is not told of."""
    _leave_job(own.run_dir("careless-1"), "run", state=state)
    assert finished(own, read_catalog(own)) == ()


def test_what_ended_long_ago_is_not_told_of(own: Workspace) -> None:
    """After an hour the message is gone."""
    folder = own.run_dir("careless-1")
    _leave_job(folder, "run")
    old = time.time() - 2 * 3600
    os.utime(folder / PROGRESS_FILE, (old, old))
    assert finished(own, read_catalog(own)) == ()


def test_the_first_fooled_problem(workspace: Workspace) -> None:
    """The first problem of the benchmark whose best solution the verifier misses, and their number."""
    careless = summarise_run("careless-1", "model-a tests", workspace.run_dir("careless-1"))
    assert first_fooled(careless) == ("Tiny/1", 4)
    oracle = next(run for run in read_catalog(workspace).benchmarks[0].runs if run.label == "typed inputs")
    assert first_fooled(summarise_run(oracle.name, oracle.label, oracle.folder)) is None
