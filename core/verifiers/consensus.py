"""The verifiers without an oracle: what most solutions agree on, and what most solutions survive.

Both call every solution of the benchmark on the inputs of `core.verifiers.inputs`. They look
neither at reference scores nor at the order of the solutions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.model import Assertion, Origin, Outcome, TestSuite
from core.verifiers.assertions import assertion_of_text
from core.verifiers.base import (
    TESTS_PER_PROBLEM,
    Context,
    SuiteVerifier,
    call_source,
    calls_job,
    spread,
)
from core.verifiers.inputs import Input, inputs_for
from sandbox.contract import CallsJob, Execution

__all__ = ["AGREEMENT", "CONSENSUS", "SMOKE"]

AGREEMENT = 0.4
"""Least share of the solutions (and at least two of them) that has to give a value."""

_INPUTS = 12


@dataclass(frozen=True, slots=True)
class _Votes:
    """One input and the values (as text) that the solutions returned; who failed has no vote."""

    one: Input
    values: tuple[str, ...]


def _plan(context: Context) -> tuple[CallsJob, ...]:
    inputs = inputs_for(context.problem, _INPUTS, seed=context.seed)
    if not inputs:
        return ()
    return tuple(calls_job(context.problem, s.id, s.code, inputs) for s in context.solutions)


def _ballot(context: Context, executions: Mapping[str, Execution]) -> tuple[_Votes, ...]:
    """The votes for each input; of trial inputs only the combination of types that works best."""
    inputs = inputs_for(context.problem, _INPUTS, seed=context.seed)
    results = [executions[job.key].results for job in _plan(context)]
    ballot = [
        _Votes(
            one,
            tuple(
                value
                for row in results
                if row[index].outcome is Outcome.PASSED and (value := row[index].value) is not None
            ),
        )
        for index, one in enumerate(inputs)
    ]
    works: Counter[str] = Counter()
    for votes in ballot:
        works[votes.one.kinds] += len(votes.values)
    kinds = max(works, key=lambda name: works[name], default="")
    return tuple(votes for votes in ballot if votes.one.kinds == kinds)


def _write_consensus(context: Context, executions: Mapping[str, Execution]) -> TestSuite:
    tests: list[tuple[str, Assertion]] = []
    unparsed = []
    for votes in _ballot(context, executions):
        source = call_source(context.problem, votes.one)
        value, share = _winner(votes.values, len(context.solutions), f"{context.seed}/{source}")
        if value is None:
            unparsed.append((source, f"the solutions do not agree: at most {share:.0%} give the same value"))
            continue
        test = assertion_of_text(source, value, Origin("consensus", votes.one.origin))
        if test is None:
            unparsed.append((source, "the agreed result has no short literal"))
        else:
            tests.append((value, test))
    return TestSuite(context.problem.task_id, spread(tests, TESTS_PER_PROBLEM), tuple(unparsed))


def _winner(values: Sequence[str], voters: int, seed: str) -> tuple[str | None, float]:
    """The most frequent value and its share of the voters; ties fall by the seed, never by order."""
    counts = Counter(values)
    if not counts:
        return None, 0.0
    most = max(counts.values())
    tied = sorted(value for value, count in counts.items() if count == most)
    value = random.Random(seed).choice(tied)  # noqa: S311 - reproducible, no secret
    share = most / voters
    return (value if most >= 2 and share >= AGREEMENT else None), share


def _write_smoke(context: Context, executions: Mapping[str, Execution]) -> TestSuite:
    tests, unparsed = [], []
    for votes in _ballot(context, executions):
        source = call_source(context.problem, votes.one)
        if 2 * len(votes.values) >= len(context.solutions):
            tests.append(Assertion(f"assert [{source}]", Origin("smoke", votes.one.origin)))
        else:
            unparsed.append((source, "most solutions fail on this input: it is taken for an invalid one"))
    return TestSuite(context.problem.task_id, tuple(tests[:TESTS_PER_PROBLEM]), tuple(unparsed))


CONSENSUS = SuiteVerifier(
    "consensus",
    "Varies the examples' inputs and takes the result that most solutions agree on as the truth.",
    _plan,
    _write_consensus,
)

SMOKE = SuiteVerifier(
    "smoke",
    "Calls the solution and accepts any result: `assert [f(x)]` fails only where the call does.",
    _plan,
    _write_smoke,
)
