"""The data folder: where benchmarks, tests, runs and uploads of one installation are kept.

<root>/benchmarks/*.jsonl   benchmarks in Touchstone's own format
<root>/tests/*.jsonl        test suites that were written, generated or uploaded
<root>/problems/*.jsonl     problems that wait for a benchmark to be built from them
<root>/solutions/*.jsonl    candidate solutions, generated or uploaded
<root>/harnesses/*.jsonl    generated harnesses
<root>/runs/<name>/         one folder a run (`core.store`), a hunt (`core.hunting`) or a job (`core.jobs`)
<root>/*/<file>.job/        the job that writes <file>
<root>/uploads/             files as they were uploaded
<root>/exports/<name>/      what was made for a paper (`core.publish`)
<root>/cache.sqlite         finished cells (`core.execution.cache`)
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError

ENVIRONMENT_VARIABLE = "TOUCHSTONE_DATA"
DEMO_JOB = "demo"
"""Name of the folder below `runs/` in which the demo is built as a job."""
_PROJECT = Path(__file__).resolve().parent.parent
_SAFE_NAME = re.compile(r"[^A-Za-z0-9.+_-]+")


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folders under one root. Folders are made when something is first written."""

    root: Path

    @classmethod
    def default(cls) -> Workspace:
        """The folder that the environment names, else `.touchstone` beside the program."""
        return cls(Path(os.environ.get(ENVIRONMENT_VARIABLE) or _PROJECT / ".touchstone").resolve())

    @property
    def benchmarks_dir(self) -> Path:
        """Benchmarks as JSONL."""
        return self.root / "benchmarks"

    @property
    def tests_dir(self) -> Path:
        """Test suites as JSONL."""
        return self.root / "tests"

    @property
    def runs_dir(self) -> Path:
        """One folder a run."""
        return self.root / "runs"

    @property
    def problems_dir(self) -> Path:
        """Problems without scored solutions."""
        return self.root / "problems"

    @property
    def solutions_dir(self) -> Path:
        """Candidate solutions as JSONL."""
        return self.root / "solutions"

    @property
    def harnesses_dir(self) -> Path:
        """Generated harnesses as JSONL."""
        return self.root / "harnesses"

    @property
    def job_parents(self) -> tuple[Path, ...]:
        """The folders in which jobs have their folders."""
        return (
            self.runs_dir,
            self.benchmarks_dir,
            self.problems_dir,
            self.exports_dir,
            self.tests_dir,
            self.solutions_dir,
            self.harnesses_dir,
        )

    @property
    def uploads_dir(self) -> Path:
        """Uploaded files."""
        return self.root / "uploads"

    @property
    def exports_dir(self) -> Path:
        """One folder an export."""
        return self.root / "exports"

    @property
    def cache_path(self) -> Path:
        """The cache of finished cells, shared by all jobs of this data folder."""
        return self.root / "cache.sqlite"

    def benchmark_files(self) -> tuple[Path, ...]:
        """The benchmarks of this data folder, by name."""
        return tuple(sorted(self.benchmarks_dir.glob("*.jsonl")))

    def run_dirs(self) -> tuple[Path, ...]:
        """The runs of this data folder, newest first."""
        found = [path.parent for path in self.runs_dir.glob("*/manifest.json")]
        return tuple(sorted(found, key=lambda run: (-(run / "manifest.json").stat().st_mtime, run.name)))

    def hunt_dirs(self) -> tuple[Path, ...]:
        """The hunts of this data folder, newest first."""
        found = [path.parent for path in self.runs_dir.glob("*/hunt.json")]
        return tuple(sorted(found, key=lambda hunt: (-(hunt / "hunt.json").stat().st_mtime, hunt.name)))

    def run_dir(self, name: str) -> Path:
        """The folder of the run with this name.

        Raises:
            InputError: the name would lead out of the data folder.
        """
        return _inside(self.runs_dir, name)

    def export_dir(self, name: str) -> Path:
        """The folder of the export with this name; InputError as for `run_dir`."""
        return _inside(self.exports_dir, name)

    def benchmark_file(self, name: str) -> Path:
        """The file of the benchmark with this name; InputError as for `run_dir`."""
        return _inside(self.benchmarks_dir, f"{name}.jsonl")

    def upload_file(self, name: str, folder: str) -> Path:
        """Where an uploaded file of this (untrusted) name is kept: in `folder`, whatever the name says."""
        return _inside(_inside(self.uploads_dir, folder), safe_name(Path(name.replace("\\", "/")).name))


def safe_name(text: str) -> str:
    """`text` as a file name: letters, digits and `.+_-`, no leading dot, at most 80 characters."""
    return _SAFE_NAME.sub("-", text).strip("-.")[:80] or "unnamed"


def _inside(folder: Path, name: str) -> Path:
    path = folder / name
    if Path(name).name != name or name in {"", ".", ".."}:
        raise InputError(f"{name!r} is not a plain name: expected letters, digits and .+_- without slashes")
    return path
