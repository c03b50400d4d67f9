"""What a manifest says of the program that wrote it."""

from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

from core.store import installed_versions

PROJECT = Path(__file__).parents[3] / "pyproject.toml"


def test_the_version_is_that_of_the_project() -> None:
    """Run from its folder, Touchstone names the version of its project, and those of the libraries."""
    versions = installed_versions()
    assert versions["touchstone"] == tomllib.loads(PROJECT.read_text())["project"]["version"]
    assert versions["pyarrow"] == metadata.version("pyarrow")
