"""`build`: problems into a benchmark file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from core import terminal
from core.benchmarks.build import build as build_benchmark
from core.benchmarks.sources import read_source
from core.commands.common import Sheet, load, long_work, opened_sandbox, say_notes, stem
from core.errors import InputError
from core.execution import CachedExecutor
from core.execution.cache import CellCache
from core.formats.touchstone import write_benchmark
from core.model import Limits, Solution
from core.workspace import Workspace


def build(
    source: str,
    out: Path,
    *,
    solution_files: Sequence[Path],
    mutants: int,
    k: int,
    seed: int,
    backend: str,
    workers: int | None,
    limits: Limits,
) -> Sheet:
    """Turn problems into a benchmark file by the recipe."""
    found = read_source(source, say_notes)
    candidates: dict[str, list[Solution]] = {
        task_id: list(solutions) for task_id, solutions in found.solutions.items()
    }
    for path in solution_files:
        for task_id, more in load(path, "solutions", found.problems).solutions.items():
            candidates.setdefault(task_id, []).extend(more)
    with (
        long_work() as on_progress,
        opened_sandbox(backend, workers) as sandbox,
        CachedExecutor(sandbox, CellCache(Workspace.default().cache_path, terminal.say)) as executor,
    ):
        result = build_benchmark(
            found.with_reference_tests(executor, limits, on_progress),
            candidates,
            executor,
            name=stem(out),
            k=k,
            mutants=mutants,
            seed=seed,
            limits=limits,
            on_progress=on_progress,
        )
    left_out = {one.task_id: one.problem_left_out for one in result.report.problems if one.problem_left_out}
    if not result.benchmark.problems:
        reasons = "; ".join(f"{n} because {reason}" for reason, n in Counter(left_out.values()).most_common())
        raise InputError(
            f"{source}: no problem can be used: {reasons} (--solutions or --mutants give candidates)"
        )
    write_benchmark(result.benchmark, out)
    solutions = [one for many in result.benchmark.solutions.values() for one in many]
    scores = [one.reference_score for one in solutions if one.reference_score is not None]
    return {
        "benchmark": str(out),
        "n_problems": len(result.benchmark.problems),
        "n_solutions": len(solutions),
        "mean_tests": mean(len(problem.reference_tests) for problem in result.benchmark.problems),
        "mean_score": mean(scores),
        "complete": result.report.complete,
        "incomplete": list(result.report.incomplete),
        "left_out": left_out,
        "dropped": {str(reason): count for reason, count in result.report.dropped.items()},
    }
