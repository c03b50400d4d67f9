"""`evolve`: what the refinement of test suites leaves, shows, makes and reports."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.benchmarks.sources import read_source
from core.commands.common import (
    Sheet,
    load,
    long_work,
    opened_sandbox,
    refuse_file,
    refuse_folder_of_run,
    say_notes,
    say_row_error,
    stem,
)
from core.errors import InputError
from core.evolution import commands as evolution
from core.evolution import takeout
from core.evolution.embedding import Embedding
from core.evolution.filters import Rules
from core.evolution.gathering import deduplicated, gather
from core.evolution.prompts import parse_seed
from core.evolution.rounds import RoundOptions, evolve, refuse_foreign, step_counts
from core.evolution.sources import open_trials
from core.evolution.steps import ModelWriter, OfflineWriter, Writer
from core.formats import RowError
from core.formats.reader import Row, read_rows
from core.formats.touchstone import write_benchmark, write_rows
from core.jobs import working
from core.llm import Endpoint, Generation, Kind
from core.terminal import say
from core.words import quantity
from core.workspace import Workspace


def filter_suites(path: Path, wanted: Rules) -> Sheet:
    """What the filters of EvolveCoder leave of the suites of a run or pipeline file."""
    return evolution.filter_suites(path, wanted, say_row_error)


def select(path: Path, task_id: str, method: str, seed: int) -> evolution.Shown:
    """The solutions of one problem that a test generator is shown."""
    return evolution.shown_solutions(path, task_id, method, seed, say_row_error)


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
    backend: str,
    workers: int | None,
) -> Sheet:
    """Make rounds, and report on all of them: the report, the runs, and what each step came to."""
    refuse_folder_of_run(out)
    refuse_foreign(out)
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
            options=RoundOptions(max_pass=max_pass, seed=wanted.seed),
            cache=Workspace.default().cache_path,
            command=sys.argv[1:],
            on_error=say_row_error,
            on_progress=tell,
        )
    seconds = round(time.monotonic() - started, 1)
    steps = [dataclasses.asdict(one) for number in range(1, count + 1) for one in step_counts(out, number)]
    return {**report(runs, wanted), "steps": steps, "runs": [str(run) for run in runs], "seconds": seconds}


def pool(source: str, solution_files: Sequence[Path], out: Path) -> Sheet:
    """Every solution of several files as a benchmark, and how many each model wrote."""
    refuse_file(out)
    found = read_source(source, say_notes)
    candidates = {task_id: list(many) for task_id, many in found.solutions.items()}
    for path in solution_files:
        for task_id, more in load(path, "solutions", found.problems).solutions.items():
            named = (one if one.source else dataclasses.replace(one, source=stem(path)) for one in more)
            candidates.setdefault(task_id, []).extend(named)
    benchmark, counts = takeout.pool(found.problems, candidates, stem(out))
    if not benchmark.problems:
        raise InputError(
            f"{source}: no problem has a solution besides its reference (--solutions gives them)"
        )
    write_benchmark(benchmark, out)
    return {
        "benchmark": str(out),
        "problems": len(benchmark.problems),
        "without_solutions": len(found.problems) - len(benchmark.problems),
        "solutions": counts,
    }


def refined(answers: Path, out: Path, min_tests: int) -> Sheet:
    """The answers of `generate seeds` as problems with tests, in EvolveCoder's layout."""
    refuse_file(out)
    rows: dict[str, dict[str, Any]] = {}
    left_out: Counter[str] = Counter()
    for line in read_rows(answers, str(answers)):
        if not isinstance(line, Row):
            say_row_error(line)
            continue
        response, task_id = line.data.get("response"), line.data.get("task_id")
        if not isinstance(response, str) or not isinstance(task_id, str):
            found = ", ".join(sorted(map(str, line.data)))
            message = f"expected task_id and response as text; found the keys {found}"
            say_row_error(RowError(str(answers), line.line, "response", message))
            continue
        question, made = parse_seed(response)
        sample = line.data.get("sample") or 0
        if not question or len(made.tests) < min_tests:
            left_out["no question" if not question else f"fewer than {min_tests} tests"] += 1
            continue
        tests = [test.source for test in made.tests]
        name = f"{task_id}/{sample}" if sample else task_id
        rows[name] = {"id": name, "question": question, "tests": tests}
    if not rows:
        raise InputError(f"{answers}: no answer holds a question with tests")
    write_rows(out, rows.values())
    return {
        "problems": len(rows),
        "tests": sum(len(row["tests"]) for row in rows.values()),
        "left_out": dict(left_out),
    }


def dedup(
    paths: Sequence[Path],
    out: Path,
    *,
    threshold: float,
    embedding: str,
    model: str | None,
    base_url: str | None,
    seed: int,
) -> Sheet:
    """Problems of several files without those that are nearly the same, and what was dropped."""
    refuse_file(out)
    gathered = gather(paths, say_notes)
    with long_work("nothing was written") as on_progress:
        found = deduplicated(
            gathered,
            Embedding(embedding),
            threshold,
            model=model,
            endpoint=Endpoint(base_url),
            seed=seed,
            on_progress=on_progress,
        )
    write_benchmark(found.benchmark(stem(out)), out)
    return {"out": str(out), **found.described()}


def export(path: Path, out: Path, layout: str, wanted: Rules) -> Sheet:
    """The suites that the final filter leaves, in a layout of others."""
    refuse_file(out)
    done = takeout.take_out(open_trials(path, say_row_error), out, takeout.Layout(layout), wanted)
    if done.left_out:
        say(f"note: {quantity(done.left_out, 'test')} left out: this layout can hold assertions only")
    return {
        "out": str(out),
        "problems_before": done.counts.problems_before,
        "problems": done.written,
        "tests_before": done.counts.tests_before,
        "tests": done.counts.tests_after - done.left_out,
    }
