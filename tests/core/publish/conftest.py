"""The small data folder as a source, with a name and a prompt that mean harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.publish.source import Source, gather
from core.workspace import Workspace
from tests.workspace import build_workspace


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The data folder of `tests.workspace`."""
    return build_workspace(Path(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="session")
def source(workspace: Workspace) -> Source:
    """All its runs: three of tests, one of a reward model."""
    return gather(sorted(workspace.run_dirs()))
