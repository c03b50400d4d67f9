"""The judge: runs tests against a program that lives in another process.

No code of the program ever runs here, and nothing that the program sends can be more than data. A check
passes when its own code has run to the end in this process, or in a fork of it, and only then.

The judge takes jobs from the controller on one descriptor and reports on another, both as frames of
JSON. A job says what is not as in the job before it. A report is {"job": number, "results": [...],
"done": bool}; results come in the order of the checks, a passed one as its seconds if it has no value, or
the expected one, any other as an object with the fields of CheckResult. Reports are gathered for some
milliseconds, except when waiting for a program takes longer than that, or the job says `careful`, which it
does after a judge fell silent: then every result is reported at once, so the controller knows which check
it was.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from typing import Any, Final

from sandbox import confine, tasks
from sandbox.host_client import HostClient
from sandbox.verdict import Report
from sandbox.wire import BrokenStreamError, Frames, read_frame, write_frame

_GATHER_SECONDS: Final = 0.05
_GATHER_RESULTS: Final = 2000


class Reporter:
    """Sends results to the controller, gathered.

    Attributes:
        careful: send each result at once.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._job = 0
        self._results: list[float | Report] = []
        self._sent = time.monotonic()
        self.careful = False

    def start(self, job: int, *, careful: bool) -> None:
        """Results from now on belong to this job."""
        self._job, self.careful = job, careful

    def add(self, result: float | Report) -> None:
        """Put down the next check's result."""
        self._results.append(result)
        late = time.monotonic() - self._sent > _GATHER_SECONDS
        if self.careful or late or len(self._results) > _GATHER_RESULTS:
            self.flush()

    def flush(self, *, done: bool = False) -> None:
        """Send what is there."""
        if not self._results and not done:
            return
        report = {"job": self._job, "results": self._results, "done": done}
        self._results = []
        self._sent = time.monotonic()
        write_frame(self._fd, json.dumps(report).encode())


def run(
    requests: int, answers: int, control: socket.socket, options: dict[str, Any], achieved: confine.Achieved
) -> None:
    """Judge jobs until the controller closes its end."""
    confine.rlimits.limit_memory(options["memory_mb"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    host = HostClient(control)
    reporter = Reporter(answers)
    write_frame(answers, json.dumps(achieved.told()).encode())
    frames = Frames()
    next_job = select.poll()
    next_job.register(requests, select.POLLIN)
    job: dict[str, Any] = {}
    with contextlib.suppress(BrokenStreamError):
        while True:
            job |= json.loads(read_frame(requests, frames))
            reporter.start(job["job"], careful=job["careful"])
            tasks.run_job(job, host, reporter)
            reporter.flush(done=True)
            if not frames.waiting and not next_job.poll(0):
                host.hang_up()
    os._exit(0)
