"""Runs programs nobody trusts. Knows no problem, no benchmark, no score.

    controller ──frames──> judge ──one channel──> host ──fork──> program
    (this process)           └────────── a socket per program ──────┘

A check is judged in the judge, where no code of the program ever runs; the program lives in a process
of its own, and all it can do is answer calls with plain data. So it can't forge a pass, whatever it does
to itself. The host only forks and kills: it is told neither programs nor tests, because its children
inherit what it knows. Two clocks watch: the judge's over the program, the controller's over the judge.

    contract.py, outcome.py   jobs in, executions out
    backend.py, backends.py, auto.py   what a backend is, those there are, and which one `auto` takes
    process.py, bubblewrap.py, docker_backend.py    each says only how to start host and judge there
    Dockerfile, make_image.sh two ways to the image of the last
    pool.py, worker.py        the controller: threads, the outer clock, restarts
    link.py                   its end of a host or judge
    launch.py, confine/       starts a host or judge with most rights taken away, and ends it
    host.py                   forks a process for each program
    program.py, script.py     what runs in that process
    judge.py, tasks.py        runs the checks of a job
    host_client.py            the judge's end of the channel to the host
    remote.py, proxy.py       the judge's side of a program: calls, objects, clock
    replies.py                what is made of the things a program says
    checks.py, rewrite.py     prepares a check; in_process.py decides from its source where it is judged
    sources.py                prepares a program, likewise
    stateless.py, flows.py    whether a source can leave anything behind
    forked.py, verdict.py     wild checks in a fork; how a check's end becomes an outcome
    values.py, readers.py     plain values as text; wire.py: frames

The functions here import what they need when they are called: the host imports this package too, and
every program's process is a copy of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sandbox.contract import Isolation
    from sandbox.pool import PooledSandbox

__all__ = ["open_sandbox", "survey"]


def open_sandbox(backend: str = "auto", workers: int = 2) -> PooledSandbox:
    """Open a sandbox; use it as a context manager, or call `close()`.

    Args:
        backend: the name of one, or `auto`: the first that isolates fully here (`sandbox.auto`).
        workers: how many programs run at once.

    Raises:
        SandboxUnavailableError: the backend can't run on this machine.
        ValueError: there is no such backend.
    """
    if backend == "auto":
        from sandbox.auto import open_strongest

        return open_strongest(workers)
    from sandbox.backends import maker
    from sandbox.pool import PooledSandbox

    return PooledSandbox(maker(backend)(), workers)


def survey() -> list[Isolation]:
    """What every backend guarantees on this machine, and which one `auto` takes.

    One that can't run here has no guarantees, and its reason in `missing`.
    """
    from sandbox.auto import survey as survey_all

    return survey_all()
