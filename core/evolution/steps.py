"""One step of a round: who is asked for new tests, what came, and the file that keeps it.

A step's file is there as a whole or not at all. What its making costs is kept elsewhere as it comes,
calls in the cache of cells, a model's answers in a file of answers, so that a step that was killed is
made again at no cost but time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from core.errors import TouchstoneError
from core.evolution.calls import answered
from core.evolution.offline import VERIFIER, Proposal, keep, propose
from core.evolution.patterns import Trial
from core.evolution.prompts import parse_generated, render
from core.evolution.selection import Method, Selection
from core.execution.executor import Executor
from core.formats.tests_json import test_from_json, test_to_json
from core.formats.touchstone import write_rows
from core.llm import Ask, Endpoint, EndpointError, Generation, Prices, generate
from core.model import Benchmark, Origin, TestCase
from core.progress import OnProgress, Progress
from sandbox.contract import Limits

__all__ = ["ModelWriter", "OfflineWriter", "Step", "Task", "Writer", "Written", "read_step", "write_step"]

CALL_LIMITS = Limits(seconds=1.0)


@dataclass(frozen=True, slots=True)
class Step:
    """Where in the rounds one is.

    Attributes:
        file: what the step makes; a model's answers lie beside it.
    """

    number: int
    method: Method
    file: Path

    @property
    def phase(self) -> str:
        """The step in words."""
        return f"round {self.number}, {self.method.value} tests"


@dataclass(frozen=True, slots=True)
class Task:
    """One problem that new tests are asked for.

    Attributes:
        whole: with all tests, so that none is made again.
        shown: with the tests that the step's filter left.
        selection: the solutions to make them for.
    """

    whole: Trial
    shown: Trial
    selection: Selection


@dataclass(frozen=True, slots=True)
class Written:
    """What came for one problem.

    Attributes:
        selected: ids of the solutions that the tests are made for.
        tests: new tests, none of them in the suite.
        tried: inputs that were run, or tests that an answer holds.
        duplicates: inputs or tests that were there already.
        unparsed: (text, reason) of what should be a test and can't be one.
        reason: why there is nothing, "" if there is something.
    """

    task_id: str
    selected: tuple[str, ...]
    tests: tuple[TestCase, ...] = ()
    tried: int = 0
    duplicates: int = 0
    unparsed: tuple[tuple[str, str], ...] = ()
    reason: str = ""


class Writer(Protocol):
    """Who makes new tests."""

    @property
    def name(self) -> str:
        """As verifier in the tests' origin."""

    def described(self) -> dict[str, Any]:
        """What the tests depend on; the same description makes the same tests."""

    def write(
        self, tasks: Iterable[Task], step: Step, executor: Executor, on_progress: OnProgress, total: int
    ) -> Iterator[Written]:
        """New tests for every task, in any order."""


@dataclass(frozen=True, slots=True)
class OfflineWriter:
    """The generator that needs no model (`core.evolution.offline`).

    Attributes:
        n_tests: how many tests of a problem and step to keep.
        attempts: inputs to try for them.
        seed: of the mutations.
    """

    n_tests: int = 20
    attempts: int = 100
    seed: int = 0

    @property
    def name(self) -> str:
        """Of the tests' verifier."""
        return VERIFIER

    def described(self) -> dict[str, Any]:
        """The generator and its numbers."""
        return {
            "generator": VERIFIER,
            "n_tests": self.n_tests,
            "attempts": self.attempts,
            "writer_seed": self.seed,
        }

    def write(
        self, tasks: Iterable[Task], step: Step, executor: Executor, on_progress: OnProgress, total: int
    ) -> Iterator[Written]:
        """Mutate inputs, run them, keep what splits."""

        def proposals() -> Iterator[Proposal]:
            for task in tasks:
                yield propose(
                    task.whole, task.selection, attempts=self.attempts, number=step.number, seed=self.seed
                )

        for done, (proposal, answers) in enumerate(answered(proposals(), executor, CALL_LIMITS), 1):
            made = keep(proposal, answers, n_tests=self.n_tests, number=step.number)
            on_progress(Progress(step.phase, done, total, "problems"))
            yield Written(
                proposal.trial.task_id,
                proposal.selection.solution_ids,
                made.tests,
                made.tried,
                made.duplicates,
                reason=made.reason,
            )


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """A model behind an OpenAI-compatible endpoint.

    Attributes:
        generation: of kind EVOLVE.
        skip_failed: go on without the answers that could not be had.
    """

    generation: Generation
    endpoint: Endpoint
    prices: Prices = field(default_factory=Prices)
    concurrency: int = 8
    skip_failed: bool = False

    @property
    def name(self) -> str:
        """The endpoint's name for the model."""
        return self.generation.model

    def described(self) -> dict[str, Any]:
        """The request as every answer keeps it."""
        return {"generator": self.name, **self.generation.described()}

    def write(
        self, tasks: Iterable[Task], step: Step, executor: Executor, on_progress: OnProgress, total: int
    ) -> Iterator[Written]:
        """Ask for every problem, and read the answers.

        Raises:
            EndpointError: some requests have no answer; the same call asks them again.
        """
        del executor, total
        answers = step.file.with_suffix(".answers.jsonl")
        found = list(tasks)
        asks = [
            Ask(
                self.generation,
                task.whole.problem,
                prompt=tuple(render(task.shown, task.selection, self.generation.n_tests)),
            )
            for task in found
            if task.selection.rows
        ]
        summary = generate(
            Benchmark(step.file.name, (), {}),
            self.generation,
            self.endpoint,
            answers,
            asks=asks,
            prices=self.prices,
            concurrency=self.concurrency,
            on_progress=on_progress,
        )
        if summary.failed and not self.skip_failed:
            raise EndpointError(
                f"{summary.failed} of {len(asks)} requests have no answer; the same command asks them again, "
                "--skip-failed goes on without them"
            )
        texts = _responses(answers)
        for task in found:
            yield self._read(task, texts.get(task.whole.task_id), step)

    def _read(self, task: Task, answer: str | None, step: Step) -> Written:
        task_id, selected = task.whole.task_id, task.selection.solution_ids
        if not selected:
            return Written(task_id, (), reason="no solution can be chosen")
        if answer is None:
            return Written(task_id, selected, reason="the model gave no answer")
        made = parse_generated(
            answer, task.whole.tests, method=step.method, verifier=self.name, number=step.number
        )
        tried = len(made.tests) + made.duplicates + len(made.unparsed)
        return Written(task_id, selected, made.tests, tried, made.duplicates, made.unparsed)


def write_step(path: Path, written: Iterable[Written]) -> None:
    """Keep what a step made, one problem a line."""
    write_rows(
        path,
        (
            {
                "task_id": one.task_id,
                "selected": list(one.selected),
                "tests": [test_to_json(test) for test in one.tests],
                "tried": one.tried,
                "duplicates": one.duplicates,
                "unparsed": [list(piece) for piece in one.unparsed],
                "reason": one.reason,
            }
            for one in written
        ),
    )


def read_step(path: Path) -> tuple[Written, ...]:
    """What a step made.

    Raises:
        TouchstoneError: the file is damaged; the message names it.
    """
    try:
        return tuple(map(_written, map(json.loads, path.read_text(encoding="utf-8").splitlines())))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise TouchstoneError(f"{path}: damaged ({error}); remove it, and the step is made again") from error


def _written(row: dict[str, Any]) -> Written:
    return Written(
        row["task_id"],
        tuple(row["selected"]),
        tuple(test_from_json(test, "tests", Origin()) for test in row["tests"]),
        row["tried"],
        row["duplicates"],
        tuple((text, reason) for text, reason in row["unparsed"]),
        row["reason"],
    )


def _responses(path: Path) -> dict[str, str]:
    """The answers of a file by their problems."""
    if not path.exists():
        return {}
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["task_id"]: row["response"] for row in rows}
