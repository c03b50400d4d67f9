"""The executor that never runs a check twice."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmarks.build import build
from core.execution import CachedExecutor, ExecutionRequest, Progress, execute
from core.execution.cache import CellCache
from core.model import Assertion, CallTest, Problem, Solution, TestSuite
from sandbox.contract import AssertsJob, CallsJob, CheckResult, Execution, Isolation, Limits, Outcome, Sandbox
from sandbox.fake import FakeSandbox
from tests.core.benchmarks.runner import InProcess

PROGRAM = "def f(a):\n    return a + 1\n"


def asserts(*checks: str, key: str = "job", limits: Limits | None = None) -> AssertsJob:
    """A job of these checks on the same program."""
    return AssertsJob(key, PROGRAM, checks, "f", limits=limits or Limits())


def run(sandbox: Sandbox, path: Path, *jobs: AssertsJob | CallsJob) -> list[Execution]:
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


def test_what_is_expected_stays_with_its_call(tmp_path: Path) -> None:
    """A part of a job expects of its calls what the whole job does, and expectations are in no key."""
    cache, second = tmp_path / "cells.sqlite", InProcess()
    run(InProcess(), cache, CallsJob("job", PROGRAM, "f", ("[1]",)))
    run(second, cache, CallsJob("job", PROGRAM, "f", ("[1]", "[2]", "[3]"), expected=("2", "3", "4")))
    ((calls, expected),) = [(job.calls, job.expected) for job in second.jobs]
    assert (calls, expected) == (("[2]", "[3]"), ("3", "4"))


def test_other_limits_are_another_cell(tmp_path: Path) -> None:
    """What ran under one limit says nothing about another."""
    cache, second = tmp_path / "cells.sqlite", InProcess()
    run(InProcess(), cache, asserts("assert f(1) == 2"))
    run(second, cache, asserts("assert f(1) == 2", limits=Limits(seconds=1)))
    run(second, cache, asserts("assert f(1) == 2", limits=Limits(memory_mb=64)))
    assert len(second.jobs) == 2


@pytest.mark.parametrize(
    "change",
    [
        {"limits": Limits(memory_mb=64)},
        {"limits": Limits(output_kb=1)},
        {"limits": Limits(file_mb=1)},
        {"limits": Limits(processes=1)},
        {"limits": Limits(seed=1)},
        {"seconds": (1.0,)},
        {"entry_point": None},
        {"support": "import math"},
        {"program": PROGRAM + "#"},
    ],
)
def test_what_shapes_a_result_is_part_of_the_key(tmp_path: Path, change: dict) -> None:
    """A job that differs in any one thing that may change its result runs."""
    cache, job, second = tmp_path / "cells.sqlite", asserts("assert f(1) == 2"), InProcess()
    run(InProcess(), cache, job)
    run(second, cache, replace(job, **change))
    assert len(second.jobs) == 1


def test_another_backend_or_python_is_another_cell(tmp_path: Path) -> None:
    """What one backend or version of Python gave says nothing about another."""

    class Other(InProcess):
        isolation = Isolation("other")

    class Newer(InProcess):
        isolation = Isolation("fake", versions={"python": "9.9"})

    for sandbox in (InProcess(), Other(), Newer()):
        run(sandbox, tmp_path / "cells.sqlite", asserts("assert f(1) == 2"))
        assert len(sandbox.jobs) == 1


def test_missing_data_is_asked_for_again(tmp_path: Path) -> None:
    """A check that could not be judged is never known."""
    cache, second = tmp_path / "cells.sqlite", InProcess()
    run(FakeSandbox(lambda _: [CheckResult(Outcome.INTERNAL_ERROR)]), cache, asserts("assert f(1) == 2"))
    run(second, cache, asserts("assert f(1) == 2"))
    assert len(second.jobs) == 1


@settings(max_examples=20)
@given(known=st.sets(st.integers(0, 29)), most=st.integers(1, 5))
def test_every_job_is_answered_once(
    tmp_path_factory: pytest.TempPathFactory, known: set[int], most: int
) -> None:
    """However known and unknown jobs follow one another, each gets its one whole answer."""
    cache = tmp_path_factory.mktemp("cache") / "cells.sqlite"
    jobs = [asserts(f"assert f({n}) == {n + 1}", f"assert f({n}) == 0", key=str(n)) for n in range(30)]
    run(InProcess(), cache, *(jobs[n] for n in sorted(known)))
    second = InProcess()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.execution.executor._MOST_WAITING", most)
        executions = run(second, cache, *jobs)
    assert sorted(int(e.key) for e in executions) == list(range(30))
    assert {"".join(r.outcome.letter for r in e.results) for e in executions} == {"PF"}
    assert {int(job.key) for job in second.jobs} == set(range(30)) - known


def test_what_a_build_ran_a_run_knows(tmp_path: Path) -> None:
    """Cells of the reference tests that a build executed are not executed by a run of these tests."""
    tests = (*(Assertion(f"assert f({n}) == {n + 1}") for n in range(4)), CallTest("[1]", "2"))
    problem = Problem("p", "", entry_point="f", reference_solution=PROGRAM, reference_tests=tests)
    worse = Solution("worse", "def f(a):\n    return 2\n")
    with CachedExecutor(InProcess(), CellCache(tmp_path / "cells.sqlite", print)) as executor:
        benchmark = build([problem], {"p": [worse]}, executor).benchmark
    sandbox, seen = InProcess(), []
    request = ExecutionRequest(
        benchmark,
        (TestSuite("p", tests),),
        tmp_path / "run",
        "reference tests",
        sandbox,
        cache=tmp_path / "cells.sqlite",
    )
    execute(request, seen.append)
    assert sandbox.jobs == []
    assert (seen[-1].done, seen[-1].cached) == (10, 10)


def test_a_build_tells_what_was_known(tmp_path: Path) -> None:
    """The second time, progress says that every program was known before."""
    problem = Problem(
        "p", "", entry_point="f", reference_solution=PROGRAM, reference_tests=(CallTest("[1]", "2"),)
    )
    counts = []
    for _ in range(2):
        seen: list[Progress] = []
        with CachedExecutor(InProcess(), CellCache(tmp_path / "cells.sqlite", print)) as executor:
            build([problem], {}, executor, on_progress=seen.append)
        counts.append((seen[-1].done, seen[-1].total, seen[-1].cached))
    assert counts == [(1, 1, 0), (1, 1, 1)]
