from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings

from sandbox import open_sandbox
from sandbox.contract import AssertsJob, CheckResult, Limits
from sandbox.pool import PooledSandbox

settings.register_profile("sandbox", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sandbox")

QUICK = Limits(seconds=1.0, memory_mb=512)

Judge = Callable[..., tuple[CheckResult, ...]]


@pytest.fixture(scope="session")
def sandbox() -> Iterator[PooledSandbox]:
    """One worker, shared by all tests that do not harm it."""
    with open_sandbox("process", workers=1) as opened:
        yield opened


@pytest.fixture
def judge(sandbox: PooledSandbox) -> Judge:
    """Run one program under some checks; its entry point is `f` unless said otherwise."""

    def run(
        program: str, *checks: str, entry_point: str | None = "f", support: str = "", limits: Limits = QUICK
    ) -> tuple[CheckResult, ...]:
        job = AssertsJob("job", program, checks, entry_point, support, limits)
        (execution,) = sandbox.run([job])
        return execution.results

    return run


@pytest.fixture
def letters(judge: Judge) -> Callable[..., str]:
    """The same, giving only the letters of the outcomes."""

    def run(program: str, *checks: str, **options: object) -> str:
        return "".join(result.outcome.letter for result in judge(program, *checks, **options))

    return run
