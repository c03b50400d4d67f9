"""How runs are written, refused and resumed, and what a damaged one says."""

import dataclasses
import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.model import Limits
from core.store import RunWriter, StoreError, open_run
from core.store import writer as writer_module
from tests.core.store.made import make_benchmark, make_manifest, make_rows, make_run, make_suites

BENCHMARK = make_benchmark()
SUITES = make_suites(BENCHMARK)
MANIFEST = make_manifest(BENCHMARK, SUITES)
INPUTS = (BENCHMARK.problems, BENCHMARK.solutions, SUITES)


def rows(task_id: str) -> list:
    """Random rows of one problem."""
    return make_rows(BENCHMARK, task_id, 5, np.random.default_rng(2))


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    """A finished run."""
    make_run(tmp_path / "run", BENCHMARK, SUITES)
    return tmp_path / "run"


@pytest.mark.parametrize(
    "name",
    [
        "problems.parquet",
        "solutions.parquet",
        "tests.parquet",
        "answers.parquet",
        "outcomes-00001.parquet",
        "details-00000.parquet",
        "scores.parquet",
        "manifest.json",
    ],
)
def test_damaged_file_is_named(finished: Path, name: str) -> None:
    """Opening a run with a cut-off file raises an error that names it."""
    content = (finished / name).read_bytes()
    (finished / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(StoreError, match=name):
        open_run(finished)


@pytest.mark.parametrize("name", ["problems.parquet", "solutions.parquet", "scores.parquet", "manifest.json"])
def test_missing_file_is_named(finished: Path, name: str) -> None:
    """Opening a run without one of its files raises an error that names it."""
    (finished / name).unlink()
    with pytest.raises(StoreError, match=name):
        open_run(finished)


def test_missing_part_is_noticed(finished: Path) -> None:
    """A finished run that lost a part of its outcomes does not open."""
    (finished / "outcomes-00000.parquet").unlink()
    with pytest.raises(StoreError, match=r"outcomes.*4 rows, the manifest says 12"):
        open_run(finished)


def test_missing_column_is_named(finished: Path) -> None:
    """A table without one of its columns is refused by the column's name."""
    path = finished / "solutions.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["code"]), path)
    with pytest.raises(StoreError, match=r"solutions\.parquet: has no column code"):
        open_run(finished)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema_version": 99}, "schema_version is 99"),
        ({"limits": {"seconds": 1, "color": "red"}}, "damaged manifest"),
        ({"verifier_kind": "oracle"}, "damaged manifest"),
        ({"surprise": 1}, "damaged manifest"),
    ],
)
def test_other_manifests_are_refused(finished: Path, change: dict, message: str) -> None:
    """A manifest of another version or with wrong fields is refused with the reason."""
    path = finished / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(StoreError, match=message):
        open_run(finished)


def test_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    """A run is not written among files that are none of its own, and leaves them alone."""
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(StoreError, match=r"thesis\.tex"):
        RunWriter.create(tmp_path, MANIFEST, *INPUTS)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_folder_of_the_job_is_taken(tmp_path: Path) -> None:
    """A folder in which a job has put its own files takes the run."""
    for name in ("job.json", "job.log", "progress.json"):
        (tmp_path / name).write_text("{}")
    with RunWriter.create(tmp_path, MANIFEST, *INPUTS):
        assert not open_run(tmp_path).finished


def test_existing_run_is_not_overwritten(finished: Path) -> None:
    """Creating a run where one is raises, and the old one stays whole."""
    with pytest.raises(StoreError, match="already holds a run"):
        RunWriter.create(finished, MANIFEST, *INPUTS)
    assert open_run(finished).finished


def test_only_one_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second writer of the same folder is refused while the first is open, and let in afterwards."""
    monkeypatch.setattr(writer_module, "_LOCK_SECONDS", 0.0)
    first = RunWriter.create(tmp_path, MANIFEST, *INPUTS)
    with pytest.raises(StoreError, match="another process"):
        RunWriter.resume(tmp_path, MANIFEST, *INPUTS)
    first.close()
    with RunWriter.resume(tmp_path, MANIFEST, *INPUTS) as writer:
        assert writer.done == set()


def test_resume_goes_on(tmp_path: Path) -> None:
    """A resumed run keeps the parts it has and ends like an undisturbed one."""
    with RunWriter.create(tmp_path / "run", MANIFEST, *INPUTS) as writer:
        writer.append(rows("T/1"))
    with RunWriter.resume(tmp_path / "run", MANIFEST, *INPUTS) as writer:
        assert writer.done == {"T/1"}
        with pytest.raises(StoreError, match="T/1: its outcomes are written already"):
            writer.append(rows("T/1"))
        with pytest.raises(StoreError, match="2 problems have no outcomes yet"):
            writer.finish()
        writer.append(rows("T/2") + rows("T/0"))
        writer.finish()
    run = open_run(tmp_path / "run")
    assert run.scores()["task_id"].unique().tolist() == ["T/0", "T/1", "T/2"]
    for task_id in run.task_ids():
        assert run.matrix(task_id).outcomes.tolist() == [row.outcomes.tolist() for row in rows(task_id)]


def test_resume_clears_what_a_killed_writer_left(tmp_path: Path) -> None:
    """Half-written files and details without their outcomes go; missing inputs are written again."""
    with RunWriter.create(tmp_path, MANIFEST, *INPUTS) as writer:
        writer.append(rows("T/0"))
    shutil.copy(tmp_path / "details-00000.parquet", tmp_path / "details-00001.parquet")
    (tmp_path / ".outcomes-00001.parquet.77.new").write_bytes(b"PAR1")
    (tmp_path / "tests.parquet").unlink()
    with RunWriter.resume(tmp_path, MANIFEST, *INPUTS) as writer:
        assert not (tmp_path / "details-00001.parquet").exists()
        assert not list(tmp_path.glob(".*.new"))
        writer.append(rows("T/1") + rows("T/2"))
        writer.finish()
    assert open_run(tmp_path).suite("T/0") == SUITES[0]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"limits": Limits(seconds=9.0)}, "limits"),
        ({"tests_sha256": "0" * 64}, "tests"),
        ({"benchmark_sha256": "0" * 64}, "benchmark"),
        ({"verifier": "w"}, "verifier"),
        ({"timeout_factor": 2.0}, "timeout factor"),
        ({"repeat": 2}, "repeat"),
    ],
)
def test_resume_with_other_inputs_is_refused(tmp_path: Path, change: dict, word: str) -> None:
    """A run of other inputs is not gone on with; the message says what differs."""
    RunWriter.create(tmp_path, MANIFEST, *INPUTS).close()
    with pytest.raises(StoreError, match=f"other inputs: {word}"):
        RunWriter.resume(tmp_path, dataclasses.replace(MANIFEST, **change), *INPUTS)


def test_wrong_rows_are_refused(tmp_path: Path) -> None:
    """Rows of unknown problems, of the wrong length or of part of a problem are not written."""
    with RunWriter.create(tmp_path, MANIFEST, *INPUTS) as writer:
        row = rows("T/0")[0]
        with pytest.raises(StoreError, match="no problem is called 'T/9'"):
            writer.append([dataclasses.replace(row, task_id="T/9")])
        with pytest.raises(StoreError, match="3 outcomes for 5 tests"):
            writer.append([dataclasses.replace(row, outcomes=row.outcomes[:3])])
        with pytest.raises(StoreError, match="not its solutions in their order"):
            writer.append([row])
    assert not list(tmp_path.glob("outcomes-*"))


def test_full_disk_leaves_the_run_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a part can't be written the error names it, nothing half-written stays, and a retry works."""
    full = OSError(28, "No space left on device")
    with RunWriter.create(tmp_path, MANIFEST, *INPUTS) as writer:

        def refuse(table: pa.Table, path: Path, **options: object) -> None:
            path.write_bytes(b"PAR1 half")
            raise full

        with monkeypatch.context() as patch:
            patch.setattr(pq, "write_table", refuse)
            with pytest.raises(StoreError, match=r"outcomes-00000\.parquet: .*No space left"):
                writer.append(rows("T/0"))
        assert writer.done == set()
        assert not list(tmp_path.glob("outcomes-*")) + list(tmp_path.glob(".*.new"))
        writer.append(rows("T/0"))
        assert open_run(tmp_path).done_task_ids() == ["T/0"]
