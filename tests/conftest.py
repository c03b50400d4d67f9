"""What all tests share."""

import signal

import pytest
from hypothesis import HealthCheck, settings

# Tests assert what comes out, never how long it took: the machines they run on are shared.
settings.register_profile("touchstone", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("touchstone")

# A shell that starts the tests in the background has Ctrl-C ignored; some tests are about Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: playwright keeps an event loop running, and asyncio allows one at a time."""
    items.sort(key=lambda item: "tests/browser/" in item.nodeid)
