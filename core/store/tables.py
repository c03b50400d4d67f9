"""Tables of a run: their columns, and the model's types as rows.

Every table but `scores` carries `position`, the problem's place in the benchmark. Files are
sorted by it, so that the statistics of row groups lead to one problem's rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from core.model import (
    Assertion,
    CallTest,
    Origin,
    Outcome,
    Problem,
    ProblemKind,
    Solution,
    StdioTest,
    TestCase,
    TestSuite,
)
from core.store.files import encodable, write_whole
from core.store.manifest import encode_test

PROBLEMS = pa.schema(
    [
        ("position", pa.int32()),
        ("task_id", pa.string()),
        ("kind", pa.string()),
        ("entry_point", pa.string()),
        ("prompt", pa.string()),
        ("reference_solution", pa.string()),
        ("metadata", pa.string()),
        ("n_tests", pa.int32()),
        ("n_solutions", pa.int32()),
    ]
)
SOLUTIONS = pa.schema(
    [
        ("position", pa.int32()),
        ("task_id", pa.string()),
        ("solution_id", pa.string()),
        ("code", pa.string()),
        ("source", pa.string()),
        ("reference_score", pa.float64()),
        ("reference_rank", pa.float64()),
        ("mean_seconds", pa.float64()),
    ]
)
TESTS = pa.schema(
    [
        ("position", pa.int32()),
        ("task_id", pa.string()),
        ("test_index", pa.int32()),
        ("kind", pa.string()),
        ("source", pa.string()),
        ("verifier", pa.string()),
        ("method", pa.string()),
        ("round", pa.int32()),
    ]
)
ANSWERS = pa.schema(
    [
        ("position", pa.int32()),
        ("task_id", pa.string()),
        ("response", pa.string()),
        ("unparsed", pa.string()),
        ("n_unparsed", pa.int32()),
    ]
)
OUTCOMES = pa.schema(
    [
        ("position", pa.int32()),
        ("task_id", pa.string()),
        ("solution_id", pa.string()),
        ("outcomes", pa.list_(pa.uint8())),
        ("seconds", pa.list_(pa.float32())),
        ("in_process", pa.list_(pa.bool_())),
    ]
)
DETAILS = pa.schema(
    [
        ("position", pa.int32()),
        ("task_id", pa.string()),
        ("solution_id", pa.string()),
        ("test_index", pa.int32()),
        ("outcome", pa.uint8()),
        ("message", pa.string()),
        ("actual", pa.string()),
        ("expected", pa.string()),
        ("stdout", pa.string()),
        ("line", pa.int32()),
    ]
)
FLAKY = pa.schema(
    [
        ("position", pa.int32()),
        ("task_id", pa.string()),
        ("solution_id", pa.string()),
        ("test_index", pa.int32()),
        ("outcomes", pa.list_(pa.uint8())),
    ]
)
SCORES = pa.schema(
    [
        ("task_id", pa.string()),
        ("solution_id", pa.string()),
        ("score", pa.float64()),
        ("rank", pa.float64()),
        ("reference_score", pa.float64()),
        ("reference_rank", pa.float64()),
    ]
)

_ROW_GROUP = {"outcomes": 1024, "solutions": 8192, "tests": 16_384, "details": 4096}
_BATCH = 16_384


@dataclass(frozen=True, slots=True)
class CellDetail:
    """What is known of a cell that did not pass.

    Attributes:
        message: one line: the exception, the failed assertion, or which limit was hit.
        actual, expected: both sides of a failed comparison, else "".
        stdout: end of what the check printed.
        line: line of the program in which the exception was raised.
    """

    task_id: str
    solution_id: str
    test_index: int
    outcome: Outcome
    message: str = ""
    actual: str = ""
    expected: str = ""
    stdout: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class FlakyCell:
    """A cell whose outcome differed between repetitions; `outcomes` has one for each."""

    task_id: str
    solution_id: str
    test_index: int
    outcomes: tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class SolutionOutcomes:
    """One solution's row of the pass matrix.

    Attributes:
        outcomes: uint8 codes of `Outcome`, shape (tests,).
        seconds: float32 wall time, same shape.
        in_process: bool, same shape; None where no cell was judged in the program's process.
        details: of the cells that did not pass, as far as there is anything to say.
    """

    task_id: str
    solution_id: str
    outcomes: npt.NDArray[np.uint8]
    seconds: npt.NDArray[np.float32]
    in_process: npt.NDArray[np.bool_] | None = None
    details: tuple[CellDetail, ...] = ()
    flaky: tuple[FlakyCell, ...] = ()


def write_rows(path: Path, schema: pa.Schema, rows: Iterator[tuple[Any, ...]]) -> int:
    """Write rows, in the order of `schema`'s columns, as one Parquet file; returns how many."""
    count = 0

    def write(beside: Path) -> None:
        nonlocal count
        with pq.ParquetWriter(beside, schema, compression="zstd") as writer:
            while batch := list(islice(rows, _BATCH)):
                count += len(batch)
                columns = [list(map(_clean, column)) for column in zip(*batch, strict=True)]
                arrays = [pa.array(values, entry.type) for values, entry in zip(columns, schema, strict=True)]
                writer.write_table(
                    pa.Table.from_arrays(arrays, schema=schema), row_group_size=_row_group_size(path)
                )

    write_whole(path, write)
    return count


def write_outcomes(path: Path, rows: Sequence[SolutionOutcomes], positions: Mapping[str, int]) -> None:
    """Write rows of pass matrices, already sorted by position, as one part."""
    sizes = np.fromiter((len(row.outcomes) for row in rows), dtype=np.int64, count=len(rows))
    offsets = pa.array(np.concatenate(([0], np.cumsum(sizes))), pa.int32())
    outcomes = np.concatenate([row.outcomes for row in rows]).astype(np.uint8)
    seconds = np.concatenate([row.seconds for row in rows]).astype(np.float32)
    in_process: pa.Array
    if any(row.in_process is not None and row.in_process.any() for row in rows):
        values = [row.in_process.tolist() if row.in_process is not None else None for row in rows]
        in_process = pa.array(values, pa.list_(pa.bool_()))
    else:
        in_process = pa.nulls(len(rows), pa.list_(pa.bool_()))
    table = pa.Table.from_arrays(
        [
            pa.array([positions[row.task_id] for row in rows], pa.int32()),
            pa.array([encodable(row.task_id) for row in rows], pa.string()),
            pa.array([encodable(row.solution_id) for row in rows], pa.string()),
            pa.ListArray.from_arrays(offsets, pa.array(outcomes)),
            pa.ListArray.from_arrays(offsets, pa.array(seconds)),
            in_process,
        ],
        names=OUTCOMES.names,
    ).cast(OUTCOMES)
    write_whole(
        path,
        lambda beside: pq.write_table(
            table,
            beside,
            compression="zstd",
            row_group_size=_row_group_size(path),
            use_dictionary=["task_id"],
        ),
    )


def problem_rows(
    problems: Sequence[Problem], solutions: Mapping[str, Sequence[Solution]], suites: Mapping[str, TestSuite]
) -> Iterator[tuple[Any, ...]]:
    """Rows of `problems.parquet`."""
    for position, problem in enumerate(problems):
        suite = suites.get(problem.task_id)
        yield (
            position,
            problem.task_id,
            problem.kind.value,
            problem.entry_point,
            problem.prompt,
            problem.reference_solution,
            json.dumps(dict(problem.metadata), default=str),
            len(suite.tests) if suite else 0,
            len(solutions.get(problem.task_id, ())),
        )


def solution_rows(
    problems: Sequence[Problem], solutions: Mapping[str, Sequence[Solution]]
) -> Iterator[tuple[Any, ...]]:
    """Rows of `solutions.parquet`, in reference order."""
    for position, problem in enumerate(problems):
        for s in solutions.get(problem.task_id, ()):
            yield (
                position,
                problem.task_id,
                s.id,
                s.code,
                s.source,
                s.reference_score,
                s.reference_rank,
                s.mean_seconds,
            )


def test_rows(problems: Sequence[Problem], suites: Mapping[str, TestSuite]) -> Iterator[tuple[Any, ...]]:
    """Rows of `tests.parquet`, in the order of the suites."""
    for position, problem in enumerate(problems):
        suite = suites.get(problem.task_id)
        for index, test in enumerate(suite.tests if suite else ()):
            kind, source = encode_test(test)
            origin = test.origin
            yield (
                position,
                problem.task_id,
                index,
                kind,
                source,
                origin.verifier,
                origin.method,
                origin.round,
            )


def answer_rows(problems: Sequence[Problem], suites: Mapping[str, TestSuite]) -> Iterator[tuple[Any, ...]]:
    """Rows of `answers.parquet`: problems whose suite keeps a raw answer or unparsed pieces."""
    for position, problem in enumerate(problems):
        suite = suites.get(problem.task_id)
        if suite and (suite.response is not None or suite.unparsed):
            yield position, problem.task_id, suite.response, json.dumps(suite.unparsed), len(suite.unparsed)


def detail_rows(rows: Sequence[SolutionOutcomes], positions: Mapping[str, int]) -> Iterator[tuple[Any, ...]]:
    """Rows of one `details-*.parquet`."""
    for d in chain.from_iterable(row.details for row in rows):
        yield (
            positions[d.task_id],
            d.task_id,
            d.solution_id,
            d.test_index,
            int(d.outcome),
            d.message,
            d.actual,
            d.expected,
            d.stdout,
            d.line,
        )


def flaky_rows(rows: Sequence[SolutionOutcomes], positions: Mapping[str, int]) -> Iterator[tuple[Any, ...]]:
    """Rows of one `flaky-*.parquet`."""
    for f in chain.from_iterable(row.flaky for row in rows):
        yield positions[f.task_id], f.task_id, f.solution_id, f.test_index, [int(o) for o in f.outcomes]


def problem_of(row: Mapping[str, Any]) -> Problem:
    """A row of `problems.parquet` as a Problem; its reference tests are not kept in a run."""
    return Problem(
        task_id=row["task_id"],
        prompt=row["prompt"],
        kind=ProblemKind(row["kind"]),
        entry_point=row["entry_point"],
        reference_solution=row["reference_solution"],
        metadata=json.loads(row["metadata"]),
    )


def solution_of(row: Mapping[str, Any]) -> Solution:
    """A row of `solutions.parquet` as a Solution."""
    return Solution(
        row["solution_id"],
        row["code"],
        row["source"],
        row["reference_score"],
        row["reference_rank"],
        row["mean_seconds"],
    )


def test_of(row: Mapping[str, Any]) -> TestCase:
    """A row of `tests.parquet` as a TestCase."""
    origin = Origin(row["verifier"], row["method"], row["round"])
    if row["kind"] == "assertion":
        return Assertion(row["source"], origin)
    fields = json.loads(row["source"])
    if row["kind"] == "stdio":
        return StdioTest(fields["stdin"], fields["stdout"], origin)
    return CallTest(fields["arguments"], fields["expected"], float(fields["tolerance"]), origin)


def _clean(value: Any) -> Any:
    return encodable(value) if isinstance(value, str) else value


def _row_group_size(path: Path) -> int:
    return _ROW_GROUP.get(path.stem.split("-")[0], 4096)
