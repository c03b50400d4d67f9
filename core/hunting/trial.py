"""Runs answers in the sandbox, stage by stage: their inputs, both programs, checks.

No stage trusts another: each generator, each program and each check is a job of its own, and only plain
values pass between them. The checker never learns which program an output is of: its calls for g and f
are made in the same way, in a new namespace or process each, with the same seed. A check that a true bug
rests on is asked again in the other order: one that tosses a coin, or counts its calls by something that
the sandbox can't hide (process ids, the clock), is seldom of the same mind twice.

Where a harness defines `check_again`, both programs run a second time with another seed, and it is shown
the two outputs of each; what it says counts as the check's word where `check_output` accepts the output.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from core.execution.executor import Executor
from core.execution.judge import judge_stdout
from core.hunting.answers import CHECK_AGAIN_ENTRY, CHECK_ENTRY
from core.hunting.inputs import MISSING, Given, Prepared, prepare, run_jobs
from core.hunting.judgement import classify
from core.hunting.model import Checked, Finding, HuntOptions, InputTrial, Ran, RawAnswer
from core.hunting.targets import ran, same_output, target_job
from core.model import AnswerClass, Outcome, Pair, ProblemKind
from sandbox.contract import CallsJob, CheckResult, Job
from sandbox.values import dumps

__all__ = ["WAVERS", "check_call", "checked", "compared", "hunt"]

WAVERS = "the check says another thing of the same output when it is asked again"
_BATCH = 64
"""Answers whose stages run side by side."""


def hunt(answers: Iterable[RawAnswer], executor: Executor, options: HuntOptions) -> Iterator[list[Finding]]:
    """Findings on the answers, in their order and in batches; an answer is finished or not there."""
    waiting = iter(answers)
    while batch := list(islice(waiting, _BATCH)):
        prepared = prepare(((one.pair, one.text) for one in batch), executor, options)
        works = [
            _Work(answer, one, [_Input(given) for given in one.inputs])
            for answer, one in zip(batch, prepared, strict=True)
        ]
        _run_programs(works, executor, options)
        _run_again(works, executor, options)
        _run_checks(works, executor, options)
        _confirm(works, executor, options)
        yield [_finding(work) for work in works]


@dataclass(slots=True)
class _Input:
    """An input of an answer and what becomes of it.

    Attributes:
        good_again, buggy_again: what `check_again` says; None where it was not asked.
    """

    given: Given
    good: Ran | None = None
    buggy: Ran | None = None
    differs: bool | None = None
    good_check: Checked | None = None
    buggy_check: Checked | None = None
    good_again: Checked | None = None
    buggy_again: Checked | None = None


@dataclass(slots=True)
class _Work:
    """An answer on its way through the stages."""

    answer: RawAnswer
    prepared: Prepared
    inputs: list[_Input]

    @property
    def pair(self) -> Pair:
        return self.answer.pair


# Programs.


def _run_programs(works: Sequence[_Work], executor: Executor, options: HuntOptions) -> None:
    jobs: dict[tuple[int, bool], Job] = {}
    limits = dataclasses.replace(options.program, seed=options.seed)
    for number, work in enumerate(works):
        given = [one.given.arguments for one in work.inputs if one.given.arguments is not None]
        for buggy in (False, True) if given and work.prepared.fault is None else ():
            jobs[number, buggy] = target_job(work.pair, "", given, limits, buggy=buggy)
    results = run_jobs(jobs, executor)
    for number, work in enumerate(works):
        kind = work.pair.kind
        of_good, of_buggy = (iter(results.get((number, which), ())) for which in (False, True))
        for one in work.inputs:
            if one.given.arguments is None:
                one.good = one.buggy = Ran(Outcome.RUNTIME_ERROR, message=MISSING)
                continue
            one.good, one.buggy = ran(next(of_good), kind), ran(next(of_buggy), kind)
            if one.good.outcome is Outcome.PASSED and one.buggy.outcome is not Outcome.INTERNAL_ERROR:
                same = one.buggy.outcome is Outcome.PASSED and same_output(
                    one.good.output, one.buggy.output, kind
                )
                one.differs = not same
            if one.given.expected is not None:
                one.good_check = compared(one.good, one.given.expected, kind)
                one.buggy_check = compared(one.buggy, one.given.expected, kind) if one.differs else None


def _run_again(works: Sequence[_Work], executor: Executor, options: HuntOptions) -> None:
    """Run programs a second time where a harness asks for it, and show it both outputs."""
    second = dataclasses.replace(options.program, seed=options.seed + 1)
    checks = dataclasses.replace(options.checker, seed=options.seed)
    asked: dict[tuple[int, bool], list[_Input]] = {}
    jobs: dict[tuple[int, bool], Job] = {}
    for number, work in enumerate(works):
        harness = work.prepared.harness
        if harness is None or not harness.again or work.prepared.fault is not None:
            continue
        for buggy in (False, True):
            inputs = [one for one, _, of_buggy in _to_check(work) if of_buggy is buggy]
            if inputs:
                given = [one.given.arguments or "" for one in inputs]
                asked[number, buggy] = inputs
                jobs[number, buggy] = target_job(work.pair, "", given, second, buggy=buggy)
    repeated = run_jobs(jobs, executor)
    calls: dict[tuple[int, bool], CallsJob] = {}
    shown: dict[tuple[int, bool], list[_Input]] = {}
    for (number, buggy), inputs in asked.items():
        pair, harness = works[number].pair, works[number].prepared.harness
        both = []
        for one, result in zip(inputs, repeated[number, buggy], strict=True):
            first, again = one.buggy if buggy else one.good, ran(result, pair.kind)
            if first is not None and again.outcome is Outcome.PASSED:
                shown.setdefault((number, buggy), []).append(one)
                both.append(check_call(pair, one.given, first.output, again.output))
        if both and harness is not None:
            calls[number, buggy] = CallsJob("", harness.program, CHECK_AGAIN_ENTRY, tuple(both), checks)
    said = run_jobs(calls, executor)
    for (number, buggy), inputs in shown.items():
        harness = works[number].prepared.harness
        for one, result in zip(inputs, said[number, buggy], strict=True):
            word = checked(result, harness.offset if harness else 0)
            if buggy:
                one.buggy_again = word
            else:
                one.good_again = word


def compared(output: Ran, expected: str, kind: ProblemKind) -> Checked | None:
    """What the expected output of a case says about an output; None where there is none."""
    if output.outcome is not Outcome.PASSED:
        return None
    if same_output(output.output, expected, kind):
        return Checked(Outcome.PASSED)
    message = "the output is not the expected one"
    if kind is ProblemKind.STDIO:
        message = judge_stdout(CheckResult(Outcome.PASSED, stdout=output.output), expected).message
    return Checked(Outcome.ASSERTION_FAILED, message)


# Checks.


def _run_checks(works: Sequence[_Work], executor: Executor, options: HuntOptions) -> None:
    jobs: dict[int, CallsJob] = {}
    limits = dataclasses.replace(options.checker, seed=options.seed)
    for number, work in enumerate(works):
        calls = tuple(check_call(work.pair, one.given, output) for one, output, _ in _to_check(work))
        if work.prepared.harness is not None and calls:
            jobs[number] = CallsJob("", work.prepared.harness.program, CHECK_ENTRY, calls, limits)
    results = run_jobs(jobs, executor)
    for number in jobs:
        work = works[number]
        harness = work.prepared.harness
        for (one, _, buggy), result in zip(list(_to_check(work)), results[number], strict=True):
            said = checked(result, harness.offset if harness else 0)
            if buggy:
                one.buggy_check = said
            else:
                one.good_check = said


def _confirm(works: Sequence[_Work], executor: Executor, options: HuntOptions) -> None:
    """Ask the checks that true bugs rest on twice more, first in the other order; who wavers is wrong."""
    jobs: dict[int, CallsJob] = {}
    limits = dataclasses.replace(options.checker, seed=options.seed)
    for number, work in enumerate(works):
        harness = work.prepared.harness
        if harness is not None and work.prepared.fault is None and _rests_on_check(work):
            calls = [check_call(work.pair, one.given, output) for one, output, _ in _to_check(work)]
            jobs[number] = CallsJob("", harness.program, CHECK_ENTRY, (*reversed(calls), *calls), limits)
    results = run_jobs(jobs, executor)
    for number in jobs:
        asked = list(_to_check(works[number]))
        for (one, _, buggy), result in zip([*reversed(asked), *asked], results[number], strict=True):
            said = one.buggy_check if buggy else one.good_check
            if said is not None and said.rejects != checked(result, 0).rejects:
                one.good_check = Checked(Outcome.ASSERTION_FAILED, WAVERS)


def _rests_on_check(work: _Work) -> bool:
    """Whether the answer shows the bug by what its check says."""
    trials = [_trial(i, one) for i, one in enumerate(work.inputs)]
    return classify(trials) is AnswerClass.TRUE_BUG and any(
        one.exposes and one.buggy.outcome is Outcome.PASSED for one in trials
    )


def _to_check(work: _Work) -> Iterator[tuple[_Input, str, bool]]:
    """(input, output, whether it is f's) of every output that has to be checked."""
    for one in work.inputs:
        if one.good is not None and one.good.outcome is Outcome.PASSED:
            yield one, one.good.output, False
            if one.differs and one.buggy is not None and one.buggy.outcome is Outcome.PASSED:
                yield one, one.buggy.output, True


def check_call(pair: Pair, one: Given, *outputs: str) -> str:
    """The arguments of a call of a check, as `sandbox.values` text."""
    if pair.kind is ProblemKind.STDIO:
        return dumps([one.text, *outputs])
    return f"[{','.join([one.text, *outputs])}]"  # all are texts of values already


def checked(result: CheckResult, offset: int) -> Checked:
    """What a call of the check says; `offset` as `Harness.offset`."""
    line = result.line - offset if result.line is not None else None
    message = result.message.removeprefix("raised by the program: ")
    return Checked(result.outcome, message, line, result.seconds)


# All stages.


def _finding(work: _Work) -> Finding:
    answer, prepared = work.answer, work.prepared
    trials = tuple(_trial(i, one) for i, one in enumerate(work.inputs)) if prepared.fault is None else ()
    return Finding(
        answer.pair.pair_id,
        answer.index,
        answer.text,
        AnswerClass.FORMAT_ERROR if prepared.fault else classify(trials),
        prepared.fault,
        prepared.message,
        prepared.code,
        tuple(prepared.generated),
        trials,
    )


def _trial(index: int, one: _Input) -> InputTrial:
    assert one.good is not None
    assert one.buggy is not None
    return InputTrial(
        index,
        one.given.text,
        one.given.origin,
        one.given.seed,
        one.good,
        one.buggy,
        one.differs,
        _of_both(one.good_check, one.good_again),
        _of_both(one.buggy_check, one.buggy_again),
        one.given.expected,
    )


def _of_both(check: Checked | None, again: Checked | None) -> Checked | None:
    """What both checks say: the first one's word, unless only the second rejects."""
    if again is None or not again.rejects or (check is not None and check.rejects):
        return check
    return again
