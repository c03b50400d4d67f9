import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from core import jobs
from core.jobs import JobError, JobState
from core.progress import Progress, write_progress


def _sleeper(folder: Path, code: str = "import time; time.sleep(60)") -> subprocess.Popen[bytes]:
    """A process that stands for a job of `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen([sys.executable, "-c", code])
    record = {
        "command": ["run"],
        "pid": process.pid,
        "create_time": psutil.Process(process.pid).create_time(),
    }
    (folder / "job.json").write_text(json.dumps(record))
    return process


def _wait_for_end(folder: Path) -> jobs.Job:
    deadline = time.monotonic() + 60
    while (job := jobs.read(folder)) is None or job.state is JobState.RUNNING:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return job


def test_a_folder_without_a_record_has_no_job(tmp_path: Path) -> None:
    """A folder in which no job was started tells of none."""
    assert jobs.read(tmp_path) is None


def test_a_job_that_can_not_work_says_why(tmp_path: Path) -> None:
    """A job that ends with an error is FAILED and its log tells what happened."""
    jobs.start(["no-such-command"], tmp_path / "run")
    job = _wait_for_end(tmp_path / "run")
    assert job.state is JobState.FAILED
    assert "no-such-command" in job.log_tail


def test_a_job_of_another_process_is_found_and_stopped(tmp_path: Path) -> None:
    """A job that this process did not start is seen running, and can be stopped."""
    process = _sleeper(tmp_path / "a")
    (job,) = jobs.find(tmp_path)
    assert job.state is JobState.RUNNING
    jobs.stop(tmp_path / "a")
    process.wait(30)
    assert jobs.read(tmp_path / "a").state is JobState.FAILED  # type: ignore[union-attr]


def test_a_job_that_ignores_the_request_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that does not stop when asked is ended by force."""
    monkeypatch.setattr(jobs, "_STOP_GRACE_SECONDS", 0.2)
    ready = tmp_path / "ready"
    code = (
        "import signal, time, pathlib; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        f"pathlib.Path({str(ready)!r}).touch(); time.sleep(60)"
    )
    process = _sleeper(tmp_path / "a", code)
    while not ready.exists():
        time.sleep(0.01)
    jobs.stop(tmp_path / "a")
    assert process.wait(30) != 0


def test_a_reused_process_id_is_not_the_job(tmp_path: Path) -> None:
    """A process that has the job's id by chance is neither shown as running nor stopped."""
    (tmp_path / "a").mkdir()
    record = {"command": ["run"], "pid": os.getpid(), "create_time": 1.0}
    (tmp_path / "a" / "job.json").write_text(json.dumps(record))
    assert jobs.read(tmp_path / "a").state is JobState.FAILED  # type: ignore[union-attr]
    jobs.stop(tmp_path / "a")


def test_progress_of_a_finished_job_tells_its_state(tmp_path: Path) -> None:
    """A job whose process is gone is DONE or STOPPED as its progress says."""
    process = _sleeper(tmp_path / "a", "pass")
    process.wait(30)
    write_progress(tmp_path / "a", Progress("running cells", 5, 5, state="done"))
    job = jobs.read(tmp_path / "a")
    assert job is not None
    assert job.state is JobState.DONE
    assert job.progress == Progress("running cells", 5, 5, state="done")


def test_two_jobs_never_share_a_folder(tmp_path: Path) -> None:
    """While a job runs in a folder neither `start` nor another process takes it."""
    process = _sleeper(tmp_path / "a")
    with pytest.raises(JobError, match="already"):
        jobs.start(["run"], tmp_path / "a")
    with pytest.raises(JobError, match="already"), jobs.announced(tmp_path / "a", ["run"]):
        pass
    process.kill()
    process.wait(30)


def test_work_that_fails_before_it_begins_leaves_no_folder(tmp_path: Path) -> None:
    """What only announced itself is gone after a failure; what else is in a folder is kept."""
    (tmp_path / "mine").mkdir()
    for name in ("new", "mine", "begun"):
        with pytest.raises(ValueError, match="no"), jobs.announced(tmp_path / name, ["run"]):
            if name == "begun":
                (tmp_path / name / "manifest.json").write_text("{}")
            raise ValueError("no")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["begun", "mine"]
    assert not list((tmp_path / "mine").iterdir())


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "`python -m core run --out 'a b'` failed before there was one: it was killed"),
        ({"job.log": "preparing\nerror no sandbox\n"}, "failed before there was one: no sandbox; its log: "),
        ({"progress.json": '{"phase": "p", "state": "failed", "message": "full"}'}, "there was one: full"),
        ({"progress.json": '{"phase": "p", "state": "stopped"}'}, "was stopped before there was one"),
        ({"progress.json": '{"phase": "p", "state": "done"}'}, ""),
    ],
)  # fmt: skip
def test_a_folder_without_results_tells_what_became_of_its_job(
    tmp_path: Path, files: dict[str, str], words: str
) -> None:
    """The command that failed or was stopped, the reason and its log; nothing of one that is done."""
    record = {"command": ["run", "--out", "a b"], "pid": 2**22 + 1, "create_time": 1.0}
    (tmp_path / "job.json").write_text(json.dumps(record))
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert words in jobs.told(tmp_path)
    assert bool(jobs.told(tmp_path)) == bool(words)


def test_damaged_records_are_no_job(tmp_path: Path) -> None:
    """A half-written job.json is treated as no job, and progress that can't be read as none."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "job.json").write_text('{"command": [')
    assert jobs.read(tmp_path / "a") is None


def test_time_left_counts_only_what_was_run() -> None:
    """Cells taken from the cache do not make the rest look faster."""
    progress = Progress("running", done=60, total=100, cached=50, seconds=10.0)
    assert progress.per_second == 1.0
    assert progress.seconds_left == 40.0
