"""Files are checked once for each content, not at each rerun."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.views import intake
from core.workspace import Workspace

Open = Callable[..., AppTest]
ROW = '{"task_id": "Tiny/0", "tests": ["assert add_all([1]) == 1"]}'


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that were checked, as often as they were."""
    found: list[Path] = []
    original = intake.check_tests

    def counting(path: Path, benchmark: Path | None) -> intake.Report:
        found.append(path)
        return original(path, benchmark)

    monkeypatch.setattr(intake, "check_tests", counting)
    st.cache_data.clear()
    return found


def test_a_file_is_checked_once(open_page: Open, data: Path, tmp_path: Path, checks: list[Path]) -> None:
    """Reruns show the report that is known; a changed file is checked anew."""
    root = tmp_path / "data"
    shutil.copytree(data, root)
    tests = Workspace(root).tests_dir / "kept.jsonl"
    tests.parent.mkdir(exist_ok=True)
    tests.write_text(ROW, encoding="utf-8")
    app = open_page("run", root)
    app = app.segmented_control[0].set_value("Kept here").run().run()
    assert checks == [tests]
    assert "1 of 1 row is good" in app.success[0].value
    tests.write_text(f"{ROW}\n{{", encoding="utf-8")
    app = app.run()
    assert checks == [tests, tests]
    assert "1 of 2 rows are good" in app.warning[0].value
