"""What happens around a run that is nobody's program's doing: kills, a lost engine, a clock that jumps."""

from __future__ import annotations

import ast
import contextlib
import os
import shutil
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from core.execution import ExecutionError, execute
from core.progress import Progress
from core.store import open_run
from sandbox import docker_backend, open_sandbox
from sandbox.contract import AssertsJob, Limits, SandboxUnavailableError
from tests.core.execution.made import make_benchmark, make_request

ROOT = Path(__file__).parents[3]
SLOW = "import time\ndef f(x):\n    time.sleep(x)\n    return x"


def test_a_program_killed_from_outside_costs_its_own_check() -> None:
    """The kernel ends a program for want of memory: that check fails and says why, the others are judged."""
    with open_sandbox("process", workers=1) as sandbox:
        timer = threading.Timer(1.0, kill_the_youngest)
        timer.start()
        checks = ("assert f(0) == 0", "assert f(5) == 5", "assert f(0) == 1")
        (execution,) = sandbox.run([AssertsJob("a", SLOW, checks, "f", limits=Limits(seconds=20))])
        timer.join()
    assert "".join(result.outcome.letter for result in execution.results) == "PEF"
    assert "SIGKILL" in execution.results[1].message


def kill_the_youngest() -> None:
    """SIGKILL to the process that started last: the program's."""
    children = psutil.Process().children(recursive=True)
    os.kill(max(children, key=lambda process: (process.create_time(), process.pid)).pid, signal.SIGKILL)


class Relay:
    """Stands before a Docker engine's socket, and can vanish and come back as an engine does."""

    def __init__(self, path: Path, engine: str) -> None:
        self.path, self._engine = path, engine
        self._open: list[socket.socket] = []
        self.appear()

    def appear(self) -> None:
        """Listen."""
        self.path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
        self._listener.listen(16)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def vanish(self) -> None:
        """Cut every connection and take no more."""
        self._open.append(self._listener)
        self.path.unlink()
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError), listener:
            while True:
                near, far = listener.accept()[0], socket.socket(socket.AF_UNIX)
                far.connect(self._engine)
                self._open += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    @staticmethod
    def _pump(source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)


@pytest.fixture
def relay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Relay]:
    """A relay before the engine that answers here."""
    engine = (os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock").removeprefix("unix://")
    try:
        docker_backend.DockerBackend().close()
    except SandboxUnavailableError as error:
        pytest.skip(str(error))
    folder = tmp_path / "s"
    folder.mkdir()
    made = Relay(folder / "e", engine)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{made.path}")
    yield made
    with contextlib.suppress(OSError):
        made.vanish()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.docker
def test_an_engine_that_goes_away_in_mid_run_ends_it_clearly(tmp_path: Path, relay: Relay) -> None:
    """The run stops with a message and keeps what is finished, and goes on when the engine is back."""
    benchmark = make_benchmark(80)
    told: list[Progress] = []

    def lose_the_engine(progress: Progress) -> None:
        if progress.done >= 20 and relay.path.exists():
            relay.vanish()

    with open_sandbox("docker", workers=1) as sandbox:
        request = make_request(tmp_path / "run", benchmark=benchmark, sandbox=sandbox)
        with pytest.raises(ExecutionError, match="the sandbox can't go on: a worker can't start"):
            execute(request, lose_the_engine)
    relay.appear()
    with open_sandbox("docker", workers=1) as sandbox:
        request = make_request(tmp_path / "run", benchmark=benchmark, sandbox=sandbox, resume=True)
        run = open_run(execute(request, told.append))
    assert told[-1].done == 80 * 5 * 4
    assert told[-1].cached >= 20
    assert run.outcome_totals()["I"] == 0


def test_a_clock_that_jumps_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of day leaps a day ahead and back while programs run: no verdict and no limit moves."""
    now = time.time
    leaps = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: now() + 86_400 * (next(leaps) % 3 - 1))
    checks = ("assert f(0.1) == 0.1", "assert f(9) == 9", "assert f(0) == 1")
    with open_sandbox("process", workers=1) as sandbox:
        (execution,) = sandbox.run([AssertsJob("a", SLOW, checks, "f", limits=Limits(seconds=2))])
    assert "".join(result.outcome.letter for result in execution.results) == "PTF"


@pytest.mark.parametrize("folder", ["sandbox", "core/execution"])
def test_nothing_that_runs_programs_reads_the_time_of_day(folder: str) -> None:
    """Clocks there are monotonic or of the processor, in the processes that a test can't reach into too."""
    wall = {
        f"{path.name}:{node.lineno}"
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and ast.unparse(node) in ("time.time", "time.time_ns", "datetime.now", "dt.datetime.now")
    }
    assert not wall
