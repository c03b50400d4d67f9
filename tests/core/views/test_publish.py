"""The Publish page's data: previews at true size, tables, exports."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from core.errors import InputError
from core.figures.venues import VENUES
from core.publish.figures import figures
from core.publish.options import Options
from core.views import publish, work
from core.views.runs import RunSummary
from core.workspace import Workspace
from tests.workspace import build_workspace


def test_a_preview_is_as_wide_as_it_prints(summaries: dict[str, RunSummary]) -> None:
    """96 pixels to an inch, and the words say the size."""
    source = publish.source_of(list(summaries.values()), (), "nan")
    chart = next(figure for figure in figures(source) if figure.key == "tiny-top1").make()
    for name in ("neurips", "acl"):
        shown = publish.preview(chart, name)
        with Image.open(io.BytesIO(shown.png)) as image:
            assert image.width == pytest.approx(VENUES[name].width * 300, abs=2)
        assert shown.pixels == pytest.approx(VENUES[name].width * 96, abs=1)
        assert shown.size.startswith(f"{VENUES[name].width:.2f} \N{MULTIPLICATION SIGN} ")


def test_a_free_size_is_a_venue() -> None:
    """What the number fields say is what the options take."""
    assert Options(venue=publish.free_size(4.5, 8)).venue == "4.5in,8pt"


def test_tables_come_in_three_forms(summaries: dict[str, RunSummary]) -> None:
    """Results first, each with LaTeX, Markdown and CSV."""
    source = publish.source_of(list(summaries.values()), (), "nan")
    found = publish.table_files(source, Options())
    assert [table.name for table in found][:2] == ["results", "benchmarks"]
    for table in found:
        assert table.latex.count("\\begin{tabular}") == 1
        assert table.markdown.count("| --- |") == 1
        assert table.csv.startswith("group,name,")


def test_an_export_is_a_job_and_is_found_again(tmp_path, monkeypatch) -> None:
    """The job's command is the one on the command line; what it made is listed with its files."""
    workspace: Workspace = build_workspace(tmp_path)
    source = publish.source_of([], (), "nan")
    started = []

    def start(command, folder, environment):
        started.append((list(command), folder, environment))
        return work.jobs.Job(folder, tuple(command), work.JobState.RUNNING, None, "")

    monkeypatch.setattr("core.jobs.start", start)
    assert publish.start_export(workspace, source, Options("acl", ("pdf",)), "../my paper") == "my-paper"
    command, folder, environment = started[0]
    assert command[:1] == ["export"]
    assert command[command.index("--formats") + 1] == "pdf,zip"
    assert folder == workspace.exports_dir / "my-paper"
    assert environment == {"TOUCHSTONE_DATA": str(tmp_path)}
    assert publish.exports(workspace) == ()
    before = work.finished_jobs(workspace)
    folder.mkdir(parents=True)
    manifest = {
        "made": "2026-01-01T00:00:00+00:00",
        "figures": [],
        "files": [],
        "options": {"venue": "acl", "formats": ["pdf", "zip"]},
    }
    (folder / "export.json").write_text(json.dumps(manifest))
    (folder / "export.zip").write_bytes(b"")
    made = publish.exports(workspace)
    assert [(one.name, one.zip, one.report) for one in made] == [("my-paper", folder / "export.zip", None)]
    assert work.finished_jobs(workspace) != before
    (folder / "export.json").write_text("[")
    assert publish.exports(workspace) == ()


def test_unknown_names_are_refused(summaries: dict[str, RunSummary]) -> None:
    """A figure that the runs do not give names those that they do."""
    source = publish.source_of(list(summaries.values()), (), "nan")
    with pytest.raises(InputError, match="tiny-top1"):
        Options(figures=("nothing",)).chosen(source)


def test_many_cells_are_left_to_a_job(summaries: dict[str, RunSummary]) -> None:
    """The small runs are studied at once."""
    assert not publish.heavy(publish.source_of(list(summaries.values()), (), "nan"))


def test_tables_that_need_no_study_are_there_for_many_cells_too(
    summaries: dict[str, RunSummary], tmp_path: Path
) -> None:
    """A large run that nobody has studied has its results; its folder is not read for them."""
    small = summaries["oracle-1"]
    large = replace(small, folder=tmp_path, manifest=replace(small.manifest, n_cells=10**8))
    assert publish.heavy(publish.source_of([large], (), "nan"))
    files = publish.table_files(publish.source_of([large], (), "nan"), Options())
    assert [one.name for one in files] == ["results", "benchmarks", "outcomes-tiny"]
    studied = publish.table_files(publish.source_of([small], (), "nan"), Options())
    assert {one.name for one in files} < {one.name for one in studied}
