"""The demo: HumanEval with mutants as solutions (HE-M), and four verifiers that need no model.

Everything is executed for real. With the same number of problems and the same seed the result
is the same; what an earlier or a killed demo left in the folder is gone on with.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from core.benchmarks.build import build
from core.benchmarks.humaneval import humaneval
from core.benchmarks.records import write_report
from core.benchmarks.report import BuildReport
from core.execution import CachedExecutor, ExecutionRequest, execute
from core.execution.cache import CellCache
from core.formats.touchstone import write_benchmark, write_suites
from core.model import Benchmark, Limits, TestSuite, VerifierKind
from core.progress import OnProgress, Progress
from core.verifiers import BASELINES, SuiteVerifier, make_suites
from core.workspace import Workspace
from sandbox import open_sandbox
from sandbox.contract import Sandbox

__all__ = ["MUTANTS", "Demo", "build_demo"]

MUTANTS = 32
"""Mutants tried at most for each problem: with them every problem of HumanEval is well spread."""

_PROBLEMS = 164
_BUILDING = 0.35
_VERIFIERS = {
    "typed-inputs": (0.12, 0.10),
    "docstring": (0.01, 0.02),
    "consensus": (0.20, 0.08),
    "smoke": (0.03, 0.09),
}
"""Shares of the time that building the benchmark takes, and writing and running each verifier's tests."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Demo:
    """What a demo left behind.

    Attributes:
        benchmark: the benchmark's file.
        tests, runs: the file and the folder of each verifier, by its name.
        report: how the benchmark came about.
    """

    benchmark: Path
    tests: Mapping[str, Path]
    runs: Mapping[str, Path]
    report: BuildReport


def build_demo(
    out: Path,
    *,
    problems: int = _PROBLEMS,
    workers: int = 2,
    seed: int = 0,
    backend: str = "auto",
    on_progress: OnProgress | None = None,
) -> Demo:
    """Build HE-M and the suites of the four verifiers, and execute a run for each.

    Writes <out>/benchmarks/HE-M.jsonl, <out>/tests/<verifier>.jsonl and <out>/runs/<verifier>/;
    with fewer problems or another seed the names say so ("HE-M-20", "docstring-20-seed3").

    Args:
        out: a data folder (`core.workspace`).
        problems: how many of HumanEval's problems, the first ones.
        workers: programs that run at once.
        seed: decides mutants and inputs.
        backend: the sandbox's backend.
        on_progress: called often, with the phase in words.

    Raises:
        InputError: HumanEval is not there.
        StoreError: a run's folder holds a run of something else.
        SandboxUnavailableError: the backend can't run on this machine.
    """
    say = on_progress or _silent
    workspace = Workspace(out)
    suffix = ("" if problems >= _PROBLEMS else f"-{problems}") + ("" if seed == 0 else f"-seed{seed}")
    limits = Limits(seed=seed)
    say(Progress("reading HumanEval"))
    chosen = humaneval()[:problems]
    with (
        open_sandbox(backend, workers) as sandbox,
        CachedExecutor(sandbox, CellCache(workspace.cache_path, _log.warning)) as executor,
    ):
        name = f"HE-M{suffix}"
        built = build(
            chosen,
            {},
            executor,
            name=name,
            mutants=MUTANTS,
            seed=seed,
            limits=limits,
            on_progress=_part_of(say, 0.0, _BUILDING, each=0.25),
        )
        path = workspace.benchmark_file(name)
        write_benchmark(built.benchmark, path)
        write_report(path, built.report)
        tests, runs = {}, {}
        done = _BUILDING
        for verifier in BASELINES.values():
            writing, running = _VERIFIERS[verifier.name]
            told = _part_of(say, done, writing)
            suites = make_suites(verifier, built.benchmark, executor, seed=seed, on_progress=told)
            tests[verifier.name] = workspace.tests_dir / f"{verifier.name}{suffix}.jsonl"
            write_suites(suites, tests[verifier.name])
            runs[verifier.name] = workspace.run_dir(f"{verifier.name}{suffix}")
            request = _request(
                workspace, runs[verifier.name], built.benchmark, verifier, suites, sandbox, limits
            )
            execute(request, _named(verifier, _part_of(say, done + writing, running)))
            done += writing + running
    return Demo(path, tests, runs, built.report)


def _request(
    workspace: Workspace,
    out: Path,
    benchmark: Benchmark,
    verifier: SuiteVerifier,
    suites: tuple[TestSuite, ...],
    sandbox: Sandbox,
    limits: Limits,
) -> ExecutionRequest:
    return ExecutionRequest(
        benchmark=benchmark,
        suites=suites,
        out=out,
        verifier=verifier.name,
        name=verifier.name,
        verifier_kind=VerifierKind.TESTS,
        sandbox=sandbox,
        limits=limits,
        cache=workspace.cache_path,
        resume=True,
        command=tuple(sys.argv[1:]),
    )


def _named(verifier: SuiteVerifier, say: OnProgress) -> OnProgress:
    """Put the verifier's name in front of the phases of its run."""
    return lambda progress: say(replace(progress, phase=f"{verifier.name}: {progress.phase}"))


def _part_of(say: OnProgress, start: float, share: float, each: float = 1.0) -> OnProgress:
    """Say of a part's progress how much of the whole is done.

    Args:
        say: whom to tell.
        start: where the part begins in the whole.
        share: how much of the whole it is.
        each: how much of what is left of the part goes to each of its phases, for it is not known how many
            there will be.
    """
    phases: list[str] = []

    def told(progress: Progress) -> None:
        if progress.total and progress.phase not in phases:
            phases.append(progress.phase)
        within = progress.done / progress.total if progress.total else 0.0
        left = (1 - each) ** max(0, len(phases) - 1) * (1 - each * within)
        say(replace(progress, overall=start + share * (1 - left)))

    return told


def _silent(_: Progress) -> None:
    """Nobody watches."""
