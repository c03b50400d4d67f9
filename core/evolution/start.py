"""What rounds start from: a run, or a pipeline file whose suites have not been executed here."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.evolution.patterns import Trial
from core.evolution.sources import OnError, open_trials
from core.model import Benchmark, Limits, TestSuite
from core.store import benchmark_sha256, open_run, suites_sha256

__all__ = ["Start", "newest_round", "read_start"]


def newest_round(trials: Iterable[Trial]) -> int:
    """The highest round that a test says it is from."""
    return max((test.origin.round for trial in trials for test in trial.tests), default=0)


@dataclass(frozen=True, slots=True)
class Start:
    """Round 0.

    Attributes:
        run: its folder; None where the suites have not been executed here.
        suites: as they are, for a start that is no run.
        sha256: the benchmark's identity.
        first: the round that its newest tests are from; new ones count from there.
    """

    name: str
    verifier: str
    benchmark: Benchmark
    sha256: str
    tests_sha256: str
    first: int
    run: Path | None
    suites: tuple[TestSuite, ...]
    limits: Limits
    timeout_factor: float | None = None
    repeat: int = 1

    def described(self) -> dict[str, Any]:
        """What rounds made from it depend on."""
        return {
            "start": self.name,
            "benchmark": self.sha256[:16],
            "tests": self.tests_sha256[:16],
            "limits": str(self.limits),
        }


def read_start(path: Path, limits: Limits, on_error: OnError | None = None) -> Start:
    """Read what rounds start from.

    Args:
        path: a run's folder or a pipeline file.
        limits: of each test, where the start is a file; a run keeps its own.
        on_error: told of each row of a file that can't be used.

    Raises:
        InputError, StoreError: as `core.evolution.sources.open_trials`.
    """
    trials = list(open_trials(path, on_error))
    manifest = open_run(path).manifest if path.is_dir() else None
    name = manifest.benchmark if manifest else path.name.split(".")[0]
    benchmark = Benchmark(
        name, tuple(trial.problem for trial in trials), {trial.task_id: trial.solutions for trial in trials}
    )
    suites = tuple(TestSuite(trial.task_id, trial.tests) for trial in trials)
    first = newest_round(trials)
    if manifest is None:
        sha256, tests = benchmark_sha256(benchmark), suites_sha256(suites)
        return Start(name, name, benchmark, sha256, tests, first, None, suites, limits)
    return Start(
        manifest.name,
        manifest.verifier,
        benchmark,
        manifest.benchmark_sha256,
        manifest.tests_sha256,
        first,
        path,
        (),
        manifest.limits,
        manifest.timeout_factor,
        manifest.repeat,
    )
