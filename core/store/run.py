"""Reading a run: DuckDB over its Parquet files, one problem or all of them at once."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.model import Outcome, PassMatrix, Problem, Solution, TestCase, TestSuite
from core.store import tables
from core.store.cells import grid, matrices_of, no_rows, spans
from core.store.files import StoreError
from core.store.manifest import Manifest, read_manifest
from core.store.parts import AGAIN, duckdb_name, footer_of, joined, parts_of, reading
from core.store.tables import CellDetail
from core.store.tallies import Tallies, ranked, tally

_SCHEMAS = {
    "problems": tables.PROBLEMS,
    "solutions": tables.SOLUTIONS,
    "tests": tables.TESTS,
    "answers": tables.ANSWERS,
}
SUMMARY = "summary.parquet"
"""What `problem_summary` says of a finished run, kept so that 20,000 problems open at once."""
_AT_ONCE = 256
"""Problems whose rows are read with one query where all are wanted."""
_Rows: TypeAlias = list[dict[str, Any]]
_PART_SCHEMAS = {"outcomes": tables.OUTCOMES, "details": tables.DETAILS, "flaky": tables.FLAKY}


@dataclass(frozen=True, slots=True)
class Contents:
    """A problem with its solutions, tests and outcomes; `solutions` are the rows of `matrix` in order."""

    problem: Problem
    solutions: tuple[Solution, ...]
    tests: tuple[TestCase, ...]
    matrix: PassMatrix


def open_run(path: Path) -> Run:
    """Open the run in a folder, finished or not, as it is now.

    Raises:
        StoreError: the folder holds no run, or a file of it is missing, damaged or of
            another version; the message names it.
    """
    return Run(path)


class Run:
    """A run on disk, as it was when opened. Threads may share it.

    Attributes:
        path: its folder.
        manifest: what it was made from.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest: Manifest = read_manifest(path)
        self._lock = threading.RLock()
        self._parts = {name: parts_of(path, name, schema) for name, schema in _PART_SCHEMAS.items()}
        rows = {
            name: footer_of(path / f"{name}.parquet", schema).num_rows for name, schema in _SCHEMAS.items()
        }
        if self.finished:
            self._check_whole(rows)
        self._connection = duckdb.connect(
            ":memory:", config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
        )

    @property
    def finished(self) -> bool:
        """Whether every cell has its outcome (or every solution its given score)."""
        return self.manifest.finished is not None

    def task_ids(self) -> list[str]:
        """Every problem, in the order of the benchmark."""
        return list(self._positions)

    def done_task_ids(self) -> list[str]:
        """The problems whose outcomes are written, in the order of the benchmark."""
        done = set(self._tallies.position.tolist())
        return [task_id for task_id, position in self._positions.items() if position in done]

    def problem(self, task_id: str) -> Problem:
        """One problem, without its reference tests, which a run does not keep."""
        return tables.problem_of(self._rows("problems", task_id)[0])

    def solutions(self, task_id: str) -> tuple[Solution, ...]:
        """One problem's solutions, in reference order."""
        return tuple(tables.solution_of(row) for row in self._rows("solutions", task_id))

    def suite(self, task_id: str) -> TestSuite:
        """The tests that the verifier gave one problem, with its raw answer and what could not be read."""
        return _suite(task_id, self._rows("tests", task_id), self._rows("answers", task_id))

    def matrix(self, task_id: str) -> PassMatrix:
        """One problem's outcomes.

        Raises:
            KeyError: no such problem.
            StoreError: its outcomes are not written (yet).
        """
        table = self._outcome_rows(task_id)
        ((_, matrix),) = matrices_of(table)
        return matrix

    def matrices(self) -> Iterator[tuple[str, npt.NDArray[np.uint8]]]:
        """task_id and outcomes [solutions, tests] of every problem whose outcomes are written, file by file.

        Raises:
            StoreError: a file can't be read.
        """
        task_ids = self.task_ids()
        for part in self._parts["outcomes"]:
            table = self._select([part.path], "position, outcomes")
            cells = joined(table["outcomes"])
            for position, start, count in spans(table):
                yield task_ids[position], grid(cells, start, count)

    def problems(self) -> Iterator[tuple[Problem, tuple[Solution, ...]]]:
        """Every problem with its solutions, in the order of the benchmark, some hundreds at once."""
        for _, (problem,), solutions in self._each("problems", "solutions"):
            yield tables.problem_of(problem), tuple(map(tables.solution_of, solutions))

    def suites(self) -> Iterator[TestSuite]:
        """The suite of every problem, in the order of the benchmark, some hundreds at once."""
        for task_id, tests, answers in self._each("tests", "answers"):
            yield _suite(task_id, tests, answers)

    def contents(self) -> Iterator[Contents]:
        """Every problem with all that belongs to it, in the order of the benchmark, some hundreds at once.

        Raises:
            StoreError: a file can't be read, or outcomes are not written (yet).
        """
        task_ids = self.task_ids()
        for positions, (problems, solutions, tests) in self._blocks("problems", "solutions", "tests"):
            low, high = positions[0], positions[-1]
            parts = [part.path for part in self._parts["outcomes"] if part.low <= high and low <= part.high]
            wanted = "position, task_id, solution_id, outcomes, seconds"
            table = self._select(parts, wanted, "position BETWEEN ? AND ?", [low, high])
            matrices = dict(matrices_of(table))
            for position in positions:
                suite = tuple(tables.test_of(row) for row in tests.get(position, ()))
                known = {row["solution_id"]: tables.solution_of(row) for row in solutions.get(position, ())}
                if known and position not in matrices:
                    raise StoreError(f"{self.path}: {task_ids[position]} has no outcomes (yet)")
                matrix = matrices.get(position) or no_rows(task_ids[position], len(suite))
                problem = tables.problem_of(problems[position][0])
                yield Contents(problem, tuple(known[one] for one in matrix.solution_ids), suite, matrix)

    def in_process(self, task_id: str) -> npt.NDArray[np.bool_]:
        """Which cells of a problem were judged inside the program's own process, shape of the matrix."""
        marks = np.zeros(self.matrix(task_id).outcomes.shape, dtype=bool)
        for row, cells in enumerate(self._outcome_rows(task_id)["in_process"].to_pylist()):
            if cells is not None:
                marks[row] = cells
        return marks

    def details(
        self, task_id: str, solution_id: str | None = None, test_index: int | None = None
    ) -> list[CellDetail]:
        """What is known of the cells that did not pass: all of a problem's, a solution's, or one cell's."""
        position = self._position(task_id)
        where, params = "position = ?", list[object]([position])
        for column, value in (("solution_id", solution_id), ("test_index", test_index)):
            if value is not None:
                where += f" AND {column} = ?"
                params.append(value)
        rows = self._select(self._holding("details", position), "*", where, params).to_pylist()
        for row in rows:
            row["outcome"] = Outcome(row["outcome"])
            del row["position"]
        return [CellDetail(**row) for row in rows]

    def scores(self) -> pd.DataFrame:
        """The verifier's score and rank of every solution.

        Columns task_id, solution_id, score, rank, reference_score, reference_rank, in the order
        of the benchmark. Of an unfinished run: the solutions whose outcomes are written.
        """
        path = self.path / "scores.parquet"
        if self.finished:
            with reading(path):
                frame: pd.DataFrame = pq.read_table(path, schema=tables.SCORES).to_pandas()
                return frame
        tallies = self._tallies
        order = np.argsort(tallies.row)
        frame = self.reference_frame().iloc[tallies.row[order]].reset_index(drop=True)
        return ranked(frame.assign(score=tallies.scores()[order]))

    def scores_of(self, task_id: str) -> pd.DataFrame:
        """One problem's rows of `scores`; none of an unfinished run's problem that is not done."""
        if self.finished:
            table = self._select([self.path / "scores.parquet"], "*", "task_id = ?", [task_id])
            frame: pd.DataFrame = table.to_pandas()
            return frame
        everything = self.scores()
        return everything[everything["task_id"] == task_id].reset_index(drop=True)

    def score_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """`scores` without its names, for millions of solutions.

        int64 `position` of the problem; float64 `score`, `reference_score`, `reference_rank`, NaN where
        there is none; all [solutions].
        """
        columns = ["score", "reference_score", "reference_rank"]
        if self.finished:
            with reading(self.path / "scores.parquet"):
                table = pq.read_table(self.path / "scores.parquet", columns=columns)
            found = {name: table[name].to_numpy().astype(np.float64, copy=False) for name in columns}
            with self._lock:
                counts = self._summary["n_solutions"].to_numpy()
            return {"position": np.repeat(np.arange(len(counts)), counts)} | found
        frame = self.scores()
        with self._lock:
            position = frame["task_id"].map(self._positions).to_numpy(np.int64)
        return {"position": position} | {name: frame[name].to_numpy(np.float64) for name in columns}

    def reference_frame(self) -> pd.DataFrame:
        """Every solution's position, task_id, solution_id, reference_score and reference_rank."""
        with self._lock:
            return self._references.copy()

    def solution_sources(self) -> list[str]:
        """Who wrote the solutions: every different source, in alphabetical order."""
        rows = self._select([self.path / "solutions.parquet"], "DISTINCT source")
        return sorted(rows["source"].to_pylist())

    def verdicts_by_source(self) -> pd.DataFrame:
        """What the tests say of each source's solutions: a row for each problem and source.

        Columns position, source, right (solutions that pass every test), wrong (those that fail one). A
        solution without a test, or with cells missing and none failed, is neither.
        """
        passed = int(Outcome.PASSED)
        failing = [int(code) for code in Outcome if code not in {Outcome.PASSED, Outcome.INTERNAL_ERROR}]
        failed = f"list_has_any(outcomes, {failing}::UTINYINT[])"
        right = f"len(outcomes) > 0 AND list_aggregate(outcomes, 'max') = {passed}"
        query = f"""
            SELECT position, source, count(*) FILTER ({right}) AS "right", count(*) FILTER ({failed}) AS wrong
            FROM read_parquet(?) AS o JOIN read_parquet(?) AS s USING (position, solution_id)
            GROUP BY ALL ORDER BY position, source
        """  # noqa: S608 - this module's own words
        files = [duckdb_name(part.path) for part in self._parts["outcomes"]]
        with reading(self.path), self._connection.cursor() as cursor:
            found = cursor.sql(query, params=[files, duckdb_name(self.path / "solutions.parquet")])
            frame: pd.DataFrame = found.to_arrow_table().to_pandas()
        return frame

    def outcome_totals(self) -> dict[str, int]:
        """Outcome letter -> cells of the whole run."""
        if self.manifest.outcome_counts:
            return dict(self.manifest.outcome_counts)
        return self._tallies.totals()

    def in_process_cells(self) -> int:
        """Cells judged inside the program's own process."""
        return self._tallies.in_process

    def n_flaky(self) -> int:
        """Cells whose outcome differed between repetitions."""
        return self._part_rows("flaky")

    def n_details(self) -> int:
        """Cells of which more is known than their outcome."""
        return self._part_rows("details")

    def flaky(self) -> pd.DataFrame:
        """Those cells: task_id, solution_id, test_index, outcomes (letters, one for each repetition)."""
        rows = self._select([part.path for part in self._parts["flaky"]], "*").to_pylist()
        letters = ["".join(Outcome(code).letter for code in row["outcomes"]) for row in rows]
        frame = pd.DataFrame(rows, columns=["task_id", "solution_id", "test_index"])
        return frame.assign(outcomes=letters)

    def problem_summary(self) -> pd.DataFrame:
        """One row a problem, in the order of the benchmark.

        Columns: task_id, position, n_tests, n_solutions, n_invalid_tests (they fail a solution of
        reference score 1.0), share_P .. share_I (of the problem's cells, NaN where there are none
        yet), reference_min, reference_max, reference_spread (max - min), n_unparsed.
        """
        with self._lock:
            return self._summary.copy()

    def search(self, text: str) -> list[str]:
        """The problems with `text` (in any case) in the prompt, the code of a solution or a test."""
        found: set[int] = set()
        # twice as fast for ASCII, and several times slower for any other text
        pattern = (
            "regexp_matches({}, regexp_escape(?), 'i')" if text.isascii() else "contains(lower({}), lower(?))"
        )
        for name, columns in (
            ("problems", ("task_id", "prompt", "reference_solution")),
            ("solutions", ("code",)),
            ("tests", ("source",)),
        ):
            where = " OR ".join(pattern.format(column) for column in columns)
            path = self.path / f"{name}.parquet"
            rows = self._select([path], "DISTINCT position", where, [text] * len(columns))
            found |= set(rows["position"].to_pylist())
        return [task_id for task_id, position in self._positions.items() if position in found]

    @cached_property
    def _positions(self) -> dict[str, int]:
        rows = self._select([self.path / "problems.parquet"], "task_id, position")
        return dict(zip(rows["task_id"].to_pylist(), rows["position"].to_pylist(), strict=True))

    @cached_property
    def _references(self) -> pd.DataFrame:
        columns = "position, task_id, solution_id, reference_score, reference_rank"
        frame: pd.DataFrame = self._select([self.path / "solutions.parquet"], columns).to_pandas()
        return frame

    @cached_property
    def _tallies(self) -> Tallies:
        solutions = self._references
        starts = np.searchsorted(solutions["position"].to_numpy(), np.arange(self.manifest.n_problems))
        perfect = (solutions["reference_score"] == 1.0).to_numpy()
        return tally((part.path for part in self._parts["outcomes"]), starts, perfect)

    @cached_property
    def _summary(self) -> pd.DataFrame:
        kept = self.path / SUMMARY
        if self.finished and kept.exists():
            with reading(kept):
                summary: pd.DataFrame = pq.read_table(kept).to_pandas()
                return summary
        wanted = "task_id, position, n_tests, n_solutions"
        frame: pd.DataFrame = self._select([self.path / "problems.parquet"], wanted).to_pandas()
        counts = self._tallies.by_problem(len(frame))
        frame["n_invalid_tests"] = [self._tallies.failing.get(place, 0) for place in frame["position"]]
        cells = counts.sum(axis=1)
        shares = np.full(counts.shape, np.nan)
        np.divide(counts, cells[:, None], out=shares, where=cells[:, None] > 0)
        for outcome in Outcome:
            frame[f"share_{outcome.letter}"] = shares[:, outcome]
        references = self._references.groupby("position")["reference_score"]
        spread = references.agg(["min", "max"]).reindex(frame["position"])
        frame["reference_min"] = spread["min"].to_numpy()
        frame["reference_max"] = spread["max"].to_numpy()
        frame["reference_spread"] = frame["reference_max"] - frame["reference_min"]
        unparsed = self._select([self.path / "answers.parquet"], "position, n_unparsed").to_pandas()
        by_place = dict(zip(unparsed["position"], unparsed["n_unparsed"], strict=True))
        frame["n_unparsed"] = [int(by_place.get(place, 0)) for place in frame["position"]]
        return frame

    def _position(self, task_id: str) -> int:
        with self._lock:
            return self._positions[task_id]

    def _each(self, first: str, second: str) -> Iterator[tuple[str, _Rows, _Rows]]:
        """Each problem with its rows of two tables, in the order of the benchmark."""
        task_ids = self.task_ids()
        for positions, (ones, others) in self._blocks(first, second):
            for position in positions:
                yield task_ids[position], ones.get(position, []), others.get(position, [])

    def _blocks(self, *names: str) -> Iterator[tuple[range, list[dict[int, _Rows]]]]:
        """All positions, some hundreds at once, and the rows that each table has for them, by position."""
        n_problems = len(self.task_ids())
        for low in range(0, n_problems, _AT_ONCE):
            positions = range(low, min(low + _AT_ONCE, n_problems))
            yield positions, [self._block(name, positions) for name in names]

    def _block(self, name: str, positions: range) -> dict[int, _Rows]:
        found: dict[int, _Rows] = {}
        path, ends = self.path / f"{name}.parquet", [positions[0], positions[-1]]
        for row in self._select([path], "*", "position BETWEEN ? AND ?", ends).to_pylist():
            found.setdefault(row["position"], []).append(row)
        return found

    def _rows(self, name: str, task_id: str) -> _Rows:
        path = self.path / f"{name}.parquet"
        rows: _Rows = self._select([path], "*", "position = ?", [self._position(task_id)]).to_pylist()
        return rows

    def _outcome_rows(self, task_id: str) -> pa.Table:
        position = self._position(task_id)
        files = self._holding("outcomes", position)
        table = self._select(files, "*", "position = ?", [position])
        if not table.num_rows:
            raise StoreError(f"{self.path}: {task_id} has no outcomes (yet)")
        return table

    def _holding(self, name: str, position: int) -> list[Path]:
        return [part.path for part in self._parts[name] if part.low <= position <= part.high]

    def _select(
        self, files: Sequence[Path], columns: str, where: str = "true", params: Iterable[object] = ()
    ) -> pa.Table:
        """Rows of some files of one table, in the order they were written (DuckDB keeps it)."""
        if not files:
            return pa.table({})
        query = f"SELECT {columns} FROM read_parquet(?) WHERE {where}"  # noqa: S608 - this module's own words
        with reading(self.path), self._connection.cursor() as cursor:
            return cursor.sql(query, params=[[duckdb_name(file) for file in files], *params]).to_arrow_table()

    def _part_rows(self, name: str) -> int:
        return sum(footer_of(part.path, _PART_SCHEMAS[name]).num_rows for part in self._parts[name])

    def _check_whole(self, rows: dict[str, int]) -> None:
        manifest = self.manifest
        wanted = {
            "problems": manifest.n_problems,
            "solutions": manifest.n_solutions,
            "tests": manifest.n_tests,
        }
        found = dict(rows)
        if manifest.outcome_counts:
            wanted |= {"outcomes": manifest.n_solutions, "flaky": manifest.flaky_cells}
            if manifest.details is not None:
                wanted["details"] = manifest.details
            found |= {name: self._part_rows(name) for name in self._parts}
        wanted["scores"] = manifest.n_solutions
        found["scores"] = footer_of(self.path / "scores.parquet", tables.SCORES).num_rows
        for name, count in wanted.items():
            if found[name] != count:
                raise StoreError(
                    f"{self.path / name}*.parquet: {found[name]} rows, the manifest says {count}; {AGAIN}"
                )


def _suite(task_id: str, tests: _Rows, answers: _Rows) -> TestSuite:
    cases = tuple(map(tables.test_of, tests))
    for answer in answers:
        unparsed = tuple((text, reason) for text, reason in json.loads(answer["unparsed"]))
        return TestSuite(task_id, cases, unparsed, answer["response"])
    return TestSuite(task_id, cases)
