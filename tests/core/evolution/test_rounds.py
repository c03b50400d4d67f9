"""Rounds of refinement, from a run or a pipeline file to runs with parents."""

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from core.errors import InputError
from core.evolution.commands import report_rounds
from core.evolution.filters import Rules
from core.evolution.patterns import Trial
from core.evolution.rounds import RoundOptions, StepCounts, evolve, round_folder, step_counts
from core.evolution.selection import Method
from core.evolution.sources import open_trials
from core.evolution.steps import ModelWriter, OfflineWriter, read_step
from core.execution import ExecutionRequest, execute
from core.llm import Endpoint, EndpointError, Generation, Kind
from core.model import Assertion, Benchmark, Problem, Solution, TestSuite
from core.store import open_run
from sandbox import open_sandbox
from sandbox.contract import Execution, Job, Limits
from tests.core.benchmarks.runner import InProcess
from tests.core.evolution.test_commands import pipeline_file
from tests.core.evolution.trials import cells
from tests.core.llm.server import Server, chat

GOOD = "def f(xs, n): return [x for x in xs if x > n]"
STRICT = "def f(xs, n): return [x for x in xs if x >= n]"
EMPTY = "def f(xs, n): return [x for x in xs if x > n] if len(xs) > 2 else []"
TESTS = ("assert f([1, 2, 3], 0) == [1, 2, 3]", "assert f([5, 7, 9], 4) == [5, 7, 9]")
LIMITS = Limits(seconds=2.0)


def benchmark() -> Benchmark:
    """Two problems whose first suites every solution passes."""
    problems = tuple(
        Problem(f"p/{i}", f"Those of xs above n ({i}).", entry_point="f", reference_solution=GOOD)
        for i in range(2)
    )
    pool = (
        Solution("reference", GOOD, "reference", 1.0, 1.0),
        Solution("a", GOOD + "  # mine", "model-a"),
        Solution("b", STRICT, "model-a"),
        Solution("c", EMPTY, "model-b"),
    )
    return Benchmark("above", problems, {problem.task_id: pool for problem in problems})


@pytest.fixture
def sandbox() -> InProcess:
    """Runs the programs of these tests, which mean no harm, in this process."""
    return InProcess()


@pytest.fixture
def start(tmp_path: Path, sandbox: Any) -> Path:
    """Round 0 as a run."""
    suites = tuple(TestSuite(f"p/{i}", tuple(map(Assertion, TESTS))) for i in range(2))
    request = ExecutionRequest(
        benchmark=benchmark(),
        suites=suites,
        out=tmp_path / "zero",
        verifier="v",
        sandbox=sandbox,
        limits=LIMITS,
        name="first",
    )
    return execute(request)


def rounds(start: Path, sandbox: Any, out: Path, count: int = 2, writer: Any = None) -> tuple[Path, ...]:
    """Some rounds of it."""
    return evolve(
        start,
        out,
        count,
        writer or OfflineWriter(n_tests=6, attempts=40),
        sandbox,
        cache=out.parent / "cache",
    )


def test_rounds_make_the_suite_harder_and_stay_right(start: Path, sandbox: Any, tmp_path: Path) -> None:
    """pass@1 falls, no test fails the reference, more solutions are told apart, and runs have parents."""
    folders = rounds(start, sandbox, tmp_path / "grown")
    assert [folder.name for folder in folders] == ["zero", "grown-1", "grown-2"]
    assert [open_run(folder).manifest.parent for folder in folders] == ["", "zero", "grown-1"]
    assert len({open_run(folder).manifest.benchmark_sha256 for folder in folders}) == 1
    report = report_rounds(folders, Rules(min_tests=0))["rounds"]
    found = [one["sources"]["overall"] for one in report]
    assert [one["pass_at"]["1"]["value"] for one in found] == [
        1.0,
        pytest.approx(1 / 3),
        pytest.approx(1 / 3),
    ]
    assert [one["fails_reference"] for one in found] == [0, 0, 0]
    assert found[0]["solution_diversity"]["value"] < found[1]["solution_diversity"]["value"]
    assert found[1]["vectors"]["value"] > found[0]["vectors"]["value"]
    made = found[1]["methods"]["adversarial"]
    assert 0 < made["retained"] <= made["generated"]


def test_a_round_keeps_every_earlier_test(start: Path, sandbox: Any, tmp_path: Path) -> None:
    """A round's suite begins with that of its parent, and no test is there twice."""
    folders = rounds(start, sandbox, tmp_path / "grown")
    for before, after in pairwise(folders):
        for old, new in zip(open_trials(before), open_trials(after), strict=True):
            assert new.tests[: len(old.tests)] == old.tests
            assert len({test.text for test in new.tests}) == len(new.tests)


def test_every_new_offline_test_splits_its_group(start: Path, sandbox: Any, tmp_path: Path) -> None:
    """The split constraint holds in the run, where every test was executed on its own."""
    out = tmp_path / "grown"
    rounds(start, sandbox, out, 1)
    counts = step_counts(out, 1)
    assert [one.method for one in counts] == list(Method)
    for one in counts:
        assert one.tests == one.split
        assert one.fails_reference == 0
    assert counts[0].tests > 0


def test_a_round_in_a_real_sandbox(start: Path, sandbox: Any, tmp_path: Path) -> None:
    """The sandbox of this machine makes the tests and outcomes that this process makes."""
    here = contents(rounds(start, sandbox, tmp_path / "here", 1))
    with open_sandbox(workers=1) as real:
        suites = tuple(TestSuite(trial.task_id, trial.tests) for trial in open_trials(start))
        request = ExecutionRequest(
            benchmark=benchmark(), suites=suites, out=tmp_path / "real" / "zero", verifier="v", sandbox=real
        )
        assert contents(rounds(execute(request), real, tmp_path / "real" / "grown", 1)) == here


class StoppedHereError(Exception):
    """Somebody ended the work."""


class Stopping:
    """A sandbox that is killed after some jobs."""

    def __init__(self, inner: Any, jobs: int) -> None:
        self.isolation = inner.isolation
        self._inner, self.left = inner, jobs

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """Executions, up to the kill."""
        for execution in self._inner.run(jobs):
            if self.left == 0:
                raise StoppedHereError
            self.left -= 1
            yield execution


def contents(folders: Iterable[Path]) -> list[Any]:
    """Tests and outcomes of runs."""
    return [
        (trial.task_id, trial.tests, trial.outcomes.tolist())
        for folder in folders
        for trial in open_trials(folder)
    ]


@pytest.mark.parametrize("jobs", [0, 3, 6, 9, 14])
def test_killed_at_any_step_it_goes_on_to_the_same_end(
    start: Path, sandbox: Any, tmp_path: Path, jobs: int
) -> None:
    """Rounds that were killed end as undisturbed ones do."""
    whole = contents(rounds(start, sandbox, tmp_path / "whole" / "out", 1))
    out = tmp_path / "killed" / "out"
    with pytest.raises(StoppedHereError):
        rounds(start, Stopping(sandbox, jobs), out, 1)
    assert contents(rounds(start, sandbox, out, 1)) == whole


def test_a_finished_round_runs_nothing_again(start: Path, sandbox: Any, tmp_path: Path) -> None:
    """More rounds of finished work begin where it ended; the same rounds run nothing."""
    out = tmp_path / "grown"
    rounds(start, sandbox, out, 1)
    assert rounds(start, Stopping(sandbox, 0), out, 1)[-1] == round_folder(out, 1)
    assert rounds(start, sandbox, out, 2)[-1] == round_folder(out, 2)


def test_other_rounds_are_refused_in_the_same_folder(start: Path, sandbox: Any, tmp_path: Path) -> None:
    """A folder of rounds goes on with the same options only, and says which differ."""
    out = tmp_path / "grown"
    rounds(start, sandbox, out, 1)
    with pytest.raises(InputError, match="n tests 6, not 9"):
        rounds(start, sandbox, out, 1, OfflineWriter(n_tests=9, attempts=40))
    with pytest.raises(InputError, match="holds rounds with seed 0, not 1"):
        evolve(
            start, out, 1, OfflineWriter(6, 40), sandbox, options=RoundOptions(seed=1), cache=tmp_path / "c"
        )


def test_refinement_of_a_refined_run_counts_on(start: Path, sandbox: Any, tmp_path: Path) -> None:
    """Rounds that start from an evolved run tell their own tests from those of its rounds."""
    (_, first) = rounds(start, sandbox, tmp_path / "grown", 1)
    folders = rounds(first, sandbox, tmp_path / "again", 1, OfflineWriter(n_tests=3, attempts=40, seed=7))
    found = report_rounds(folders)["rounds"][1]["sources"]["overall"]["methods"]
    counts = {one.method.value: one.tests for one in step_counts(tmp_path / "again", 1)}
    assert {name: count["generated"] for name, count in found.items()} == {
        k: v for k, v in counts.items() if v
    }


def test_a_pipeline_file_is_a_start(sandbox: Any, tmp_path: Path) -> None:
    """The suite of a pipeline file is executed as round 0, and refined from there."""
    bench = benchmark()
    trial = Trial(
        replace(bench.problems[0], task_id="e/1"),
        bench.solutions["p/0"][1:],
        tuple(map(Assertion, TESTS)),
        cells("PP", "PP", "PP"),
    )
    folders = rounds(pipeline_file(tmp_path / "rows.jsonl", trial), sandbox, tmp_path / "grown", 1)
    assert [folder.name for folder in folders] == ["grown-0", "grown-1"]
    zero, one = (next(open_trials(folder)) for folder in folders)
    assert (zero.outcomes == 0).all()
    assert len(one.tests) > len(zero.tests)


def writer(server: Server, **options: Any) -> ModelWriter:
    """A model behind the server."""
    return ModelWriter(
        Generation(Kind.EVOLVE, "m", n_tests=2), Endpoint(server.base_url, timeout=10, retries=0), **options
    )


ANSWER = {
    "tests": [
        "assert f([2], 2) == []",
        "assert f([1, 2, 3], 0)  ==  [1, 2, 3]",
        "assert f([9], 1) == [9]",
        "assert f([9], 1) == 'wrong'",
        "no test",
    ]
}


def test_a_model_writes_the_tests(start: Path, sandbox: Any, tmp_path: Path) -> None:
    """Answers become tests that are run on the whole pool; what is wrong with them is counted."""
    out = tmp_path / "asked"
    with Server() as server:
        server.reply = lambda path, body: chat(json.dumps(ANSWER))
        folders = rounds(start, sandbox, out, 1, writer(server))
        asked = len(server.seen)
        rounds(start, sandbox, out, 1, writer(server))
        assert (asked, len(server.seen)) == (4, 4)
        prompt = server.bodies[0]["messages"][1]["content"]
    assert STRICT in prompt
    assert TESTS[0] in prompt
    adversarial, discriminative = step_counts(out, 1)
    assert adversarial == StepCounts(1, Method.ADVERSARIAL, 2, 6, 10, 2, 2, split=4, fails_reference=2)
    assert (discriminative.tests, discriminative.duplicates) == (0, 8)
    tests = next(open_trials(folders[-1])).tests
    assert {test.origin.verifier for test in tests[2:]} == {"m"}


def test_without_an_answer_the_round_waits(start: Path, sandbox: Any, tmp_path: Path) -> None:
    """A failed request ends the work, the same call asks it again, and `skip_failed` goes on without."""
    out = tmp_path / "asked"
    with Server() as server:
        server.reply = lambda path, body: chat(json.dumps(ANSWER))
        server.fault = lambda number, body: "400" if "(1)" in str(body) else None
        with pytest.raises(EndpointError, match="1 of 2 requests have no answer"):
            rounds(start, sandbox, out, 1, writer(server))
        rounds(start, sandbox, out, 1, writer(server, skip_failed=True))
        made = read_step(out / "round-1-adversarial.jsonl")
        assert [one.reason for one in made] == ["", "the model gave no answer"]
        shutil.rmtree(out)
        shutil.rmtree(round_folder(out, 1))
        server.fault = lambda number, body: None
        rounds(start, sandbox, out, 1, writer(server))
    assert all(one.tests for one in read_step(out / "round-1-adversarial.jsonl"))
