"""A run on a Ray cluster is the run that one machine makes, also when parts of the cluster die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from core.errors import InputError
from core.execution import execute
from core.execution.cluster import ClusterSandbox
from core.model import Assertion, Benchmark, Problem, Solution, TestSuite
from core.progress import Progress
from core.store import open_run
from sandbox import node, open_sandbox
from sandbox.contract import AssertsJob, CheckResult, Execution, Job, Outcome
from tests.core.execution.made import make_request

ROOT = Path(__file__).parents[3]
N_PROBLEMS, N_SOLUTIONS, N_TESTS = 6, 20, 8
N_CELLS = N_PROBLEMS * N_SOLUTIONS * N_TESTS
SLOW = "import time\n\n\ndef f(x):\n    time.sleep(0.02)\n    return x % {}\n"


def work() -> dict[str, Any]:
    """Slow programs, each right on some of its tests."""
    problems = tuple(Problem(f"P/{i}", "", entry_point="f") for i in range(N_PROBLEMS))
    solutions = {
        p.task_id: tuple(
            Solution(f"s{k}", SLOW.format(k + 1) + f"# {p.task_id}\n") for k in range(N_SOLUTIONS)
        )
        for p in problems
    }
    suites = tuple(
        TestSuite(p.task_id, tuple(Assertion(f"assert f({x}) == {x % 5}") for x in range(N_TESTS)))
        for p in problems
    )
    return {"benchmark": Benchmark("slow", problems, solutions), "suites": suites, "part_cells": 200}


def outcomes(run: Path) -> dict[str, list[list[int]]]:
    """The codes of a run's cells, by problem."""
    opened = open_run(run)
    return {f"P/{i}": opened.matrix(f"P/{i}").outcomes.tolist() for i in range(N_PROBLEMS)}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[list[int]]]:
    """What one machine says."""
    with open_sandbox("process") as sandbox:
        request = make_request(tmp_path_factory.mktemp("one") / "run", sandbox=sandbox, **work())
        return outcomes(execute(request))


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A head and one more node, one processor each."""
    utils = pytest.importorskip("ray.cluster_utils", reason="ray is not installed")
    made = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    made.shutdown()


class _After:
    """Does something once, when a run has so many cells."""

    def __init__(self, cells: int, action: Callable[[], object]) -> None:
        self.cells, self.action, self.done = cells, action, False

    def __call__(self, progress: Progress) -> None:
        """Look how far it is."""
        if progress.done >= self.cells and progress.phase == "running tests" and not self.done:
            self.done = True
            self.action()


def kill_a_worker() -> None:
    """SIGKILL to one of the processes in which Ray runs a batch."""
    found = [p for p in psutil.process_iter(["name"]) if p.info["name"].startswith("ray::run_batch")]
    os.kill(found[0].pid, signal.SIGKILL)


@pytest.mark.slow
def test_a_killed_node_and_a_killed_worker_change_nothing(
    tmp_path: Path, cluster: Any, undisturbed: dict[str, list[list[int]]]
) -> None:
    """A worker dies and then a node: both runs end with the outcomes of an undisturbed one, no cell lost."""
    cache = tmp_path / "cells.sqlite"
    with ClusterSandbox(cluster.address, "process") as sandbox:
        assert "2 nodes" in sandbox.isolation.why
        worker = _After(N_CELLS // 4, kill_a_worker)
        first = execute(make_request(tmp_path / "worker", sandbox=sandbox, **work()), worker)
        lost = _After(
            N_CELLS // 4, lambda: cluster.remove_node(cluster.worker_nodes.copy().pop(), allow_graceful=False)
        )
        second = execute(make_request(tmp_path / "node", sandbox=sandbox, cache=cache, **work()), lost)
        told: list[Progress] = []
        again = execute(make_request(tmp_path / "again", sandbox=sandbox, cache=cache, **work()), told.append)
    assert worker.done and lost.done
    assert outcomes(first) == outcomes(second) == outcomes(again) == undisturbed
    assert told[-1].cached == told[-1].done == N_CELLS


@pytest.mark.slow
def test_what_no_worker_survives_costs_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that kills every worker is missing data; the others of its batch get their results."""
    pytest.importorskip("ray", reason="ray is not installed")

    def crashing(backend: str, jobs: list[Job]) -> list[Execution]:
        if any("bad" in job.program for job in jobs):
            os.kill(os.getpid(), signal.SIGKILL)
        return [Execution(job.key, (CheckResult(Outcome.PASSED),)) for job in jobs]

    monkeypatch.setattr(node, "run_batch", crashing)
    jobs = [AssertsJob(str(i), "bad" if i == 1 else "good", ("assert f()",), "f") for i in range(3)]
    with ClusterSandbox("local", "process", workers=2) as sandbox:
        found = {e.key: [r.outcome for r in e.results] for e in sandbox.run(jobs)}
    assert found == {"0": [Outcome.PASSED], "1": [Outcome.INTERNAL_ERROR], "2": [Outcome.PASSED]}


def run_command(tmp_path: Path, address: str) -> tuple[int, str]:
    """Exit status and messages of `run --cluster`."""
    benchmark, tests = tmp_path / "b.jsonl", tmp_path / "t.jsonl"
    row = {
        "task_id": "P/0", "prompt": "", "kind": "function", "entry_point": "f",
        "reference_solution": "def f(): return 1", "reference_tests": ["assert f() == 1"],
        "solutions": [{"id": "a", "code": "def f(): return 1", "reference_score": 1.0, "reference_rank": 1}],
    }  # fmt: skip
    benchmark.write_text(json.dumps(row) + "\n", encoding="utf-8")
    tests.write_text(json.dumps({"task_id": "P/0", "tests": ["assert f() == 1"]}) + "\n", encoding="utf-8")
    command = [
        sys.executable, "-m", "core", "run", "--benchmark", str(benchmark), "--tests", str(tests),
        "--out", str(tmp_path / "run"), "--cluster", address, "--json",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr + done.stdout


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("nonsense", "expected local, auto or HOST:PORT"),
        ("127.0.0.1:99999", "expected a port from 1 to 65535, found 99999"),
        ("127.0.0.1:9", "no Ray cluster at 127.0.0.1:9"),
    ],
)
def test_an_address_that_can_not_be_reached_is_bad_usage(tmp_path: Path, address: str, message: str) -> None:
    """Nothing is started; the message names the address, and the status is 2."""
    pytest.importorskip("ray", reason="ray is not installed")
    status, said = run_command(tmp_path, address)
    assert status == 2
    assert message in said


def test_a_missing_ray_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"requirements-cluster\.txt"):
        ClusterSandbox("local")
