"""Backends: where the host and the judge of a worker live.

A backend says how to start the two and what that guarantees. Everything else is shared: clocks and
restarts (`sandbox.worker`), the pool (`sandbox.pool`), what host and judge do (`sandbox.host`,
`sandbox.judge`). To add one, write a class with the methods of `Backend` and put it into `BACKENDS`, the
strongest first.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from sandbox.contract import Isolation, SandboxUnavailableError


@dataclass(frozen=True, slots=True)
class Pair:
    """The two processes of one worker, each with pipes on standard input and output."""

    host: subprocess.Popen[bytes]
    judge: subprocess.Popen[bytes]


class Backend(Protocol):
    """One way to isolate workers."""

    name: str

    def start(self, worker: int) -> Pair:
        """Start host and judge of a worker, linked by a control channel.

        Both run `sandbox.launch.command(...)`. Closing their standard input ends them.
        """

    def stop(self, pair: Pair) -> None:
        """End both and everything in them; must not fail when they are gone already."""

    def isolation(self, told: dict[str, list[str]]) -> Isolation:
        """What holds here, given what the processes of a first worker told about themselves."""

    def close(self) -> None:
        """Remove whatever the backend made."""


def _process() -> Backend:
    from sandbox.process import ProcessBackend

    return ProcessBackend()


BACKENDS: Final[dict[str, Callable[[], Backend]]] = {"process": _process}
"""Makers by name, the strongest first; a maker raises SandboxUnavailableError where it can't work."""


def choose(name: str) -> Backend:
    """The backend of this name; `auto` takes the first that works here.

    Raises:
        SandboxUnavailableError: it can't work here, or (auto) none can.
        ValueError: there is none of this name.
    """
    if name != "auto":
        if name not in BACKENDS:
            raise ValueError(f"no backend is called {name!r}; there are: auto, {', '.join(BACKENDS)}")
        return BACKENDS[name]()
    reasons = []
    for maker in BACKENDS.values():
        try:
            return maker()
        except SandboxUnavailableError as error:
            reasons.append(str(error))
    raise SandboxUnavailableError("no sandbox works here: " + "; ".join(reasons))
