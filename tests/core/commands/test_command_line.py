"""The command line as other programs meet it: exit statuses, messages, what is kept when it is stopped."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROBLEM = {
    "task_id": "square",
    "prompt": 'def f(a):\n    """The square."""\n',
    "entry_point": "f",
    "reference_solution": "def f(a):\n    return a * a\n",
    "reference_tests": [f"assert f({n}) == {n * n}" for n in range(-3, 3)],
}


def start(data: Path, *arguments: object) -> subprocess.Popen[str]:
    """Start a command with `data` as its data folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "core", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "TOUCHSTONE_DATA": str(data)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(data: Path, *arguments: object) -> tuple[int, str, str]:
    """Run a command; exit status, stdout and stderr."""
    process = start(data, *arguments)
    out, err = process.communicate()
    return process.returncode, out, err


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """A file with one problem."""
    path = tmp_path / "problems.jsonl"
    path.write_text(json.dumps({**PROBLEM, "solutions": []}) + "\n")
    return path


def test_a_folder_without_a_run_is_wrong_input(tmp_path: Path) -> None:
    """Showing what is no run ends with status 2 and names the folder."""
    status, _, err = run(tmp_path, "show", tmp_path / "none", "--problem", "x")
    assert status == 2
    assert "is not the folder of a run" in err


@pytest.mark.slow
def test_a_benchmark_of_nothing_is_refused(tmp_path: Path, problems: Path) -> None:
    """Without candidates there is nothing to rank: no file is written, and the reason is said."""
    out = tmp_path / "bench.jsonl"
    status, _, err = run(tmp_path, "build", problems, "--out", out)
    assert status == 2
    assert "nothing to rank" in err
    assert not out.exists()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_build_is_stopped_cleanly(tmp_path: Path, problems: Path, number: signal.Signals) -> None:
    """A stopped build says so, leaves no benchmark and no process, and its cells in the cache."""
    solutions, out = tmp_path / "solutions.jsonl", tmp_path / "bench.jsonl"
    slow = "import time\ndef f(a):\n    time.sleep(0.5)\n    return {}\n"
    solutions.write_text(
        "".join(json.dumps({"task_id": "square", "solution": slow.format(n)}) + "\n" for n in range(60))
    )
    process = start(tmp_path, "build", problems, "--out", out, "--solutions", solutions, "--workers", "1")
    assert process.stderr is not None
    while "scoring candidates" not in process.stderr.readline():
        pass
    process.send_signal(number)
    out_text, err = process.communicate(timeout=60)
    assert (process.returncode, out_text) == (1, "")
    assert "stopped; what is finished is kept" in err
    assert not out.exists()
    assert (tmp_path / "cache.sqlite").exists()
