"""What a run of tests on solutions does, with a sandbox that is a function."""

import dataclasses
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from core.errors import InputError
from core.execution import ExecutionError, Progress, execute
from core.execution.cache import CellCache
from core.model import Assertion, Benchmark, CallTest, Limits, Problem, Solution, StdioTest, TestSuite
from core.progress import read_progress
from core.store import StoreError, open_run
from sandbox.contract import (
    AssertsJob,
    CallsJob,
    CheckResult,
    Execution,
    Job,
    Outcome,
    SandboxError,
    StdioJob,
)
from sandbox.fake import FakeSandbox
from sandbox.values import dumps
from tests.core.execution.made import content, decide, deciding, make_benchmark, make_request, make_suites

PASSED = Outcome.PASSED


def one_problem(tests: tuple, solutions: tuple[Solution, ...], **fields: object) -> dict:
    """The parts of a request about a single problem."""
    problem = Problem(**({"task_id": "P", "prompt": "", "entry_point": "f"} | fields))
    return {"benchmark": Benchmark("b", (problem,), {"P": solutions}), "suites": (TestSuite("P", tests),)}


def codes(out: Path, task_id: str = "P") -> list[str]:
    """A problem's rows as outcome letters."""
    return open_run(out).matrix(task_id).letters()


def test_every_cell_is_what_the_sandbox_said(tmp_path: Path) -> None:
    """Each cell of each matrix holds the outcome, seconds and detail of its program and test."""
    request = make_request(tmp_path / "run")
    run = open_run(execute(request))
    for problem, suite in zip(request.benchmark.problems, request.suites, strict=True):
        matrix = run.matrix(problem.task_id)
        for row, solution in enumerate(request.benchmark.solutions[problem.task_id]):
            for column, test in enumerate(suite.tests):
                expected = decide(solution.code, test.source)
                assert matrix.outcomes[row, column] == expected.outcome
                assert matrix.seconds[row, column] == np.float32(expected.seconds)
                details = run.details(problem.task_id, solution.id, column)
                if expected.outcome is PASSED:
                    assert details == []
                else:
                    assert (details[0].message, details[0].line) == (expected.message, expected.line)
    assert run.manifest.n_cells == 6 * 5 * 4 == sum(run.manifest.outcome_counts.values())
    assert run.manifest.backend == "fake"


def test_jobs_come_in_order_and_carry_everything(tmp_path: Path) -> None:
    """Jobs follow the problems and carry entry point, support and limits."""
    sandbox = FakeSandbox(deciding)
    limits = Limits(seconds=2.0, memory_mb=77, seed=5)
    request = make_request(
        tmp_path / "run", sandbox=sandbox, limits=limits, support=lambda prompt, entry: f"# {prompt} {entry}"
    )
    execute(request)
    assert [job.program for job in sandbox.jobs] == [
        solution.code
        for p in request.benchmark.problems
        for solution in request.benchmark.solutions[p.task_id]
    ]
    job = sandbox.jobs[0]
    assert isinstance(job, AssertsJob)
    assert (job.entry_point, job.support, job.limits, job.seconds) == ("f", "# prompt 0 f", limits, None)
    assert open_run(tmp_path / "run").manifest.limits == limits


def test_known_cells_are_not_run_again(tmp_path: Path) -> None:
    """A second run with the same cache runs nothing and says the same; new tests alone are run."""
    cache = tmp_path / "cache"
    execute(make_request(tmp_path / "one", cache=cache))
    sandbox = FakeSandbox(deciding)
    seen: list[Progress] = []
    execute(make_request(tmp_path / "two", cache=cache, sandbox=sandbox), seen.append)
    assert sandbox.jobs == []
    assert content(tmp_path / "one") == content(tmp_path / "two")
    assert (seen[-1].done, seen[-1].cached, seen[-1].state) == (120, 120, "done")
    benchmark = make_benchmark()
    more = tuple(
        dataclasses.replace(suite, tests=(*suite.tests, Assertion("assert f(99) == 1")))
        for suite in make_suites(benchmark)
    )
    execute(make_request(tmp_path / "three", cache=cache, suites=more, sandbox=sandbox))
    assert {job.checks for job in sandbox.jobs} == {("assert f(99) == 1",)}


@pytest.mark.parametrize(
    "change",
    [
        {"limits": Limits(seconds=1.0)},
        {"limits": Limits(memory_mb=1)},
        {"limits": Limits(seed=1)},
        {"support": lambda prompt, entry_point: "import math"},
    ],
)
def test_what_shapes_an_outcome_is_part_of_the_key(tmp_path: Path, change: dict) -> None:
    """Cells found under other limits or with other support are not taken for these."""
    sandbox = FakeSandbox(deciding)
    execute(make_request(tmp_path / "one", cache=tmp_path / "cache"))
    execute(make_request(tmp_path / "two", cache=tmp_path / "cache", sandbox=sandbox, **change))
    assert sum(len(job.checks) for job in sandbox.jobs) == 120


def test_internal_errors_are_run_again(tmp_path: Path) -> None:
    """Missing data is not remembered: the next run tries those cells again."""
    lost = FakeSandbox(lambda job: [CheckResult(Outcome.INTERNAL_ERROR, message="lost")] * len(job.checks))
    run = open_run(execute(make_request(tmp_path / "one", cache=tmp_path / "cache", sandbox=lost)))
    assert run.manifest.outcome_counts["I"] == 120
    assert run.scores()["score"].isna().all()
    execute(make_request(tmp_path / "two", cache=tmp_path / "cache"))
    assert open_run(tmp_path / "two").manifest.outcome_counts["I"] == 0


def test_likes_are_run_once(tmp_path: Path) -> None:
    """Equal programs and equal tests are run once, and stand in every cell they belong to."""
    a, b = Assertion("assert f(1)"), Assertion("assert f(2)")
    solutions = (Solution("x", "# 1"), Solution("y", "# 2"), Solution("z", "# 1"))
    sandbox = FakeSandbox(deciding)
    parts = one_problem((a, b, a), solutions)
    execute(make_request(tmp_path / "run", sandbox=sandbox, **parts))
    assert [(job.program, job.checks) for job in sandbox.jobs] == [
        ("# 1", (a.source, b.source)),
        ("# 2", (a.source, b.source)),
    ]
    expected = ["".join(decide(s.code, t.source).outcome.letter for t in (a, b, a)) for s in solutions]
    assert codes(tmp_path / "run") == expected
    progress = read_progress(tmp_path / "run")
    assert progress is not None
    assert (progress.done, progress.total) == (9, 9)


def test_every_kind_of_test_becomes_its_job(tmp_path: Path) -> None:
    """Assertions, calls and stdio tests of one suite are judged each in its own way."""

    def answer(job: Job) -> list[CheckResult]:
        if isinstance(job, CallsJob):
            assert job.calls == (dumps([1]), dumps([2]))
            return [CheckResult(PASSED, value=dumps(0.3)), CheckResult(Outcome.TIME_LIMIT)]
        if isinstance(job, StdioJob):
            assert job.stdins == ("7\n",)
            return [CheckResult(PASSED, stdout="49 \n")]
        return [CheckResult(Outcome.ASSERTION_FAILED, in_process=True)]

    tests = (
        CallTest(dumps([1]), dumps(0.1 + 0.2)),
        Assertion("assert f(1)"),
        StdioTest("7\n", "49"),
        CallTest(dumps([1]), dumps(0.1 + 0.2), 1e-6),
        CallTest(dumps([2]), dumps(0)),
        StdioTest("7\n", "48"),
    )
    parts = one_problem(tests, (Solution("x", "#"),))
    execute(make_request(tmp_path / "run", sandbox=FakeSandbox(answer), cache=tmp_path / "c", **parts))
    assert codes(tmp_path / "run") == ["FFPPTF"]
    run = open_run(tmp_path / "run")
    assert run.in_process("P").tolist() == [[False, True, False, False, False, False]]
    assert run.manifest.in_process_cells == 1
    again = FakeSandbox(answer)
    execute(make_request(tmp_path / "two", sandbox=again, cache=tmp_path / "c", **parts))
    assert again.jobs == []
    assert open_run(tmp_path / "two").manifest.in_process_cells == 1


def test_problems_without_tests_or_solutions(tmp_path: Path) -> None:
    """Problems with nothing to run are in the run, with scores that are not defined."""
    benchmark = make_benchmark(3)
    solutions = {**benchmark.solutions, "P/1": ()}
    request = make_request(
        tmp_path / "run",
        benchmark=dataclasses.replace(benchmark, solutions=solutions),
        suites=make_suites(benchmark)[1:],
    )
    run = open_run(execute(request))
    assert run.task_ids() == ["P/0", "P/1", "P/2"]
    assert run.matrix("P/0").outcomes.shape == (5, 0)
    scores = run.scores().groupby("task_id")["score"].agg(["size", "count"])
    assert scores.loc["P/0"].tolist() == [5, 0]
    assert scores.loc["P/2", "size"] == 5


def test_limits_follow_the_reference_solution(tmp_path: Path) -> None:
    """Each check may take the factor times the reference's seconds, between floor and limit, in steps."""
    tests = tuple(Assertion(f"assert f({i})") for i in range(5))
    took = [0.01, 0.3, 0.62, 50.0, 1.0]

    def answer(job: Job) -> list[CheckResult]:
        late = CheckResult(Outcome.TIME_LIMIT, 3.0)
        results = [CheckResult(PASSED, seconds) for seconds in took]
        results[4] = late
        return results

    sandbox = FakeSandbox(answer)
    parts = one_problem(tests, (Solution("x", "# x"),), reference_solution="# reference")
    execute(make_request(tmp_path / "run", sandbox=sandbox, timeout_factor=2.0, timeout_floor=0.5, **parts))
    assert [job.program for job in sandbox.jobs] == ["# reference", "# x"]
    assert [job.seconds for job in sandbox.jobs] == [None, (0.5, 1.0, 1.5, 3.0, 3.0)]
    assert open_run(tmp_path / "run").manifest.timeout_factor == 2.0


def test_reference_of_a_benchmark_without_programs(tmp_path: Path) -> None:
    """Without a reference solution the best perfect solution sets the time, else the limit holds."""
    solutions = (Solution("a", "# a", "", 0.5, 2), Solution("b", "# b", "", 1.0, 1))
    sandbox = FakeSandbox(lambda job: [CheckResult(PASSED, 0.1)])
    parts = one_problem((Assertion("assert f()"),), solutions)
    execute(make_request(tmp_path / "run", sandbox=sandbox, timeout_factor=2.0, **parts))
    assert [(job.program, job.seconds) for job in sandbox.jobs] == [
        ("# b", None),
        ("# a", (0.5,)),
        ("# b", (0.5,)),
    ]
    sandbox.jobs.clear()
    parts = one_problem((Assertion("assert f()"),), solutions[:1])
    execute(make_request(tmp_path / "none", sandbox=sandbox, timeout_factor=2.0, **parts))
    assert [(job.program, job.seconds) for job in sandbox.jobs] == [("# a", None)]


def test_repeating_finds_flaky_cells(tmp_path: Path) -> None:
    """Cells whose outcome changes are listed; the first outcome that is not INTERNAL_ERROR counts."""
    tries = {"a": "PPP", "b": "PFP", "c": "IEE", "d": "IPF", "e": "III"}
    counts = dict.fromkeys(tries, 0)

    def answer(job: Job) -> list[CheckResult]:
        results = []
        for check in job.checks:
            results.append(CheckResult(Outcome.from_letter(tries[check][counts[check]])))
            counts[check] += 1
        return results

    parts = one_problem(tuple(Assertion(name) for name in tries), (Solution("x", "#"),))
    request = make_request(
        tmp_path / "run", sandbox=FakeSandbox(answer), repeat=3, cache=tmp_path / "cache", **parts
    )
    run = open_run(execute(request))
    assert run.matrix("P").letters() == ["PPEPI"]
    assert run.flaky().to_dict("records") == [
        {"task_id": "P", "solution_id": "x", "test_index": 1, "outcomes": "PFP"},
        {"task_id": "P", "solution_id": "x", "test_index": 3, "outcomes": "IPF"},
    ]
    assert (run.manifest.flaky_cells, run.manifest.repeat) == (2, 3)


def test_finished_run_returns_at_once(tmp_path: Path) -> None:
    """The same request on a finished run runs nothing; another request is refused."""
    request = make_request(tmp_path / "run")
    execute(request)
    before = content(tmp_path / "run")
    sandbox = FakeSandbox(deciding)
    assert execute(dataclasses.replace(request, sandbox=sandbox)) == tmp_path / "run"
    assert sandbox.jobs == []
    with pytest.raises(StoreError, match="other inputs: limits"):
        execute(dataclasses.replace(request, limits=Limits(seconds=9)))
    with pytest.raises(StoreError, match="other inputs: tests"):
        execute(dataclasses.replace(request, suites=request.suites[1:], resume=True))
    assert content(tmp_path / "run") == before


class BrokenSandbox(FakeSandbox):
    """Fails after some jobs."""

    def __init__(self, jobs: int, error: BaseException) -> None:
        super().__init__(deciding)
        self.left = jobs
        self.error = error

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """Yield some executions, then raise."""
        for execution in super().run(jobs):
            if not self.left:
                raise self.error
            self.left -= 1
            yield execution


def test_failing_sandbox_leaves_a_resumable_run(tmp_path: Path) -> None:
    """A sandbox's error is reported as such; what is finished stays, and resuming runs the rest."""
    broken = BrokenSandbox(13, SandboxError("no more workers"))
    request = make_request(tmp_path / "run", sandbox=broken, cache=tmp_path / "cache")
    with pytest.raises(ExecutionError, match="no more workers"):
        execute(request)
    progress = read_progress(tmp_path / "run")
    assert progress is not None
    assert (progress.state, progress.done) == ("failed", 13 * 4)
    assert "no more workers" in progress.message
    assert open_run(tmp_path / "run").done_task_ids() == ["P/0", "P/1"]
    with pytest.raises(StoreError, match="unfinished run"):
        execute(request)
    sandbox = FakeSandbox(deciding)
    execute(dataclasses.replace(request, sandbox=sandbox, resume=True))
    assert len(sandbox.jobs) == 30 - 13
    execute(make_request(tmp_path / "undisturbed"))
    assert content(tmp_path / "run") == content(tmp_path / "undisturbed")


@pytest.mark.parametrize(
    ("answers", "message"),
    [
        (lambda job: [], "no answer for"),
        (lambda job: [Execution(job.key, ())], "0 results for the 4 checks"),
        (lambda job: [Execution("x", ())], "'x', which is not open"),
        (lambda job: [Execution(job.key, tuple(deciding(job)))] * 2, "which is not open"),
    ],
)
def test_sandbox_that_breaks_its_contract(tmp_path: Path, answers: object, message: str) -> None:
    """Lost, short, unknown and doubled executions are errors, never outcomes."""

    class Odd(FakeSandbox):
        def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
            for job in jobs:
                yield from answers(job)

    with pytest.raises(ExecutionError, match=message):
        execute(make_request(tmp_path / "run", sandbox=Odd(deciding)))
    assert not open_run(tmp_path / "run").finished


def test_executions_in_any_order(tmp_path: Path) -> None:
    """Results that come long after and in another order than their jobs end in the same run."""

    class Backwards(FakeSandbox):
        def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
            yield from reversed(list(super().run(jobs)))

    execute(make_request(tmp_path / "one", sandbox=Backwards(deciding)))
    execute(make_request(tmp_path / "two"))
    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_full_disk_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a part can't be written the run fails by the file's name, and resuming runs no cell twice."""
    request = make_request(tmp_path / "run", cache=tmp_path / "cache")
    written = pq.write_table
    calls = 0

    def full(*arguments: object, **options: object) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise OSError(28, "No space left on device")
        written(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(pq, "write_table", full)
        with pytest.raises(StoreError, match=r"outcomes-00001\.parquet.*No space left"):
            execute(request)
    progress = read_progress(tmp_path / "run")
    assert progress is not None
    assert progress.state == "failed"
    sandbox = FakeSandbox(deciding)
    execute(dataclasses.replace(request, sandbox=sandbox, resume=True))
    first = request.sandbox.jobs  # type: ignore[attr-defined]
    assert len(first) + len(sandbox.jobs) == 30
    execute(make_request(tmp_path / "undisturbed"))
    assert content(tmp_path / "run") == content(tmp_path / "undisturbed")


def test_full_disk_under_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the cache can't be written the run goes on without it and loses no cell."""

    def full(cache: CellCache) -> None:
        error = sqlite3.OperationalError("database or disk is full")
        error.sqlite_errorcode = sqlite3.SQLITE_FULL
        raise error

    monkeypatch.setattr("core.execution.executor._COMMIT_SECONDS", 0.0)
    monkeypatch.setattr(CellCache, "_write", full)
    seen: list[Progress] = []
    execute(make_request(tmp_path / "run", cache=tmp_path / "cache"), seen.append)
    monkeypatch.undo()
    assert any("disk is full" in progress.message for progress in seen)
    execute(make_request(tmp_path / "undisturbed"))
    assert content(tmp_path / "run") == content(tmp_path / "undisturbed")


def test_unusable_cache_is_replaced_by_the_runs_own(tmp_path: Path) -> None:
    """With a cache that can't be opened a stopped run still resumes where it was."""
    (tmp_path / "cache").mkdir()
    broken = BrokenSandbox(7, SandboxError("gone"))
    request = make_request(tmp_path / "run", sandbox=broken, cache=tmp_path / "cache", part_cells=10**6)
    with pytest.raises(ExecutionError):
        execute(request)
    sandbox = FakeSandbox(deciding)
    execute(dataclasses.replace(request, sandbox=sandbox, resume=True))
    assert len(sandbox.jobs) == 30 - 7
    assert not list((tmp_path / "run").glob("cells.sqlite*"))


def test_error_while_planning_is_raised(tmp_path: Path) -> None:
    """An error in making jobs reaches the caller, though the sandbox draws them."""

    def support(prompt: str, entry_point: str | None) -> str:
        if prompt == "prompt 3":
            raise ZeroDivisionError("odd prompt")
        return ""

    with pytest.raises(ZeroDivisionError, match="odd prompt"):
        execute(make_request(tmp_path / "run", support=support))
    assert open_run(tmp_path / "run").done_task_ids() == ["P/0", "P/1", "P/2"]


def test_progress_tells_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress only grows within a phase, counts every cell, and is in the run's folder too."""
    monkeypatch.setattr("core.progress._INTERVAL_SECONDS", 0.0)
    seen: list[Progress] = []
    execute(make_request(tmp_path / "run", timeout_factor=5.0), seen.append)
    phases = list(dict.fromkeys(progress.phase for progress in seen))
    assert phases == ["preparing", "timing the reference solutions", "running tests"]
    for phase, total in (("timing the reference solutions", 24), ("running tests", 120)):
        done = [progress.done for progress in seen if progress.phase == phase]
        assert done == sorted(done)
        assert done[-1] == total
    assert all(sum(progress.outcomes.values()) == progress.done for progress in seen)
    assert read_progress(tmp_path / "run") == seen[-1]
    assert seen[-1].outcomes == open_run(tmp_path / "run").manifest.outcome_counts


CALL = CallTest(dumps([1]), dumps(1))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"suites": (TestSuite("Q", ()),)}, "Q: has tests but is no problem of made"),
        ({"suites": (TestSuite("P/0", ()),) * 2}, "suite of problem 'P/0' is there 2 times"),
        (
            {"suites": (TestSuite("P/0", (dataclasses.replace(CALL, arguments="1"),)),)},
            "arguments: expected a list",
        ),
        (
            {"suites": (TestSuite("P/0", (dataclasses.replace(CALL, expected="{"),)),)},
            "P/0: test 0: expected:",
        ),
        ({"repeat": 0}, "repeat is 0"),
        ({"timeout_factor": -1.0}, "timeout factor is -1.0"),
        (one_problem((CALL,), (Solution("x", ""),), entry_point=None), "the problem has none"),
        (one_problem((), (Solution("x", ""), Solution("x", "y"))), "P: solution 'x' is there 2 times"),
    ],
)
def test_requests_that_cant_be_meant(tmp_path: Path, change: dict, message: str) -> None:
    """What can't be executed is refused by name before anything is written."""
    with pytest.raises(InputError, match=message):
        execute(make_request(tmp_path / "run", **change))
    assert not (tmp_path / "run").exists()
