"""What several commands share: workers, files and their bad rows, work that can be stopped."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias
from unicodedata import category

from core import formats, terminal
from core.errors import InputError, StoppedError
from core.execution.cluster import ClusterSandbox
from core.formats import Loaded, RowError
from core.formats.errors import by_reason
from core.jobs import read as read_job
from core.model import Benchmark, Problem
from core.progress import OnProgress
from core.signals import stoppable
from core.store.manifest import A_HUNT, HUNT_RECORD, MANIFEST
from core.workspace import Workspace
from sandbox import open_sandbox
from sandbox.contract import Sandbox
from sandbox.pool import PooledSandbox

Sheet: TypeAlias = dict[str, Any]
_NOTES = 20


@contextmanager
def long_work(how_to_go_on: str = "the same command goes on from there") -> Iterator[OnProgress]:
    """Show progress on the terminal; Ctrl-C and SIGTERM end the work as a `StoppedError`."""
    with stoppable(), terminal.progress_bar() as on_progress:
        try:
            yield on_progress
        except KeyboardInterrupt:
            raise StoppedError(f"stopped; what is finished is kept, {how_to_go_on}") from None


@contextmanager
def opened_sandbox(backend: str, workers: int | None, cluster: str | None = None) -> Iterator[Sandbox]:
    """Open a sandbox, on this machine or on the cluster at an address, and say which one it is."""
    with _open(backend, workers, cluster) as sandbox:
        terminal.say_sandbox(sandbox.isolation)
        yield sandbox


def _open(backend: str, workers: int | None, cluster: str | None) -> PooledSandbox | ClusterSandbox:
    if cluster is None:
        return open_sandbox(backend, workers or default_workers())
    return ClusterSandbox(cluster, backend, workers)


def refuse_file(path: Path) -> None:
    """Say that a file can't be written at `path` before any work is done for it.

    Raises:
        InputError: it is a folder, or can't be written.
    """
    if os.path.isdir(path):  # noqa: PTH112 - Path.is_dir raises for a name that is too long
        raise InputError(f"{path}: is a folder; expected the file to write, as {path / 'out.jsonl'}")
    _try_to_write(path, path.absolute().parent)


def refuse_folder_of_run(path: Path) -> None:
    """Say that a run can't be written at `path` before any work is done for it.

    Raises:
        InputError: it is a file, or can't be written.
    """
    if os.path.isfile(path):  # noqa: PTH113
        raise InputError(f"{path}: is a file; expected the folder of the run, new or to go on with")
    refuse_unwritable(path)


def refuse_unwritable(path: Path) -> None:
    """Say that files can't be written into the folder `path` before any work is done for them.

    Raises:
        InputError: it can't be made or written.
    """
    _try_to_write(path, path.absolute())


def _try_to_write(path: Path, folder: Path) -> None:
    """Make the folder and a file in it for a moment; what was made is gone afterwards.

    Raises:
        InputError: `path` lies below a file, in a folder without the right to write, or the system
            allows no such name.
    """
    missing: list[Path] = []
    try:
        for above in [folder, *folder.parents]:
            if above.exists():
                if not above.is_dir():
                    raise InputError(f"{path}: can't be written: {above} is a file; expected a folder")
                break
            missing.append(above)
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            path.exists()  # raises for a name that is too long
    except OSError as error:
        raise InputError(f"{path}: can't be written: {error.strerror}") from None
    finally:
        for made in missing:
            with contextlib.suppress(OSError):
                made.rmdir()


def one_line(text: str | None, option: str) -> str | None:
    """A name that a user gives with an option, as it is.

    Raises:
        InputError: it is blank, or has a line break or another control character, which no table can show.
    """
    if text is None or (text.strip() and not any(category(c) in {"Cc", "Zl", "Zp"} for c in text)):
        return text
    raise InputError(f"{option}: expected a name on one line without control characters, found {text!r}")


def default_workers() -> int:
    """One worker for each core this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def workspace_at(root: Path | None) -> Workspace:
    """The data folder that the user named, else the app's own."""
    return Workspace(root.resolve()) if root else Workspace.default()


def load(path: Path, expect: str | None, belongs_to: Benchmark | Iterable[Problem] | None = None) -> Loaded:
    """Load a file, saying what is wrong with it."""
    loaded = formats.load(path, expect=expect, benchmark=belongs_to)
    say_notes(loaded)
    return loaded


def say_notes(loaded: Loaded) -> None:
    """Say why rows of a file were skipped, and the warnings."""
    say_reasons(loaded.errors, loaded.warnings)


def say_reasons(errors: Iterable[RowError], warnings: Iterable[RowError]) -> None:
    """Say why rows were skipped, and what to know of others, each reason once."""
    skipped, notes = by_reason(errors), by_reason(warnings)
    for reason in skipped[:_NOTES]:
        terminal.say(f"skipped: {reason}")
    for note in notes[:_NOTES]:
        terminal.say(f"note: {note}")
    if more := max(0, len(skipped) - _NOTES) + max(0, len(notes) - _NOTES):
        terminal.say(f"... and {more} more; `python -m core check --all` lists all")


def without_jobs(paths: Sequence[Path], *, hunts: bool = False) -> list[Path]:
    """The paths without the folders of jobs that are no run, which are named; all if none is left.

    Args:
        paths: as `runs/*` gives them.
        hunts: whether hunts stay too.
    """
    left = {}
    for path in paths:
        if (path / MANIFEST).exists() or read_job(path) is None:
            continue
        if (path / HUNT_RECORD).is_file():
            if not hunts:
                left[path] = A_HUNT
        else:
            left[path] = "a job's folder, no run"
    if len(left) == len(paths):
        return list(paths)
    for path, what in left.items():
        terminal.say(f"skipped: {path}: {what}")
    return [path for path in paths if path not in left]


def say_row_error(error: RowError) -> None:
    """Say that a row was skipped, and why."""
    terminal.say(f"skipped: {error}")


def stem(path: Path) -> str:
    """A file's name up to its first dot."""
    return path.name.split(".")[0]
