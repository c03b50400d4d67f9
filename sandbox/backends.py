"""The backends there are, by name, and their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sandbox.backend import Backend


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
