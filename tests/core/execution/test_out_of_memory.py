"""The kernel really ends a process for want of memory: a run in a control group with too little of it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
MEMORY_MB = 400
GREEDY = (
    f"def f(x):\n    return len(bytearray(b'x') * (x << 20))\n# with more than {MEMORY_MB} MiB it is killed"
)
RUN = textwrap.dedent(
    """
    import json, os, pathlib, sys
    group, program = sys.argv[1:]
    pathlib.Path(group, "cgroup.procs").write_text(str(os.getpid()))
    from sandbox import open_sandbox
    from sandbox.contract import AssertsJob, Limits
    checks = ("assert f(1) == 1 << 20", "assert f(2000) == 1", "assert f(2) == 1", "assert f(3) == 3 << 20")
    limits = Limits(20.0, memory_mb=4000)
    with open_sandbox("process", workers=1) as sandbox:
        jobs = [AssertsJob(str(n), program, checks, "f", limits=limits) for n in range(2)]
        print(json.dumps([[(r.outcome.letter, r.message) for r in e.results] for e in sandbox.run(jobs)]))
    """
)


@pytest.fixture
def group() -> Iterator[Path]:
    """A control group whose processes together get so much memory and no more."""
    made = None
    for parent, limit in (("memory", "memory.limit_in_bytes"), ("", "memory.max")):
        path = Path("/sys/fs/cgroup", parent, f"touchstone-test-{os.getpid()}")
        with contextlib.suppress(OSError):
            path.mkdir()
            made = path
            (path / limit).write_text(str(MEMORY_MB << 20))
            with contextlib.suppress(OSError):  # without swap, where the kernel counts it
                (path / "memory.swap.max").write_text("0")
            break
        if made is not None:
            made.rmdir()
            made = None
    if made is None:
        pytest.skip("no control group for memory can be made here: needs root and a writable /sys/fs/cgroup")
    yield made
    made.rmdir()


def killed(group: Path) -> int:
    """How many processes of the group the kernel has killed for want of memory."""
    for name in ("memory.oom_control", "memory.events"):
        with contextlib.suppress(OSError):
            counts = dict(line.split() for line in (group / name).read_text().splitlines())
            return int(counts["oom_kill"])
    raise AssertionError("the kernel does not count")


def test_a_program_that_the_kernel_kills_for_memory_costs_its_own_check(group: Path) -> None:
    """That check fails and says that its process was killed; the checks and programs after it are judged."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(group), GREEDY],
        cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    executions = json.loads(done.stdout)
    assert ["".join(letter for letter, _ in results) for results in executions] == ["PEFP"] * 2
    assert all("SIGKILL" in results[1][1] for results in executions)
    assert killed(group) >= 2
