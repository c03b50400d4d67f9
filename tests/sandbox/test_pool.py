"""Jobs in, executions out, whatever happens to the workers in between."""

from __future__ import annotations

import os
import queue
import signal
import threading

import pytest

from sandbox import open_sandbox, survey
from sandbox.contract import AssertsJob, Limits, SandboxError, SandboxUnavailableError
from sandbox.pool import Todo
from sandbox.worker import Running

HONEST = "def f(x): return x"


def job(key: object, program: str = HONEST, *checks: str) -> AssertsJob:
    """A small job."""
    return AssertsJob(
        str(key), program, checks or ("assert f(1) == 1", "assert f(1) == 2"), "f", limits=Limits(1.0)
    )


def test_every_job_gives_one_execution():
    """Each job comes back once with a result for each check, from several workers."""
    with open_sandbox("process", workers=2) as sandbox:
        found = list(sandbox.run(job(number) for number in range(40)))
        assert sorted(int(execution.key) for execution in found) == list(range(40))
        assert all([result.outcome.letter for result in run.results] == ["P", "F"] for run in found)
        assert list(sandbox.run([])) == []
        (empty,) = sandbox.run([AssertsJob("none", HONEST, ())])
        assert empty.results == ()


def test_jobs_are_taken_lazily(sandbox):
    """Only a few jobs are pulled ahead of what was yielded."""
    pulled = []

    def endless():
        while True:
            pulled.append(len(pulled))
            yield job(len(pulled))

    running = sandbox.run(endless())
    next(running)
    running.close()
    assert len(pulled) < 10
    (after,) = sandbox.run([job("after")])
    assert after.key == "after"


def test_a_worker_goes_on_with_the_checks_it_has():
    """A worker gets the programs of one problem, another those of the next, and either what is left over."""
    todo, workers = Todo(), ("one", "two")
    for number, check in enumerate(("a", "a", "a", "b", "b")):
        todo.put(Running(number, job(number, HONEST, check)))
    taken = [todo.take(worker, wait=False).number for worker in (*workers, *workers, "two")]
    assert taken == [0, 3, 1, 4, 2]
    assert todo.take("one", wait=False) is None


def test_who_waits_for_jobs_is_told_of_the_end():
    """A worker that waits gets what is put in, and None when there will be nothing more."""
    todo, got = Todo(), queue.SimpleQueue()
    waiting = [threading.Thread(target=lambda: got.put(todo.take("one", wait=True))) for _ in range(2)]
    for thread in waiting:
        thread.start()
    todo.put(Running(7, job(7)))
    assert got.get(timeout=10).number == 7
    todo.close()
    assert got.get(timeout=10) is None
    for thread in waiting:
        thread.join()


def test_an_error_in_the_jobs_reaches_the_caller(sandbox):
    """An exception of the iterable is the caller's; the sandbox can be used again."""

    def broken():
        yield job(1)
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        list(sandbox.run(broken()))
    assert [execution.key for execution in sandbox.run([job(2)])] == ["2"]


def test_one_run_at_a_time(sandbox):
    """A second run while one is going on is refused, not mixed up."""
    running = sandbox.run(job(number) for number in range(5))
    next(running)
    with pytest.raises(SandboxError, match="already"):
        next(iter(sandbox.run([job(9)])))
    running.close()


def test_a_large_job_goes_through(sandbox):
    """Checks and values of megabytes cross without blocking either side."""
    text = "x" * 2_000_000
    big = AssertsJob("big", HONEST, (f"assert f('{text}') == '{text}'",) * 3, "f", limits=Limits(10.0))
    assert [execution.results[2].outcome.letter for execution in sandbox.run([big, big])] == ["P", "P"]


@pytest.mark.parametrize("victim", ["judge", "host"])
def test_a_killed_judge_or_host_costs_no_verdict(victim):
    """A process of the worker that dies in mid-run is replaced, and every check gets its verdict."""
    program = "import time\ndef f(x):\n    time.sleep(0.02)\n    return x"
    checks = ("assert f(1) == 1", "assert f(1) == 2") * 30
    with open_sandbox("process", workers=1) as sandbox:
        pair = sandbox._workers[0]._pair
        threading.Timer(0.4, getattr(pair, victim).kill).start()
        found = list(sandbox.run([job("a", program, *checks), job("b")]))
    assert ["".join(result.outcome.letter for result in run.results) for run in found] == ["PF" * 30, "PF"]


def test_a_check_that_breaks_the_judge_is_an_internal_error_of_its_own(monkeypatch):
    """A judge that dies at one check again and again gives INTERNAL_ERROR for it alone."""
    from sandbox.worker import Worker

    exchange = Worker._exchange

    def exchange_and_break(worker, wait):
        if len(worker._queue[0].results) == 2:
            worker._pair.judge.kill()
        exchange(worker, wait)

    monkeypatch.setattr(Worker, "_exchange", exchange_and_break)
    slow = "import time\ndef f(x):\n    time.sleep(0.5 if x == 5 else 0)\n    return x"
    checks = ("assert f(0) == 0", "assert f(1) == 1", "assert f(5) == 5", "assert f(1) == 2")
    with open_sandbox("process", workers=1) as sandbox:
        (execution,) = sandbox.run([job("a", slow, *checks)])
    assert "".join(result.outcome.letter for result in execution.results) == "PPIF"


def test_interrupting_the_caller_stops_everything():
    """Leaving the iterator in the middle of an endless check does not wait for it."""
    with open_sandbox("process", workers=1) as sandbox:
        endless = AssertsJob("e", "def f(x):\n while True: pass", ("assert f(1)",), "f", limits=Limits(60.0))
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            list(sandbox.run([endless]))
        assert [execution.key for execution in sandbox.run([job(1)])] == ["1"]


def test_a_closed_sandbox_says_so():
    """Nothing runs after close, which may be called twice."""
    sandbox = open_sandbox("process", workers=1)
    sandbox.close()
    sandbox.close()
    with pytest.raises(SandboxError, match="closed"):
        list(sandbox.run([job(1)]))


def test_unknown_backends_are_refused():
    """A name that is none is a ValueError that lists the names."""
    with pytest.raises(ValueError, match="process"):
        open_sandbox("nothing")
    with pytest.raises(ValueError, match="worker"):
        open_sandbox("process", workers=0)


def test_survey_lists_every_backend(monkeypatch):
    """Each backend says what it guarantees here, or why it can't run."""
    from sandbox import backends

    def absent():
        raise SandboxUnavailableError("no such thing here")

    monkeypatch.setitem(backends.BACKENDS, "absent", absent)
    rows = {row.backend: row for row in survey()}
    assert rows["process"].guarantees
    assert rows["absent"].missing == ("not available: no such thing here",)
    assert not rows["absent"].full


def test_without_namespaces_the_rest_holds(monkeypatch):
    """Where the kernel refuses namespaces, verdicts stay the same and what is missing is said."""
    from sandbox.pool import PooledSandbox
    from sandbox.process import ProcessBackend

    with PooledSandbox(ProcessBackend(namespaces=False), workers=1) as sandbox:
        fork = "import os\ndef f(x): os.fork()"
        loop = "def f(x):\n while x: pass\n return 1"
        found = {run.key: run.results for run in sandbox.run([job("a"), job("b", fork), job("c", loop)])}
        assert ["".join(r.outcome.letter for r in found[key]) for key in "abc"] == ["PF", "EE", "TT"]
        assert any("namespaces" in phrase for phrase in sandbox.isolation.missing)
        assert not sandbox.isolation.full
        directory = sandbox._backend._scratch.path
    assert not directory.exists()
