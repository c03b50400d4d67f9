"""The verifier with an oracle: varied inputs, expected values from the reference solution."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from core.model import Origin, Outcome, TestSuite
from core.verifiers.assertions import assertion_of_text
from core.verifiers.base import (
    TESTS_PER_PROBLEM,
    Context,
    SuiteVerifier,
    call_source,
    calls_job,
    spread,
)
from core.verifiers.inputs import inputs_for
from sandbox.contract import CallsJob, CheckResult, Execution

__all__ = ["TYPED_INPUTS"]

_INPUTS = 2 * TESTS_PER_PROBLEM


def _plan(context: Context) -> tuple[CallsJob, ...]:
    inputs = inputs_for(context.problem, _INPUTS, seed=context.seed)
    if not inputs or not context.problem.reference_solution:
        return ()
    return (calls_job(context.problem, "reference", context.problem.reference_solution, inputs),)


def _write(context: Context, executions: Mapping[str, Execution]) -> TestSuite:
    problem = context.problem
    planned = _plan(context)
    if not planned:
        return TestSuite(problem.task_id, (), (("", "no input could be made up for it"),))
    inputs = inputs_for(problem, _INPUTS, seed=context.seed)
    pairs = list(zip(inputs, executions[planned[0].key].results, strict=True))
    works = Counter(one.kinds for one, result in pairs if result.outcome is Outcome.PASSED)
    kinds = max(works, key=lambda name: works[name], default="")
    tests, unparsed = [], []
    for one, result in pairs:
        if one.kinds != kinds:
            continue
        source = call_source(problem, one)
        if result.outcome is not Outcome.PASSED or result.value is None:
            unparsed.append((source, _why_not(result)))
            continue
        test = assertion_of_text(source, result.value, Origin("typed-inputs", one.origin))
        if test is None:
            unparsed.append((source, "the result has no short literal"))
        else:
            tests.append((result.value, test))
    return TestSuite(problem.task_id, spread(tests, TESTS_PER_PROBLEM), tuple(unparsed))


def _why_not(result: CheckResult) -> str:
    if result.outcome is Outcome.RUNTIME_ERROR:
        return f"not a valid input: the reference solution raises {result.message.split(':')[0]}"
    return f"the reference solution gives no result: {result.outcome.name.lower().replace('_', ' ')}"


TYPED_INPUTS = SuiteVerifier(
    "typed-inputs",
    "Varies the examples' inputs and takes the results of the reference solution as the truth.",
    _plan,
    _write,
)
