"""`run`: a verifier's tests on the solutions of a benchmark."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from core import terminal
from core.commands.common import (
    Sheet,
    load,
    long_work,
    one_line,
    opened_sandbox,
    refuse_folder_of_run,
    say_reasons,
    stem,
)
from core.commands.score import sheet_of
from core.errors import InputError, listed
from core.execution import ExecutionRequest, execute
from core.formats import Loaded
from core.formats.scores import notes
from core.hunting.folder import is_hunt, open_hunt
from core.hunting.model import AnswerKind, HuntOptions
from core.hunting.verifier import AnswersRequest, answers_by_task, kind_of, run_answers
from core.jobs import announced, working
from core.model import Benchmark, Limits, Problem, TestSuite
from core.scoring import run_scores
from core.store import open_run
from core.verifiers.rewards import scores_run
from core.views.measured import measures
from core.words import quantity
from core.workspace import Workspace

_OUTPUT_KB = HuntOptions(AnswerKind.IO).program.output_kb
"""What a program may print at least where a harness looks at it, as in a hunt."""


def run(
    benchmark: Path,
    tests: Path,
    out: Path,
    *,
    name: str | None,
    backend: str,
    workers: int | None,
    cluster: str | None,
    limits: Limits,
    timeout_factor: float | None,
    repeat: int,
    resume: bool,
) -> Sheet:
    """Run a tests file on a benchmark file and score it; scores that a file holds are only taken over."""
    refuse_folder_of_run(out)
    name = one_line(name, "--name")
    judged = load(benchmark, "benchmark").scored(benchmark)
    suites = _hunted(tests) if is_hunt(tests) else load(tests, None, judged)
    if suites.kind == "answers":
        _refuse_for_answers(timeout_factor, repeat)
        held = dataclasses.replace(limits, output_kb=max(limits.output_kb, _OUTPUT_KB))
        return _run_of_answers(
            suites.answers, judged, tests, out, name, backend, workers, held, resume=resume
        )
    if suites.benchmark is not None:
        suites = Loaded(suites=tuple(_own_suite(one) for one in suites.benchmark.problems), kind="suites")
    if suites.kind == "flat":
        if not suites.flat:
            raise InputError(f"{tests}: holds no usable score for a solution of {benchmark}")
        return _run_of_scores(suites, judged, tests, out, name or stem(tests))
    if suites.kind != "suites":
        raise InputError(
            f"{tests}: is of the format {suites.format}; expected tests, scores of solutions, harnesses, "
            "input/output answers, or a benchmark, whose reference tests are run"
        )
    known = {problem.task_id for problem in judged.problems}
    strangers = [suite.task_id for suite in suites.suites if suite.task_id not in known]
    if strangers:
        terminal.say(
            f"note: {tests}: {len(strangers)} task_ids are not in the benchmark: {listed(strangers)}"
        )
    if not any(suite.tests for suite in suites.suites if suite.task_id in known):
        raise InputError(f"{tests}: holds no usable test for a problem of {benchmark}")
    tested = {suite.task_id for suite in suites.suites if suite.tests} & known
    if len(tested) < len(known):
        without = [task_id for problem in judged.problems if (task_id := problem.task_id) not in tested]
        terminal.say(
            f"note: {tests}: has tests for {len(tested)} of {quantity(len(known), 'problem')}; "
            f"none for {listed(without)}"
        )
    verifier = name or stem(tests)
    with (
        announced(out, sys.argv[1:]),
        long_work("the same command with --resume goes on from there") as on_progress,
        opened_sandbox(backend, workers, cluster) as sandbox,
    ):
        request = ExecutionRequest(
            benchmark=judged,
            suites=tuple(suite for suite in suites.suites if suite.task_id in known),
            out=out,
            verifier=verifier,
            name=verifier,
            sandbox=sandbox,
            limits=limits,
            timeout_factor=timeout_factor,
            cache=Workspace.default().cache_path,
            repeat=repeat,
            resume=resume,
            command=tuple(sys.argv[1:]),
        )
        execute(request, on_progress)
        measures(open_run(out), "nan")  # kept beside the run, so that the app opens it at once
    return sheet_of([run_scores(open_run(out))])


def _own_suite(problem: Problem) -> TestSuite:
    """A problem's reference tests as a verifier's suite: what the study of saturation runs."""
    return TestSuite(problem.task_id, problem.reference_tests)


def _run_of_scores(loaded: Loaded, benchmark: Benchmark, tests: Path, out: Path, name: str) -> Sheet:
    with long_work() as on_progress, working(out, sys.argv[1:], on_progress):
        folder, noted = scores_run(loaded, benchmark, out, file=str(tests), name=name, command=sys.argv[1:])
        measures(open_run(folder), "nan")
    say_reasons(*notes(noted))
    return sheet_of([run_scores(open_run(folder))])


def _hunted(folder: Path) -> Loaded:
    """The answers of a hunt."""
    texts = open_hunt(folder).texts()
    return Loaded(answers={pair_id: tuple(own.values()) for pair_id, own in texts.items()}, kind="answers")


def _refuse_for_answers(timeout_factor: float | None, repeat: int) -> None:
    """Refuse options that would change nothing for harnesses and input/output answers."""
    if timeout_factor is not None or repeat != 1:
        raise InputError("--timeout-factor and --repeat are for tests; expected neither with answers")


def _run_of_answers(
    answers: Mapping[str, Sequence[str]],
    benchmark: Benchmark,
    tests: Path,
    out: Path,
    name: str | None,
    backend: str,
    workers: int | None,
    limits: Limits,
    *,
    resume: bool,
) -> Sheet:
    """Harnesses or input/output answers, pooled for each problem, on all of its solutions."""
    texts, strangers = answers_by_task(benchmark, answers)
    if strangers:
        terminal.say(
            f"note: {tests}: {quantity(len(strangers), 'answer')} about no problem of it, e.g. {strangers[0]}"
        )
    if not texts:
        raise InputError(f"{tests}: has no answer about a problem of {benchmark.name}")
    kind = kind_of(benchmark, texts)
    terminal.say(f"answers that are {'harnesses' if kind is AnswerKind.HARNESS else 'inputs and outputs'}")
    with (
        announced(out, sys.argv[1:]),
        long_work("the same command with --resume goes on from there") as on_progress,
        opened_sandbox(backend, workers) as sandbox,
    ):
        request = AnswersRequest(
            benchmark,
            texts,
            out,
            name or stem(tests),
            sandbox,
            HuntOptions(kind, program=limits),
            Workspace.default().cache_path,
            resume,
            tuple(sys.argv[1:]),
        )
        run_answers(request, on_progress)
        measures(open_run(out), "nan")
    return sheet_of([run_scores(open_run(out))])
