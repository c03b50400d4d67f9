"""What a machine of a cluster is asked for: its backend's guarantees, and batches of jobs.

Called in processes that somebody else starts, ends and calls again (`core.execution.cluster`); each keeps one
sandbox with one worker for as long as it lives. Knows no cluster and no scheduler.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sandbox import open_sandbox
from sandbox.contract import Execution, Isolation, Job
from sandbox.pool import PooledSandbox


def describe(backend: str) -> Isolation:
    """What a backend guarantees on this machine.

    Raises:
        SandboxUnavailableError: it can't run here.
    """
    with open_sandbox(backend, workers=1) as opened:
        return opened.isolation


def run_batch(backend: str, jobs: Sequence[Job]) -> list[Execution]:
    """Run jobs in this process's own sandbox.

    Raises:
        SandboxError: the sandbox can't go on; nothing of the batch counts.
    """
    return list(_own_sandbox(backend).run(jobs))


@cache
def _own_sandbox(backend: str) -> PooledSandbox:
    return open_sandbox(backend, workers=1)
