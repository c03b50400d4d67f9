"""Calls for the offline generator, made in a sandbox, those of many problems side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from core.evolution.offline import Answer, Proposal
from core.execution.executor import Executor
from core.model import Outcome
from sandbox.contract import CallsJob, CheckResult, Limits
from sandbox.values import dumps, loads

__all__ = ["answered"]

Answers = Sequence[Sequence[Answer]]


def answered(
    proposals: Iterable[Proposal], executor: Executor, limits: Limits | None = None
) -> Iterator[tuple[Proposal, Answers]]:
    """Each proposal with what its programs gave, one row a program, in any order.

    A program that a proposal has twice is run once; a proposal without calls comes without answers.

    Args:
        proposals: drawn as they are needed.
        executor: a sandbox, or one behind the cache; left open.
        limits: of each call.
    """
    bounds = limits or Limits()
    opened: dict[int, _Open] = {}
    idle: list[Proposal] = []

    def jobs() -> Iterator[CallsJob]:
        for number, proposal in enumerate(proposals):
            programs = list(dict.fromkeys(proposal.programs))
            if not programs or not proposal.candidates:
                idle.append(proposal)
                continue
            opened[number] = _Open(proposal, len(programs))
            calls = tuple(dumps(arguments) for arguments in proposal.candidates)
            entry_point = proposal.trial.problem.entry_point or ""
            for place, program in enumerate(programs):
                yield CallsJob(f"{number}/{place}", program, entry_point, calls, bounds)

    for execution in executor.run(jobs()):
        number, place = map(int, execution.key.split("/"))
        found = opened[number]
        found.rows[place] = [_answer(result) for result in execution.results]
        if len(found.rows) == found.programs:
            yield opened.pop(number).whole()
        while idle:
            yield idle.pop(), ()
    yield from ((proposal, ()) for proposal in idle)


class _Open:
    """A proposal of which some programs have answered."""

    def __init__(self, proposal: Proposal, programs: int) -> None:
        self.programs = programs
        self.rows: dict[int, list[Answer]] = {}
        self._proposal = proposal

    def whole(self) -> tuple[Proposal, Answers]:
        different = list(dict.fromkeys(self._proposal.programs))
        by_program = {program: self.rows[place] for place, program in enumerate(different)}
        return self._proposal, [by_program[program] for program in self._proposal.programs]


def _answer(result: CheckResult) -> Answer:
    if result.outcome is not Outcome.PASSED:
        return Answer(result.outcome)
    try:
        return Answer(Outcome.PASSED, loads(result.value or ""))
    except ValueError:  # it returned what is no plain data, which no expected value can equal
        return Answer(Outcome.ASSERTION_FAILED)
