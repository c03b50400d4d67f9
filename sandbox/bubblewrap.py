"""The `bubblewrap` backend: host and judge each in a namespace of their own that bwrap makes, almost empty.

In there are Python, its packages and the system's libraries, read-only; four devices; one small directory in
memory; and nothing else: no other file, user, process or network, not even `/proc` and `/tmp`. The layers
of the `process` backend (Landlock, seccomp, limits) apply inside as well, so that programs see the
same in both. It works for root and for ordinary users, also where they may make no namespaces
themselves but bwrap may (setuid, or allowed by a security module).
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from sandbox import launch
from sandbox.backend import COMMON_GUARANTEES, Pair, Told
from sandbox.contract import Isolation, SandboxUnavailableError
from sandbox.link import PipeLink
from sandbox.process import (
    JUDGE_MEMORY_MB,
    popen,
    readable_paths,
    site_paths,
    start_linked,
    stop_processes,
)

_ROOT: Final = "/touchstone"
_SCRATCH: Final = "/scratch"
_DEVICES: Final = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
_PROBE_SECONDS: Final = 20.0
_GUARANTEES: Final = (
    "own network (none), processes, users and IPC: nothing else can be reached",
    "sees only Python and the system's libraries, all read-only; other files do not exist",
)


class BubblewrapBackend:
    """Starts host and judge under bwrap.

    Args:
        bwrap: the command; looked up on the path.

    Raises:
        SandboxUnavailableError: there is no bwrap, or it can't make namespaces here.
    """

    name = "bubblewrap"

    def __init__(self, bwrap: str = "bwrap") -> None:
        found = shutil.which(bwrap)
        if not sys.platform.startswith("linux"):
            raise SandboxUnavailableError(f"bubblewrap: needs Linux, this is {sys.platform}")
        if found is None:
            raise SandboxUnavailableError(
                f"bubblewrap: there is no {bwrap} here; install it "
                "(apt install bubblewrap, dnf install bubblewrap)"
            )
        self._readable = readable_paths()
        self._site = site_paths()
        self._sized, self._version = _abilities(found)
        self._walls = _walls(found, self._readable, sized=self._sized)
        _probe(self._walls)

    def start(self, worker: int, workers: int) -> Pair:
        """Start host and judge of a worker."""
        return start_linked(lambda role, control: self._launch(role, worker, workers, control))

    def stop(self, pair: Pair) -> None:
        """End both; everything in their namespaces ends with them."""
        stop_processes(pair)

    def isolation(self, told: Told) -> Isolation:
        """What holds here."""
        files = f"own files are kept in memory, {launch.SCRATCH_MB} MiB at most"
        unsized = f"the size of all files together is not limited: bwrap {self._version} can't"
        missing = (*(() if self._sized else (unsized,)), *told.missing)
        guarantees = (*COMMON_GUARANTEES, *_GUARANTEES, *((files,) if self._sized else ()), *told.guarantees)
        return Isolation(
            backend=self.name,
            guarantees=tuple(dict.fromkeys(guarantees)),
            missing=missing,
            full=not missing,
            versions={**told.versions, "bubblewrap": self._version},
        )

    def close(self) -> None:
        """Nothing is left: the files were in memory."""

    def _launch(self, role: str, worker: int, workers: int, control: int) -> PipeLink:
        options: dict[str, Any] = {
            "role": role,
            "worker": worker,
            "workers": workers,
            "control": control,
            "scratch": _SCRATCH,
            "readable": self._readable,
            "site": self._site,
            "namespaces": False,
            "walled": True,
            "own_mounts": _owns_devices(),
            "memory_mb": JUDGE_MEMORY_MB,
        }
        inside = launch.command(_python(), _ROOT, options)
        return popen([*self._walls, *inside], control, Path("/"))


def _walls(bwrap: str, readable: list[str], *, sized: bool) -> list[str]:
    """The command line up to what runs inside."""
    package = Path(__file__).resolve().parent
    arguments = [bwrap, "--as-pid-1", "--cap-drop", "ALL", "--hostname", "touchstone"]
    if _owns_devices():
        arguments += ["--cap-add", "CAP_SYS_ADMIN"]  # to make mounts read-only; given up right after
    for kind in ("user", "pid", "net", "ipc", "uts"):
        arguments += [f"--unshare-{kind}"]
    arguments += ["--unshare-cgroup-try"]
    python = _python()
    outside = [] if any(python.startswith(f"{path}/") for path in readable) else [python]
    for path in _outermost([*readable, *outside]):
        arguments += ["--ro-bind", path, path]
    arguments += ["--ro-bind", str(package), f"{_ROOT}/sandbox"]
    for device in _DEVICES:
        arguments += ["--dev-bind", device, device]
    if sized:
        arguments += ["--size", str(launch.SCRATCH_MB << 20)]
    return [*arguments, "--tmpfs", _SCRATCH, "--remount-ro", "/", "--chdir", _SCRATCH, "--"]


def _owns_devices() -> bool:
    """Whether this user could change the modes of devices, which bwrap can't bind read-only."""
    return os.geteuid() == 0


def _python() -> str:
    """The interpreter itself, not a link of a virtual environment whose way there may not be visible."""
    return os.path.realpath(sys.executable)


def _outermost(paths: list[str]) -> list[str]:
    """The paths without those that lie below another."""
    kept: list[str] = []
    for path in sorted(set(paths)):
        if not any(path.startswith(f"{above}/") for above in kept):
            kept.append(path)
    return kept


@functools.cache
def _abilities(bwrap: str) -> tuple[bool, str]:
    """Whether it can limit the size of a file system, and its version."""
    said = [
        subprocess.run([bwrap, option], capture_output=True, text=True, check=False).stdout
        for option in ("--help", "--version")
    ]
    return "--size " in said[0], said[1].strip().removeprefix("bubblewrap ")


def _probe(walls: list[str]) -> None:
    """Start Python once inside.

    Raises:
        SandboxUnavailableError: it does not come up.
    """
    command = [*walls, _python(), "-I", "-S", "-B", "-c", "pass"]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False,
            stdin=subprocess.DEVNULL, env=launch.ENVIRONMENT,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SandboxUnavailableError(f"bubblewrap: bwrap does not run: {error}") from error
    if done.returncode:
        said = " ".join(done.stderr.split()) or f"status {done.returncode}"
        raise SandboxUnavailableError(f"bubblewrap: bwrap can't start a program here ({said}){_help(said)}")


def _help(said: str) -> str:
    """What would make it work."""
    if not any(
        word in said.lower() for word in ("namespace", "uid map", "permi", "not permitted", "netlink")
    ):
        return ""
    for name, wanted in (
        ("kernel/unprivileged_userns_clone", "1"),
        ("kernel/apparmor_restrict_unprivileged_userns", "0"),
        ("user/max_user_namespaces", "15000"),
    ):
        setting = Path("/proc/sys", name)
        if setting.exists() and (setting.read_text().strip() == "0") == (wanted != "0"):
            return f"; user namespaces are forbidden: sysctl -w {name.replace('/', '.')}={wanted} allows them"
    return "; user namespaces are forbidden here: in a container, its runtime has to allow them"
