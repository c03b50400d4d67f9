"""A backend: where the host and the judge of a worker live.

It says how to start the two and what that guarantees. Everything else is shared: clocks and restarts
(`sandbox.worker`), the pool (`sandbox.pool`), what host and judge do (`sandbox.host`, `sandbox.judge`). To
add one, write a class with the methods of `Backend` and put it into `sandbox.backends`.
"""

from __future__ import annotations

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

    def start(self, worker: int, workers: int) -> Pair:
        """Start host and judge of a worker, which is one of so many, linked by a control channel.

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
