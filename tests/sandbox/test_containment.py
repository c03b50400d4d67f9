# ruff: noqa: E501 - hostile programs read best on one line
"""What a program may not reach, use up or leave behind, tried by a program that wants to."""

from __future__ import annotations

import os
import socket
import sys

import pytest

from sandbox import open_sandbox
from sandbox.contract import AssertsJob, Limits, Outcome

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the layers tested here are Linux's")


def blocked(expression: str, prepare: str = "") -> tuple[str, str]:
    """A program that tries something, and a check that passes when it was refused."""
    body = f"    try:\n        {expression}\n    except Exception as e:\n        return type(e).__name__\n    return 'done'"
    return f"import os, socket, sys, signal, ctypes\n{prepare}\ndef f(x):\n{body}", "assert f(0) != 'done'"


REFUSED = {
    "reading the password file": "open('/etc/passwd').read()",
    "listing the root": "os.listdir('/')",
    "reading its parent's environment": "open(f'/proc/{os.getppid()}/environ', 'rb').read()",
    "reading the environment of process 1": "open('/proc/1/environ', 'rb').read()",
    "listing processes": "os.listdir('/proc')",
    "writing to /tmp": "open('/tmp/touchstone-planted', 'w')",
    "writing to shared memory": "open('/dev/shm/touchstone-planted', 'w')",
    "opening a network socket": "socket.socket()",
    "opening a unix socket": "socket.socket(socket.AF_UNIX)",
    "forking": "os.fork()",
    "starting a program": "os.posix_spawn(sys.executable, ['x'], {})",
    "becoming another program": "os.execv('/bin/sh', ['sh', '-c', 'exit 0'])",
    "killing its parent": "os.kill(os.getppid(), 9)",
    "killing process 1": "os.kill(1, 9)",
    "killing everyone": "os.kill(-1, 9)",
    "raising its own limits": "__import__('resource').setrlimit(__import__('resource').RLIMIT_AS, (-1, -1))",
    "starting a thread's worth of processes": "__import__('multiprocessing').Process(target=print).start()",
    "making a directory above": "os.mkdir('../planted')",
    "changing root": "os.chroot('.')",
}


@pytest.mark.parametrize("expression", REFUSED.values(), ids=REFUSED.keys())
def test_a_program_is_refused(letters, expression):
    """Whatever leads out of the program's own process fails with an exception."""
    assert letters(*blocked(expression)) == "P"


@pytest.mark.parametrize(
    "name", ["ptrace", "mount", "unshare", "bpf", "keyctl", "io_uring_setup", "userfaultfd"]
)
def test_doors_into_the_kernel_are_shut(letters, name):
    """System calls that no program needs are refused by number."""
    from sandbox.confine.seccomp import CALLS

    number = CALLS[name][0 if os.uname().machine == "x86_64" else 1]
    program = f"import ctypes\ndef f(x):\n    c = ctypes.CDLL(None, use_errno=True)\n    return c.syscall({number}, 0, 0, 0, 0, 0), ctypes.get_errno()"
    assert letters(program, "assert f(0) == (-1, 1)") == "P"


def test_a_planted_secret_stays_secret(letters, tmp_path):
    """A file of this user outside the program's directory can't be read, by program or by test."""
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    program = f"def f(x):\n    return open({str(secret)!r}).read()"
    assert letters(program, "assert f(0) == 'hidden'") == "E"
    assert letters("def f(x): return 1", f"assert open({str(secret)!r}).read() == 'hidden'") == "E"


def test_a_listener_on_loopback_is_out_of_reach(letters):
    """Neither the program nor a test can connect to a port of this machine."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 1)"
        assert (
            letters(
                f"def f(x):\n    import socket\n    socket.create_connection(('127.0.0.1', {port}), 1)",
                "f(0)",
            )
            == "E"
        )
        assert letters("def f(x): return 1", connect) == "E"


def test_the_environment_is_empty(letters, monkeypatch):
    """A program sees none of the controller's variables."""
    monkeypatch.setenv("TOUCHSTONE_SECRET", "x")
    assert letters("import os\ndef f(x): return sorted(os.environ)", "assert f(0) == []") == "P"


def test_a_program_has_an_empty_directory_to_itself(letters):
    """Files may be written in the current directory, and are gone at the next check."""
    program = "import os\ndef f(x):\n    open('a', 'w').write('1'); os.makedirs('d/e', exist_ok=True)\n    return sorted(os.listdir('.'))"
    check = "assert f(0) == ['a', 'd']"
    assert letters("import os\ndef f(x): return os.listdir('.')", "assert f(0) == []") == "P"
    assert letters(program, check, check) == "PP"
    assert letters("import os\ndef f(x): return os.listdir('.')", "assert f(0) == []") == "P"


@pytest.mark.parametrize(
    "program",
    [
        "import os, subprocess\ndef f(x):\n    for _ in range(1000): os.fork()",
        "import os, signal\ndef f(x):\n    for s in range(1, 32):\n        try: signal.signal(s, signal.SIG_IGN)\n        except OSError: pass\n    while True: pass",
        "def f(x):\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
        "import signal\nsignal.alarm(0)\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))\ndef f(x):\n    while True: pass",
        "import threading\ndef f(x):\n    threading.Event().wait()",
        "def f(x):\n    return 10 ** 10 ** 9",
        "def f(x):\n    while x == 0: pass\n    return x",
    ],
)
def test_no_program_outlives_its_time(letters, program):
    """An endless program costs its own check only; the next one gets its own verdict."""
    outcome = letters(program, "assert f(0) == 0", "assert True", limits=Limits(seconds=0.3))
    assert outcome in ("TP", "EP")


def test_a_check_after_an_endless_one_gets_its_own_verdict(letters):
    """A time limit ends one check, not its neighbours."""
    program = "def f(x):\n    while x == 1: pass\n    return x"
    checks = ("assert f(0) == 0", "assert f(1) == 1", "assert f(2) == 2", "assert f(2) == 3")
    assert letters(program, *checks, limits=Limits(seconds=0.3)) == "PTPF"


def test_memory_is_limited(letters):
    """Asking for too much memory is a memory limit, in program, caught or not, and check."""
    limits = Limits(memory_mb=256, seconds=5)
    assert letters("def f(x): return len(bytearray(1 << 30))", "assert f(0) == 1", limits=limits) == "M"
    assert (
        letters("def f(x):\n    a = []\n    while True: a.append(' ' * 10**6)", "f(0)", limits=limits) == "M"
    )
    assert letters("def f(x): return 1", "assert f(0) and bytearray(1 << 40)") == "M"


def test_output_is_limited(judge):
    """Printing too much is an output limit, for a flood that ends and one that does not."""
    limits = Limits(seconds=5, output_kb=16)
    program = "def f(x):\n    print('y' * 1000)\n    while x:\n        print('y' * 10000)\n    return 1"
    quiet, noisy = judge(program, "assert f(0) == 1", "assert f(1) == 1", limits=limits)
    assert quiet.outcome is Outcome.PASSED
    assert noisy.outcome is Outcome.OUTPUT_LIMIT
    assert len(noisy.stdout) == 16 * 1024


def test_the_size_of_a_file_is_limited(letters):
    """A file beyond the limit can't be written."""
    program = "def f(x):\n    with open('big', 'wb') as file:\n        file.write(bytes(x))\n    return 1"
    limits = Limits(file_mb=1)
    assert letters(program, "assert f(1000) == 1", "assert f(1 << 21) == 1", limits=limits) == "PE"


@pytest.mark.parametrize(
    "program",
    [
        "import ctypes\ndef f(x): ctypes.string_at(0)",
        "def f(x): return f(x)",
        "import os\ndef f(x): os.abort()",
        "import faulthandler\ndef f(x): faulthandler._sigsegv()",
    ],
)
def test_a_crash_is_a_runtime_error_of_one_check(letters, program):
    """A crashed process fails its check and no other."""
    assert letters(program, "assert f(0) == 0", "assert True") == "EP"


def test_recursion_without_end_costs_one_check(letters):
    """With its guard taken off, recursion ends in a crash or at a limit, for its check alone."""
    program = "import sys\nsys.setrecursionlimit(10**9)\ndef f(x): return f(x) + 1"
    assert letters(program, "assert f(0) == 0", "assert True") in ("EP", "MP", "TP")


def test_stderr_fails_nothing(letters):
    """Noise on standard error, warnings included, is no failure."""
    program = "import sys, warnings\ndef f(x):\n    print('noise', file=sys.stderr)\n    warnings.warn('w')\n    return 1"
    assert letters(program, "assert f(0) == 1") == "P"


def test_a_check_has_no_descriptor_of_the_judge_however_many_the_controller_had():
    """The channel to the host keeps no high number, at which a check's fork would not look for it."""
    check = """
import os
def is_open(descriptor):
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True
assert not [descriptor for descriptor in range(64, 400) if is_open(descriptor)] and f() == 1
"""
    many = [os.open(os.devnull, os.O_RDONLY) for _ in range(100)]
    try:
        with open_sandbox(backend="process", workers=1) as box:
            (done,) = box.run([AssertsJob("k", "def f(): return 1", (check,), "f")])
    finally:
        for descriptor in many:
            os.close(descriptor)
    assert [result.outcome.letter for result in done.results] == ["P"]
