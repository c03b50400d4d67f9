"""The small data folder, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.views.catalog import BenchmarkEntry, read_catalog
from core.views.runs import RunSummary, summarise_run
from core.workspace import Workspace
from tests.workspace import BENCHMARK, build_workspace


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The data folder of `tests.workspace`; not to be changed."""
    return build_workspace(Path(tmp_path_factory.mktemp("data")))


@pytest.fixture(scope="session")
def benchmark(workspace: Workspace) -> BenchmarkEntry:
    """Its only benchmark."""
    found = read_catalog(workspace).benchmark(BENCHMARK)
    assert found is not None
    return found


@pytest.fixture(scope="session")
def summaries(benchmark: BenchmarkEntry) -> dict[str, RunSummary]:
    """Its runs, by folder name."""
    return {run.name: summarise_run(run.name, run.label, run.folder) for run in benchmark.runs}
