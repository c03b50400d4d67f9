"""The studies as the command line prints them, on a run of a benchmark's own tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.commands import study
from core.errors import InputError
from core.jobs import study_folder
from core.progress import read_progress
from core.store import StoreError
from core.views.curves import unstudied_cells
from tests.workspace import build_workspace


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runs of the small data folder."""
    return build_workspace(tmp_path_factory.mktemp("data")).runs_dir


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    """What a command prints as JSON; it ends with status 0."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments), "--json"])
    assert ended.value.code == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_the_published_table_stands_beside(runs: Path) -> None:
    """The ten published values come with the study's own; another name is refused with those there are."""
    sheet = study.saturation(runs / "oracle-1", 10, "nan", 0, "HE+")
    assert sheet["published"]["points"][0] == {"k": 1, "rho": 0.725, "low": 0.722, "high": 0.728}
    assert [point["k"] for point in sheet["published"]["points"]] == list(range(1, 11))
    with pytest.raises(InputError, match="expected HE\\+ or MBPP\\+"):
        study.saturation(runs / "oracle-1", 10, "nan", 0, "HE-M")


def test_studies_are_printed_as_json(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Selection gives a point for each n, a family its names and one difference a metric."""
    selection = printed(capsys, "study", "selection", runs / "oracle-1", "--bootstrap", 0)
    assert [point["n"] for point in selection["points"]] == [2, 3, 4, 5, 6]  # type: ignore[attr-defined]
    family = printed(
        capsys, "study", "family", runs / "oracle-1", runs / "careless-1", runs / "smoke-1", "--bootstrap", 0
    )
    assert family["names"] == ["typed inputs", "model-a tests", "smoke"]
    assert set(family["differences"]) == {"top1", "bottom1", "spearman", "kendall", "mae", "r2"}  # type: ignore[call-overload]


def test_studies_are_printed_as_tables(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each table names its columns: the pickers, the verifiers, the published benchmark."""
    for arguments, columns in (
        (("selection", runs / "oracle-1"), ("agreement", "majority")),
        (("family", runs / "oracle-1", runs / "smoke-1"), ("typed inputs", "smoke", "difference")),
        (("saturation", runs / "oracle-1", "--published", "MBPP+", "--draws", 5), ("MBPP+ published",)),
    ):
        with pytest.raises(SystemExit):
            main(["study", *map(str, arguments)])
        out = capsys.readouterr().out
        assert all(column in out for column in columns)


def test_sizes_are_kept_beside_each_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Afterwards no cell is left to study, in the chosen counting alone, and the job's folder is gone."""
    workspace = build_workspace(tmp_path)
    folders = [workspace.runs_dir / name for name in ("oracle-1", "smoke-1")]
    sheet = printed(capsys, "study", "sizes", *folders, "--undefined", "zero")
    cells = [(folder, 1) for folder in folders]
    assert [unstudied_cells(cells, counted) for counted in ("nan", "zero")] == [2, 0]
    assert [one["run"] for one in sheet["runs"]] == list(map(str, folders))  # type: ignore[attr-defined]
    assert not list(workspace.runs_dir.glob("*.study"))


def test_a_study_of_another_content_is_none(tmp_path: Path) -> None:
    """What is kept beside a run that was made again counts as nothing."""
    run = build_workspace(tmp_path).runs_dir / "oracle-1"
    study.sizes([run], "nan")
    assert unstudied_cells([(run, 7)], "nan") == 0
    with (run / "manifest.json").open("a", encoding="utf-8") as manifest:
        manifest.write("\n")
    assert unstudied_cells([(run, 7)], "nan") == 7


def test_sizes_that_can_not_be_kept_are_said(tmp_path: Path) -> None:
    """A run that nothing can be written beside is named, and the job says that it failed."""
    run = build_workspace(tmp_path).runs_dir / "oracle-1"
    (run / "studies-nan.json").mkdir()
    with pytest.raises(StoreError, match="oracle-1: the study can't be kept there"):
        study.sizes([run], "nan")
    ended = read_progress(study_folder(run))
    assert ended is not None
    assert ended.state == "failed"
