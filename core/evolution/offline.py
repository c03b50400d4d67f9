"""New tests without a model: mutated inputs of the present tests, kept where they split a group.

Inputs are the constant arguments of the present assertions and calls. A mutation varies one to three
arguments, each keeping its type, or takes one of the same place and type from another test. Numbers
become negative only where a present test has a negative one: what a problem forbids is seldom written
where a program could read it. The expected value is the reference solution's, or, where there is
none, the one that most of the pool returns. A contract in the problem's metadata (EvalPlus) keeps out
inputs that the problem does not allow.

Nothing here runs a program: `propose` says which calls to make, `keep` makes tests of the answers.
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from core.benchmarks.observed import observed_calls
from core.evolution.contract import with_contract
from core.evolution.patterns import Trial
from core.evolution.prompts import syntax_tree
from core.evolution.selection import Selection, splits
from core.model import Assertion, Origin, Outcome, TestCase
from core.verifiers.assertions import agrees, assertion, is_constant, leaves
from core.verifiers.inputs import vary
from sandbox.values import dumps

__all__ = ["Answer", "Generated", "Proposal", "existing_inputs", "keep", "propose"]

VERIFIER = "offline"
_SPLICE = 0.25
"""How often an argument is taken from another test."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program gave for one list of arguments.

    Attributes:
        outcome: PASSED if it returned; INTERNAL_ERROR if nobody knows.
        value: the returned plain value (what `sandbox.values` can write), None unless PASSED.
    """

    outcome: Outcome
    value: Any = None


@dataclass(frozen=True, slots=True)
class Generated:
    """What a generator came up with.

    Attributes:
        tests: the tests that split the group, at most as many as asked for.
        tried: new inputs that were run.
        duplicates: inputs or tests that were there already.
        no_expected: inputs without an expected value that can be written down: the reference fails,
            the pool has no majority, or the value is no constant.
        no_split: inputs on which the group agrees.
        no_agreement: inputs on which too few of the group agree with the reference.
        reason: why nothing could be tried, "" if something was.
    """

    tests: tuple[Assertion, ...]
    tried: int = 0
    duplicates: int = 0
    no_expected: int = 0
    no_split: int = 0
    no_agreement: int = 0
    reason: str = ""


def existing_inputs(tests: Iterable[TestCase], entry_point: str) -> list[list[Any]]:
    """The argument lists of the tests whose arguments are constants, without repetitions."""
    inputs: dict[str, list[Any]] = {}
    for call in observed_calls(tests, entry_point):
        inputs.setdefault(repr(list(call.arguments)), list(call.arguments))
    return list(inputs.values())


@dataclass(frozen=True, slots=True)
class Proposal:
    """New inputs for one problem, to be called before anyone knows which of them make tests.

    Attributes:
        programs: the group's, then those that the expected values come from.
        candidates: argument lists, none of them in the present tests.
        duplicates: inputs that were there already.
        reason: why nothing can be tried, "" if something can.
    """

    trial: Trial
    selection: Selection
    programs: tuple[str, ...] = ()
    candidates: tuple[list[Any], ...] = ()
    has_reference: bool = False
    duplicates: int = 0
    reason: str = ""


def propose(
    trial: Trial, selection: Selection, *, attempts: int = 200, number: int = 0, seed: int = 0
) -> Proposal:
    """Mutate the inputs of the present tests.

    Args:
        trial: the problem with its present tests and pool.
        selection: the group to split.
        attempts: how many mutated inputs to propose.
        number: the round.
        seed: chooses the mutations.
    """
    entry_point = trial.problem.entry_point
    if entry_point is None:
        return Proposal(trial, selection, reason="the problem has no entry point to call")
    known = existing_inputs(trial.tests, entry_point)
    if not known:
        return Proposal(trial, selection, reason="no present test calls the entry point with constants only")
    draw = random.Random(f"{seed}/{trial.task_id}/{selection.method}/{number}")  # noqa: S311 - no secret
    candidates, duplicates = _candidates(known, attempts, draw)
    if not candidates:
        reason = "no mutation gives a new input"
        return Proposal(trial, selection, duplicates=duplicates, reason=reason)
    reference = _reference(trial, entry_point, _contract(trial))
    group = [trial.solutions[row].code for row in selection.rows]
    judges = [reference] if reference else [solution.code for solution in trial.solutions]
    return Proposal(trial, selection, (*group, *judges), tuple(candidates), bool(reference), duplicates)


def keep(
    proposal: Proposal,
    answers: Sequence[Sequence[Answer]],
    *,
    n_tests: int = 20,
    majority: float = 0.5,
    agreement: float | None = None,
    number: int = 0,
) -> Generated:
    """Make tests of the inputs on which some of the group are right and some wrong.

    Args:
        proposal: the inputs.
        answers: what each of its programs gave, one row a program, one answer an input.
        n_tests: how many tests to keep; those that split the group in a new way come first.
        majority: without a reference: more than this share of the pool's known answers must agree.
        agreement: with a reference: at least this share of the group's known answers must be its
            own. Where fewer agree, the input is more likely one that the problem does not allow (a
            mutation can't know) than one that most get wrong. None: 0 (keep those too) if the problem
            has a contract, else 0.5.
        number: the round, for the tests' origin.
    """
    if proposal.reason:
        return Generated((), duplicates=proposal.duplicates, reason=proposal.reason)
    trial, selection, duplicates = proposal.trial, proposal.selection, proposal.duplicates
    entry_point = trial.problem.entry_point or ""
    agreed = (0.0 if _contract(trial) else 0.5) if agreement is None else agreement
    size = len(selection.rows)
    seen = {syntax_tree(test.source) for test in trial.tests if isinstance(test, Assertion)}
    origin = Origin(VERIFIER, selection.method, number)
    found: list[tuple[bytes, Assertion]] = []
    no_expected = no_split = no_agreement = 0
    for place, arguments in enumerate(proposal.candidates):
        expected = _expected([row[place] for row in answers[size:]], majority, proposal.has_reference)
        test = _test(entry_point, arguments, expected, origin) if expected else None
        if expected is None or test is None:
            no_expected += 1
            continue
        cells = [_outcome(row[place], expected.value) for row in answers[:size]]
        if not splits(cells):
            no_split += 1
        elif proposal.has_reference and _share(cells) < agreed:
            no_agreement += 1
        elif (tree := syntax_tree(test.source)) in seen:
            duplicates += 1
        else:
            seen.add(tree)
            found.append((bytes(cells), test))
    tests = tuple(_varied(found, n_tests))
    return Generated(tests, len(proposal.candidates), duplicates, no_expected, no_split, no_agreement)


def _contract(trial: Trial) -> str:
    return str(trial.problem.metadata.get("contract") or "")


def _candidates(
    known: Sequence[list[Any]], attempts: int, draw: random.Random
) -> tuple[list[list[Any]], int]:
    """New inputs, and how many repetitions were thrown away."""
    seen = {repr(arguments) for arguments in known}
    signed = any(_has_negative(arguments) for arguments in known)
    fresh: list[list[Any]] = []
    duplicates = 0
    for _ in range(4 * attempts):
        if len(fresh) == attempts:
            break
        arguments = mutated(known, draw)
        if repr(arguments) in seen:
            duplicates += 1
            continue
        if not signed and _has_negative(arguments):
            continue
        seen.add(repr(arguments))
        fresh.append(arguments)
    return fresh, duplicates


def mutated(known: Sequence[list[Any]], draw: random.Random) -> list[Any]:
    """One of some argument lists, with one to three changes."""
    arguments = list(draw.choice(known))
    for _ in range(draw.randint(1, 3) if arguments else 0):
        place = draw.randrange(len(arguments))
        kind = type(arguments[place])
        others = [other[place] for other in known if len(other) > place and type(other[place]) is kind]
        spliced = draw.random() < _SPLICE
        arguments[place] = draw.choice(others) if spliced else vary(arguments[place], draw)
    return arguments


def _reference(trial: Trial, entry_point: str, contract: str) -> str:
    """The program that gives the expected values and raises where a contract is broken, or ""."""
    code = trial.problem.reference_solution
    if not code and trial.reference is not None:
        code = trial.solutions[trial.reference].code
    return with_contract(code, entry_point, contract)


def _expected(answers: Sequence[Answer], majority: float, has_reference: bool) -> Answer | None:
    """The answer that counts as right; None if there is none."""
    if has_reference:
        return answers[0] if answers[0].outcome is Outcome.PASSED else None
    sure = [answer for answer in answers if answer.outcome is not Outcome.INTERNAL_ERROR]
    votes: dict[str, list[Answer]] = {}
    for answer in sure:
        if answer.outcome is Outcome.PASSED:
            with contextlib.suppress(ValueError, RuntimeError):  # nested too deeply, an iterator without end
                votes.setdefault(dumps(answer.value), []).append(answer)
    winners = max(votes.values(), key=len, default=[])
    return winners[0] if len(winners) > majority * len(sure) else None


def _outcome(answer: Answer, expected: Any) -> int:
    if answer.outcome is not Outcome.PASSED:
        return answer.outcome
    return Outcome.PASSED if agrees(answer.value, expected) else Outcome.ASSERTION_FAILED


def _share(cells: Sequence[int]) -> float:
    """Passed cells over known ones; the group is split, so some are known."""
    sure = [cell for cell in cells if cell != Outcome.INTERNAL_ERROR]
    return sure.count(Outcome.PASSED) / len(sure)


def _test(entry_point: str, arguments: Sequence[Any], expected: Answer, origin: Origin) -> Assertion | None:
    """The test as source; None where a value can't be written as a constant."""
    if not is_constant(arguments):
        return None
    return assertion(f"{entry_point}({', '.join(map(repr, arguments))})", expected.value, origin)


def _has_negative(value: Any) -> bool:
    return any(isinstance(leaf, int | float) and leaf < 0 for leaf in leaves(value))


def _varied(found: Sequence[tuple[bytes, Assertion]], n: int) -> list[Assertion]:
    """At most `n`, taking the ways of splitting in turn, each in the order it was found."""
    queues: dict[bytes, list[Assertion]] = {}
    for cells, test in found:
        queues.setdefault(cells, []).append(test)
    taken: list[Assertion] = []
    while queues and len(taken) < n:
        for cells in list(queues):
            taken.append(queues[cells].pop(0))
            if not queues[cells]:
                del queues[cells]
    return taken[:n]
