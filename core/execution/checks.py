"""A problem's tests as the sandbox gets them, and what its results say about each test.

Equal tests are one check, and call or stdio tests with the same input are one probe: each is
run once, and its result stands for every test it belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from core.execution.executor import Executed
from core.execution.judge import judge_call, judge_stdout, shortened
from core.formats.support import entry_is_class, support_source
from core.model import Assertion, Problem, StdioTest, TestCase
from sandbox.contract import AssertsJob, CallsJob, CheckResult, Execution, Job, Limits, Outcome, StdioJob

_Item = TypeVar("_Item")
Kind: TypeAlias = Literal["assertion", "call", "stdio"]
Support: TypeAlias = Callable[[str, str | None], str]
"""(prompt, entry point) -> source that assertions may rely on."""


@dataclass(frozen=True, slots=True)
class Check:
    """A test without its origin.

    Attributes:
        probe: what the sandbox gets: assertion source, arguments, or standard input.
        expected: what a probe's value or output is compared with; "" for assertions.
    """

    kind: Kind
    probe: str
    expected: str = ""
    tolerance: float = 0.0

    def judge(self, result: CheckResult) -> CheckResult:
        """The sandbox's result of the probe as this check's verdict."""
        if self.kind == "assertion" or result.outcome is not Outcome.PASSED:
            return result
        if self.kind == "call":
            verdict = judge_call(result, self.expected, self.tolerance)
        else:
            verdict = judge_stdout(result, self.expected)
        return verdict if verdict.outcome is Outcome.PASSED else shortened(verdict)


@dataclass(frozen=True, slots=True)
class _Group:
    """The probes of one kind; for each, which checks it decides and what the first expects."""

    kind: Kind
    probes: tuple[str, ...]
    decides: tuple[tuple[int, ...], ...]
    expected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckJob:
    """A job for the sandbox and the checks that it decides.

    Attributes:
        decides: for each probe of the job, the places of its checks.
    """

    job: Job
    decides: tuple[tuple[int, ...], ...]


class Verdict(NamedTuple):
    """What became of one check.

    Attributes:
        check: its place.
        known: whether nothing had to run for it.
    """

    check: int
    result: CheckResult
    known: bool


class CheckSet:
    """The tests of one problem, to be run on any number of programs.

    Attributes:
        checks: each distinct check.
        places: for each test, the place of its check.

    Raises:
        ValueError: a test calls the entry point, and the problem has none.
    """

    def __init__(
        self, problem: Problem, tests: Sequence[TestCase], support: Support = support_source
    ) -> None:
        self.checks, self.places = distinct([_check(test) for test in tests])
        self._entry_point = problem.entry_point
        self._support = ""
        self._is_class: bool | None = None
        kinds: dict[Kind, dict[str, list[int]]] = {}
        for place, check in enumerate(self.checks):
            kinds.setdefault(check.kind, {}).setdefault(check.probe, []).append(place)
        if "call" in kinds and not problem.entry_point:
            raise ValueError(f"{problem.task_id}: a test calls the entry point, and the problem has none")
        if "assertion" in kinds and problem.entry_point:
            self._support = support(problem.prompt, problem.entry_point)
            sources = problem.reference_solution or "", problem.prompt
            self._is_class = entry_is_class(problem.entry_point, sources)
        self._groups = tuple(
            _Group(
                kind,
                tuple(probes),
                tuple(map(tuple, probes.values())),
                tuple(self.checks[places[0]].expected for places in probes.values()),
            )
            for kind, probes in kinds.items()
        )

    def jobs(
        self, key: str, program: str, limits: Limits, seconds: Sequence[float] | None = None
    ) -> Iterator[CheckJob]:
        """What runs `program` against every check, a job for each kind of check.

        Args:
            key: the jobs' keys end with it.
            program: source.
            limits: of each check.
            seconds: time limit of each check, where they differ.
        """
        for group in self._groups:
            own: tuple[float, ...] | None = None
            if seconds is not None and any(limit != limits.seconds for limit in seconds):
                own = tuple(seconds[places[0]] for places in group.decides)
            yield CheckJob(self._job(f"{group.kind}/{key}", group, program, limits, own), group.decides)

    def judge(self, asked: CheckJob, execution: Execution) -> Iterator[Verdict]:
        """The verdict of each check that the job decides."""
        known = execution.known if isinstance(execution, Executed) else frozenset[int]()
        for probe, (raw, places) in enumerate(zip(execution.results, asked.decides, strict=True)):
            for place in places:
                yield Verdict(place, self.checks[place].judge(raw), probe in known)

    def results(
        self, asked: Sequence[CheckJob], executions: Mapping[str, Execution]
    ) -> tuple[CheckResult, ...]:
        """How each test ended, from the executions of all jobs of one program."""
        verdicts = [v for one in asked for v in self.judge(one, executions[one.job.key])]
        of_check = {verdict.check: verdict.result for verdict in verdicts}
        return tuple(of_check[place] for place in self.places.tolist())

    def per_check(self, values: Sequence[float]) -> tuple[float, ...]:
        """Of one value a test, that of each check; equal tests have equal values."""
        by_place = dict(zip(self.places.tolist(), values, strict=True))
        return tuple(by_place[place] for place in range(len(self.checks)))

    def _job(
        self, key: str, group: _Group, program: str, limits: Limits, seconds: tuple[float, ...] | None
    ) -> Job:
        if group.kind == "assertion":
            return AssertsJob(
                key, program, group.probes, self._entry_point, self._support, limits, seconds, self._is_class
            )
        if group.kind == "call":
            assert self._entry_point is not None
            return CallsJob(key, program, self._entry_point, group.probes, limits, seconds, group.expected)
        return StdioJob(key, program, group.probes, limits, seconds)


def distinct(items: Sequence[_Item]) -> tuple[tuple[_Item, ...], npt.NDArray[np.intp]]:
    """The different items, and for each item the place of its like among them."""
    places: dict[_Item, int] = {}
    where = [places.setdefault(item, len(places)) for item in items]
    return tuple(places), np.array(where, dtype=np.intp)


def _check(test: TestCase) -> Check:
    if isinstance(test, Assertion):
        return Check("assertion", test.source)
    if isinstance(test, StdioTest):
        return Check("stdio", test.stdin, test.expected_stdout)
    return Check("call", test.arguments, test.expected, test.tolerance)
