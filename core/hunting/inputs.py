"""What an answer tries: its harness's generators run in the sandbox, or its cases taken as they are.

Each run of a generator is a job of its own. A generator gives a list of inputs: texts for a program that
reads standard input, dicts of arguments for a function (figure 10). Of one whose list holds anything
else nothing is taken, as in the released evaluation; so it is with one that fails or takes too long. If
no generator gives an input, the answer has none, which is a fault of its form.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.execution.executor import Executor
from core.hunting.answers import (
    Case,
    FaultError,
    Harness,
    code_of,
    encodable_stdin,
    parse_cases,
    parse_harness,
)
from core.hunting.model import MAX_INPUTS_EACH, AnswerKind, Fault, Generated, HuntOptions
from core.hunting.targets import signature_of
from core.model import Outcome, Pair, ProblemKind
from sandbox.contract import CallsJob, CheckResult, Execution, Job
from sandbox.values import dumps, loads

__all__ = ["MISSING", "Given", "Prepared", "prepare", "run_jobs"]

MISSING = "an argument is missing, or one before it"
_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Given:
    """An input of an answer.

    Attributes:
        text: standard input, or the dict of arguments as `sandbox.values` text.
        origin: name of the generator, or "case <n>".
        seed: of that generator's run; 0 for a case.
        arguments: what programs are given; None if one is missing.
        expected: of a case.
    """

    text: str
    origin: str
    seed: int
    arguments: str | None
    expected: str | None = None


@dataclass(slots=True)
class Prepared:
    """An answer with the inputs that it tries, each once.

    Attributes:
        fault: what keeps it from being run, None if nothing does.
        message: more about the fault.
        code: the block that was taken from the answer.
        harness: None for cases, and for an answer with a fault of its form.
    """

    pair: Pair
    text: str
    fault: Fault | None = None
    message: str = ""
    code: str = ""
    harness: Harness | None = None
    generated: list[Generated] = field(default_factory=list)
    inputs: list[Given] = field(default_factory=list)


def prepare(answers: Iterable[tuple[Pair, str]], executor: Executor, options: HuntOptions) -> list[Prepared]:
    """Parse the answers, each about a pair, and make their inputs."""
    found = [Prepared(pair, text) for pair, text in answers]
    for one in found:
        _parse(one, options.kind)
    if options.kind is AnswerKind.HARNESS:
        _generate(found, executor, options)
    for one in found:
        one.inputs = list(_distinct(one.inputs))[: options.max_inputs]
    return found


def run_jobs(jobs: Mapping[_Key, Job], executor: Executor) -> dict[_Key, tuple[CheckResult, ...]]:
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


def _parse(work: Prepared, kind: AnswerKind) -> None:
    try:
        if kind is AnswerKind.HARNESS:
            work.harness = parse_harness(work.text, work.pair)
            work.code = work.harness.code
        else:
            cases = parse_cases(work.text, work.pair)
            work.code = code_of(work.text, "json")
            work.inputs = list(_case_inputs(cases, work.pair))
    except FaultError as error:
        work.fault, work.message, work.code = error.fault, str(error), error.code


def _case_inputs(cases: Sequence[Case], pair: Pair) -> Iterator[Given]:
    for number, case in enumerate(cases, 1):
        arguments = _arguments(case.input, pair)
        yield Given(case.input, f"case {number}", 0, arguments, case.expected)


def _arguments(text: str, pair: Pair) -> str | None:
    """What the programs are given for an input; None if an argument is missing."""
    if pair.kind is ProblemKind.STDIO:
        return text
    named, signature = loads(text), signature_of(pair)
    values = list(named.values()) if signature is None else signature.arguments(named)
    return None if values is None else dumps(values)


def _distinct(inputs: Iterable[Given]) -> Iterator[Given]:
    """Inputs that ask what none before them did; two expected outputs of one input contradict each other."""
    seen: set[tuple[str, str | None]] = set()
    for one in inputs:
        given = (one.text if one.arguments is None else one.arguments, one.expected)
        if given not in seen:
            seen.add(given)
            yield one


def _generate(works: Sequence[Prepared], executor: Executor, options: HuntOptions) -> None:
    """Fill in the inputs. Repeats follow each other, so that fewer repeats are a prefix of more."""
    jobs: dict[tuple[int, int, str], CallsJob] = {}
    for number, work in enumerate(works):
        if work.harness is None:
            continue
        for repeat in range(options.repeat):
            for place, name in enumerate(work.harness.generators):
                limits = dataclasses.replace(options.generator, seed=options.generator_seed(repeat, place))
                jobs[number, repeat, name] = CallsJob("", work.harness.program, name, ("[]",), limits)
    results = run_jobs(jobs, executor)
    for (number, _, name), job in jobs.items():
        work, result = works[number], results[number, _, name][0]
        inputs, message = _inputs_of(result, work.pair)
        seed = job.limits.seed
        work.generated.append(Generated(name, seed, result.outcome, message, len(inputs), result.seconds))
        work.inputs += [Given(text, name, seed, given) for text, given in inputs]
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
    is_list = isinstance(value, list | tuple)
    if not is_list or not value:
        empty = " without items" if is_list else ""
        return [], f"expected a list of {name}, found {type(value).__name__}{empty}"
    if not all(isinstance(item, wanted) for item in value):
        return [], f"expected a list of {name}, found other items in it"
    if wanted is str:
        if not all(map(encodable_stdin, value)):
            return [], "a text has half a character in it, which no program can be fed"
        return [(item, item) for item in value[:MAX_INPUTS_EACH]], ""
    try:
        texts = [dumps(item) for item in value]
    except (ValueError, RuntimeError) as error:  # nested too deeply, an iterator without end
        return [], f"what it returned can't be written down: {error}"
    found = [(text, _arguments(text, pair)) for text in texts]
    if any(given is None for _, given in found):
        return [], MISSING
    return list(found[:MAX_INPUTS_EACH]), ""
