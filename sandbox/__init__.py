"""Runs programs nobody trusts. Knows no problem, no benchmark, no score.

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
        backend: `auto` (the strongest that works here) or the name of one.
        workers: how many programs run at once.

    Raises:
        SandboxUnavailableError: the backend can't run on this machine.
        ValueError: there is no such backend.
    """
    from sandbox.backends import choose
    from sandbox.pool import PooledSandbox

    return PooledSandbox(choose(backend), workers)


def survey() -> list[Isolation]:
    """What every backend guarantees on this machine.

    One that can't run here has no guarantees, and its reason in `missing`.
    """
    from sandbox.backends import BACKENDS
    from sandbox.contract import Isolation, SandboxError

    rows = []
    for name in BACKENDS:
        try:
            with open_sandbox(name, workers=1) as sandbox:
                rows.append(sandbox.isolation)
        except SandboxError as error:
            rows.append(Isolation(name, missing=(f"not available: {error}",)))
    return rows
