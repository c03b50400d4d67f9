"""The verifier that trusts the examples of the prompt, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping

from core.model import Origin, TestSuite
from core.verifiers.assertions import assertion
from core.verifiers.base import Context, SuiteVerifier
from core.verifiers.examples import find_examples
from sandbox.contract import CallsJob, Execution

__all__ = ["DOCSTRING"]


def _plan(_: Context) -> tuple[CallsJob, ...]:
    return ()


def _write(context: Context, _: Mapping[str, Execution]) -> TestSuite:
    problem = context.problem
    if problem.entry_point is None:
        return TestSuite(problem.task_id, ())
    examples = find_examples(problem.prompt, problem.entry_point)
    tests, unparsed = [], list(examples.unread)
    for example in examples.found:
        test = assertion(example.expression, example.expected, Origin("docstring", example.method))
        if test is None:
            unparsed.append((example.expression, "its result has no short literal"))
        else:
            tests.append(test)
    return TestSuite(problem.task_id, tuple(dict.fromkeys(tests)), tuple(unparsed))


DOCSTRING = SuiteVerifier(
    "docstring",
    "Checks only the examples that the problem's own text shows.",
    _plan,
    _write,
)
