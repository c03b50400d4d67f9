"""Runs answers in the sandbox, stage by stage: generators, both programs, checks.

No stage trusts another: each generator, each program and each check is a job of its own, and only plain
values pass between them. The checker never learns which program an output is of: its calls for g and f
are made in the same way, in a new namespace or process each, with the same seed.

A generator gives a list of inputs: texts for a program that reads standard input, dicts of arguments for
a function (figure 10). Of one whose list holds anything else nothing is taken, as in the released
evaluation; so it is with one that fails or takes too long. If no generator gives an input, the answer
has none, which is a fault of its form.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

from core.execution.executor import Executor
from core.execution.judge import judge_stdout
from core.hunting.answers import (
    CHECK_ENTRY,
    Case,
    FaultError,
    Harness,
    code_of,
    encodable_stdin,
    parse_cases,
    parse_harness,
)
from core.hunting.judgement import classify
from core.hunting.model import (
    MAX_INPUTS_EACH,
    AnswerKind,
    Checked,
    Fault,
    Finding,
    Generated,
    HuntOptions,
    InputTrial,
    Ran,
    RawAnswer,
)
from core.hunting.targets import ran, same_output, signature_of, target_job
from core.model import AnswerClass, Outcome, Pair, ProblemKind
from sandbox.contract import CallsJob, CheckResult, Execution, Job
from sandbox.values import dumps, loads

__all__ = ["hunt"]

_BATCH = 64
"""Answers whose stages run side by side."""
_Key = TypeVar("_Key")
_MISSING = "an argument is missing, or one before it"


def hunt(answers: Iterable[RawAnswer], executor: Executor, options: HuntOptions) -> Iterator[list[Finding]]:
    """Findings on the answers, in their order and in batches; an answer is finished or not there."""
    waiting = iter(answers)
    while batch := list(islice(waiting, _BATCH)):
        works = [_Work(answer) for answer in batch]
        for work in works:
            _parse(work, options.kind)
        if options.kind is AnswerKind.HARNESS:
            _generate(works, executor, options)
        for work in works:
            work.inputs = list(_distinct(work.inputs))[: options.max_inputs]
        _run_programs(works, executor, options)
        if options.kind is AnswerKind.HARNESS:
            _run_checks(works, executor, options)
        yield [_finding(work) for work in works]


@dataclass(slots=True)
class _Input:
    """An input of an answer. `arguments` is what the programs are given; None if one is missing."""

    text: str
    origin: str
    seed: int
    arguments: str | None
    expected: str | None = None
    good: Ran | None = None
    buggy: Ran | None = None
    differs: bool | None = None
    good_check: Checked | None = None
    buggy_check: Checked | None = None


@dataclass(slots=True)
class _Work:
    """An answer on its way through the stages."""

    answer: RawAnswer
    fault: Fault | None = None
    message: str = ""
    code: str = ""
    harness: Harness | None = None
    generated: list[Generated] = field(default_factory=list)
    inputs: list[_Input] = field(default_factory=list)

    @property
    def pair(self) -> Pair:
        return self.answer.pair


def _parse(work: _Work, kind: AnswerKind) -> None:
    try:
        if kind is AnswerKind.HARNESS:
            work.harness = parse_harness(work.answer.text, work.pair)
            work.code = work.harness.code
        else:
            cases = parse_cases(work.answer.text, work.pair)
            work.code = code_of(work.answer.text, "json")
            work.inputs = list(_case_inputs(cases, work.pair))
    except FaultError as error:
        work.fault, work.message, work.code = error.fault, str(error), error.code


def _case_inputs(cases: Sequence[Case], pair: Pair) -> Iterator[_Input]:
    for number, case in enumerate(cases, 1):
        arguments = _arguments(case.input, pair)
        yield _Input(case.input, f"case {number}", 0, arguments, case.expected)


def _arguments(text: str, pair: Pair) -> str | None:
    """What the programs are given for an input; None if an argument is missing."""
    if pair.kind is ProblemKind.STDIO:
        return text
    named, signature = loads(text), signature_of(pair)
    values = list(named.values()) if signature is None else signature.arguments(named)
    return None if values is None else dumps(values)


def _distinct(inputs: Iterable[_Input]) -> Iterator[_Input]:
    """Inputs whose programs are given what no input before them gave."""
    seen: set[str] = set()
    for one in inputs:
        given = one.text if one.arguments is None else one.arguments
        if given not in seen:
            seen.add(given)
            yield one


# Generators.


def _generate(works: Sequence[_Work], executor: Executor, options: HuntOptions) -> None:
    """Fill in the inputs. Repeats follow each other, so that fewer repeats are a prefix of more."""
    jobs: dict[tuple[int, int, str], CallsJob] = {}
    for number, work in enumerate(works):
        if work.harness is None:
            continue
        for repeat in range(options.repeat):
            for place, name in enumerate(work.harness.generators):
                limits = dataclasses.replace(options.generator, seed=options.generator_seed(repeat, place))
                jobs[number, repeat, name] = CallsJob("", work.harness.program, name, ("[]",), limits)
    results = _run(jobs, executor)
    for (number, _, name), job in jobs.items():
        work, result = works[number], results[number, _, name][0]
        inputs, message = _inputs_of(result, work.pair)
        seed = job.limits.seed
        work.generated.append(Generated(name, seed, result.outcome, message, len(inputs), result.seconds))
        work.inputs += [_Input(text, name, seed, given) for text, given in inputs]
    for work in works:
        if work.fault is None and not work.inputs:
            reasons = dict.fromkeys(f"{one.name}: {one.message}" for one in work.generated)
            work.fault, work.message = Fault.NO_INPUT, "; ".join(reasons)


def _inputs_of(result: CheckResult, pair: Pair) -> tuple[list[tuple[str, str | None]], str]:
    """What is taken of a generator's list, as (input, what programs are given), or why nothing is."""
    if result.outcome is not Outcome.PASSED:
        return [], result.message
    try:
        value = loads(result.value or "null")
    except ValueError as error:
        return [], f"what it returned can't be read: {error}"
    wanted: type = str if pair.kind is ProblemKind.STDIO else dict
    name = "texts" if wanted is str else "dicts of arguments"
    if not isinstance(value, list | tuple) or not value:
        return (
            [],
            f"expected a list of {name}, found {type(value).__name__}{'' if value else ' without items'}",
        )
    if not all(isinstance(item, wanted) for item in value):
        return [], f"expected a list of {name}, found other items in it"
    if wanted is str:
        if not all(map(encodable_stdin, value)):
            return [], "a text has half a character in it, which no program can be fed"
        return [(item, item) for item in value[:MAX_INPUTS_EACH]], ""
    texts = [dumps(item) for item in value]
    found = [(text, _arguments(text, pair)) for text in texts]
    if any(given is None for _, given in found):
        return [], _MISSING
    return list(found[:MAX_INPUTS_EACH]), ""


# Programs.


def _run_programs(works: Sequence[_Work], executor: Executor, options: HuntOptions) -> None:
    jobs: dict[tuple[int, bool], Job] = {}
    limits = dataclasses.replace(options.program, seed=options.seed)
    for number, work in enumerate(works):
        given = [one.arguments for one in work.inputs if one.arguments is not None]
        for buggy in (False, True) if given and work.fault is None else ():
            jobs[number, buggy] = target_job(work.pair, "", given, limits, buggy=buggy)
    results = _run(jobs, executor)
    for number, work in enumerate(works):
        kind = work.pair.kind
        of_good, of_buggy = (iter(results.get((number, which), ())) for which in (False, True))
        for one in work.inputs:
            if one.arguments is None:
                one.good = one.buggy = Ran(Outcome.RUNTIME_ERROR, message=_MISSING)
                continue
            one.good, one.buggy = ran(next(of_good), kind), ran(next(of_buggy), kind)
            if one.good.outcome is Outcome.PASSED and one.buggy.outcome is not Outcome.INTERNAL_ERROR:
                same = one.buggy.outcome is Outcome.PASSED and same_output(
                    one.good.output, one.buggy.output, kind
                )
                one.differs = not same
            if one.expected is not None:
                one.good_check = _compared(one.good, one.expected, kind)
                one.buggy_check = _compared(one.buggy, one.expected, kind) if one.differs else None


def _compared(output: Ran, expected: str, kind: ProblemKind) -> Checked | None:
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
        calls = tuple(_check_call(work.pair, one, output) for one, output, _ in _to_check(work))
        if work.harness is not None and calls:
            jobs[number] = CallsJob("", work.harness.program, CHECK_ENTRY, calls, limits)
    results = _run(jobs, executor)
    for number in jobs:
        work = works[number]
        for (one, _, buggy), result in zip(list(_to_check(work)), results[number], strict=True):
            checked = _checked(result, work.harness.offset if work.harness else 0)
            if buggy:
                one.buggy_check = checked
            else:
                one.good_check = checked


def _to_check(work: _Work) -> Iterator[tuple[_Input, str, bool]]:
    """(input, output, whether it is f's) of every output that has to be checked."""
    for one in work.inputs:
        if one.good is not None and one.good.outcome is Outcome.PASSED:
            yield one, one.good.output, False
            if one.differs and one.buggy is not None and one.buggy.outcome is Outcome.PASSED:
                yield one, one.buggy.output, True


def _check_call(pair: Pair, one: _Input, output: str) -> str:
    if pair.kind is ProblemKind.STDIO:
        return dumps([one.text, output])
    return f"[{one.text},{output}]"  # both are texts of values already


def _checked(result: CheckResult, offset: int) -> Checked:
    """What a call of the check says."""
    line = result.line - offset if result.line is not None else None
    message = result.message.removeprefix("raised by the program: ")
    return Checked(result.outcome, message, line, result.seconds)


# All stages.


def _run(jobs: Mapping[_Key, Job], executor: Executor) -> dict[_Key, tuple[CheckResult, ...]]:
    """Results by the jobs' names; jobs that are alike but for the name are run once."""
    same: dict[Job, list[_Key]] = {}
    for key, job in jobs.items():
        same.setdefault(dataclasses.replace(job, key=""), []).append(key)
    keyed = [dataclasses.replace(job, key=str(i)) for i, job in enumerate(same)]
    names = list(same.values())
    results: dict[_Key, tuple[CheckResult, ...]] = {}
    executions: Iterable[Execution] = executor.run(keyed) if keyed else ()
    for execution in executions:
        for key in names[int(execution.key)]:
            results[key] = execution.results
    return results


def _finding(work: _Work) -> Finding:
    answer = work.answer
    trials = tuple(_trial(i, one) for i, one in enumerate(work.inputs)) if work.fault is None else ()
    return Finding(
        answer.pair.pair_id,
        answer.index,
        answer.text,
        AnswerClass.FORMAT_ERROR if work.fault else classify(trials),
        work.fault,
        work.message,
        work.code,
        tuple(work.generated),
        trials,
    )


def _trial(index: int, one: _Input) -> InputTrial:
    assert one.good is not None
    assert one.buggy is not None
    return InputTrial(
        index,
        one.text,
        one.origin,
        one.seed,
        one.good,
        one.buggy,
        one.differs,
        one.good_check,
        one.buggy_check,
        one.expected,
    )
