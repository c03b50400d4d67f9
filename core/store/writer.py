"""Writing a run: manifest and inputs first, outcomes in parts as they come, scores at the end."""

from __future__ import annotations

import dataclasses
import datetime as dt
import fcntl
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.files import remove_unfinished
from core.model import Benchmark, Limits, Problem, Solution, TestSuite, VerifierKind
from core.store import tables
from core.store.files import StoreError, WrongRunError, write_whole
from core.store.manifest import (
    MANIFEST,
    Manifest,
    benchmark_sha256,
    installed_versions,
    read_manifest,
    write_manifest,
)
from core.store.run import SUMMARY, open_run
from core.store.tables import SolutionOutcomes
from core.store.tallies import batches, ranked
from sandbox.contract import Isolation

# What may lie in a folder before it holds a run: the files of the job that is about to write it.
_JOB_FILES = frozenset({"job.json", "job.log", "progress.json"})
_LOCK_SECONDS = 3.0


class RunWriter:
    """Writes one run; a context manager, and the only writer of its folder while it is open.

    Attributes:
        path: folder of the run.
        manifest: as it is on disk.
        done: task_ids whose outcomes are written.
    """

    def __init__(self, path: Path, manifest: Manifest, problems: Sequence[Problem], lock: int) -> None:
        self.path = path
        self.manifest = manifest
        self.done: set[str] = set()
        self._positions = {problem.task_id: position for position, problem in enumerate(problems)}
        self._next = 0
        self._lock: int | None = lock
        self._n_tests: dict[str, int] = {}
        self._solution_ids: dict[str, list[str]] = {}

    @classmethod
    def create(
        cls,
        path: Path,
        manifest: Manifest,
        problems: Sequence[Problem],
        solutions: Mapping[str, Sequence[Solution]],
        suites: Sequence[TestSuite],
    ) -> RunWriter:
        """Start a run in `path`, which is missing or empty (a job's own files aside).

        The counts of `manifest` are filled in from what is given.

        Raises:
            StoreError: the folder holds something else, another process writes it, or it
                can't be written.
        """
        with ExitStack() as stack:
            lock = _claim(path, stack)
            names = sorted(entry.name for entry in path.iterdir())
            strangers = [name for name in names if name not in _JOB_FILES and not name.startswith(".")]
            if MANIFEST in strangers:
                raise WrongRunError(f"{path}: already holds a run")
            if strangers:
                raise WrongRunError(f"{path}: is not empty and holds no run (found {strangers[0]})")
            remove_unfinished(path)
            counted = _with_counts(manifest, problems, solutions, suites)
            write_manifest(path, counted)
            writer = cls(path, counted, problems, lock)
            writer._write_inputs(problems, solutions, suites)
            stack.pop_all()
        return writer

    @classmethod
    def resume(
        cls,
        path: Path,
        manifest: Manifest,
        problems: Sequence[Problem],
        solutions: Mapping[str, Sequence[Solution]],
        suites: Sequence[TestSuite],
    ) -> RunWriter:
        """Go on with the unfinished run in `path`, whose inputs are those of `manifest`.

        Raises:
            StoreError: no run is there, it has other inputs or is finished, a file of it is
                damaged, or another process writes it.
        """
        with ExitStack() as stack:
            lock = _claim(path, stack)
            found = read_manifest(path)
            if differences := found.differences(manifest):
                raise WrongRunError(f"{path}: holds a run of other inputs: {'; '.join(differences)}")
            if found.finished:
                raise WrongRunError(f"{path}: the run is finished")
            remove_unfinished(path)
            writer = cls(path, found, problems, lock)
            writer._write_inputs(problems, solutions, suites)
            writer._find_parts()
            stack.pop_all()
        return writer

    def append(self, rows: Sequence[SolutionOutcomes]) -> None:
        """Write the outcomes of whole problems as one part.

        Raises:
            StoreError: a problem is unknown, incomplete or written already, a row has the
                wrong length, or the files can't be written (nothing of `rows` counts then).
        """
        if not rows:
            return
        rows = sorted(rows, key=self._position)
        tasks = self._checked(rows)
        number = f"{self._next:05d}"
        if any(row.flaky for row in rows):
            tables.write_rows(
                self.path / f"flaky-{number}.parquet", tables.FLAKY, tables.flaky_rows(rows, self._positions)
            )
        if any(row.details for row in rows):
            tables.write_rows(
                self.path / f"details-{number}.parquet",
                tables.DETAILS,
                tables.detail_rows(rows, self._positions),
            )
        # Last: with it the part counts.
        tables.write_outcomes(self.path / f"outcomes-{number}.parquet", rows, self._positions)
        self._next += 1
        self.done |= tasks

    def finish(self) -> Path:
        """Count the outcomes, write the scores, mark the run finished; returns its folder.

        Raises:
            StoreError: a problem has no outcomes yet, or a file can't be read or written.
        """
        missing = [task_id for task_id, ids in self._solution_ids.items() if ids and task_id not in self.done]
        if missing:
            raise StoreError(
                f"{self.path}: {len(missing)} problems have no outcomes yet (first: {missing[0]})"
            )
        run = open_run(self.path)
        self._write_frame("scores.parquet", run.scores(), tables.SCORES)
        self._write_frame(SUMMARY, run.problem_summary())
        return self._close_manifest(
            outcome_counts=run.outcome_totals(),
            in_process_cells=run.in_process_cells(),
            flaky_cells=run.n_flaky(),
            details=run.n_details(),
        )

    def finish_with_scores(self, scores: Mapping[str, Mapping[str, float]]) -> Path:
        """Write given scores (task_id -> solution id -> score), rank them, mark the run finished."""
        frame = open_run(self.path).reference_frame()
        frame["score"] = [
            scores.get(task_id, {}).get(solution_id, np.nan)
            for task_id, solution_id in zip(frame["task_id"], frame["solution_id"], strict=True)
        ]
        self._write_frame("scores.parquet", ranked(frame), tables.SCORES)
        return self._close_manifest()

    def close(self) -> None:
        """Let others write the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _position(self, row: SolutionOutcomes) -> int:
        try:
            return self._positions[row.task_id]
        except KeyError:
            raise StoreError(f"{self.path}: no problem is called {row.task_id!r}") from None

    def _checked(self, rows: Sequence[SolutionOutcomes]) -> set[str]:
        ids: dict[str, list[str]] = {}
        for row in rows:
            ids.setdefault(row.task_id, []).append(row.solution_id)
            n_tests = self._n_tests[row.task_id]
            if not len(row.outcomes) == len(row.seconds) == n_tests:
                raise StoreError(
                    f"{self.path}: {row.task_id}: solution {row.solution_id} has {len(row.outcomes)} "
                    f"outcomes for {n_tests} tests"
                )
        for task_id, found in ids.items():
            if task_id in self.done:
                raise StoreError(f"{self.path}: {task_id}: its outcomes are written already")
            if found != self._solution_ids[task_id]:
                raise StoreError(f"{self.path}: {task_id}: the rows are not its solutions in their order")
        return set(ids)

    def _write_inputs(
        self,
        problems: Sequence[Problem],
        solutions: Mapping[str, Sequence[Solution]],
        suites: Sequence[TestSuite],
    ) -> None:
        by_task = {suite.task_id: suite for suite in suites}
        for problem in problems:
            suite = by_task.get(problem.task_id)
            self._n_tests[problem.task_id] = len(suite.tests) if suite else 0
            self._solution_ids[problem.task_id] = [s.id for s in solutions.get(problem.task_id, ())]
        rows: dict[str, tuple[pa.Schema, Iterator[tuple[Any, ...]]]] = {
            "problems": (tables.PROBLEMS, tables.problem_rows(problems, solutions, by_task)),
            "solutions": (tables.SOLUTIONS, tables.solution_rows(problems, solutions)),
            "tests": (tables.TESTS, tables.test_rows(problems, by_task)),
            "answers": (tables.ANSWERS, tables.answer_rows(problems, by_task)),
        }
        for name, (schema, content) in rows.items():
            path = self.path / f"{name}.parquet"
            if not path.exists():
                tables.write_rows(path, schema, content)

    def _find_parts(self) -> None:
        parts = sorted(self.path.glob("outcomes-*.parquet"))
        numbers = {part.stem.split("-")[1] for part in parts}
        for stray in (*self.path.glob("details-*.parquet"), *self.path.glob("flaky-*.parquet")):
            if stray.stem.split("-")[1] not in numbers:
                stray.unlink()
        for batch in batches(parts, ["task_id"]):
            self.done |= set(batch["task_id"].to_pylist())
        self._next = max((int(number) for number in numbers), default=-1) + 1

    def _write_frame(self, name: str, frame: pd.DataFrame, schema: pa.Schema | None = None) -> None:
        table = pa.Table.from_pandas(frame, schema=schema, preserve_index=False).replace_schema_metadata(None)
        write_whole(
            self.path / name,
            lambda beside: pq.write_table(table, beside, compression="zstd", row_group_size=65_536),
        )

    def _close_manifest(self, **changes: Any) -> Path:
        finished = dataclasses.replace(self.manifest, finished=now(), **changes)
        write_manifest(self.path, finished)
        self.manifest = finished
        self.close()
        return self.path


def write_scores_run(
    path: Path,
    *,
    name: str,
    verifier: str,
    benchmark: Benchmark,
    scores: Mapping[str, Mapping[str, float]],
    kind: VerifierKind = VerifierKind.REWARD,
    suites: Sequence[TestSuite] = (),
    command: Sequence[str] = (),
    parent: str = "",
) -> Path:
    """Write a finished run of a verifier whose scores are given: nothing is executed.

    Args:
        path: folder of the run: missing or empty.
        name: the run's name on screen.
        verifier: name of what gave the scores.
        benchmark: the problems and solutions scored.
        scores: task_id -> solution id -> score; a solution without one gets NaN.
        kind: how the verifier comes to its scores.
        suites: tests to keep with the run for show, if the file had any.
        command: command line that made the run.
        parent: the run this one refines.

    Raises:
        StoreError: a score names an unknown problem or solution, or the run can't be written.
    """
    known = {p.task_id: {s.id for s in benchmark.solutions.get(p.task_id, ())} for p in benchmark.problems}
    for task_id, row in scores.items():
        unknown = sorted(set(row) - known.get(task_id, set()))
        if unknown:
            raise WrongRunError(
                f"{path}: scores for {task_id}, solution {unknown[0]}: {benchmark.name} has none such"
            )
    manifest = Manifest(
        name=name,
        verifier=verifier,
        verifier_kind=kind,
        benchmark=benchmark.name,
        benchmark_sha256=benchmark_sha256(benchmark),
        tests_sha256="",
        isolation=Isolation(backend="none", guarantees=("nothing was executed",), full=True),
        created=now(),
        limits=Limits(),
        versions=installed_versions(),
        parent=parent,
        command=tuple(command),
    )
    with RunWriter.create(path, manifest, benchmark.problems, benchmark.solutions, suites) as writer:
        return writer.finish_with_scores(scores)


def now() -> str:
    """This moment in UTC, ISO 8601 to the second."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def _with_counts(
    manifest: Manifest,
    problems: Sequence[Problem],
    solutions: Mapping[str, Sequence[Solution]],
    suites: Sequence[TestSuite],
) -> Manifest:
    n_tests = {suite.task_id: len(suite.tests) for suite in suites}
    n_solutions = {problem.task_id: len(solutions.get(problem.task_id, ())) for problem in problems}
    return dataclasses.replace(
        manifest,
        n_problems=len(problems),
        n_solutions=sum(n_solutions.values()),
        n_tests=sum(n_tests.get(task_id, 0) for task_id in n_solutions),
        n_cells=sum(count * n_tests.get(task_id, 0) for task_id, count in n_solutions.items()),
        unparsed=sum(len(suite.unparsed) for suite in suites),
    )


def _claim(path: Path, stack: ExitStack) -> int:
    """Lock the folder against other writers; the kernel drops the lock with the process.

    The descriptor is closed, and the lock dropped, by `stack`.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise StoreError(f"{path}: can't be used as the folder of a run: {error.strerror}") from error
    stack.callback(os.close, handle)
    deadline = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise StoreError(f"{path}: another process is writing this run") from None
            time.sleep(0.05)
        except OSError:  # a file system without locks
            return handle
        else:
            return handle
