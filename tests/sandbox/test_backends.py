"""Every backend that works here: the same verdicts, what it promises, nothing left behind."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox import backends, docker_backend, open_sandbox, process, survey
from sandbox.bubblewrap import BubblewrapBackend
from sandbox.contract import (
    AssertsJob,
    CallsJob,
    Isolation,
    Limits,
    SandboxError,
    SandboxUnavailableError,
    StdioJob,
)
from sandbox.pool import PooledSandbox
from sandbox.process import ProcessBackend
from sandbox.values import dumps
from sandbox.wire import BrokenStreamError
from tests.processes import living

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the layers tested here are Linux's")

NAMES = [
    "process",
    "bubblewrap",
    pytest.param("docker", marks=pytest.mark.docker),
]
WALLED = NAMES[1:]
QUICK = Limits(seconds=2.0, memory_mb=512)
HONEST = AssertsJob("honest", "def f(x): return x", ("assert f(1) == 1", "assert f(1) == 2"), "f")
VERDICTS = {
    "passes and fails": ("def f(x): return x", ("assert f(1) == 1", "assert f(1) == 2"), "PF"),
    "raises": ("def f(x): raise ValueError", ("assert f(1) == 1",), "E"),
    "is no Python": ("def f(x:", ("assert f(1) == 1",), "C"),
    "loops": ("def f(x):\n    while x: pass\n    return 0", ("assert f(1)", "assert f(0) == 0"), "TP"),
    "wants memory": ("def f(x): return len(bytearray(1 << 30))", ("assert f(1)",), "M"),
    "floods": ("def f(x):\n    while True: print('y' * 10000)", ("assert f(1)",), "O"),
    "exits": ("import os\ndef f(x): os._exit(0)", ("assert f(1) == 1",), "E"),
    "equals everything": (
        "class A:\n    def __eq__(self, other): return True\ndef f(x): return A()",
        ("assert f(1) == 1",), "E",
    ),
    "forks": ("import os\ndef f(x): return os.fork()", ("assert f(1) == 1",), "E"),
    "kills": ("import os\ndef f(x): os.kill(-1, 9)\nprint()", ("assert f(1) == 1", "assert True"), "EP"),
    "connects": ("import socket\ndef f(x): return socket.socket()", ("assert f(1)",), "E"),
    "writes outside": ("def f(x): return open('/tmp/touchstone-planted', 'w')", ("assert f(1)",), "E"),
    "writes inside": (
        "import os\ndef f(x):\n    open('a', 'w').close()\n    return os.listdir('.')",
        ("assert f(1) == ['a']",), "P",
    ),
    "reads the environment": (
        "import os\ndef f(x): return sorted(os.environ)",
        ("assert f(1) == []",), "P",
    ),
}  # fmt: skip


@contextlib.contextmanager
def opened(name: str, workers: int = 1) -> Iterator[PooledSandbox]:
    """A sandbox with this backend; skips the test, with the reason, where it can't work."""
    skip_without(name)
    with open_sandbox(name, workers) as sandbox:
        yield sandbox


def skip_without(name: str) -> None:
    """Skip the test, with the reason, where this backend can't work."""
    try:
        backends.maker(name)().close()
    except SandboxUnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module", params=NAMES)
def box(request: pytest.FixtureRequest) -> Iterator[PooledSandbox]:
    """One sandbox per backend."""
    with opened(request.param) as sandbox:
        yield sandbox


@pytest.fixture(scope="module", params=WALLED)
def walled(request: pytest.FixtureRequest) -> Iterator[PooledSandbox]:
    """One sandbox per backend that hides the machine's files."""
    with opened(request.param) as sandbox:
        yield sandbox


def letters(sandbox: PooledSandbox, *jobs: AssertsJob | CallsJob | StdioJob) -> list[str]:
    """The outcomes of each job."""
    found = {run.key: "".join(result.outcome.letter for result in run.results) for run in sandbox.run(jobs)}
    return [found[job.key] for job in jobs]


@pytest.mark.parametrize(("program", "checks", "expected"), VERDICTS.values(), ids=VERDICTS.keys())
def test_verdicts_are_the_same_in_every_backend(box, program, checks, expected):
    """Honest and hostile programs get the verdict they deserve, wherever they run."""
    assert letters(box, AssertsJob("a", program, checks, "f", limits=QUICK)) == [expected]


def test_calls_and_scripts_work_in_every_backend(box):
    """Values come back from calls and text from scripts."""
    call = CallsJob("call", "def f(x): return [x, None]", "f", (dumps([1]), dumps(["a"])), QUICK)
    script = StdioJob("script", "print(int(input()) + 1)", ("1\n", "x\n"), QUICK)
    found = {run.key: run.results for run in box.run([call, script])}
    assert [result.value for result in found["call"]] == [dumps([1, None]), dumps(["a", None])]
    assert [(r.outcome.letter, r.stdout) for r in found["script"]] == [("P", "2\n"), ("E", "")]


def test_children_end_with_their_check(box):
    """A detached grandchild is gone before the next check, where processes are allowed at all."""
    detach = (
        "import os, time\ndef f(x):\n    if os.fork() == 0:\n        os.setsid()\n"
        "        if os.fork() == 0:\n            time.sleep(600)\n        os._exit(0)\n"
        "    os.wait()\n    return 1"
    )
    some = Limits(processes=4, seconds=5)
    assert letters(box, HONEST) == ["PF"]
    before = process_count(box)
    job = AssertsJob("a", detach, ("assert f(0) == 1",) * 3, "f", limits=some)
    uncounted = os.getuid() == 0 and box.isolation.backend == "bubblewrap"
    assert letters(box, job, HONEST) == ["EEE" if uncounted else "PPP", "PF"]
    assert process_count(box) == before


def test_the_number_of_children_is_limited(box):
    """A program gets as many processes as it is allowed, or none where they could not be counted."""
    uncounted = os.getuid() == 0 and box.isolation.backend == "bubblewrap"
    program = (
        "import os, time\ndef f(tries):\n    made = 0\n    for _ in range(tries):\n        try:\n"
        "            if os.fork() == 0:\n                time.sleep(600)\n            made += 1\n"
        "        except OSError:\n            pass\n    return made"
    )
    some, checks = Limits(processes=3, seconds=10), (f"assert f(9) == {0 if uncounted else 3}",) * 2
    assert letters(box, AssertsJob("a", program, checks, "f", limits=some)) == ["PP"]


def process_count(sandbox: PooledSandbox) -> int:
    """How many processes a sandbox and the programs in it have."""
    if sandbox.isolation.backend != "docker":
        return len(psutil.Process().children(recursive=True))
    api = docker_backend._engine()
    try:
        return sum(len(api.top(container)["Processes"]) for container in containers_of(os.getpid()))
    finally:
        api.close()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="nobody chooses processors but on Linux")
@pytest.mark.parametrize("name", ["process", "bubblewrap"])
def test_workers_have_a_processor_each_where_all_are_needed(name):
    """As many workers as processors keep to one each, which no program changes; a single one has them all."""
    every = os.sched_getaffinity(0)
    two = sorted(every)[:2]
    program = (
        "import os\ndef f(x):\n    try:\n        os.sched_setaffinity(0, range(1024))\n"
        "    except OSError:\n        pass\n    return sorted(os.sched_getaffinity(0))"
    )
    jobs = [CallsJob(str(number), program, "f", ("[0]",) * 20) for number in range(8)]
    os.sched_setaffinity(0, two)
    try:
        for workers, processors in ((1, [two]), (len(two), [[one] for one in two])):
            with opened(name, workers) as sandbox:
                seen = {result.value for run in sandbox.run(jobs) for result in run.results}
            assert seen <= {dumps(kept) for kept in processors}
    finally:
        os.sched_setaffinity(0, every)


def test_a_backend_says_what_it_guarantees(box):
    """A backend names itself, its guarantees and versions, and isolates fully when nothing is missing."""
    isolation = box.isolation
    assert "tests are judged where the program never runs" in isolation.guarantees
    assert any("network" in phrase for phrase in isolation.guarantees) or isolation.missing
    assert isolation.full or isolation.missing
    assert isolation.versions["python"].startswith("3.")
    version = AssertsJob(
        "v", "import sys\ndef f(): return sys.version.split()[0]",
        (f"assert f() == {isolation.versions['python']!r}",), "f",
    )  # fmt: skip
    assert letters(box, version) == ["P"]


def test_files_of_the_machine_do_not_exist(walled, tmp_path):
    """Behind walls not even the existence of a file can be told."""
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    program = "import os.path\ndef f(path): return os.path.exists(path)"
    checks = tuple(f"assert f({str(path)!r}) is False" for path in (secret, Path(__file__)))
    assert letters(walled, AssertsJob("a", program, checks, "f")) == ["P" * len(checks)]


@pytest.mark.parametrize("victim", ["judge", "host"])
def test_a_lost_process_costs_no_verdict(walled, victim):
    """A host or judge that dies in mid-run is replaced, and every check gets its verdict."""
    slow = "import time\ndef f(x):\n    time.sleep(0.02)\n    return x"
    job = AssertsJob("a", slow, ("assert f(1) == 1", "assert f(1) == 2") * 30, "f")
    pair = walled._workers[0]._pair
    assert pair is not None
    threading.Timer(0.4, getattr(pair, victim).kill).start()
    assert letters(walled, job, HONEST) == ["PF" * 30, "PF"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_left_behind(name, tmp_path, monkeypatch):
    """After closing there is no process, file, mount or container of the sandbox."""
    skip_without(name)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    processes = set(psutil.Process().children(recursive=True))
    containers = containers_of(os.getpid()) if name == "docker" else set()
    with opened(name, workers=2) as sandbox:
        assert letters(sandbox, HONEST) == ["PF"]
        started = containers_of(os.getpid()) - containers if name == "docker" else set()
        if name == "docker":
            assert len(started) >= 2
        else:
            assert set(psutil.Process().children(recursive=True)) - processes
    assert set(psutil.Process().children(recursive=True)) <= processes
    assert not list(tmp_path.iterdir())
    mounts = Path("/proc/self/mountinfo").read_text()
    assert not [mark for mark in (str(tmp_path), *started) if mark in mounts]
    if name == "docker":
        assert containers_of(os.getpid()) == containers


@pytest.mark.parametrize("name", NAMES)
def test_a_killed_controller_takes_everything_with_it(name, tmp_path):
    """After SIGKILL of the process that opened the sandbox its processes, containers and files are gone."""
    skip_without(name)
    script = (
        f"import tempfile\ntempfile.tempdir = {str(tmp_path)!r}\n"
        "from sandbox import open_sandbox\nfrom sandbox.contract import AssertsJob, Limits\n"
        f"box = open_sandbox({name!r}, workers=1)\nprint('up', flush=True)\n"
        "loop = 'def f():\\n while True: pass'\n"
        "list(box.run([AssertsJob('a', loop, ('assert f()',), 'f', limits=Limits(seconds=60))]))\n"
    )
    controller = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert controller.stdout is not None
    assert controller.stdout.readline() == "up\n"
    started = psutil.Process(controller.pid).children(recursive=True)
    if name == "docker":
        assert len(containers_of(controller.pid)) == 2
    else:
        assert len(started) >= 4
    controller.send_signal(signal.SIGKILL)
    controller.wait()
    controller.stdout.close()
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and left(name, controller.pid, started):
        time.sleep(0.1)
    assert not left(name, controller.pid, started)
    assert not list(tmp_path.iterdir())


def left(name: str, pid: int, started: list[psutil.Process]) -> list[str]:
    """What is still there of a controller's sandbox."""
    return living(started) + (list(containers_of(pid)) if name == "docker" else [])


def containers_of(pid: int) -> set[str]:
    """The containers that a process of this number started."""
    api = docker_backend._engine()
    try:
        found = api.containers(all=True, filters={"label": docker_backend.OWNER_LABEL})
        owners = {str(one["Id"]): one["Labels"][docker_backend.OWNER_LABEL] for one in found}
        return {container for container, owner in owners.items() if owner.split(" ")[1] == str(pid)}
    finally:
        api.close()


@pytest.mark.docker
def test_orphaned_containers_are_swept_at_the_next_start():
    """A container whose owner is gone is removed; those of a living or an unknown owner stay."""
    skip_without("docker")
    api = docker_backend._engine()
    machine, pid, started = docker_backend._me().split(" ")
    owners = {
        "gone": f"{machine} {pid} {int(started) + 1}",
        "living": f"{machine} {pid} {started}",
        "elsewhere": f"other/1 {pid} 1",
    }
    made = {
        name: api.create_container(
            os.environ.get("TOUCHSTONE_DOCKER_IMAGE") or docker_backend.IMAGE, ["python3"],
            labels={docker_backend.OWNER_LABEL: owner},
        )["Id"]
        for name, owner in owners.items()
    }  # fmt: skip
    try:
        docker_backend.DockerBackend().close()
        there = {found["Id"] for found in api.containers(all=True)}
        assert {name for name, container in made.items() if container in there} == {"living", "elsewhere"}
    finally:
        for container in made.values():
            docker_backend._remove(api, container)
        api.close()


@pytest.mark.docker
def test_a_container_that_does_not_come_up_says_why(tmp_path, monkeypatch):
    """The last words of a container are in the error, and it is removed."""
    skip_without("docker")
    before = containers_of(os.getpid())
    monkeypatch.setattr(docker_backend, "_PACKAGE", tmp_path)
    with pytest.raises(SandboxError, match=r"No module named 'sandbox"):
        open_sandbox("docker", workers=1)
    assert containers_of(os.getpid()) == before


@pytest.mark.docker
def test_a_missing_image_is_told_with_how_to_make_it(monkeypatch):
    """Without the image the error names both ways to make it; nothing is pulled."""
    skip_without("docker")
    monkeypatch.setenv("TOUCHSTONE_DOCKER_IMAGE", "touchstone-no-such-image")
    with pytest.raises(
        SandboxUnavailableError, match=r"docker build -t touchstone-no-such-image .*make_image\.sh"
    ):
        open_sandbox("docker")


def test_a_missing_engine_is_told(monkeypatch, tmp_path):
    """Without an engine the error says where it was looked for and what would help."""
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none")
    with pytest.raises(
        SandboxUnavailableError,
        match=rf"answers on unix://{tmp_path}/none; start Docker.*: No such file or directory$",
    ):
        open_sandbox("docker")


def test_a_missing_docker_package_is_told(monkeypatch):
    """The docker package is needed by its backend only."""
    monkeypatch.setitem(sys.modules, "docker", None)
    with pytest.raises(SandboxUnavailableError, match="pip install docker"):
        open_sandbox("docker")


def test_a_missing_bwrap_is_told():
    """Without bwrap the error says how to install it."""
    with pytest.raises(SandboxUnavailableError, match="no bwrap-of-nobody here; install it"):
        BubblewrapBackend("bwrap-of-nobody")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("bwrap: setting up uid map: Permission denied", "user namespaces are forbidden"),
        ("bwrap: No permissions to create new namespace", "user namespaces are forbidden"),
        ("bwrap: out of memory", r"can't start a program here \(bwrap: out of memory\)$"),
    ],
)
def test_a_bwrap_that_may_not_is_told(tmp_path, said, expected):
    """Where bwrap fails its own words are passed on, with what would help where that is known."""
    bwrap = fake_bwrap(tmp_path, f"echo '{said}' >&2; exit 1")
    with pytest.raises(SandboxUnavailableError, match=expected):
        BubblewrapBackend(bwrap)


def test_an_old_bwrap_works_and_says_what_is_missing(tmp_path):
    """A bwrap without --size leaves one guarantee out and is not called fully isolating."""
    skip_without("bubblewrap")
    bwrap = fake_bwrap(tmp_path, '[ "$1" = --help ] || exec bwrap "$@"')
    with PooledSandbox(BubblewrapBackend(bwrap), workers=1) as sandbox:
        assert letters(sandbox, HONEST) == ["PF"]
        assert not sandbox.isolation.full
        assert "the size of all files together is not limited" in sandbox.isolation.missing[0]


def fake_bwrap(folder: Path, body: str) -> str:
    """A script to be taken for bwrap."""
    script = folder / "bwrap"
    script.write_text(f"#!/bin/sh\n{body}\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return str(script)


def absent() -> backends.Backend:
    """Makes a backend that can't work."""
    raise SandboxUnavailableError("absent: not today")


def partial() -> backends.Backend:
    """Makes a backend that leaves something out."""
    return ProcessBackend(namespaces=False)


class FullBackend(ProcessBackend):
    def isolation(self, told: backends.Told) -> Isolation:
        """Claims to isolate fully on any machine."""
        return Isolation("full", told.guarantees, full=True)


@pytest.mark.parametrize(
    ("makers", "taken", "why"),
    [
        (
            {"absent": absent, "partial": partial, "full": FullBackend}, "full",
            ["isolates fully here", "absent is not available: not today", "process lacks network"],
        ),
        ({"full": FullBackend, "absent": absent}, "full", ["isolates fully here"]),
        ({"absent": absent, "partial": partial}, "process", ["no backend isolates fully", "not today"]),
    ],
)  # fmt: skip
def test_auto_takes_the_first_that_isolates_fully(monkeypatch, makers, taken, why):
    """Else the first that works; either way it says why, and `survey` marks the same one."""
    monkeypatch.setattr(backends, "BACKENDS", makers)
    with open_sandbox("auto", workers=1) as sandbox:
        assert sandbox.isolation.backend == taken
        assert all(phrase in sandbox.isolation.why for phrase in why), sandbox.isolation.why
        marked = [row for row in survey() if row.why]
        assert [row.backend for row in marked] == [taken]


def test_auto_without_any_backend_lists_every_reason(monkeypatch):
    """Where nothing works the error has the reason of each."""
    monkeypatch.setattr(backends, "BACKENDS", {"absent": absent})
    with pytest.raises(
        SandboxUnavailableError, match="no sandbox works here: absent is not available: not today"
    ):
        open_sandbox("auto")


def test_a_backend_asked_for_by_name_needs_no_reason(box):
    """Only `auto` explains its choice."""
    assert box.isolation.why == ""


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=40))), st.integers(1, 30))
def test_packets_of_an_engine_are_taken_apart(packets, size):
    """However a stream is cut, standard output comes out whole and standard error apart."""
    stream = b"".join(bytes([kind, 0, 0, 0]) + len(data).to_bytes(4, "big") + data for kind, data in packets)
    reader = docker_backend.Packets()
    found = b"".join(reader.feed(stream[start : start + size]) for start in range(0, len(stream), size))
    assert found == b"".join(data for kind, data in packets if kind == 1)
    assert reader._errors == b"".join(data for kind, data in packets if kind == 2)[-2000:]


def test_the_last_words_of_a_container_are_its_error():
    """The end of the stream raises what was last said on standard error."""
    ours, theirs = socket.socketpair()
    link = docker_backend.ContainerLink("", ours)
    assert link.receive() == b""
    theirs.sendall(b"\x01\x00\x00\x00\x00\x00\x00\x03out\x02\x00\x00\x00\x00\x00\x00\x08one\ntwo\n")
    assert link.receive() == b"out"
    theirs.close()
    with pytest.raises(BrokenStreamError, match=r"^two$"):
        link.receive()
    link.close()


def test_the_package_is_compiled_ahead_where_python_would(tmp_path, monkeypatch):
    """What hosts and judges import is compiled, again after a change, and not where Python is told not to."""
    source = tmp_path / "part.py"
    source.write_text("x = 1\n")
    compiled = Path(importlib.util.cache_from_source(str(source)))
    monkeypatch.setattr(process, "__file__", str(tmp_path / "process.py"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    process._compile_ahead.__wrapped__()
    assert not compiled.exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    process._compile_ahead.__wrapped__()
    os.utime(compiled, (1, 1))
    process._compile_ahead.__wrapped__()
    assert compiled.stat().st_mtime > 1


def test_a_folder_of_compiled_code_that_can_not_be_looked_into_is_let_be(tmp_path, monkeypatch):
    """A sandbox starts where what is compiled belongs to someone else, or vanishes meanwhile."""

    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    (tmp_path / "part.py").write_text("x = 1\n")
    monkeypatch.setattr(process, "__file__", str(tmp_path / "process.py"))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(Path, "exists", refuse)
    process._compile_ahead.__wrapped__()
    monkeypatch.undo()
    assert not (tmp_path / "__pycache__").exists()
