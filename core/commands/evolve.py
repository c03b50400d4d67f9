"""`evolve`: what the refinement of test suites leaves, shows, makes and reports."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.commands.common import Sheet, long_work, opened_sandbox, say_row_error
from core.evolution import commands as evolution
from core.evolution.filters import Rules
from core.evolution.rounds import RoundOptions, evolve, step_counts
from core.evolution.steps import ModelWriter, OfflineWriter, Writer
from core.jobs import working
from core.llm import Endpoint, Generation, Kind
from core.workspace import Workspace


def rules(**options: Any) -> Rules:
    """The rules that the command line's options say."""
    return evolution.rules_from(**options)


def filter_suites(path: Path, wanted: Rules) -> Sheet:
    """What the filters of EvolveCoder leave of the suites of a run or pipeline file."""
    return evolution.filter_suites(path, wanted, say_row_error)


def select(path: Path, task_id: str, method: str, seed: int) -> Sheet:
    """The solutions of one problem that a test generator is shown."""
    return evolution.select_solutions(path, task_id, method, seed, say_row_error)


def report(paths: Sequence[Path], wanted: Rules | None) -> Sheet:
    """Rounds of refinement side by side."""
    return evolution.report_rounds(paths, wanted, say_row_error)


def writer_of(
    model: str | None,
    *,
    base_url: str | None,
    n_tests: int,
    attempts: int,
    seed: int,
    temperature: float | None,
    max_tokens: int | None,
    concurrency: int,
    skip_failed: bool,
) -> Writer:
    """Who writes new tests: a model, or the generator that needs none."""
    if model is None:
        return OfflineWriter(n_tests, attempts, seed)
    generation = Generation(
        Kind.EVOLVE, model, n_tests=n_tests, temperature=temperature, max_tokens=max_tokens, seed=seed
    )
    return ModelWriter(generation, Endpoint(base_url), concurrency=concurrency, skip_failed=skip_failed)


def rounds(
    path: Path,
    out: Path,
    count: int,
    writer: Writer,
    wanted: Rules,
    *,
    max_pass: float | None,
    seed: int,
    backend: str,
    workers: int | None,
) -> Sheet:
    """Make rounds, and report on all of them: the report, the runs, and what each step came to."""
    started = time.monotonic()
    with (
        long_work() as on_progress,
        working(out, sys.argv[1:], on_progress) as tell,
        opened_sandbox(backend, workers) as sandbox,
    ):
        runs = evolve(
            path,
            out,
            count,
            writer,
            sandbox,
            options=RoundOptions(max_pass=max_pass, seed=seed),
            cache=Workspace.default().cache_path,
            command=sys.argv[1:],
            on_error=say_row_error,
            on_progress=tell,
        )
    seconds = round(time.monotonic() - started, 1)
    steps = [dataclasses.asdict(one) for number in range(1, count + 1) for one in step_counts(out, number)]
    return {**report(runs, wanted), "steps": steps, "runs": [str(run) for run in runs], "seconds": seconds}
