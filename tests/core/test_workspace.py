import os
from pathlib import Path

import pytest

from core.errors import InputError
from core.workspace import Workspace, safe_name


def test_root_comes_from_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """TOUCHSTONE_DATA names the data folder."""
    monkeypatch.setenv("TOUCHSTONE_DATA", str(tmp_path))
    assert Workspace.default().root == tmp_path


@pytest.mark.parametrize("name", ["../x", "a/b", "/etc", "", ".", "..", "a/../../b"])
def test_run_names_stay_inside(tmp_path: Path, name: str) -> None:
    """A run's name that would lead out of the data folder is refused."""
    with pytest.raises(InputError):
        Workspace(tmp_path).run_dir(name)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "..\\..\\x.jsonl", "/abs", "...", "a\x00b", "<script>.jsonl", ""]
)
def test_upload_names_stay_inside(tmp_path: Path, name: str) -> None:
    """An uploaded file lands in the uploads folder whatever it is called."""
    space = Workspace(tmp_path)
    assert space.upload_file(name, "0123abcd").parent == space.uploads_dir / "0123abcd"


def test_safe_name_keeps_ordinary_names() -> None:
    """An ordinary file name stays as it is."""
    assert safe_name("gpt-4o_tests.v2.jsonl") == "gpt-4o_tests.v2.jsonl"


def test_runs_are_found_newest_first(tmp_path: Path) -> None:
    """Folders with a manifest are runs, the newest first; other folders are not."""
    space = Workspace(tmp_path)
    for name in ("old", "new", "no-manifest"):
        (space.runs_dir / name).mkdir(parents=True)
    for age, name in ((100, "old"), (10, "new")):
        manifest = space.runs_dir / name / "manifest.json"
        manifest.write_text("{}")
        os.utime(manifest, (1_000_000 - age, 1_000_000 - age))
    assert [path.name for path in space.run_dirs()] == ["new", "old"]
