"""The executor that never runs a check twice."""

from pathlib import Path

from core.execution import CachedExecutor
from core.execution.cache import CellCache
from sandbox.contract import AssertsJob, CallsJob, Execution, Limits, Outcome
from tests.core.benchmarks.runner import InProcess

PROGRAM = "def f(a):\n    return a + 1\n"


def asserts(*checks: str, key: str = "job", limits: Limits | None = None) -> AssertsJob:
    """A job of these checks on the same program."""
    return AssertsJob(key, PROGRAM, checks, "f", limits=limits or Limits())


def run(sandbox: InProcess, path: Path, *jobs: AssertsJob | CallsJob) -> list[Execution]:
    """What a new executor on this cache answers."""
    with CachedExecutor(sandbox, CellCache(path, print)) as executor:
        return list(executor.run(jobs))


def test_known_checks_do_not_run_again(tmp_path: Path) -> None:
    """Of a job only the checks that are new reach the sandbox; the answer is whole and in order."""
    cache = tmp_path / "cells.sqlite"
    run(InProcess(), cache, asserts("assert f(1) == 2", "assert f(1) == 3"))
    second = InProcess()
    (execution,) = run(second, cache, asserts("assert f(1) == 3", "assert f(5) == 6", "assert f(1) == 2"))
    assert [job.checks for job in second.jobs] == [("assert f(5) == 6",)]  # type: ignore[union-attr]
    assert [r.outcome for r in execution.results] == [
        Outcome.ASSERTION_FAILED,
        Outcome.PASSED,
        Outcome.PASSED,
    ]


def test_a_known_job_is_answered_without_the_sandbox(tmp_path: Path) -> None:
    """Nothing runs the second time, and every job is still answered under its own key."""
    cache, first, second = tmp_path / "cells.sqlite", InProcess(), InProcess()
    run(first, cache, asserts("assert f(1) == 2"))
    keys = [
        e.key
        for e in run(
            second, cache, asserts("assert f(1) == 2", key="a"), asserts("assert f(1) == 2", key="b")
        )
    ]
    assert (keys, second.jobs) == (["a", "b"], [])


def test_returned_values_are_kept(tmp_path: Path) -> None:
    """A cached call still says what it returned."""
    cache, job = tmp_path / "cells.sqlite", CallsJob("job", PROGRAM, "f", ("[1]", "[2]"))
    first, second = run(InProcess(), cache, job), run(InProcess(), cache, job)
    assert [r.value for r in second[0].results] == ["2", "3"] == [r.value for r in first[0].results]


def test_other_limits_are_another_cell(tmp_path: Path) -> None:
    """What ran under one limit says nothing about another."""
    cache, second = tmp_path / "cells.sqlite", InProcess()
    run(InProcess(), cache, asserts("assert f(1) == 2"))
    run(second, cache, asserts("assert f(1) == 2", limits=Limits(seconds=1)))
    run(second, cache, asserts("assert f(1) == 2", limits=Limits(memory_mb=64)))
    assert len(second.jobs) == 2
