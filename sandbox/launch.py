"""Starts a host or a judge inside its confinement, and ends it with whoever started this.

A backend runs `python -P -s -S -B -c BOOT <root> <options as JSON>`. This process enters namespaces where
the kernel has them, forks the host or judge into them (it becomes process 1 there, so everything
dies with it) and then only watches: when standard input is closed, or the child ends, it takes
everything down. It never reads the input; that belongs to the child.

Where the backend has made the namespaces (`walled`) this process is process 1 of them and the host or judge
its child: the kernel lets nobody in there kill it, and when it ends, everything does.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import select
import signal
import socket
import stat
import sys
import time
from typing import Any, Final, NoReturn

from sandbox import confine
from sandbox.confine import namespaces, privileges

BOOT: Final = "import sys; sys.path.insert(0, sys.argv[1]); from sandbox.launch import main; main()"
SCRATCH_MB: Final = 64
"""What all files of a program may hold together, in MiB."""
ENVIRONMENT: Final = {"PYTHONHASHSEED": "0"}
"""What the interpreter starts with; programs see none."""
SYSTEM_LIBRARIES: Final = (
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
    "/usr/share/zoneinfo", "/etc/ld.so.cache", "/etc/localtime",
)  # fmt: skip
_CONNECT_TRIES: Final = 1500  # half a minute


def command(python: str, root: str, options: dict[str, Any]) -> list[str]:
    """The command line that starts a host or judge.

    Args:
        python: the interpreter.
        root: the directory that holds the `sandbox` package, as the new process sees it.
        options: role (`host` or `judge`), worker (its number, from nought), workers (how many there are),
            control (descriptor number, or name of an abstract unix socket that the host listens on), scratch
            (an empty directory), readable (paths), site (import paths to add; null for both: what the
            interpreter finds around itself), namespaces (whether to try them), walled (the backend has made
            them), own_mounts (whether to take mounts of its own in them), memory_mb (of the judge).
    """
    return [python, "-P", "-s", "-S", "-B", "-X", "utf8", "-c", BOOT, root, json.dumps(options)]


def main() -> NoReturn:
    """Start what the options in argv say."""
    root, options = sys.argv[1], json.loads(sys.argv[2])
    sys.argv = [""]
    if options["readable"] is None:
        options["readable"], options["site"] = _around_python()
    sys.path[:] = [path for path in sys.path if path != root] + options["site"]
    run = _role(options["role"], root)
    achieved = confine.Achieved()
    separate = False
    if options["namespaces"]:
        problem = namespaces.enter()
        achieved.note("own network (none), processes and users: nothing else can be reached", problem)
        separate = problem is None
    elif not options["walled"]:
        achieved.missing.append("network and processes are not separate: namespaces are turned off")
    watcher = os.getpid()
    child = os.fork()
    if child:
        _watch(child, separate or options["walled"], options["scratch"])
    privileges.die_with_parent(signal.SIGKILL)
    if options["walled"]:
        namespaces.adopt()
    if not separate and os.getppid() != watcher:
        os._exit(0)
    if options["own_mounts"] and (separate or options["walled"]):
        closed, limited = namespaces.own_mounts(options["scratch"], SCRATCH_MB)
        achieved.note("no other file's mode, owner, times or attributes can be changed", closed)
        achieved.note(f"own files are kept in memory, {SCRATCH_MB} MiB at most", limited)
    elif not options["walled"]:
        achieved.missing.append("modes and times of this user's other files can be changed: no own mounts")
    _become(run, options, achieved)


def _role(role: str, root: str) -> Any:
    """Import the program to run; afterwards the root is no longer on the path."""
    sys.path.insert(0, root)
    try:
        if role == "host":
            from sandbox.host import run as run_host

            return run_host
        from sandbox.judge import run as run_judge

        return run_judge
    finally:
        sys.path.remove(root)


def _become(run: Any, options: dict[str, Any], achieved: confine.Achieved) -> NoReturn:
    status = 1
    try:
        os.setsid()
        requests, answers = os.dup(0), os.dup(1)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(nothing, 1)
        if stat.S_ISCHR(os.fstat(2).st_mode):  # else somebody wants to read what goes wrong
            os.dup2(nothing, 2)
        if nothing > 2:
            os.close(nothing)
        os.environ.clear()
        control = _connect(options["role"], options["control"])
        os.chdir(options["scratch"])
        _keep_to_one_processor(options["worker"], options["workers"])
        confine.base(options["readable"], options["scratch"], achieved, walled=options["walled"])
        gc.collect()
        gc.freeze()
        run(requests, answers, control, options, achieved)
        status = 0
    except BaseException as error:  # noqa: BLE001 - the last place that could tell
        import traceback

        os.write(2, "".join(traceback.format_exception(error)).encode("utf-8", "backslashreplace"))
    finally:
        os._exit(status)


def _keep_to_one_processor(worker: int, workers: int) -> None:
    """Have a worker's processes share one processor where there is no more than one for each worker.

    They mostly wait for each other; on two processors each waiting would end with waking up the other one.
    """
    if hasattr(os, "sched_setaffinity"):
        processors = sorted(os.sched_getaffinity(0))
        if workers >= len(processors):
            os.sched_setaffinity(0, {processors[worker % len(processors)]})


def _connect(role: str, control: int | str) -> socket.socket:
    """The channel between host and judge."""
    if isinstance(control, int):
        low = os.dup(control)  # a check's fork closes what it may not have up to the limit of open files
        os.close(control)
        return socket.socket(fileno=low)
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    if role == "host":
        with channel:
            channel.bind(f"\0{control}")
            channel.listen(1)
            return channel.accept()[0]
    for _ in range(_CONNECT_TRIES):
        with contextlib.suppress(ConnectionRefusedError):
            channel.connect(f"\0{control}")
            break
        time.sleep(0.02)
    return channel


def _around_python() -> tuple[list[str], list[str]]:
    """Paths that this interpreter reads, and those where its packages are."""
    prefixes = dict.fromkeys((sys.prefix, sys.base_prefix, "/usr/local", "/usr"))
    folders = [
        f"{prefix}/lib/{python}/{folder}"
        for prefix in prefixes
        for python in (f"python3.{sys.version_info.minor}", "python3")
        for folder in ("site-packages", "dist-packages")
    ]
    packages = [path for path in folders if os.path.isdir(path)]  # noqa: PTH112 - see _watch
    return [*prefixes, *SYSTEM_LIBRARIES], packages


def _watch(child: int, separate: bool, scratch: str) -> NoReturn:
    """Wait for the end of the child or of standard input, then take everything down."""
    controller = os.getppid()
    with contextlib.suppress(BaseException):
        os.closerange(3, 256)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 1)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        poll = select.poll()
        poll.register(0, 0)
        with contextlib.suppress(AttributeError, OSError):
            poll.register(os.pidfd_open(child), select.POLLIN)
        while not poll.poll(500) and os.waitpid(child, os.WNOHANG)[0] == 0:
            pass
    with contextlib.suppress(OSError):
        os.kill(child, signal.SIGKILL if separate else signal.SIGTERM)
    with contextlib.suppress(OSError):
        if not separate:
            _let_it_end(child)
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    with contextlib.suppress(OSError):
        os.rmdir(scratch)  # noqa: PTH106 - pathlib would be one more import in every program
        if os.getppid() != controller:
            _remove_if_empty(os.path.dirname(scratch))  # noqa: PTH120
    os._exit(0)


def _remove_if_empty(folder: str) -> None:
    """Remove the folder of scratch directories, whose holder (`sandbox.scratch`) is gone, if it is empty."""
    import fcntl

    descriptor = os.open(folder, os.O_RDONLY)
    for _ in range(3):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:  # another watcher is just here
            time.sleep(0.01)
    else:
        return
    os.rmdir(folder)  # noqa: PTH106


def _let_it_end(child: int) -> None:
    """A host or judge that is not process 1 must take its own children down; its channels are closed.

    Raises:
        ChildProcessError: it did.
    """
    for _ in range(50):
        if os.waitpid(child, os.WNOHANG)[0]:
            raise ChildProcessError
        time.sleep(0.02)
