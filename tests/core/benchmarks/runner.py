"""A sandbox for these tests: trusted one-line programs, run in this very process by `exec`."""

from collections.abc import Iterable, Iterator
from typing import Any

from sandbox.contract import AssertsJob, CallsJob, CheckResult, Execution, Isolation, Job, Outcome
from sandbox.values import dumps, loads


class InProcess:
    """Executes asserts and calls; a source that says `forever` counts as one that loops.

    Attributes:
        jobs: every job run so far.
    """

    def __init__(self) -> None:
        self.jobs: list[Job] = []

    @property
    def isolation(self) -> Isolation:
        """None."""
        return Isolation("fake")

    def run(self, jobs: Iterable[Job]) -> Iterator[Execution]:
        """Execute the jobs in their order."""
        for job in jobs:
            self.jobs.append(job)
            assert isinstance(job, (AssertsJob, CallsJob))
            checks = job.checks if isinstance(job, AssertsJob) else job.calls
            yield Execution(job.key, tuple(self._result(job, check) for check in checks))

    def close(self) -> None:
        """Nothing to end."""

    def _result(self, job: AssertsJob | CallsJob, check: str) -> CheckResult:
        if "forever" in job.program:
            return CheckResult(Outcome.TIME_LIMIT, 1.0)
        space: dict[str, Any] = {}
        try:
            exec(job.program, space)
            if isinstance(job, CallsJob):
                return CheckResult(Outcome.PASSED, 0.001, value=dumps(space[job.entry_point](*loads(check))))
            exec(check, space)
        except AssertionError:
            return CheckResult(Outcome.ASSERTION_FAILED, 0.001)
        except Exception as error:  # noqa: BLE001 - whatever the program raises
            return CheckResult(Outcome.RUNTIME_ERROR, 0.001, f"{type(error).__name__}: {error}")
        return CheckResult(Outcome.PASSED, 0.001)
