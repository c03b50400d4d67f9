"""The `process` backend: host and judge are plain processes of this user, confined as far as the kernel lets.

On Linux each gets namespaces of its own (users, processes, network, mounts, IPC), Landlock and seccomp.
What of that a machine refuses is said in `Isolation.missing`. Elsewhere resource limits and sessions remain.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import platform
import py_compile
import site
import socket
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, Final

from sandbox import launch
from sandbox.backend import COMMON_GUARANTEES, Pair, Told
from sandbox.contract import Isolation, SandboxUnavailableError
from sandbox.link import PipeLink
from sandbox.scratch import Scratch

JUDGE_MEMORY_MB: Final = 4096
"""Address space of a judge, in MiB."""
_END_SECONDS = 3.0


class ProcessBackend:
    """Starts host and judge on this machine.

    Args:
        namespaces: whether to try them.
    """

    name = "process"

    def __init__(self, *, namespaces: bool = True) -> None:
        if os.name != "posix":
            raise SandboxUnavailableError(f"process: needs a POSIX system, this is {platform.system()}")
        self._namespaces = namespaces
        self._scratch = Scratch()
        self._started = 0

    def start(self, worker: int, workers: int) -> Pair:
        """Start host and judge of a worker."""
        self._started += 1
        return start_linked(lambda role, control: self._launch(role, worker, workers, control))

    def stop(self, pair: Pair) -> None:
        """End both; their watchers take down what is in them."""
        stop_processes(pair)

    def isolation(self, told: Told) -> Isolation:
        """What holds here."""
        return Isolation(
            backend=self.name,
            guarantees=(*COMMON_GUARANTEES, *told.guarantees),
            missing=told.missing,
            full=not told.missing,
            versions=told.versions,
        )

    def close(self) -> None:
        """Remove the scratch directories."""
        self._scratch.close()

    def _launch(self, role: str, worker: int, workers: int, control: int) -> PipeLink:
        scratch = self._scratch.path / f"{role}-{worker}-{self._started}"
        scratch.mkdir(mode=0o700)
        options: dict[str, Any] = {
            "role": role,
            "worker": worker,
            "workers": workers,
            "control": control,
            "scratch": str(scratch),
            "readable": readable_paths(),
            "site": site_paths(),
            "namespaces": self._namespaces,
            "walled": False,
            "own_mounts": self._namespaces,
            "memory_mb": JUDGE_MEMORY_MB,
        }
        root = str(Path(__file__).resolve().parent.parent)
        return popen(launch.command(sys.executable, root, options), control, scratch)


def start_linked(launch_role: Any) -> Pair:
    """Start a host and a judge whose control channel is a socket that both inherit.

    Args:
        launch_role: (role, descriptor of its end) -> PipeLink.
    """
    _compile_ahead()
    ends = socket.socketpair()
    with ends[0], ends[1]:
        host = launch_role("host", ends[0].fileno())
        try:
            judge = launch_role("judge", ends[1].fileno())
        except OSError:
            host.hang_up()
            host.wait(_END_SECONDS)
            raise
    return Pair(host, judge)


@functools.cache
def _compile_ahead() -> None:
    """Compile this package: hosts and judges start faster, and may not keep what they compile."""
    if sys.dont_write_bytecode:
        return
    for source in Path(__file__).parent.rglob("*.py"):
        compiled = Path(importlib.util.cache_from_source(str(source)))
        with contextlib.suppress(OSError):
            if not compiled.exists() or compiled.stat().st_mtime < source.stat().st_mtime:
                py_compile.compile(str(source), quiet=2)


def popen(command: list[str], control: int, directory: Path) -> PipeLink:
    """Start a host or judge in a session and, but for the command itself, an environment of its own."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=None if os.environ.get("TOUCHSTONE_DEBUG") else subprocess.DEVNULL,
        env=launch.ENVIRONMENT,
        cwd=directory,
        pass_fds=(control,),
        start_new_session=True,
        bufsize=0,
    )
    return PipeLink(process)


def stop_processes(pair: Pair) -> None:
    """End a pair of processes; they may be gone already."""
    links = [link for link in (pair.host, pair.judge) if isinstance(link, PipeLink)]
    for link in links:
        link.hang_up()
    for link in links:
        link.wait(_END_SECONDS)


def readable_paths() -> list[str]:
    """Where Python and the libraries it loads are."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *site_paths()}
    return sorted(path for path in {*prefixes, *launch.SYSTEM_LIBRARIES} if path and Path(path).exists())


def site_paths() -> list[str]:
    """Where installed packages are: programs may import numpy."""
    return [path for path in site.getsitepackages() if Path(path).is_dir()]
