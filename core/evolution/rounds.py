"""Rounds of refinement: each makes adversarial, then discriminative tests, and is a run with a parent.

    <out>/evolution.json                 what the rounds are made from
    <out>/round-1-adversarial.jsonl      new tests of a step, with whom they were made for
    <out>/round-1-adversarial/           the suites with them, executed
    <out>/round-1-discriminative.jsonl
    <out>-1/                             round 1 as a run, and so on
    <out>-0/                             the start as a run, where it was a pipeline file

Each of these is there as a whole or not at all, so the same call goes on from any of them. A round's
run holds every test that was ever made: the filter at the end of a round (EvolveCoder paper, section
2.3) decides what is reported and taken out, and takes nothing away from the rounds to come.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.errors import InputError
from core.evolution.filters import Rules, filter_trial
from core.evolution.patterns import reference_failures
from core.evolution.selection import Method, select, splits
from core.evolution.sources import OnError, open_trials
from core.evolution.start import Start, read_start
from core.evolution.steps import Step, Task, Writer, Written, read_step, write_step
from core.execution import CachedExecutor, ExecutionRequest, execute
from core.execution.cache import CellCache
from core.files import write_json
from core.jobs import strangers
from core.model import Limits, TestSuite
from core.progress import OnProgress, Progress
from core.store import open_run
from sandbox.contract import Sandbox

__all__ = ["RoundOptions", "StepCounts", "evolve", "refuse_foreign", "round_folder", "step_counts"]

_RECORD = "evolution.json"


@dataclass(frozen=True, slots=True)
class RoundOptions:
    """How the rounds are made.

    Attributes:
        max_pass: tests that at least this share of the pool passes are not shown in the adversarial
            step; None shows them.
        seed: chooses solutions and representatives.
        limits: of each test, where the start is a file; a run keeps its own.
    """

    max_pass: float | None = None
    seed: int = 0
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class StepCounts:
    """What one step of a round came to.

    Attributes:
        problems: problems with at least one new test.
        tests: new tests.
        tried: inputs that were run, or tests that answers held.
        duplicates: of these, what was there already.
        unparsed: of these, what can't be a test.
        split: new tests that at least one of the chosen solutions passes and one fails.
        fails_reference: new tests that the reference solution fails, of the problems that have one.
    """

    round: int
    method: Method
    problems: int
    tests: int
    tried: int
    duplicates: int
    unparsed: int
    split: int
    fails_reference: int


def round_folder(out: Path, number: int) -> Path:
    """The run of one round; 0 is the start."""
    return out.with_name(f"{out.name}-{number}")


def evolve(
    start: Path,
    out: Path,
    rounds: int,
    writer: Writer,
    sandbox: Sandbox,
    *,
    options: RoundOptions | None = None,
    cache: Path,
    command: Sequence[str] = (),
    on_error: OnError | None = None,
    on_progress: OnProgress | None = None,
) -> tuple[Path, ...]:
    """Refine the suites of a run or pipeline file, or go on with it.

    Args:
        start: round 0.
        out: folder of the work; the rounds' runs lie beside it.
        rounds: how many there shall be.
        writer: makes new tests.
        sandbox: open, and left open.
        options: how the rounds are made.
        cache: file of finished cells.
        command: for the manifests.
        on_error: told of each row of a file that can't be used.
        on_progress: told how far it is.

    Returns:
        The runs, round 0 first.

    Raises:
        InputError: the start can't be used, or `out` holds rounds of something else.
        EndpointError: a model did not answer; the same call goes on.
    """
    options = options or RoundOptions()
    refuse_foreign(out)
    tell = on_progress or (lambda _: None)
    tell(Progress("reading the start"))
    begin = read_start(start, options.limits, on_error)
    _same_work(out, begin.described() | writer.described() | _options(options))
    with CachedExecutor(sandbox, CellCache(cache, lambda _: None)) as executor:
        work = _Work(begin, out, writer, sandbox, executor, options, cache, tuple(command), tell)
        folders = [work.beginning()]
        for number in range(1, rounds + 1):
            folders.append(work.round(folders[-1], number))
    return tuple(folders)


def refuse_foreign(out: Path) -> None:
    """Refuse a folder that holds something else than rounds.

    Raises:
        InputError: it does.
    """
    if not (out / _RECORD).exists() and (others := strangers(out)):
        raise InputError(f"{out}: has {others[0]!r} in it; expected a new folder or rounds to go on with")


def step_counts(out: Path, number: int) -> tuple[StepCounts, ...]:
    """What the steps of a finished round came to.

    Raises:
        TouchstoneError: a file of the round is missing or damaged.
    """
    folder = round_folder(out, number)
    made = {method: read_step(_step(out, number, method).file) for method in Method}
    return tuple(_counts(number, method, made[method], folder) for method in Method)


def _counts(number: int, method: Method, written: Sequence[Written], folder: Path) -> StepCounts:
    by_task = {one.task_id: one for one in written}
    split = failing = 0
    for trial in open_trials(folder):
        one = by_task.get(trial.task_id)
        if one is None or not one.tests:
            continue
        new = set(one.tests)
        columns = [place for place, test in enumerate(trial.tests) if test in new]
        rows = [row for row, solution in enumerate(trial.solutions) if solution.id in one.selected]
        split += sum(splits(trial.outcomes[rows, column]) for column in columns)
        failing += int(reference_failures(trial)[columns].sum())
    return StepCounts(
        number,
        method,
        problems=sum(bool(one.tests) for one in written),
        tests=sum(len(one.tests) for one in written),
        tried=sum(one.tried for one in written),
        duplicates=sum(one.duplicates for one in written),
        unparsed=sum(len(one.unparsed) for one in written),
        split=split,
        fails_reference=failing,
    )


def _options(options: RoundOptions) -> dict[str, Any]:
    return {"max_pass": options.max_pass, "seed": options.seed}


def _same_work(out: Path, wanted: dict[str, Any]) -> None:
    """Take over what was begun from the same things, and refuse anything else."""
    path = out / _RECORD
    if not path.exists():
        write_json(path, wanted)
        return
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: damaged ({error}); choose another folder") from error
    now = json.loads(json.dumps(wanted))
    for name in sorted({*found, *now}):
        if found.get(name) != now.get(name):
            raise InputError(
                f"{out}: holds rounds with {name.replace('_', ' ')} {found.get(name)!r}, not "
                f"{now.get(name)!r}; choose another folder, or go on with the same"
            )


def _step(out: Path, number: int, method: Method, first: int = 0) -> Step:
    return Step(first + number, method, out / f"round-{number}-{method.value}.jsonl")


@dataclass(frozen=True, slots=True)
class _Work:
    """The rounds on their way."""

    start: Start
    out: Path
    writer: Writer
    sandbox: Sandbox
    executor: CachedExecutor
    options: RoundOptions
    cache: Path
    command: tuple[str, ...]
    tell: OnProgress

    def beginning(self) -> Path:
        """Round 0 as a run."""
        if self.start.run is not None:
            return self.start.run
        return self._execute(self.start.suites, round_folder(self.out, 0), self.start.name, "", 0)

    def round(self, parent: Path, number: int) -> Path:
        """One round, from the run before it to its own."""
        middle = self.out / f"round-{number}-{Method.ADVERSARIAL.value}"
        name = f"{self.start.name} · round {number}"
        suites = self._grown(parent, number, Method.ADVERSARIAL)
        self._execute(suites, middle, name, parent.name, number)
        suites = self._grown(middle, number, Method.DISCRIMINATIVE)
        return self._execute(suites, round_folder(self.out, number), name, parent.name, number)

    def _grown(self, before: Path, number: int, method: Method) -> tuple[TestSuite, ...]:
        """The suites of a run with the tests of one step, which is made if it is not there."""
        step = _step(self.out, number, method, self.start.first)
        if not step.file.exists():
            tasks = self._tasks(before, method)
            total = len(self.start.benchmark.problems)
            started = time.monotonic()
            self.tell(Progress(step.phase, 0, total, "problems"))
            written = self.writer.write(tasks, step, self.executor, _timed(self.tell, started), total)
            places = {problem.task_id: i for i, problem in enumerate(self.start.benchmark.problems)}
            write_step(step.file, sorted(written, key=lambda one: places[one.task_id]))
        made = {one.task_id: one for one in read_step(step.file)}
        suites = []
        for suite in open_run(before).suites():
            new = made.get(suite.task_id)
            tests = suite.tests + (new.tests if new else ())
            suites.append(TestSuite(suite.task_id, tests, suite.unparsed + (new.unparsed if new else ())))
        return tuple(suites)

    def _tasks(self, before: Path, method: Method) -> Iterator[Task]:
        seed = self.options.seed
        rules = (
            Rules.adversarial(max_pass=self.options.max_pass, seed=seed)
            if method is Method.ADVERSARIAL
            else Rules.discriminative(seed=seed)
        )
        for trial in open_trials(before):
            shown = filter_trial(trial, rules).after
            yield Task(trial, shown, select(shown, method, seed))

    def _execute(
        self, suites: tuple[TestSuite, ...], folder: Path, name: str, parent: str, number: int
    ) -> Path:
        start = self.start
        request = ExecutionRequest(
            benchmark=start.benchmark,
            suites=suites,
            out=folder,
            verifier=f"{start.verifier}+{self.writer.name}" if number else start.verifier,
            name=name,
            sandbox=self.sandbox,
            limits=start.limits,
            timeout_factor=start.timeout_factor,
            repeat=start.repeat,
            cache=self.cache,
            resume=True,
            parent=parent,
            benchmark_sha256=start.sha256,
            command=self.command,
        )
        return execute(request, _named(self.tell, f"round {number}"))


def _named(tell: OnProgress, prefix: str) -> OnProgress:
    """Put the round in front of the phases of its run."""
    return lambda progress: tell(replace(progress, phase=f"{prefix}: {progress.phase}"))


def _timed(tell: OnProgress, started: float) -> OnProgress:
    """Add the time that has passed where the teller does not know it."""
    return lambda progress: tell(
        progress if progress.seconds else replace(progress, seconds=time.monotonic() - started)
    )
