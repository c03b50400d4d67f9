"""What a run was made from: enough to repeat it, and to tell whether another run has the same inputs."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import platform
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from operator import attrgetter
from pathlib import Path
from typing import Any

from core.jobs import told
from core.model import Assertion, Benchmark, Limits, Solution, StdioTest, TestCase, TestSuite, VerifierKind
from core.store.files import StoreError, WrongRunError, write_whole
from sandbox.contract import Isolation

SCHEMA_VERSION = 1
MANIFEST = "manifest.json"
HUNT_RECORD = "hunt.json"
"""What a hunt's folder has in place of a manifest (`core.hunting`)."""
A_HUNT = (
    "a hunt, not a run: `python -m core bugs tables HUNT` prints its rates and `bugs answers HUNT` its "
    "answers; `run --benchmark BENCH --tests HUNT --out RUN` makes a run of it, which can be scored"
)
_PROJECT = Path(__file__).resolve().parents[2]
_fields_of = attrgetter(*(entry.name for entry in dataclasses.fields(Solution)))
_PACKAGES = ("numpy", "pandas", "pyarrow", "duckdb")


@dataclass(frozen=True, slots=True)
class Manifest:
    """The `manifest.json` of a run.

    Attributes:
        name: the run's name on screen.
        verifier: name of what gave the verdicts.
        benchmark_sha256: `benchmark_sha256` of the problems and solutions; the benchmark's identity.
        tests_sha256: `suites_sha256` of the tests; "" for a run that executed nothing.
        timeout_factor: limit of a check = this times the reference solution's seconds on it,
            between `timeout_floor` and `limits.seconds`; None: `limits.seconds` for all.
        repeat: how often each cell ran.
        isolation: what the sandbox guaranteed, with the versions it names.
        versions: Python and the packages that wrote the run.
        created, finished: UTC, ISO 8601; `finished` is None until the run is whole.
        outcome_counts: outcome letter -> cells.
        in_process_cells: cells judged inside the program's own process.
        flaky_cells: cells whose outcome differed between repetitions.
        details: cells of which more is known than their outcome; None in runs that did not count them.
        unparsed: pieces of the verifier's answers that could not be read as tests.
        parent: the run this one refines, "" if none.
        command: command line that made the run.
    """

    name: str
    verifier: str
    verifier_kind: VerifierKind
    benchmark: str
    benchmark_sha256: str
    tests_sha256: str
    isolation: Isolation
    created: str
    limits: Limits = field(default_factory=Limits)
    timeout_factor: float | None = None
    timeout_floor: float = 0.5
    repeat: int = 1
    versions: Mapping[str, str] = field(default_factory=dict)
    finished: str | None = None
    n_problems: int = 0
    n_solutions: int = 0
    n_tests: int = 0
    n_cells: int = 0
    outcome_counts: Mapping[str, int] = field(default_factory=dict)
    in_process_cells: int = 0
    flaky_cells: int = 0
    details: int | None = None
    unparsed: int = 0
    parent: str = ""
    command: tuple[str, ...] = ()
    schema_version: int = SCHEMA_VERSION

    @property
    def backend(self) -> str:
        """Name of the sandbox's backend."""
        return self.isolation.backend

    @property
    def seed(self) -> int:
        """Seed of `random` before each check."""
        return self.limits.seed

    def differences(self, other: Manifest) -> list[str]:
        """What sets the inputs of two runs apart, in words; empty if they are the same run."""
        mine, theirs = self._inputs(), other._inputs()
        return [
            f"{word} ({mine[word]} here, {theirs[word]} asked for)"
            for word in mine
            if mine[word] != theirs[word]
        ]

    def _inputs(self) -> dict[str, object]:
        return {
            "verifier": f"{self.verifier} [{self.verifier_kind}]",
            "benchmark": self.benchmark_sha256[:12],
            "tests": self.tests_sha256[:12],
            "limits": self.limits,
            "timeout factor": f"{self.timeout_factor:g}, at least {self.timeout_floor:g} s"
            if self.timeout_factor is not None
            else "none",
            "repeat": self.repeat,
            "backend": self.backend,
            "Python": self.isolation.versions.get("python", self.versions.get("python", "")),
        }


def installed_versions() -> dict[str, str]:
    """Versions of Touchstone, of Python and of the packages that shape a run's numbers and files."""
    versions = {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "touchstone": own_version(),
    }
    for package in _PACKAGES:
        try:
            versions[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            versions[package] = "not installed"
    return versions


@cache
def own_version() -> str:
    """Touchstone's version: it runs from its folder, whose `pyproject.toml` has it, or is installed."""
    try:
        project = tomllib.loads((_PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        return str(project["version"])
    except (OSError, KeyError, tomllib.TOMLDecodeError):
        pass
    try:
        return metadata.version("touchstone")
    except metadata.PackageNotFoundError:
        return "unknown"


def encode_test(test: TestCase) -> tuple[str, str]:
    """A test as (kind, source): assertion source, or JSON of the other kinds."""
    if isinstance(test, Assertion):
        return "assertion", test.source
    if isinstance(test, StdioTest):
        return "stdio", json.dumps({"stdin": test.stdin, "stdout": test.expected_stdout})
    return "call", json.dumps(
        {"arguments": test.arguments, "expected": test.expected, "tolerance": test.tolerance}
    )


def benchmark_sha256(benchmark: Benchmark, on_problem: Callable[[int], None] | None = None) -> str:
    """Hash of a benchmark's content (its name aside), in hexadecimal.

    Args:
        benchmark: problems and solutions.
        on_problem: told how many problems are hashed, after each.
    """

    def pieces() -> Iterator[object]:
        for done, problem in enumerate(benchmark.problems, 1):
            yield {
                "problem": [
                    problem.task_id,
                    problem.prompt,
                    problem.kind,
                    problem.entry_point,
                    problem.reference_solution,
                    [encode_test(test) for test in problem.reference_tests],
                    dict(problem.metadata),
                ],
                "solutions": list(map(_fields_of, benchmark.solutions.get(problem.task_id, ()))),
            }
            if on_problem is not None:
                on_problem(done)

    return _sha256(pieces())


def suites_sha256(suites: Iterable[TestSuite]) -> str:
    """Hash of some suites, in hexadecimal: tests and unparsed pieces; the order of the suites is nothing."""
    return _sha256(
        [suite.task_id, [encode_test(test) for test in suite.tests], suite.unparsed]
        for suite in sorted(suites, key=lambda suite: suite.task_id)
    )


def _sha256(pieces: Iterable[object]) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(json.dumps(piece, sort_keys=True, default=str).encode())
        digest.update(b"\n")
    return digest.hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write `manifest.json`, beside and renamed; StoreError if it can't be."""
    isolation = dataclasses.asdict(manifest.isolation)
    backend = isolation.pop("backend")
    fields = {
        entry.name: getattr(manifest, entry.name)
        for entry in dataclasses.fields(manifest)
        if entry.name != "isolation"
    }
    fields = {"schema_version": fields.pop("schema_version"), **fields}
    fields |= {"limits": dataclasses.asdict(manifest.limits), "backend": backend, "isolation": isolation}
    text = json.dumps(fields, indent=2, default=dict) + "\n"
    write_whole(folder / MANIFEST, lambda beside: beside.write_text(text, encoding="utf-8"))


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a run.

    Raises:
        WrongRunError: there is none, or another version wrote it.
        StoreError: it is damaged.
    """
    path = folder / MANIFEST
    try:
        fields: Any = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError) as error:
        if (folder / HUNT_RECORD).is_file():
            raise WrongRunError(f"{folder}: is {A_HUNT}") from error
        if job := told(folder):
            raise WrongRunError(f"{folder}: holds no run: {job}") from error
        raise WrongRunError(f"{path}: not found; {folder} is not the folder of a run") from error
    except (OSError, ValueError) as error:
        raise StoreError(f"{path}: can't be read: {error}") from error
    if not isinstance(fields, dict) or "schema_version" not in fields:
        raise WrongRunError(f"{path}: has no schema_version; it is not a manifest of a run")
    if fields["schema_version"] != SCHEMA_VERSION:
        raise WrongRunError(
            f"{path}: schema_version is {fields['schema_version']!r}, this version reads {SCHEMA_VERSION}"
        )
    try:
        isolation = fields.pop("isolation")
        fields["isolation"] = Isolation(
            backend=fields.pop("backend"),
            guarantees=tuple(isolation["guarantees"]),
            missing=tuple(isolation["missing"]),
            full=bool(isolation["full"]),
            versions=dict(isolation["versions"]),
            why=isolation.get("why", ""),
        )
        fields["limits"] = Limits(**fields["limits"])
        fields["verifier_kind"] = VerifierKind(fields["verifier_kind"])
        fields["command"] = tuple(fields["command"])
        return Manifest(**fields)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise StoreError(f"{path}: damaged manifest: {type(error).__name__}: {error}") from error
