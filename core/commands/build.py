"""`build`: problems into a benchmark file."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from core import terminal
from core.benchmarks.build import build as build_benchmark
from core.benchmarks.more_tests import with_more_tests
from core.benchmarks.records import write_report, write_unranked
from core.benchmarks.sources import read_source
from core.commands.common import Sheet, load, long_work, opened_sandbox, refuse_file, say_notes, stem
from core.errors import InputError
from core.execution import CachedExecutor
from core.execution.cache import CellCache
from core.formats import FormatError, detect
from core.formats.touchstone import write_benchmark
from core.jobs import job_folder, working
from core.model import Limits, Solution
from core.workspace import Workspace

_BENCHMARK = "touchstone-benchmark"


def build(
    source: str,
    out: Path,
    *,
    solution_files: Sequence[Path],
    mutants: int,
    more_tests: int,
    k: int,
    seed: int,
    backend: str,
    workers: int | None,
    limits: Limits,
) -> Sheet:
    """Turn problems into a benchmark file by the recipe."""
    if out.exists() and Path(source).exists() and out.samefile(source):
        raise InputError(f"{out}: is the source itself; expected another file to write")
    _refuse_foreign(out)
    with long_work() as say, working(job_folder(out), sys.argv[1:], say) as on_progress:
        found = read_source(source, say_notes, on_progress)
        candidates: dict[str, list[Solution]] = {
            task_id: list(solutions) for task_id, solutions in found.solutions.items()
        }
        for path in solution_files:
            for task_id, more in load(path, "solutions", found.problems).solutions.items():
                candidates.setdefault(task_id, []).extend(more)
        with (
            opened_sandbox(backend, workers) as sandbox,
            CachedExecutor(sandbox, CellCache(Workspace.default().cache_path, terminal.say)) as executor,
        ):
            problems = found.with_reference_tests(executor, limits, on_progress)
            if more_tests:
                problems = with_more_tests(
                    problems, executor, more_tests, seed=seed, limits=limits, on_progress=on_progress
                )
            result = build_benchmark(
                problems,
                candidates,
                executor,
                name=stem(out),
                k=k,
                mutants=mutants,
                seed=seed,
                limits=limits,
                on_progress=on_progress,
            )
        left_out = {
            one.task_id: one.problem_left_out for one in result.report.problems if one.problem_left_out
        }
        if not result.benchmark.problems:
            reasons = "; ".join(
                f"{n} because {reason}" for reason, n in Counter(left_out.values()).most_common()
            )
            raise InputError(
                f"{source}: no problem can be used: {reasons} (--solutions give candidates; --mutants too, "
                "where there is a reference)"
            )
        write_benchmark(result.benchmark, out)
        write_unranked(out, result.unranked)
        write_report(out, result.report)
    solutions = [one for many in result.benchmark.solutions.values() for one in many]
    scores = [one.reference_score for one in solutions if one.reference_score is not None]
    return {
        "benchmark": str(out),
        "k": k,
        "n_problems": len(result.benchmark.problems),
        "n_solutions": len(solutions),
        "mean_tests": mean(len(problem.reference_tests) for problem in result.benchmark.problems),
        "mean_score": mean(scores),
        "complete": result.report.complete,
        "incomplete": list(result.report.incomplete),
        "few_tests": [
            problem.task_id
            for problem in result.benchmark.problems
            if problem.task_id in result.report.incomplete and len(problem.reference_tests) < k - 1
        ],
        "left_out": left_out,
        "dropped": {str(reason): count for reason, count in result.report.dropped.items()},
    }


def _refuse_foreign(out: Path) -> None:
    """A build replaces a benchmark that was built before, and no other file."""
    refuse_file(out)
    if not out.exists() or not out.stat().st_size:
        return
    try:
        found = detect(out).name
    except FormatError:
        found = "no benchmark"
    if found != _BENCHMARK:
        raise InputError(f"{out}: is there already and holds something else ({found}); expected a new file")
