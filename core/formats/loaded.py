"""What a loaded file gives, and what a format is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from core.formats.errors import FieldError, FormatError, RowError
from core.formats.reader import Row
from core.model import Benchmark, Pair, PassMatrix, Problem, Solution, TestSuite

__all__ = ["CallInputs", "Context", "Evaluated", "FlatRow", "Format", "Loaded", "Payload", "ResultRow"]


@dataclass(frozen=True, slots=True)
class CallInputs:
    """Inputs of a problem whose expected values are not in its file (EvalPlus).

    `core.formats.evalplus.attach_expected` turns them into reference tests once the
    reference solution has been run on them.

    Attributes:
        base, plus: each call's list of arguments as `sandbox.values` text.
        tolerance: largest absolute difference of floats, as the file says.
    """

    base: tuple[str, ...]
    plus: tuple[str, ...]
    tolerance: float

    @property
    def calls(self) -> tuple[str, ...]:
        """All calls, base first."""
        return self.base + self.plus


@dataclass(frozen=True, slots=True)
class FlatRow:
    """One solution of one problem, already scored by a verifier: nothing has to be run.

    Attributes:
        dataset: name of the benchmark ("HE_plus", ...).
        reference_score: fraction of reference tests passed.
        reference_rank: 1 is best.
        test_score: fraction of the verifier's tests passed; None if the row has none.
        reward_score: the reward model's number; None if the row has none.
        unit_tests: the verifier's tests, as they were run.
        response: the verifier's raw answer.
        line: where the row stands in its file.
    """

    dataset: str
    task_id: str
    code: str
    reference_score: float
    reference_rank: float | None
    test_score: float | None = None
    reward_score: float | None = None
    unit_tests: tuple[str, ...] = ()
    response: str | None = None
    line: int = 0


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What another evaluation found about one solution.

    Attributes:
        status: by set of tests ("base", "plus", "all") its word for the result.
        passed: by set of tests whether each test passed, where the file says so.
        failed_inputs: by set of tests the inputs that failed, where the file lists them.
    """

    task_id: str
    solution: Solution
    status: Mapping[str, str]
    passed: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    failed_inputs: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One problem whose file already has the outcome of every solution on every test."""

    problem: Problem
    solutions: tuple[Solution, ...]
    suite: TestSuite
    matrix: PassMatrix


@dataclass(frozen=True, slots=True)
class Payload:
    """The content of a file: one of these is not empty.

    `inputs` goes with problems or a benchmark, `answers` (raw, by pair_id) may go with pairs.
    """

    problems: tuple[Problem, ...] = ()
    benchmark: Benchmark | None = None
    suites: tuple[TestSuite, ...] = ()
    solutions: Mapping[str, tuple[Solution, ...]] = field(default_factory=dict)
    flat: tuple[FlatRow, ...] = ()
    results: tuple[ResultRow, ...] = ()
    evaluated: tuple[Evaluated, ...] = ()
    inputs: Mapping[str, CallInputs] = field(default_factory=dict)
    pairs: tuple[Pair, ...] = ()
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Loaded(Payload):
    """A file that was read.

    Attributes:
        format: name of its format.
        kind: which part of the payload is filled: "problems", "benchmark", "suites",
            "solutions", "flat", "results", "evaluated", "pairs" or "answers".
        rows: rows of the file, good and bad.
        errors: what is wrong, in the order of the file; these rows or fields are not in the payload.
        warnings: what was read, and how, where a reader might expect otherwise.
        partial: rows with an error of which the rest is in the payload.
    """

    format: str = ""
    kind: str = ""
    rows: int = 0
    partial: int = 0
    errors: tuple[RowError, ...] = ()
    warnings: tuple[RowError, ...] = ()

    @property
    def valid(self) -> int:
        """Rows without an error."""
        return self.rows - len({error.line for error in self.errors})

    @property
    def usable(self) -> bool:
        """Whether there is anything to work with: for tests at least one of them."""
        if self.kind == "suites":
            return any(suite.tests for suite in self.suites)
        return any(bool(getattr(self, f.name)) for f in fields(Payload))

    def scored(self, file: Path) -> Benchmark:
        """The benchmark that was loaded from `file`.

        Raises:
            FormatError: it holds none.
        """
        if self.benchmark is None:
            raise FormatError(
                f"{file}: is of the format {self.format}; expected a benchmark with scored solutions"
            )
        return self.benchmark

    @classmethod
    def of(cls, payload: Payload, **rest: Any) -> Loaded:
        """A payload with what is known about its file."""
        return cls(**{f.name: getattr(payload, f.name) for f in fields(payload)}, **rest)


@dataclass(slots=True)
class Context:
    """What a format needs while it reads, and where it leaves errors.

    Attributes:
        file: the file's name, for messages.
        name: the caller's name for what is in it, "" to take the file's.
        problems: the problems of the benchmark the file belongs to, by task_id; None if unknown.
        partial: lines with an error of which the rest is used.
    """

    file: str
    name: str = ""
    problems: Mapping[str, Problem] | None = None
    errors: list[RowError] = field(default_factory=list)
    warnings: list[RowError] = field(default_factory=list)
    partial: set[int] = field(default_factory=set)

    def error(self, line: int, field_: str, message: str) -> None:
        """Report something that is not loaded."""
        self.errors.append(RowError(self.file, line, field_, message))

    def warn(self, line: int, field_: str, message: str) -> None:
        """Report something that is loaded otherwise than a reader might expect."""
        self.warnings.append(RowError(self.file, line, field_, message))

    def known(self, task_id: str, field_: str = "task_id") -> Problem | None:
        """The benchmark's problem of that name; None where no benchmark was given.

        Raises:
            FieldError: the benchmark has none.
        """
        if self.problems is None:
            return None
        if task_id not in self.problems:
            raise FieldError(field_, f"expected a task of the benchmark, {task_id!r} is not in it")
        return self.problems[task_id]

    @contextmanager
    def row(self, row: Row) -> Iterator[None]:
        """Turn a `FieldError` inside the block into this row's error."""
        try:
            yield
        except FieldError as error:
            self.error(row.line, error.field, error.message)

    def title(self) -> str:
        """The caller's name, else the file's name without its endings."""
        return self.name or self.file.replace("\\", "/").rsplit("/", 1)[-1].split(".")[0]


@dataclass(frozen=True, slots=True)
class Format:
    """One external format.

    Attributes:
        name: as `Loaded.format` says it.
        kind: the part of the payload it fills.
        keys: its keys in words, for messages.
        matches: whether a row's keys are this format's.
        read: rows to payload; errors go to the context.
        nonfinite: top-level keys under which NaN and infinities are allowed.
    """

    name: str
    kind: str
    keys: str
    matches: Callable[[Mapping[str, Any]], bool]
    read: Callable[[Iterable[Row], Context], Payload]
    nonfinite: frozenset[str] = frozenset()


def has(*keys: str) -> Callable[[Mapping[str, Any]], bool]:
    """A test for rows that have all of the keys."""
    wanted = frozenset(keys)
    return lambda row: wanted <= row.keys()
