"""What a pass matrix says about tests and solutions: rates, patterns, distances, diversity.

The matrix is uint8 codes of `Outcome`, shape (solutions, tests). A cell is passed (PASSED), failed
(any other outcome of a solution) or missing (INTERNAL_ERROR). A missing cell is never counted as
failed: rates are over the cells that are known, distances over the pairs of cells that both are,
and in a pattern "missing" is a value of its own, so that two vectors are the same pattern only
where nothing at all could tell them apart.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from core.model import Outcome, Problem, Solution, TestCase

__all__ = [
    "Outcomes",
    "Trial",
    "generator",
    "hamming",
    "known",
    "passed",
    "pattern_groups",
    "patterns",
    "rates_of_solutions",
    "rates_of_tests",
    "reference_failures",
    "verdicts",
]

Outcomes: TypeAlias = npt.NDArray[np.uint8]

REFERENCE = "reference"
RIGHT, WRONG, UNDETERMINED = 1, 0, -1


@dataclass(frozen=True, slots=True)
class Trial:
    """One problem with its pool of solutions, its tests, and what became of every pair.

    Attributes:
        solutions: the rows, in the order of the run or file.
        tests: the columns.
        outcomes: uint8 codes of `Outcome`, shape (solutions, tests).
    """

    problem: Problem
    solutions: tuple[Solution, ...]
    tests: tuple[TestCase, ...]
    outcomes: Outcomes

    def __post_init__(self) -> None:
        if self.outcomes.shape != (len(self.solutions), len(self.tests)):
            raise ValueError(
                f"{self.task_id}: outcomes of shape {self.outcomes.shape} for "
                f"{len(self.solutions)} solutions and {len(self.tests)} tests"
            )

    @property
    def task_id(self) -> str:
        """The problem's name."""
        return self.problem.task_id

    @property
    def reference(self) -> int | None:
        """Row of the reference solution: the first whose source or id is "reference"; None without one."""
        for row, solution in enumerate(self.solutions):
            if REFERENCE in (solution.source, solution.id):
                return row
        return None

    @property
    def candidates(self) -> npt.NDArray[np.intp]:
        """Rows of the pool without the reference solution."""
        rows = np.arange(len(self.solutions))
        return rows if self.reference is None else np.delete(rows, self.reference)

    def with_tests(self, columns: Sequence[int] | npt.NDArray[np.intp]) -> Trial:
        """The same pool under some of the tests only, in the order given."""
        places = np.asarray(columns, dtype=np.intp)
        tests = tuple(self.tests[place] for place in places)
        return replace(self, tests=tests, outcomes=self.outcomes[:, places])


def passed(outcomes: Outcomes) -> npt.NDArray[np.bool_]:
    """Which cells are PASSED; same shape."""
    cells: npt.NDArray[np.bool_] = outcomes == Outcome.PASSED
    return cells


def known(outcomes: Outcomes) -> npt.NDArray[np.bool_]:
    """Which cells have an outcome; same shape."""
    cells: npt.NDArray[np.bool_] = outcomes != Outcome.INTERNAL_ERROR
    return cells


def patterns(outcomes: Outcomes) -> npt.NDArray[np.int8]:
    """The matrix as 1 passed, 0 failed, 2 missing; same shape."""
    return np.where(known(outcomes), passed(outcomes), 2).astype(np.int8)


def rates_of_tests(outcomes: Outcomes) -> npt.NDArray[np.float64]:
    """Share of the known cells of each test that passed, [tests]; NaN where none is known."""
    return _rates(outcomes, axis=0)


def rates_of_solutions(outcomes: Outcomes) -> npt.NDArray[np.float64]:
    """Share of the known cells of each solution that passed, [solutions]; NaN where none is known."""
    return _rates(outcomes, axis=1)


def _rates(outcomes: Outcomes, axis: int) -> npt.NDArray[np.float64]:
    count = known(outcomes).sum(axis=axis)
    rates = np.full(count.shape, np.nan)
    np.divide(passed(outcomes).sum(axis=axis), count, out=rates, where=count > 0)
    return rates


def verdicts(outcomes: Outcomes) -> npt.NDArray[np.int8]:
    """What the suite as a whole says of each solution, [solutions].

    WRONG (0) if a cell failed, RIGHT (1) if every cell passed, UNDETERMINED (-1) if none failed but
    some are missing, or if there are no tests.
    """
    if not outcomes.shape[1]:
        return np.full(outcomes.shape[0], UNDETERMINED, dtype=np.int8)
    failed = (known(outcomes) & ~passed(outcomes)).any(axis=1)
    right = passed(outcomes).all(axis=1)
    return np.select([failed, right], [WRONG, RIGHT], UNDETERMINED).astype(np.int8)


def pattern_groups(vectors: npt.NDArray[np.int8]) -> list[npt.NDArray[np.intp]]:
    """Rows with the same values, as groups in order of their first row; each group ascending."""
    groups: dict[bytes, list[int]] = {}
    for row, vector in enumerate(np.ascontiguousarray(vectors)):
        groups.setdefault(vector.tobytes(), []).append(row)
    return [np.array(rows, dtype=np.intp) for rows in groups.values()]


def hamming(outcomes: Outcomes) -> npt.NDArray[np.int32]:
    """On how many tests two solutions differ, one passing and one failing; [solutions, solutions]."""
    # Float32 goes through BLAS and counts exactly up to 2**24 tests.
    good = passed(outcomes).astype(np.float32)
    bad = (known(outcomes) & ~passed(outcomes)).astype(np.float32)
    one_way = good @ bad.T
    return (one_way + one_way.T).astype(np.int32)


def reference_failures(trial: Trial) -> npt.NDArray[np.bool_]:
    """Which tests the reference solution fails, [tests]: they are wrong. None without a reference."""
    row = trial.reference
    if row is None:
        return np.zeros(len(trial.tests), dtype=bool)
    cells = trial.outcomes[row]
    return known(cells) & ~passed(cells)


def generator(seed: int, *names: str) -> np.random.Generator:
    """Random numbers that depend on the seed and the names alone, not on what was drawn elsewhere."""
    digest = hashlib.sha256("\0".join([str(seed), *names]).encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))
