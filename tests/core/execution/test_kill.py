"""A run that is killed or stopped goes on and ends like an undisturbed one."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.execution import execute
from core.progress import read_progress
from core.store import StoreError, open_run
from tests.core.execution.child import N_PROBLEMS
from tests.core.execution.made import content, make_benchmark, make_request

ROOT = Path(__file__).parents[3]


def start(*arguments: Path) -> subprocess.Popen[bytes]:
    """Start the slow process."""
    command = [sys.executable, "-m", "tests.core.execution.child", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)


def written(out: Path) -> set[str]:
    """The problems whose outcomes are on disk, as far as there is a run at all."""
    try:
        return set(open_run(out).done_task_ids())
    except StoreError:
        return set()


def executed(log: Path) -> list[str]:
    """The programs run so far."""
    return log.read_text().splitlines() if log.exists() else []


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict:
    """What the run says if nothing happens to it."""
    out = tmp_path_factory.mktemp("undisturbed") / "run"
    return content(execute(make_request(out, benchmark=make_benchmark(N_PROBLEMS))))


@pytest.mark.slow
@pytest.mark.parametrize(("cache", "seed"), [("cache.sqlite", 1), ("none", 2)])
def test_killed_at_any_moment(tmp_path: Path, undisturbed: dict, cache: str, seed: int) -> None:
    """SIGKILL at random moments, then resumed: the same run, and no written problem is run again."""
    chance = random.Random(seed)
    out, log = tmp_path / "run", tmp_path / "log"
    kills = 0
    for _ in range(60):
        before, done = len(executed(log)), written(out)
        process = start(out, tmp_path / cache, log)
        if kills < 5:
            # Wait for work to begin, so that slow machines are not only killed while starting.
            work = chance.randint(1, 30)
            while process.poll() is None and len(executed(log)) < before + work:
                time.sleep(0.005)
            time.sleep(chance.random() * 0.05)
            process.kill()
        process.wait()
        again = {line.split()[1] for line in executed(log)[before:]}
        assert not again & done
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, process.stderr.read().decode()
        kills += 1
    assert kills > 2
    assert content(out) == undisturbed
    # Each kill costs at most the cells since the last commit, never the whole work again.
    assert len(executed(log)) < N_PROBLEMS * 5 * 2
    assert not list(out.glob("cells.sqlite*"))


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_stopped_cleanly(tmp_path: Path, undisturbed: dict, number: signal.Signals) -> None:
    """SIGTERM and Ctrl-C write what is finished, say "stopped", and lose no executed cell."""
    out, log, cache = tmp_path / "run", tmp_path / "log", tmp_path / "cache"
    process = start(out, cache, log)
    while len(executed(log)) < 60:
        time.sleep(0.005)
    os.kill(process.pid, number)
    error = process.communicate()[1].decode()
    assert process.returncode not in (0, -signal.SIGKILL)
    assert "KeyboardInterrupt" in error
    progress = read_progress(out)
    assert progress is not None
    assert progress.state == "stopped"
    assert written(out)
    first = executed(log)
    start(out, cache, log).communicate()
    # The job in which the signal struck is the only one that may be run twice.
    assert len(set(first[:-1]) & set(executed(log)[len(first) :])) == 0
    assert content(out) == undisturbed
    progress = read_progress(out)
    assert progress is not None
    assert (progress.state, progress.done) == ("done", N_PROBLEMS * 5 * 4)
