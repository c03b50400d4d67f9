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
