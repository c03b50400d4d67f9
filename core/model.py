"""The words of Touchstone as types: problems, solutions, tests, verifiers' verdicts.

Everything is frozen plain data. Reading and writing files is `core.formats` and
`core.store`; numbers over many problems are `core.metrics`.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from sandbox.contract import Limits, Outcome

__all__ = [
    "AnswerClass",
    "Assertion",
    "Benchmark",
    "CallTest",
    "Harness",
    "Limits",
    "Metric",
    "Origin",
    "Outcome",
    "Pair",
    "PassMatrix",
    "Problem",
    "ProblemKind",
    "Solution",
    "StdioTest",
    "TestCase",
    "TestSuite",
    "VerifierKind",
]


class ProblemKind(enum.StrEnum):
    """How a solution is used: called by name, or fed text on standard input."""

    FUNCTION = "function"
    STDIO = "stdio"


class VerifierKind(enum.StrEnum):
    """How a verifier comes to its scores."""

    TESTS = "tests"
    REWARD = "reward"
    HARNESS = "harness"
    CONSENSUS = "consensus"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a test comes from.

    Attributes:
        verifier: name of the verifier that wrote it ("" for reference tests).
        method: how it was made ("docstring", "adversarial", ...).
        round: round of refinement, 0 for the first suite.
    """

    verifier: str = ""
    method: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True)
class Assertion:
    """A test that is Python source: statements that end in an assertion."""

    source: str
    origin: Origin = Origin()

    @property
    def text(self) -> str:
        """The test for a person to read."""
        return self.source


@dataclass(frozen=True, slots=True)
class StdioTest:
    """A test that feeds a program text and compares its standard output."""

    stdin: str
    expected_stdout: str
    origin: Origin = Origin()

    @property
    def text(self) -> str:
        """The test for a person to read."""
        return f"input:\n{self.stdin}\nexpected output:\n{self.expected_stdout}"


@dataclass(frozen=True, slots=True)
class CallTest:
    """A test that calls the entry point and compares the returned value.

    Attributes:
        arguments: list of arguments, as `sandbox.values.dumps` text.
        expected: returned value, as `sandbox.values.dumps` text.
        tolerance: largest absolute difference of floats that still passes; 0 is exact.
    """

    arguments: str
    expected: str
    tolerance: float = 0.0
    origin: Origin = Origin()

    @property
    def text(self) -> str:
        """The test for a person to read."""
        return f"arguments: {self.arguments}\nexpected: {self.expected}"


TestCase: TypeAlias = Assertion | StdioTest | CallTest


@dataclass(frozen=True, slots=True)
class Problem:
    """One task of a benchmark.

    Attributes:
        task_id: unique in its benchmark.
        prompt: what a solver is given: a description, or code to complete.
        entry_point: name of the function or class under test; None for stdio problems.
        reference_solution: a whole program that is known to be right, or "".
        reference_tests: the tests whose verdict counts as the truth.
        metadata: anything else the source file says (difficulty, source, ...).
    """

    task_id: str
    prompt: str
    kind: ProblemKind = ProblemKind.FUNCTION
    entry_point: str | None = None
    reference_solution: str = ""
    reference_tests: tuple[TestCase, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Solution:
    """A candidate program for one problem.

    Attributes:
        id: unique within its problem.
        code: the whole program.
        source: who wrote it: a model's name, "reference", "mutant", "human".
        reference_score: fraction of reference tests passed, in [0, 1]; None if unknown.
        reference_rank: 1 is best; None if unknown.
        mean_seconds: mean time of a reference test; None if unknown.
    """

    id: str
    code: str
    source: str = ""
    reference_score: float | None = None
    reference_rank: float | None = None
    mean_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """Problems whose solutions carry reference scores.

    Attributes:
        solutions: task_id -> its solutions, in reference order (best first).
    """

    name: str
    problems: tuple[Problem, ...]
    solutions: Mapping[str, tuple[Solution, ...]]


@dataclass(frozen=True, slots=True)
class TestSuite:
    """The ordered tests that one verifier gives one problem.

    Attributes:
        unparsed: pieces of the verifier's answer that could not be read as a test, each
            with the reason behind it: (text, reason). Kept and shown, never run.
        response: the verifier's raw answer, where the file has one.
    """

    __test__ = False  # not a test class of pytest

    task_id: str
    tests: tuple[TestCase, ...]
    unparsed: tuple[tuple[str, str], ...] = ()
    response: str | None = None


@dataclass(frozen=True, slots=True)
class Harness:
    """Code with `generate_input_1..n()` and `check_output(input, output)` (HarnessLLM, section 3)."""

    task_id: str
    source: str
    response: str | None = None


@dataclass(frozen=True, slots=True)
class PassMatrix:
    """One problem's solutions x tests of outcomes.

    Attributes:
        solution_ids: the rows, in reference order.
        outcomes: uint8 codes of `Outcome`, shape (solutions, tests).
        seconds: float32 wall time per cell, same shape.
    """

    task_id: str
    solution_ids: tuple[str, ...]
    outcomes: npt.NDArray[np.uint8]
    seconds: npt.NDArray[np.float32]

    def letters(self) -> list[str]:
        """Each row as outcome letters, e.g. "PPFET"."""
        alphabet = np.frombuffer(b"PFETMOCI", dtype=np.uint8)
        return [bytes(row).decode("ascii") for row in alphabet[self.outcomes]]


@dataclass(frozen=True, slots=True)
class Metric:
    """An aggregate over problems.

    Attributes:
        value: NaN where no problem defines it.
        low, high: ends of the interval; NaN where there is none.
        n: problems that went in.
        n_undefined: problems on which it is undefined (a correlation with a constant side).
    """

    value: float
    low: float
    high: float
    n: int
    n_undefined: int


class AnswerClass(enum.IntEnum):
    """What an answer that hunts a bug turned out to be (HarnessLLM, sections 3.3 and 4.1).

    The number is the code in arrays and files, `key` the name in JSON.
    """

    FORMAT_ERROR = 0
    INVALID = 1
    NO_DIFFERENCE = 2
    GOOD_INPUT_INVALID = 3
    GOOD_INPUT_MISSED = 4
    TRUE_BUG = 5

    @property
    def key(self) -> str:
        """The name in JSON: "true_bug"."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Pair:
    """A program known to be right and one that may be wrong, for the same problem.

    Attributes:
        good, buggy: whole programs, g and f of the HarnessLLM paper.
        entry_point: the function's name, or a method's of class `Solution`; None for stdio.
        buggy_entry_point: that of the buggy program where it has another name.
        metadata: anything else that is known (difficulty, source, the share of tests f passes, ...).
    """

    pair_id: str
    description: str
    kind: ProblemKind
    good: str
    buggy: str
    entry_point: str | None = None
    buggy_entry_point: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
