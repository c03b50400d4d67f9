"""Backends: where the host and the judge of a worker live.

A backend says how to start the two and what that guarantees. Everything else is shared: clocks and
restarts (`sandbox.worker`), the pool (`sandbox.pool`), what host and judge do (`sandbox.host`,
`sandbox.judge`). To add one, write a class with the methods of `Backend` and put it into `BACKENDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from sandbox.contract import Isolation
from sandbox.link import Link

COMMON_GUARANTEES: Final = (
    "tests are judged where the program never runs",
    "time limits are kept from outside",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """The host and the judge of one worker."""

    host: Link
    judge: Link


@dataclass(frozen=True, slots=True)
class Told:
    """What the host and judge of a first worker said of themselves when they came up."""

    guarantees: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    versions: dict[str, str] = field(default_factory=dict)


class Backend(Protocol):
    """One way to isolate workers."""

    name: str

    def start(self, worker: int) -> Pair:
        """Start host and judge of a worker, linked by a control channel.

        Both run `sandbox.launch.command(...)`. Closing their standard input ends them.

        Raises:
            OSError: they can't be started.
        """

    def stop(self, pair: Pair) -> None:
        """End both and everything in them; must not fail when they are gone already."""

    def isolation(self, told: Told) -> Isolation:
        """What holds here, given what the processes of a first worker told about themselves."""

    def close(self) -> None:
        """Remove whatever the backend made."""


def _bubblewrap() -> Backend:
    from sandbox.bubblewrap import BubblewrapBackend

    return BubblewrapBackend()


def _process() -> Backend:
    from sandbox.process import ProcessBackend

    return ProcessBackend()


def _docker() -> Backend:
    from sandbox.docker_backend import DockerBackend

    return DockerBackend()


BACKENDS: Final[dict[str, Callable[[], Backend]]] = {
    "bubblewrap": _bubblewrap,
    "process": _process,
    "docker": _docker,
}
"""Makers by name; a maker raises SandboxUnavailableError where it can't work.

The order is the one in which `auto` looks for a backend that isolates fully, which is what counts. Of those
that do, the two that run programs under Touchstone's own interpreter, with the packages it has, come
first: a verdict then depends on nothing more than it must, and they start in a fraction of a second. Among
them bubblewrap shows programs less of the machine (Landlock hides what is in files, not that they exist).
A container has another interpreter and starts in seconds; `auto` takes one where the others leave a gap.
"""


def maker(name: str) -> Callable[[], Backend]:
    """What makes the backend of this name.

    Raises:
        ValueError: there is none of this name.
    """
    if name not in BACKENDS:
        raise ValueError(f"no backend is called {name!r}; there are: auto, {', '.join(BACKENDS)}")
    return BACKENDS[name]
