"""The app over the small data folder, without a browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.workspace import build_workspace

APP = Path(__file__).resolve().parents[2] / "app.py"


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of `tests.workspace`."""
    return build_workspace(tmp_path_factory.mktemp("data")).root


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch, data: Path) -> Callable[..., AppTest]:
    """Opens a page by its file, with query parameters, over the small data folder or another."""

    def opened(page: str, root: Path = data, **parameters: str | list[str]) -> AppTest:
        monkeypatch.setenv("TOUCHSTONE_DATA", str(root))
        app = AppTest.from_file(str(APP), default_timeout=30)
        app.query_params.update(parameters)
        app.run()
        if page == "overview":
            return app
        app.switch_page(f"pages/{page}.py")
        app.query_params.update(parameters)
        return app.run()

    return opened
