"""The `process` backend: host and judge are plain processes of this user, confined as far as the kernel lets.

On Linux each gets namespaces of its own (users, processes, network, mounts, IPC), Landlock and seccomp.
What of that a machine refuses is said in `Isolation.missing`. Elsewhere resource limits and sessions remain.
"""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import site
import socket
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from sandbox import launch
from sandbox.backends import Pair
from sandbox.contract import Isolation, SandboxUnavailableError

_JUDGE_MEMORY_MB = 4096
_SYSTEM_LIBRARIES = (
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
    "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime",
)  # fmt: skip


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
        self._directory = Path(tempfile.mkdtemp(prefix="touchstone-"))
        self._started = 0

    def start(self, worker: int) -> Pair:
        """Start host and judge of a worker."""
        self._started += 1
        ends = socket.socketpair()
        with ends[0], ends[1]:
            host = self._launch("host", worker, ends[0])
            try:
                judge = self._launch("judge", worker, ends[1])
            except OSError:
                _end(host)
                raise
        return Pair(host, judge)

    def stop(self, pair: Pair) -> None:
        """End both; their watchers take down what is in them."""
        for process in (pair.host, pair.judge):
            if process.stdin is not None:
                with contextlib.suppress(OSError):
                    process.stdin.close()
        for process in (pair.host, pair.judge):
            _end(process)

    def isolation(self, told: dict[str, list[str]]) -> Isolation:
        """What holds here."""
        common = ("tests are judged where the program never runs", "time limits are kept from outside")
        return Isolation(
            backend=self.name,
            guarantees=(*common, *told["guarantees"]),
            missing=tuple(told["missing"]),
            full=not told["missing"],
            versions={"python": platform.python_version(), "kernel": platform.release()},
        )

    def close(self) -> None:
        """Remove the scratch directories."""
        shutil.rmtree(self._directory, ignore_errors=True)

    def _launch(self, role: str, worker: int, control: socket.socket) -> subprocess.Popen[bytes]:
        scratch = self._directory / f"{role}-{worker}-{self._started}"
        scratch.mkdir(mode=0o700, parents=True)
        options: dict[str, Any] = {
            "role": role,
            "control": control.fileno(),
            "scratch": str(scratch),
            "readable": readable_paths(),
            "site": site_paths(),
            "namespaces": self._namespaces,
            "memory_mb": _JUDGE_MEMORY_MB,
        }
        root = str(Path(__file__).resolve().parent.parent)
        return subprocess.Popen(
            launch.command(sys.executable, root, options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get("TOUCHSTONE_DEBUG") else subprocess.DEVNULL,
            env={"PYTHONHASHSEED": "0"},
            cwd=scratch,
            pass_fds=(control.fileno(),),
            start_new_session=True,
            bufsize=0,
        )


def readable_paths() -> list[str]:
    """Where Python and the libraries it loads are."""
    prefixes = {sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values(), *site_paths()}
    return sorted(path for path in {*prefixes, *_SYSTEM_LIBRARIES} if path and Path(path).exists())


def site_paths() -> list[str]:
    """Where installed packages are: programs may import numpy."""
    return [path for path in site.getsitepackages() if Path(path).is_dir()]


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(3)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    finally:
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
