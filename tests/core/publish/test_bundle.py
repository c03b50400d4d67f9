"""Exports: files, manifest, zip, data; nothing is run."""

import csv
import hashlib
import json
import re
import zipfile
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pyarrow.parquet as pq
import pytest

import sandbox
from core.errors import InputError
from core.evolution.commands import filter_suites
from core.formats import load
from core.publish.bundle import write
from core.publish.datasets import Written, write_card
from core.publish.options import Options
from core.publish.source import gather, grouped
from core.store import open_run
from tests.workspace import HOSTILE, make_benchmark


class _Links(HTMLParser):
    """Every address that a page names, in the eyes of another reader of HTML."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        """Collect what could be fetched or followed."""
        self.found += [value for name, value in attrs if name in {"src", "href", "action", "srcset", "data"}]


FIGURES = ("tiny-top1", "tiny-outcomes")


@pytest.fixture(scope="module")
def made(source, workspace, tmp_path_factory):
    """An export in every format with two figures, and its manifest."""
    out = tmp_path_factory.mktemp("export") / "out"
    formats = ("pdf", "svg", "png", "csv", "tex", "html", "md", "jsonl", "parquet", "zip")
    options = Options("acl", formats, FIGURES, published="HE-R+")
    manifest = write(
        source, out, options, command=["export", "a run"], benchmark_files=workspace.benchmark_files()
    )
    return out, manifest


def test_the_manifest_is_true(made):
    """Every file is there with its hash, and the inputs with theirs, versions, seed and command."""
    out, manifest = made
    assert json.loads((out / "export.json").read_text()) == json.loads(json.dumps(manifest))
    for entry in manifest["files"]:
        content = (out / entry["file"]).read_bytes()
        assert (entry["bytes"], entry["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    assert {one["benchmark_sha256"] for one in manifest["inputs"]} != {""}
    assert manifest["command"] == ["python", "-m", "core", "export", "a run"]
    assert {"python", "matplotlib", "numpy"} <= manifest["versions"].keys()
    assert (manifest["seed"], manifest["resamples"]) == (0, 2000)
    kinds = {entry["file"].rpartition(".")[2] for entry in manifest["files"]}
    assert kinds == {"pdf", "svg", "png", "csv", "tex", "html", "md", "jsonl", "json", "parquet"}


def test_the_zip_holds_everything(made):
    """Every listed file and the manifest are in, with the same bytes."""
    out, manifest = made
    with zipfile.ZipFile(out / "export.zip") as archive:
        assert sorted(archive.namelist()) == sorted([*(e["file"] for e in manifest["files"]), "export.json"])
        assert archive.read("figures/tiny-top1.pdf") == (out / "figures/tiny-top1.pdf").read_bytes()


def test_another_venue_runs_nothing_again(made, source, monkeypatch, tmp_path):
    """With every way to run a program taken away, another venue and format are made all the same."""
    monkeypatch.setattr(sandbox, "open_sandbox", None)
    monkeypatch.setattr("subprocess.Popen", None)
    write(source, tmp_path / "again", Options("iclr", ("pdf",), FIGURES), command=[])
    assert (tmp_path / "again/figures/tiny-top1.pdf").read_bytes() != (
        made[0] / "figures/tiny-top1.pdf"
    ).read_bytes()


def test_the_same_again_is_the_same(made, source, tmp_path):
    """Figures, tables and numbers of a second export are equal to the byte."""
    out, _ = made
    options = Options("acl", ("pdf", "svg", "png", "csv", "tex", "md"), FIGURES, published="HE-R+")
    again = write(source, tmp_path / "again", options, command=[])
    for entry in again["files"]:
        assert (tmp_path / "again" / entry["file"]).read_bytes() == (out / entry["file"]).read_bytes(), entry[
            "file"
        ]


def test_a_folder_that_is_something_else_is_refused(source, tmp_path):
    """A run is never written into, and a file is no folder; an unknown figure names the known ones."""
    options = Options(formats=("csv",), figures=FIGURES)
    with pytest.raises(InputError, match="holds a run"):
        write(source, source.runs[0].folder, options, command=[])
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file"):
        write(source, tmp_path / "file", options, command=[])
    with pytest.raises(InputError, match="tiny-top1"):
        write(source, tmp_path / "out", Options(figures=("nothing",)), command=[])


def test_every_data_file_reads_back(made):
    """Each JSON file is known by its keys and every row of it is good; the benchmark is the same."""
    out, manifest = made
    formats = {}
    for entry in manifest["files"]:
        if entry["file"].startswith("data/") and entry["file"].endswith((".jsonl", ".json")):
            loaded = load(out / entry["file"])
            assert loaded.errors == (), entry["file"]
            formats[entry["file"].removeprefix("data/")] = loaded
    assert formats["touchstone/tiny.benchmark.jsonl"].benchmark.problems == make_benchmark().problems
    assert formats["touchstone/tiny.benchmark.jsonl"].benchmark.solutions == make_benchmark().solutions
    assert formats["evolvecoder/oracle-1.pipeline.jsonl"].format == "evolvecoder-pipeline"
    assert formats["scoring-verifiers/reward-model.flat.jsonl"].flat[0].reward_score is not None
    assert {one.format for one in formats.values()} >= {
        "touchstone-benchmark",
        "touchstone-tests",
        "touchstone-solutions",
        "scoring-verifiers-ranked",
        "scoring-verifiers-flat",
        "evalplus-results",
        "evolvecoder-pipeline",
        "evolvecoder-22k",
    }


def test_filtered_suites_are_what_the_filter_leaves(made, source):
    """The tests of the filtered file are those that the paper's final filter keeps."""
    folder = next(run.folder for run in source.runs if run.name == "oracle-1")
    suites = load(made[0] / "data/touchstone/oracle-1.filtered.jsonl").suites
    assert sum(len(suite.tests) for suite in suites) == filter_suites(folder)["tests_after"]


def test_parquet_holds_every_cell(made, source):
    """A row for each cell in the order of the matrices; a missing verdict is neither passed nor failed."""
    run = open_run(next(run.folder for run in source.runs if run.name == "careless-1"))
    table = pq.read_table(made[0] / "data/outcomes/careless-1.parquet").to_pandas()
    assert len(table) == run.manifest.n_cells
    for task_id, cells in table.groupby("task_id"):
        matrix = run.matrix(task_id)
        assert "".join(cells["outcome"]) == "".join(matrix.letters())
        assert (
            cells["test_index"].tolist()
            == np.tile(range(matrix.outcomes.shape[1]), len(matrix.solution_ids)).tolist()
        )
    assert table["passed"].isna().sum() == run.manifest.outcome_counts["I"]
    assert table["passed"].sum() == run.manifest.outcome_counts["P"]
    scores = pq.read_table(made[0] / "data/scores/careless-1.parquet").to_pandas()
    assert scores.equals(run.scores())


def test_datasets_loads_the_folder(made, tmp_path):
    """Hugging Face's library finds the configurations in the card."""
    library = pytest.importorskip("datasets")
    found = library.load_dataset(str(made[0] / "data"), "outcomes-oracle-1", cache_dir=str(tmp_path))
    assert found["test"].num_rows == 8 * 6 * 8


def test_numbers_of_a_figure_are_those_of_the_run(made, source):
    """The CSV of a metric has each verifier's value to the last digit."""
    with (made[0] / "figures/tiny-top1.csv").open(newline="") as file:
        values = {row["category"]: float(row["value"]) for row in csv.DictReader(file)}
    assert values == {run.label: run.evaluation.metrics["top1"].value for run in source.runs}


def test_the_report_stands_alone(made):
    """No address is fetched, no text of others is HTML, the policy knows the scripts by their hashes."""
    text = (made[0] / "report.html").read_text()
    assert len(text) < 10 * 2**20
    links = _Links()
    links.feed(text)
    assert links.found
    assert all(target.startswith("#") for target in links.found), links.found
    assert HOSTILE not in text
    assert "&lt;script&gt;window.hacked" in text
    assert text.split("<title>")[0].count("sha256-") == 2
    for charts in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, flags=re.DOTALL):
        assert json.loads(charts)["data"]


def test_hostile_names_stay_text_everywhere(source, tmp_path):
    """A verifier whose name is a tag, a formula and a command is only ever a name."""
    name = "=1+1 <img src=x onerror=alert(1)> \\input{x} $y$"
    runs = [replace(run, label=name) if run.name == "oracle-1" else run for run in source.runs]
    mean = replace(source, benchmarks=grouped(runs))
    options = Options(formats=("svg", "csv", "tex", "md", "html"), figures=FIGURES)
    write(mean, tmp_path, options, command=[])
    assert "<img" not in (tmp_path / "report.html").read_text().split("<script>")[0]
    assert "<img" not in (tmp_path / "figures/tiny-top1.svg").read_text()
    assert not re.search(r"(?<!\\)<img", (tmp_path / "tables/results.md").read_text())
    assert "\\input" not in (tmp_path / "tables/results.tex").read_text()
    with (tmp_path / "tables/results.csv").open(newline="") as file:
        assert "'" + name in {row["name"] for row in csv.DictReader(file)}


def test_runs_without_a_benchmark_file_are_exported_without_reference_tests(workspace, tmp_path):
    """The card says so."""
    source = gather([workspace.run_dir("oracle-1")])
    write(source, tmp_path, Options(formats=("jsonl",), figures=FIGURES), command=[])
    assert "reference tests of tiny" in (tmp_path / "data/README.md").read_text()


def test_the_card_says_what_each_file_is_and_counts_in_words(tmp_path):
    """Folders that are there are explained, rows have their unit, and one of something is singular."""
    written = Written(tmp_path)
    for name in ("touchstone/a.filtered.jsonl", "evalplus/a.samples.jsonl", "outcomes/a.parquet"):
        written.files.append(tmp_path / name)
        written.rows[name] = 1200
    written.skip("touchstone/a.filtered.jsonl", "problems dropped by the filter")
    written.skip("evalplus/a.samples.jsonl", "solutions", 2)
    write_card(written, ["A note."])
    lines = (tmp_path / "README.md").read_text().splitlines()
    assert "| `evalplus/a.samples.jsonl` | solution | 1,200 | 2 solutions |" in lines
    assert "| `outcomes/a.parquet` | cell | 1,200 |  |" in lines
    assert "| `touchstone/a.filtered.jsonl` | problem | 1,200 | 1 problem dropped by the filter |" in lines
    assert "A note." in lines
    assert any(line.startswith("| `touchstone/` | ") for line in lines)
    assert not any(line.startswith("| `evolvecoder/` | ") for line in lines)


def test_no_export_is_written_below_a_run(source, tmp_path):
    """A folder in a run's folder would become part of the run: refused, made already or not."""
    run = source.runs[0].folder
    with pytest.raises(InputError, match="outside of it"):
        write(source, run / "paper" / "deep", Options(), command=[])
    assert not (run / "paper").exists()
