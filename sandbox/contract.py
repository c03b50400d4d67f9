"""What a sandbox takes and gives: jobs in, executions out.

A job is one program and many checks under one set of limits. A sandbox knows
programs, checks and outcomes; it knows no problem, no benchmark and no score.
Everything here is plain data and imports nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from sandbox.outcome import Outcome as Outcome


class SandboxError(Exception):
    """The sandbox itself could not do its work (never: a program failed)."""


class SandboxUnavailableError(SandboxError):
    """This backend can't run on this machine; the message says why and what would help."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one check may use.

    Attributes:
        seconds: wall time of one check, program start included.
        memory_mb: address space of the program's process, in MiB.
        output_kb: what one check may print, in KiB.
        file_mb: size of one file the program may write, in MiB.
        processes: child processes the program may have at once; 0 forbids them. None are allowed where the
            kernel would not count them (bubblewrap started by root).
        seed: seeds `random` (and numpy's generator) before each check.
    """

    seconds: float = 3.0
    memory_mb: int = 1024
    output_kb: int = 64
    file_mb: int = 8
    processes: int = 0
    seed: int = 0


@dataclass(frozen=True, slots=True)
class AssertsJob:
    """One program under many assertion sources.

    Attributes:
        key: the caller's name for the job; comes back in the Execution.
        program: source of the program under test, nobody trusts it.
        checks: source of each check: statements that end in its assertion(s).
        entry_point: the function or class under test, if it is known. Its name is
            always the program's, even where a builtin has the same one.
        support: source the checks may rely on and the program can't change: imports
            and helper functions that belong to the problem (HumanEval/32's `poly`).
        limits: what each check may use.
        seconds: time limit per check where they differ; same length as `checks`.
        entry_is_class: whether the entry point is a class; None: if it is spelled like one. A check may ask
            objects of a class what it never asks the value of a function (`3 in Stack()`).
    """

    key: str
    program: str
    checks: tuple[str, ...]
    entry_point: str | None = None
    support: str = ""
    limits: Limits = Limits()
    seconds: tuple[float, ...] | None = None
    entry_is_class: bool | None = None


@dataclass(frozen=True, slots=True)
class CallsJob:
    """One program whose entry point is called with each list of arguments.

    Attributes:
        calls: each the text that `sandbox.values.dumps` makes of a list of arguments.
        expected: what each call may well give, likewise; same length as `calls`. A value with this very
            text stays where it is and comes back as the text given here, which spares large values the way.

    The other attributes are those of `AssertsJob`.
    """

    key: str
    program: str
    entry_point: str
    calls: tuple[str, ...]
    limits: Limits = Limits()
    seconds: tuple[float, ...] | None = None
    expected: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class StdioJob:
    """One program run as a script once for each text on its standard input."""

    key: str
    program: str
    stdins: tuple[str, ...]
    limits: Limits = Limits()
    seconds: tuple[float, ...] | None = None


Job: TypeAlias = AssertsJob | CallsJob | StdioJob


def checks_of(job: Job) -> tuple[str, ...]:
    """The checks of a job, whatever they are called there."""
    if isinstance(job, AssertsJob):
        return job.checks
    return job.calls if isinstance(job, CallsJob) else job.stdins


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What became of one check.

    Attributes:
        outcome: for `CallsJob` and `StdioJob` PASSED says only that the program ended
            normally: the caller compares `value` or `stdout`.
        seconds: wall time of the check.
        message: one line: the exception, the failed assertion, or which limit was hit.
        actual, expected: `repr` of both sides of a failed comparison, else empty.
        stdout: what the check printed, cut at the output limit.
        value: `CallsJob`: the returned value as `sandbox.values` text.
        line: line of the program in which the exception was raised.
        in_process: the assertion was judged inside the program's own process, where the
            program could have tampered with it.
    """

    outcome: Outcome
    seconds: float = 0.0
    message: str = ""
    actual: str = ""
    expected: str = ""
    stdout: str = ""
    value: str | None = None
    line: int | None = None
    in_process: bool = False


@dataclass(frozen=True, slots=True)
class Execution:
    """A finished job: one result for each check, in the order of the checks."""

    key: str
    results: tuple[CheckResult, ...]


@dataclass(frozen=True, slots=True)
class Isolation:
    """What a backend guarantees on this machine, in words for a person.

    Attributes:
        backend: `process`, `bubblewrap`, `docker` or `fake`.
        guarantees: what holds here, one phrase each ("no network", "can't read other files").
        missing: what this backend can't guarantee here and why, one phrase each.
        full: whether code that means harm may be run in it (files, processes, network and
            the judge are all out of its reach).
        versions: of what the programs run on (`python`, `kernel`, ...).
        why: why `auto` took this backend; empty if it was asked for by name.
    """

    backend: str
    guarantees: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    full: bool = False
    versions: dict[str, str] = field(default_factory=dict)
    why: str = ""


class Sandbox(Protocol):
    """Runs programs nobody trusts."""

    @property
    def isolation(self) -> Isolation:
        """What this sandbox guarantees here."""

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """Run the jobs on the sandbox's workers; executions come as they finish, in any order.

        `jobs` is consumed lazily, a few per worker ahead. Every job gives exactly one
        Execution with a result for each check. Closing the iterator stops the work.

        Raises:
            SandboxError: the sandbox can't go on; finished executions were yielded before.
        """

    def close(self) -> None:
        """End every process and remove every file of the sandbox."""
