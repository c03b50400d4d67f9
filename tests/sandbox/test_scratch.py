"""Folders of backends: each start clears what dead controllers left, and nothing else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from sandbox import scratch
from sandbox.scratch import Scratch

ROOT = Path(__file__).parents[2]
HOLD = "import time\nfrom sandbox.scratch import Scratch\nprint(Scratch().path, flush=True)\ntime.sleep(600)"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files of the test's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def holder() -> tuple[subprocess.Popen[str], Path]:
    """Another process with a folder."""
    process = subprocess.Popen([sys.executable, "-c", HOLD], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_the_next_start_removes_what_a_killed_one_left() -> None:
    """While its holder lives a folder stays, with what is in it; after SIGKILL the next start removes it."""
    process, held = holder()
    (held / "kept").write_text("x", encoding="utf-8")
    Scratch().close()
    assert (held / "kept").exists()
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    mine = Scratch()
    assert not held.exists()
    assert mine.path.exists()
    mine.close()
    assert not mine.path.exists()


def test_only_its_own_kind_is_removed(folder: Path) -> None:
    """Other folders, files of that name and links to other folders stay."""
    (folder / "touchstone-other").mkdir()
    (folder / f"{scratch.PREFIX}file").write_text("", encoding="utf-8")
    (folder / "target").mkdir()
    (folder / f"{scratch.PREFIX}link").symlink_to(folder / "target")
    Scratch().close()
    assert len(list(folder.iterdir())) == 4


def test_a_folder_taken_away_before_it_was_locked_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another start may take a folder for abandoned in the moment before it is locked."""
    lock, first = scratch._locked, []

    def racing(path: Path) -> int | None:
        descriptor = lock(path)
        if not first:
            first.append(path)
            path.rmdir()
        return descriptor

    monkeypatch.setattr(scratch, "_locked", racing)
    mine = Scratch()
    assert mine.path.exists()
    assert mine.path != first[0]
    mine.close()
