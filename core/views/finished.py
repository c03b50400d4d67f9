"""Jobs that ended well a while ago: what a visitor who comes back is told of, and where it leads."""

from __future__ import annotations

import time
from dataclasses import dataclass

from core import jobs
from core.jobs import Job, JobState
from core.progress import PROGRESS_FILE
from core.views.catalog import BenchmarkEntry, Catalog, RunEntry
from core.views.problems import NamedFilter, ProblemFilter, problem_table
from core.views.runs import RunSummary
from core.words import alone_in_words, plural, quantity
from core.workspace import Workspace

_RECENT_SECONDS = 3600.0


@dataclass(frozen=True, slots=True)
class Finished:
    """A run, or the demo, that is done.

    Attributes:
        name: of the job.
        said: one sentence.
        benchmark: on which it is.
        run: to look at; of the demo the one that is in focus at first.
    """

    name: str
    said: str
    benchmark: BenchmarkEntry
    run: RunEntry

    def link(self) -> dict[str, str]:
        """Parameters of links to it."""
        return {"benchmark": self.benchmark.key, "verifier": self.run.label}


def finished(workspace: Workspace, catalog: Catalog) -> tuple[Finished, ...]:
    """What ended well within the last hour, the newest first."""
    since = time.time() - _RECENT_SECONDS
    ended = [
        (when, told)
        for job in jobs.find(workspace.runs_dir)
        if job.state is JobState.DONE and (when := _ended(job)) > since and (told := _told(job, catalog))
    ]
    return tuple(told for _, told in sorted(ended, key=lambda pair: -pair[0]))


def first_fooled(summary: RunSummary) -> tuple[str, int] | None:
    """The first problem on which the verifier is fooled, and how many there are; None for none."""
    fooled = problem_table(summary, ProblemFilter((NamedFilter.FOOLED,)), None).task_ids()
    return (fooled[0], len(fooled)) if fooled else None


def reservations(summary: RunSummary) -> str:
    """What to know before its metrics are believed; "" for nothing.

    Problems without a test take no part in the metrics, and a test that fails a solution known to be
    right is wrong itself.
    """
    found = []
    if summary.n_covered < summary.manifest.n_problems:
        found.append(
            f"{summary.label} has tests for {summary.n_covered:,} of "
            f"{quantity(summary.manifest.n_problems, 'problem')}."
        )
    if alone := summary.evaluation.per_problem.n_alone:
        found.append(f"{alone_in_words(alone)}.")
    if invalid := int(summary.problems["n_invalid_tests"].sum()):
        found.append(
            f"{invalid:,} of the {quantity(summary.manifest.n_tests, 'test')} of {summary.label} "
            f"{plural(invalid, 'fails', 'fail')} a solution known to be right."
        )
    return " ".join(found)


def _ended(job: Job) -> float:
    file = job.folder / PROGRESS_FILE
    return file.stat().st_mtime if file.exists() else 0.0


def _told(job: Job, catalog: Catalog) -> Finished | None:
    what, name = job.command[:1], job.folder.name
    for benchmark in catalog.benchmarks:
        if what == ("run",):
            mine = [run for run in benchmark.runs if run.folder == job.folder]
        else:
            mine = [run for run in benchmark.runs if what == ("demo",) == run.manifest.command[:1]]
        if mine:
            run = next((run for run in mine if run.manifest.outcome_counts.get("F")), mine[0])
            size = quantity(run.manifest.n_problems, "problem")
            if what == ("run",):
                count = quantity(run.manifest.n_cells, "cell") if run.manifest.n_cells else "scores"
                said = f"{run.label} is done: {count}, {size}."
            else:
                said = f"The demo is built: {benchmark.name}, {size}, {quantity(len(mine), 'verifier')}."
            return Finished(name, said, benchmark, run)
    return None
