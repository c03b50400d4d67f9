"""The Overview page: what is loaded, and the headline numbers of each run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.formats import FormatError, load
from core.model import Limits
from core.views.runs import RunSummary

_READ_UP_TO = 64 * 2**20


@dataclass(frozen=True, slots=True)
class BenchmarkCard:
    """A benchmark as the papers' Table 1 has it.

    Attributes:
        solutions_per_problem: mean.
        tests_per_problem: mean number of reference tests, None where it is not known.
        score_quartiles: of the reference scores of all solutions.
    """

    name: str
    sha256: str
    n_problems: int
    n_solutions: int
    solutions_per_problem: float
    tests_per_problem: float | None
    mean_score: float
    score_quartiles: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class RunCard:
    """Where a run comes from, in words."""

    name: str
    label: str
    created: str
    backend: str
    limits: str
    n_tests: int
    n_cells: int
    n_internal: int
    in_process: int
    unparsed: int
    full_isolation: bool


def reference_tests(path: Path) -> float | None:
    """Mean number of reference tests a problem; None for a file that is large, or can't be read."""
    if path.stat().st_size > _READ_UP_TO:
        return None
    try:
        benchmark = load(path).benchmark
    except FormatError:
        return None
    if benchmark is None or not benchmark.problems:
        return None
    return sum(len(problem.reference_tests) for problem in benchmark.problems) / len(benchmark.problems)


def benchmark_card(summaries: Sequence[RunSummary], tests_per_problem: float | None = None) -> BenchmarkCard:
    """The benchmark that some runs were made on; at least one run, which keep no reference tests."""
    first = summaries[0]
    manifest = first.manifest
    return BenchmarkCard(
        name=manifest.benchmark,
        sha256=manifest.benchmark_sha256,
        n_problems=manifest.n_problems,
        n_solutions=manifest.n_solutions,
        solutions_per_problem=manifest.n_solutions / max(1, manifest.n_problems),
        tests_per_problem=tests_per_problem,
        mean_score=first.mean_reference_score,
        score_quartiles=first.reference_quartiles,
    )


def run_card(summary: RunSummary) -> RunCard:
    """Where one run comes from."""
    manifest = summary.manifest
    return RunCard(
        name=summary.name,
        label=summary.label,
        created=manifest.created.replace("T", " ")[:16],
        backend=manifest.backend,
        limits=limits_text(manifest.limits) if manifest.n_cells else "nothing was executed",
        n_tests=manifest.n_tests,
        n_cells=manifest.n_cells,
        n_internal=manifest.outcome_counts.get("I", 0),
        in_process=manifest.in_process_cells,
        unparsed=manifest.unparsed,
        full_isolation=manifest.isolation.full,
    )


def limits_text(limits: Limits) -> str:
    """Limits in a few words: wall time of a test, memory of a program, output of a program."""
    return f"{limits.seconds:g} s · {limits.memory_mb:,} MiB · {limits.output_kb:,} KiB"
