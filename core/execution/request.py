"""What `execute` is asked to do, and whether it can be done."""

from __future__ import annotations

import dataclasses
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import InputError
from core.execution.checks import Support
from core.execution.executor import python_version
from core.formats.support import support_source
from core.model import Benchmark, CallTest, Limits, TestSuite, VerifierKind
from core.progress import OnProgress, Progress
from core.store import Manifest, benchmark_sha256, installed_versions, now, suites_sha256
from sandbox.contract import Sandbox
from sandbox.values import loads

_QUICK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class ExecutionRequest:
    """A verifier's tests to be run on a benchmark's solutions.

    Attributes:
        benchmark: the problems and solutions; all of them are in the run.
        suites: at most one for each problem.
        out: folder of the run.
        verifier: name of the verifier that wrote the tests.
        sandbox: runs the programs.
        name: the run's name on screen; the folder's name if empty.
        limits: what each check may use.
        timeout_factor: limit of a check = this times the seconds that the reference solution
            takes for it, at least `timeout_floor`, at most `limits.seconds`; None: always that.
        cache: file of the cells known from other runs; None keeps them for this run only.
        repeat: runs of each cell; more than one finds cells whose outcome changes.
        resume: go on with an unfinished run in `out`.
        parent: the run this one refines.
        benchmark_sha256: the benchmark's identity where its reference tests are not at hand, as in
            one that was read back from a run; "" hashes it.
        command: command line that asked for it, for the manifest.
        support: (prompt, entry point) -> source that assertions may rely on.
        part_cells: cells in memory before a part of the outcomes is written.
    """

    benchmark: Benchmark
    suites: tuple[TestSuite, ...]
    out: Path
    verifier: str
    sandbox: Sandbox
    name: str = ""
    verifier_kind: VerifierKind = VerifierKind.TESTS
    limits: Limits = field(default_factory=Limits)
    timeout_factor: float | None = None
    timeout_floor: float = 0.5
    cache: Path | None = None
    repeat: int = 1
    resume: bool = False
    parent: str = ""
    benchmark_sha256: str = ""
    command: tuple[str, ...] = ()
    support: Support = support_source
    part_cells: int = 200_000

    def manifest(self, on_progress: OnProgress | None = None) -> Manifest:
        """The manifest of the run that is asked for, before anything is counted.

        Its hashes take seconds for millions of solutions; only then `on_progress` hears of them.
        """
        isolation = self.sandbox.isolation
        versions = {**isolation.versions, "python": python_version(isolation)}
        return Manifest(
            name=self.name or self.out.name,
            verifier=self.verifier,
            verifier_kind=self.verifier_kind,
            benchmark=self.benchmark.name,
            benchmark_sha256=self.benchmark_sha256
            or benchmark_sha256(self.benchmark, self._hashing(on_progress)),
            tests_sha256=suites_sha256(self.suites),
            isolation=dataclasses.replace(isolation, versions=versions),
            created=now(),
            limits=self.limits,
            timeout_factor=self.timeout_factor,
            timeout_floor=self.timeout_floor,
            repeat=self.repeat,
            versions=installed_versions(),
            parent=self.parent,
            command=self.command,
        )

    def _hashing(self, on_progress: OnProgress | None) -> Callable[[int], None]:
        started = time.monotonic()

        def told(done: int) -> None:
            passed = time.monotonic() - started
            if on_progress is not None and passed > _QUICK_SECONDS:
                total = len(self.benchmark.problems)
                on_progress(Progress("hashing the inputs", done, total, "problems", seconds=passed))

        return told

    def check(self) -> None:
        """Refuse what could not be executed as it is meant.

        Raises:
            InputError: says which problem, solution or test, and what was expected.
        """
        if self.repeat < 1:
            raise InputError(f"repeat is {self.repeat}: expected 1 or more")
        if self.timeout_factor is not None and not self.timeout_factor > 0:
            raise InputError(f"timeout factor is {self.timeout_factor}: expected more than 0")
        if not self.timeout_floor > 0:
            raise InputError(f"timeout floor is {self.timeout_floor}: expected more than 0 seconds")
        problems = {problem.task_id: problem for problem in self.benchmark.problems}
        _refuse_twice("problem", (p.task_id for p in self.benchmark.problems))
        _refuse_twice("suite of problem", (suite.task_id for suite in self.suites))
        for task_id in problems:
            solutions = self.benchmark.solutions.get(task_id, ())
            _refuse_twice(f"{task_id}: solution", (solution.id for solution in solutions))
        for suite in self.suites:
            problem = problems.get(suite.task_id)
            if problem is None:
                raise InputError(f"{suite.task_id}: has tests but is no problem of {self.benchmark.name}")
            for index, test in enumerate(suite.tests):
                if isinstance(test, CallTest):
                    _check_call(f"{suite.task_id}: test {index}", test, problem.entry_point)


def _check_call(where: str, test: CallTest, entry_point: str | None) -> None:
    if not entry_point:
        raise InputError(f"{where}: calls the entry point, and the problem has none")
    for name, text in (("arguments", test.arguments), ("expected", test.expected)):
        try:
            value = loads(text)
        except ValueError as error:
            raise InputError(f"{where}: {name}: expected a plain value as JSON: {error}") from error
        if name == "arguments" and not isinstance(value, (list, tuple)):
            raise InputError(f"{where}: arguments: expected a list, got {type(value).__name__}")


def _refuse_twice(what: str, names: Iterable[str]) -> None:
    counts = Counter(names)
    for name, count in counts.items():
        if count > 1:
            raise InputError(f"{what} {name!r} is there {count} times: expected once")
