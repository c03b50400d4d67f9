"""Harnesses and input/output answers as a verifier: every candidate of a problem ranked by what they catch.

All answers about a problem are pooled, as for choosing the best of N programs (HarnessLLM, section 4.2):
each input of each answer is a test, each solution runs on it, and the answer's check (or its expected
output) judges what came out. The score is the fraction of tests passed. No good program is looked at,
so an answer that is wrong counts like any other: that is what is to be found out.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from core.errors import InputError
from core.execution.cache import CellCache
from core.execution.executor import CachedExecutor, Executor, python_version
from core.formats.pairs import task_of
from core.hunting.answers import FaultError, parse_cases, parse_harness
from core.hunting.inputs import prepare
from core.hunting.model import AnswerKind, HuntOptions
from core.hunting.pool import Pool, outcomes_of, pair_about
from core.model import Benchmark, Outcome, Pair, Problem, VerifierKind
from core.progress import OnProgress, Progress, telling
from core.store import (
    Manifest,
    RunWriter,
    WrongRunError,
    benchmark_sha256,
    installed_versions,
    now,
    open_run,
    read_manifest,
)
from core.store.manifest import MANIFEST
from sandbox.contract import Sandbox

__all__ = ["AnswersRequest", "answers_by_task", "kind_of", "run_answers"]

_BATCH = 8
"""Problems whose solutions run side by side."""
_GENERATED = 64
"""Problems whose generators run side by side."""
_T = TypeVar("_T")

Texts = Mapping[str, Sequence[tuple[str, str]]]
"""By task_id (id of the solution that the answer is about, or ""; the answer as it came)."""


@dataclass(frozen=True, slots=True)
class AnswersRequest:
    """Answers to be run on every solution of their problems.

    Attributes:
        texts: the answers; problems without any are in the run, without tests.
        options: kind, seed and limits, the limits of programs among them.
        cache: file of the cells known from other runs.
        resume: go on with an unfinished run in `out`.
    """

    benchmark: Benchmark
    texts: Texts
    out: Path
    name: str
    sandbox: Sandbox
    options: HuntOptions
    cache: Path
    resume: bool = False
    command: tuple[str, ...] = ()


def answers_by_task(
    benchmark: Benchmark, answers: Mapping[str, Sequence[str]]
) -> tuple[dict[str, list[tuple[str, str]]], tuple[str, ...]]:
    """Answers by the problem they are about (`task_of`), and the pair_ids that belong to no problem."""
    known = {problem.task_id for problem in benchmark.problems}
    found: dict[str, list[tuple[str, str]]] = {}
    strangers = []
    for pair_id, texts in answers.items():
        task_id = task_of(pair_id, known)
        if task_id in known:
            about = pair_id[len(task_id) + 1 :]
            found.setdefault(task_id, []).extend((about, text) for text in texts)
        else:
            strangers.append(pair_id)
    return found, tuple(strangers)


def kind_of(benchmark: Benchmark, texts: Texts) -> AnswerKind:
    """What most of the answers are: harnesses, or input/output cases.

    Raises:
        InputError: not one of them is either.
    """
    counts = dict.fromkeys(AnswerKind, 0)
    for problem in benchmark.problems:
        for shown, text in texts.get(problem.task_id, ()):
            pair = _about(problem, shown, benchmark)
            for kind, parse in ((AnswerKind.HARNESS, parse_harness), (AnswerKind.IO, parse_cases)):
                with contextlib.suppress(FaultError):
                    parse(text, pair)
                    counts[kind] += 1
    if not any(counts.values()):
        raise InputError("no answer holds a harness (```python) or a list of cases (```json)")
    return max(AnswerKind, key=lambda kind: counts[kind])


def run_answers(request: AnswersRequest, on_progress: OnProgress | None = None) -> Path:
    """Run the answers' tests on every solution, and write the run.

    Stopped or killed, the same request goes on with `resume`; what ran is not run again.

    Returns:
        The folder of the finished run; at once, if it is there with the same inputs already.

    Raises:
        WrongRunError: the folder holds something else, or an unfinished run and `resume` is not given.
        ExecutionError: the sandbox can't go on.
    """
    manifest = _manifest(request)
    there = (request.out / MANIFEST).exists()
    if there:
        found = read_manifest(request.out)
        if differences := found.differences(manifest):
            raise WrongRunError(f"{request.out}: holds a run of other inputs: {'; '.join(differences)}")
        if found.finished:
            return request.out
        if not request.resume:
            raise WrongRunError(
                f"{request.out}: holds an unfinished run of the same inputs: "
                "`run --resume` goes on with it; or remove it"
            )
    benchmark = request.benchmark
    with (
        telling(request.out, on_progress) as tell,
        CachedExecutor(request.sandbox, CellCache(request.cache, lambda _: None)) as executor,
    ):
        pools = _pools(request, executor, tell)
        suites = tuple(pool.suite() for pool in pools)
        start = RunWriter.resume if there else RunWriter.create
        with start(request.out, manifest, benchmark.problems, benchmark.solutions, suites) as writer:
            _fill(request, pools, writer, executor, tell)
            return writer.finish()


def _manifest(request: AnswersRequest) -> Manifest:
    isolation = request.sandbox.isolation
    versions = {**isolation.versions, "python": python_version(isolation)}
    asked = [
        {key: list(texts) for key, texts in sorted(request.texts.items())},
        dataclasses.asdict(request.options),
    ]
    return Manifest(
        name=request.name,
        verifier=request.name,
        verifier_kind=VerifierKind.HARNESS,
        benchmark=request.benchmark.name,
        benchmark_sha256=benchmark_sha256(request.benchmark),
        tests_sha256=hashlib.sha256(json.dumps(asked).encode()).hexdigest(),
        isolation=dataclasses.replace(isolation, versions=versions),
        created=now(),
        limits=request.options.program,
        versions=installed_versions(),
        command=request.command,
    )


def _pools(request: AnswersRequest, executor: Executor, tell: OnProgress) -> list[Pool]:
    """Every problem's answers with their inputs; generators run here."""
    started = time.monotonic()
    benchmark = request.benchmark
    pools: list[Pool] = []
    for group in _batches(benchmark.problems, _GENERATED):
        tell(
            Progress(
                "running generators",
                len(pools),
                len(benchmark.problems),
                "problems",
                seconds=time.monotonic() - started,
            )
        )
        about = [
            (number, (_about(problem, shown, benchmark), text))
            for number, problem in enumerate(group)
            for shown, text in request.texts.get(problem.task_id, ())
        ]
        prepared = prepare([one for _, one in about], executor, request.options)
        for number, problem in enumerate(group):
            mine = [one for (place, _), one in zip(about, prepared, strict=True) if place == number]
            pools.append(Pool(problem, benchmark.solutions.get(problem.task_id, ()), mine))
    return pools


def _about(problem: Problem, shown: str, benchmark: Benchmark) -> Pair:
    """The problem as an answer is about it: the solution it was shown names the arguments."""
    found = [one.code for one in benchmark.solutions.get(problem.task_id, ()) if one.id == shown]
    return pair_about(problem, found[0] if found else problem.reference_solution)


def _fill(
    request: AnswersRequest, pools: Sequence[Pool], writer: RunWriter, executor: Executor, tell: OnProgress
) -> None:
    started = time.monotonic()
    counts = dict.fromkeys((outcome.letter for outcome in Outcome), 0)
    if writer.done:
        counts |= open_run(request.out).outcome_totals()
    known, total = sum(counts.values()), writer.manifest.n_cells
    missing = [pool for pool in pools if pool.solutions and pool.problem.task_id not in writer.done]
    for group in _batches(missing, _BATCH):
        rows = [row for part in outcomes_of(group, executor, request.options) for row in part]
        writer.append(rows)
        for row in rows:
            for code in row.outcomes:
                counts[Outcome(int(code)).letter] += 1
        spent = time.monotonic() - started
        done = sum(counts.values())
        tell(Progress("running tests", done, total, cached=known, seconds=spent, outcomes=counts))


def _batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    waiting = iter(items)
    while batch := list(islice(waiting, size)):
        yield batch
