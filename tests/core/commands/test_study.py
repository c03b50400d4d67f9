"""The studies as the command line prints them, on a run of a benchmark's own tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.__main__ import main
from core.commands import study
from core.errors import InputError
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
