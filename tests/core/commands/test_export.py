"""`python -m core export`: what it prints, writes and refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.workspace import Workspace
from tests.workspace import build_workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The data folder of `tests.workspace`."""
    return build_workspace(Path(tmp_path_factory.mktemp("data")))


def export(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    command = [sys.executable, "-m", "core", "export", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_an_export_says_what_it_wrote(workspace: Workspace, tmp_path: Path) -> None:
    """JSON on stdout, files on disk, the command in the manifest, nothing of a job left."""
    out = tmp_path / "out"
    asked = ("--out", out, "--venue", "icml", "--formats", "pdf,csv", "--figures", "tiny-top1", "--json")
    done = export(workspace.run_dir("oracle-1"), workspace.run_dir("smoke-1"), *asked)
    assert done.returncode == 0, done.stderr
    sheet = json.loads(done.stdout)
    assert sheet["figures"] == 1
    assert {path.name for path in out.iterdir()} == {"figures", "tables", "export.json"}
    assert {path.name for path in (out / "figures").iterdir()} == {"tiny-top1.pdf", "tiny-top1.csv"}
    manifest = json.loads((out / "export.json").read_text())
    assert manifest["command"][3:5] == ["export", str(workspace.run_dir("oracle-1"))]
    assert len(manifest["files"]) == sheet["files"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--venue", "nature"), "no venue 'nature'"),
        (("--formats", "docx"), "no format 'docx'"),
        (("--figures", "nothing"), "no figure 'nothing'"),
        (("--published", "mine"), "no published benchmark"),
    ],
)
def test_bad_usage_ends_with_2_and_says_what_there_is(
    workspace: Workspace, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Nothing is written, and there is no stack trace."""
    done = export(workspace.run_dir("oracle-1"), "--out", tmp_path / "out", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_run_is_never_written_into(workspace: Workspace) -> None:
    """The folder of a run as --out is refused, and stays as it was."""
    folder = workspace.run_dir("smoke-1")
    before = (folder / "manifest.json").read_bytes()
    done = export(folder, "--out", folder)
    assert done.returncode == 2
    assert "holds a run" in done.stderr
    assert (folder / "manifest.json").read_bytes() == before


def test_what_is_no_run_is_named(tmp_path: Path) -> None:
    """The message names the folder and what was expected, or that there is none."""
    (tmp_path / "file").touch()
    for name, why in (
        ("file", "expected the folder of a finished run"),
        ("nowhere", "there is no such file"),
    ):
        done = export(tmp_path / name, "--out", tmp_path / "out")
        assert done.returncode == 2
        assert f"{tmp_path / name}: {why}" in done.stderr


def test_the_folder_of_a_job_among_the_runs_is_passed_over(workspace: Workspace, tmp_path: Path) -> None:
    """`runs/*` may hold the folder of the demo's job: it is named, and the runs are exported."""
    job = tmp_path / "demo"
    job.mkdir()
    (job / "job.json").write_text(json.dumps({"command": ["demo"], "pid": 1, "create_time": 0.0}))
    asked = ("--out", tmp_path / "out", "--formats", "csv", "--figures", "tiny-top1", "--json")
    done = export(job, workspace.run_dir("oracle-1"), *asked)
    assert done.returncode == 0, done.stderr
    assert f"skipped: {job}: a job's folder, no run" in " ".join(done.stderr.split())
    assert json.loads(done.stdout)["figures"] == 1
