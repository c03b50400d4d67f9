"""One app over the small data folder and one Chromium for all browser tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.app import CHROMIUM, chromium, running_app
from tests.workspace import build_workspace


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, and skip them where there is no Chromium."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            if shutil.which(CHROMIUM) is None:
                item.add_marker(pytest.mark.skip(reason="no Chromium on this machine"))


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of `tests.workspace`."""
    return build_workspace(tmp_path_factory.mktemp("data")).root


@pytest.fixture(scope="session")
def address(data: Path) -> Iterator[str]:
    """Where the app answers."""
    with running_app(data) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium."""
    with chromium() as found:
        yield found


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile: nothing is shared between tests."""
    found = browser.new_context(viewport={"width": 1440, "height": 900})
    yield found
    found.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A fresh tab."""
    return context.new_page()
