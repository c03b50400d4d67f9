"""Long work as jobs: a process of its own that outlives the app that started it.

A job is one `python -m core ...` command with a folder. The folder tells everything about it:

    job.json        its command line, process id and that process's start time
    progress.json   how far it is, written by the process itself (`core.progress`)
    job.log         what it printed on stderr

The app only reads these files, so closing the browser or restarting the app neither stops
nor loses a job, and a job started in a terminal is found like any other.
"""

from __future__ import annotations

import enum
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.errors import TouchstoneError
from core.files import write_json
from core.progress import PROGRESS_FILE, OnProgress, Progress, read_progress, telling
from core.signals import stoppable

_PROJECT = Path(__file__).resolve().parent.parent
_RECORD = "job.json"
_LOG = "job.log"
_STOP_GRACE_SECONDS = 10.0


class JobError(TouchstoneError):
    """A job could not be started or stopped; the message says why."""


class JobState(enum.StrEnum):
    """What has become of a job."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Job:
    """A job as its folder tells it.

    Attributes:
        folder: the run's folder.
        command: arguments after `python -m core`.
        state: FAILED also when the process was killed before it could say how it ended.
        progress: what it last wrote of its progress, if it wrote any.
        log_tail: the last lines of its log.
        started: when its process was started, in seconds since the epoch.
    """

    folder: Path
    command: tuple[str, ...]
    state: JobState
    progress: Progress | None
    log_tail: str
    started: float = 0.0


def start(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Job:
    """Start `python -m core <command>` as a process of its own, with `folder` as its job folder.

    Args:
        command: arguments; they are written to the folder, so nothing secret may be among them.
        folder: the job's folder.
        environment: variables added to this process's own; they are written nowhere.

    Raises:
        JobError: a job is already running in that folder.
    """
    current = read(folder)
    if current is not None and current.state is JobState.RUNNING:
        raise JobError(f"{folder}: a job is already running here")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / PROGRESS_FILE).unlink(missing_ok=True)
    with (folder / _LOG).open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "core", *command],
            cwd=_PROJECT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            env={**os.environ, **(environment or {})},
            start_new_session=True,
        )
    _record(folder, command, process.pid)
    threading.Thread(target=process.wait, name=f"reap {folder.name}", daemon=True).start()
    job = read(folder)
    if job is None:
        raise JobError(f"{folder}: the job's record can't be read back")
    return job


@contextmanager
def announced(folder: Path, command: Sequence[str]) -> Iterator[None]:
    """Say in `folder` that this process is the job there; for commands that are jobs.

    Work that ends before it left anything there leaves the folder as it was before.

    Raises:
        JobError: another process is running a job in that folder.
    """
    current = _process(_read_record(folder))
    if current is not None and current.pid != os.getpid():
        raise JobError(f"{folder}: process {current.pid} is already working here; stop it first")
    is_new = not folder.exists()
    _record(folder, command, os.getpid())
    try:
        yield
    except BaseException:
        if list(folder.iterdir()) == [folder / _RECORD]:
            forget(folder)
            if is_new:
                folder.rmdir()
        raise


@contextmanager
def working(folder: Path, command: Sequence[str], on_progress: OnProgress) -> Iterator[OnProgress]:
    """Be the job of `folder`, with its progress kept there and a request to stop as KeyboardInterrupt.

    Gives what the work has to tell its progress to, which also passes it on to `on_progress`.

    Raises:
        JobError: as `announced`.
    """
    with stoppable(), announced(folder, command), telling(folder, on_progress) as tell:
        yield tell


def spelled(options: Mapping[str, object]) -> list[str]:
    """Options as a command line has them: a name and its value, none of it where the value is None."""
    return [word for name, value in options.items() if value is not None for word in (name, str(value))]


def strangers(folder: Path) -> list[str]:
    """Names in a folder, if there is one, that are neither its job's nor of a file that was being written."""
    known = {_RECORD, _LOG, PROGRESS_FILE}
    names = (path.name for path in folder.iterdir()) if folder.is_dir() else ()
    return sorted(n for n in names if n not in known and not (n.startswith(".") and n.endswith(".new")))


def read(folder: Path) -> Job | None:
    """The job of this folder, or None where there never was one."""
    record = _read_record(folder)
    if record is None:
        return None
    progress = read_progress(folder)
    if _process(record) is not None:
        state = JobState.RUNNING
    elif progress is not None and progress.state in {"done", "stopped"}:
        state = JobState(progress.state)
    else:
        state = JobState.FAILED
    return Job(folder, tuple(record.command), state, progress, _tail(folder / _LOG), record.create_time)


def told(folder: Path) -> str:
    """Why a folder lacks what its job was to make there, as a clause; "" where no job's end explains it."""
    job = read(folder)
    if job is None or job.state is JobState.DONE:
        return ""
    command = f"`python -m core {shlex.join(job.command)}`"
    if job.state is JobState.RUNNING:
        return f"{command} is at work, and there is none yet"
    if job.state is JobState.STOPPED:
        return f"{command} was stopped before there was one"
    failed = job.progress is not None and job.progress.state == JobState.FAILED
    reason = job.progress.message if job.progress and failed else job.log_tail.rpartition("error ")[2].strip()
    log = f"; its log: {folder / _LOG}" if (folder / _LOG).is_file() else ""
    return f"{command} failed before there was one: {reason or 'it was killed, or could not say why'}{log}"


def job_folder(out: Path) -> Path:
    """The job folder of work that writes one file: beside it, "bench.jsonl.job"."""
    return out.with_name(f"{out.name}.job")


def study_folder(run: Path) -> Path:
    """The job folder of studies that are kept beside a run, "gpt-1.study"; it is gone when they are."""
    return run.with_name(f"{run.name}.study")


def find(*parents: Path) -> tuple[Job, ...]:
    """Every job in a folder right below one of `parents`, those that run first."""
    paths = [path for parent in parents for path in sorted(parent.glob(f"*/{_RECORD}"))]
    jobs = [job for path in paths if (job := read(path.parent))]
    return tuple(sorted(jobs, key=lambda job: job.state is not JobState.RUNNING))


def stop(folder: Path) -> None:
    """Ask the job to stop, and end it by force if it does not within ten seconds.

    It stops without loss: what it finished is kept, and the same command goes on from there.
    Does nothing where no job is running.
    """
    process = _process(_read_record(folder))
    if process is None:
        return
    try:
        process.send_signal(signal.SIGTERM)
        process.wait(_STOP_GRACE_SECONDS)
    except psutil.TimeoutExpired:
        process.kill()
    except psutil.NoSuchProcess:
        return


def forget(folder: Path) -> None:
    """Remove what says that `folder` is a job's, from a folder whose files are for others."""
    for name in (_RECORD, PROGRESS_FILE, _LOG):
        (folder / name).unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class _JobRecord:
    command: tuple[str, ...]
    pid: int
    create_time: float


def _record(folder: Path, command: Sequence[str], pid: int) -> None:
    try:
        create_time = psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        create_time = 0.0
    write_json(folder / _RECORD, {"command": list(command), "pid": pid, "create_time": create_time})


def _read_record(folder: Path) -> _JobRecord | None:
    try:
        data = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        return _JobRecord(tuple(data["command"]), int(data["pid"]), float(data["create_time"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _process(record: _JobRecord | None) -> psutil.Process | None:
    """The job's process while it lives: the same id and the same start time, and no zombie."""
    if record is None:
        return None
    try:
        process = psutil.Process(record.pid)
        alive = abs(process.create_time() - record.create_time) < 1.0
        return process if alive and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None


def _tail(path: Path, size: int = 4000) -> str:
    try:
        with path.open("rb") as log:
            log.seek(max(0, path.stat().st_size - size))
            return log.read().decode("utf-8", "replace")
    except OSError:
        return ""
