"""A process that executes a request slowly, for a test that kills it. Not a test itself.

python -m tests.core.execution.child OUT CACHE LOG
"""

import os
import sys
import time
from pathlib import Path

from core.execution import execute
from sandbox.contract import CheckResult, Job
from sandbox.fake import FakeSandbox
from tests.core.execution.made import deciding, make_benchmark, make_request

N_PROBLEMS = 40


def main() -> None:
    """Execute, writing a line to LOG for every job that is run."""
    out, cache, log = (Path(argument) for argument in sys.argv[1:])
    handle = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def slow(job: Job) -> list[CheckResult]:
        time.sleep(0.01)
        os.write(handle, f"{job.program}\n".encode())
        return deciding(job)

    request = make_request(
        out,
        benchmark=make_benchmark(N_PROBLEMS),
        cache=cache if cache.name != "none" else None,
        sandbox=FakeSandbox(slow),
        resume=True,
    )
    execute(request)


if __name__ == "__main__":
    main()
