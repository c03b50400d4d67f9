"""What a build leaves in the job folder of its benchmark: its report, and problems with nothing to rank."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from core.benchmarks.recipe import Dropped, Reason
from core.benchmarks.report import BuildReport, FailedTest, ProblemReport
from core.errors import InputError
from core.files import replacing
from core.formats import load
from core.formats.tests_json import test_from_json, test_to_json
from core.formats.touchstone import write_benchmark
from core.jobs import job_folder
from core.model import Benchmark, Origin, Outcome

__all__ = ["read_report", "read_unranked", "report_file", "write_report", "write_unranked"]


def report_file(benchmark: Path) -> Path:
    """Where the report of the build of this benchmark file is kept."""
    return job_folder(benchmark) / "report.json"


def write_report(benchmark: Path, report: BuildReport) -> None:
    """Keep what a build did, whole or not at all."""
    data = {"k": report.k, "seed": report.seed, "problems": [_row(one) for one in report.problems]}
    with replacing(report_file(benchmark)) as beside:
        beside.write_text(json.dumps(data), encoding="utf-8")


def read_report(benchmark: Path) -> BuildReport | None:
    """What the build of this benchmark did; None where it was not built here.

    Raises:
        InputError: the file is there and can't be read.
    """
    path = report_file(benchmark)
    if not path.exists():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return BuildReport(data["k"], data["seed"], tuple(map(_problem, data["problems"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path}: expected the report of a build: {error}") from error


def write_unranked(benchmark: Path, unranked: Benchmark) -> None:
    """Keep the problems that are not in this benchmark since nothing but their reference is left."""
    write_benchmark(unranked, _unranked_file(benchmark))


def read_unranked(path: Path, benchmark: Benchmark) -> Benchmark:
    """Those of them that are not in the benchmark by now; none where it was not built here.

    Raises:
        FormatError: the file is there and can't be read.
    """
    file = _unranked_file(path)
    kept = load(file).benchmark if file.exists() and file.stat().st_size else None
    there = {problem.task_id for problem in benchmark.problems}
    problems = tuple(one for one in kept.problems if one.task_id not in there) if kept else ()
    return Benchmark(benchmark.name, problems, dict(kept.solutions) if kept else {})


def _unranked_file(benchmark: Path) -> Path:
    return job_folder(benchmark) / "unranked.jsonl"


def _row(one: ProblemReport) -> dict[str, Any]:
    return {
        "task_id": one.task_id,
        "problem_left_out": one.problem_left_out,
        "failed_tests": [
            [failed.index, test_to_json(failed.test), failed.outcome.letter, failed.message]
            for failed in one.failed_tests
        ],
        "scores": list(one.scores),
        "targets": list(one.targets),
        "tried": one.tried,
        "dropped": [[drop.solution_id, drop.reason.name, drop.score] for drop in one.dropped],
    }


def _problem(row: Mapping[str, Any]) -> ProblemReport:
    return ProblemReport(
        row["task_id"],
        row["problem_left_out"],
        tuple(
            FailedTest(index, test_from_json(test, "test", Origin()), Outcome.from_letter(letter), message)
            for index, test, letter, message in row["failed_tests"]
        ),
        tuple(row["scores"]),
        tuple(row["targets"]),
        row["tried"],
        tuple(Dropped(solution_id, Reason[name], score) for solution_id, name, score in row["dropped"]),
    )
