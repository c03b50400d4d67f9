"""What `demo` says at its end."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.benchmarks.report import BuildReport
from core.commands.demo import next_steps
from core.demo import Demo
from core.workspace import Workspace


def test_a_demo_ends_with_where_it_is_and_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its runs and commands that can be pasted; `make run` names the data folder only where it is another."""
    workspace = Workspace(tmp_path / "my data")
    runs = {name: workspace.run_dir(name) for name in ("docstring", "smoke")}
    built = Demo(workspace.benchmark_file("HE-M"), {}, runs, BuildReport(5, 0, ()))
    said = "\n".join([*next_steps(workspace, built), ""])
    quoted = f"'{workspace.root}/runs/docstring'"
    assert f"runs: {workspace.runs_dir} (docstring, smoke)" in said
    assert f"  python -m core show {quoted}\n" in said
    assert f"  python -m core export {quoted} '{workspace.root}/runs/smoke' --out paper\n" in said
    assert f"  TOUCHSTONE_DATA='{workspace.root}' make run\n" in said
    monkeypatch.setenv("TOUCHSTONE_DATA", str(workspace.root))
    assert "\n  make run\n" in "\n".join(next_steps(workspace, built))
