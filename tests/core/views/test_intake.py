"""Files that come into the data folder, and jobs as they are shown."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path

import psutil
import pytest

from core import jobs
from core.errors import InputError
from core.files import write_json
from core.formats import load
from core.progress import Progress, write_progress
from core.store import open_run
from core.views import intake, work
from core.workspace import Workspace
from tests.workspace import BENCHMARK


def _write_lines(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_bad_rows_are_named_and_good_ones_count(workspace: Workspace, tmp_path: Path) -> None:
    """The report has line, field and message of each bad row, and how many are good."""
    tests = _write_lines(
        tmp_path / "mine.jsonl",
        {"task_id": "Tiny/0", "tests": ["assert add_all([1]) == 1"]},
        {"task_id": "Tiny/1", "tests": "assert"},
        {"task_id": "Elsewhere/1", "tests": ["assert 1"]},
    )
    report = intake.check_tests(tests, workspace.benchmark_file(BENCHMARK))
    assert (report.rows, report.valid, report.usable) == (3, 1, True)
    assert report.problems["line"].tolist() == [2, 3]
    assert report.problems["field"].tolist() == ["tests", "task_id"]


def test_a_file_of_no_known_format_is_refused_with_a_reason(workspace: Workspace, tmp_path: Path) -> None:
    """The message names the file; nothing is kept."""
    found = intake.take_in(Workspace(tmp_path / "data"), _write_lines(tmp_path / "x.jsonl", {"hello": 1}))
    assert not found.report.usable
    assert "x.jsonl" in found.report.fatal
    assert found.saved is None


def test_a_file_without_tests_can_not_be_run(workspace: Workspace) -> None:
    """A benchmark given for tests is refused, and the message says what it is."""
    benchmark = workspace.benchmark_file(BENCHMARK)
    report = intake.check_tests(benchmark, benchmark)
    assert not report.usable
    assert report.fatal == (
        "tiny.jsonl: of the kind benchmark (touchstone-benchmark); expected a verifier's tests or scores. "
        "Load it on the Overview, then run tests on it."
    )


def test_notes_are_told_once_for_each_reason(tmp_path: Path) -> None:
    """Many rows with the same thing to know are one note that counts them."""
    rows = [{"task_id": f"T/{i}", "tests": []} for i in range(50)]
    rows.append({"task_id": "T/50", "tests": ["assert f() == 1"]})
    report = intake.check_tests(_write_lines(tmp_path / "t.jsonl", *rows), None)
    assert [note.rpartition("(")[2] for note in report.warnings] == ["and 49 more like it, to line 50)"]


def test_a_file_of_scores_is_taken_over_as_a_job(workspace: Workspace, tmp_path: Path) -> None:
    """Scores that are started like tests end as a finished run, and its job as done."""
    benchmark = workspace.benchmark_file(BENCHMARK)
    loaded = load(benchmark).benchmark
    assert loaded is not None
    rows = [
        {
            "dataset": "mine",
            "task_id": task_id,
            "rank": at,
            "output": solution.code,
            "ground_average_test_score": solution.reference_score,
            "average_test_score": solution.reference_score,
        }
        for task_id, solutions in loaded.solutions.items()
        for at, solution in enumerate(solutions, start=1)
    ]
    scores = _write_lines(tmp_path / "scores.jsonl", *rows)
    assert intake.check_tests(scores, benchmark).usable
    own = Workspace(tmp_path / "data")
    name = work.start_run(own, work.RunRequest(benchmark, scores, "scores"))
    psutil.Process(json.loads((own.run_dir(name) / "job.json").read_text())["pid"]).wait(60)
    job = jobs.read(own.run_dir(name))
    assert job is not None
    assert job.state is jobs.JobState.DONE, job.log_tail
    assert open_run(own.run_dir(name)).finished


def test_a_benchmark_is_kept_as_a_benchmark(workspace: Workspace, tmp_path: Path) -> None:
    """A benchmark with scored solutions is listed after it was given to the app."""
    target = Workspace(tmp_path / "data")
    found = intake.take_in(target, workspace.benchmark_file(BENCHMARK))
    assert (found.kind, found.saved) == ("benchmark", target.benchmark_file(BENCHMARK))
    assert target.benchmark_files() == (target.benchmark_file(BENCHMARK),)


def test_tests_are_kept_as_tests(tmp_path: Path) -> None:
    """A verifier's tests go to the tests folder as they are."""
    target = Workspace(tmp_path / "data")
    tests = _write_lines(tmp_path / "mine.jsonl", {"task_id": "T/0", "tests": ["assert f() == 1"]})
    found = intake.take_in(target, tests)
    assert found.kind == "tests"
    assert found.saved is not None
    assert found.saved.read_bytes() == tests.read_bytes()


@pytest.mark.parametrize("name", ["../../etc/passwd", "..\\..\\x.jsonl", "/abs.jsonl", "", "\x00.jsonl"])
def test_uploads_stay_in_their_folder(tmp_path: Path, name: str) -> None:
    """Whatever an upload is called, it is kept inside the uploads folder."""
    target = Workspace(tmp_path / "data")
    saved = intake.keep_upload(target, name, io.BytesIO(b"{}"))
    assert saved.resolve().parent.parent == target.uploads_dir.resolve()


def test_uploads_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    """Two users' files of one name lie beside each other; equal content lies there once."""
    target = Workspace(tmp_path)
    contents = (b"{}", b"[]", b"{}")
    first, second, again = (intake.keep_upload(target, "x.jsonl", io.BytesIO(text)) for text in contents)
    assert first == again != second
    assert (first.read_bytes(), second.read_bytes()) == (b"{}", b"[]")


def test_tests_of_a_taken_name_get_a_number(tmp_path: Path) -> None:
    """Other tests under a name that is taken don't replace what is there; the same ones are kept once."""
    target = Workspace(tmp_path / "data")
    saved = []
    for folder, value in (("a", 1), ("b", 2), ("c", 1)):
        row = {"task_id": "T/0", "tests": [f"assert f() == {value}"]}
        saved.append(intake.take_in(target, _write_lines(tmp_path / folder / "mine.jsonl", row)).saved)
    names = [path.name for path in saved if path is not None]
    assert names == ["mine.jsonl", "mine-2.jsonl", "mine.jsonl"]
    assert sorted(path.name for path in target.tests_dir.iterdir()) == ["mine-2.jsonl", "mine.jsonl"]


def test_a_path_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    """The message names the path."""
    with pytest.raises(InputError, match=r"gone\.jsonl"):
        intake.named_path(str(tmp_path / "gone.jsonl"))


def test_a_stopped_job_is_shown_with_what_it_did(tmp_path: Path) -> None:
    """Counts, outcomes by letter and the verifier's name are on its card, and it can be resumed."""
    target = Workspace(tmp_path)
    folder = target.run_dir("mine-1")
    write_json(
        folder / "job.json", {"command": ["run", "--name", "mine"], "pid": os.getpid(), "create_time": 1.0}
    )
    write_progress(
        folder,
        Progress("running tests", 30, 120, seconds=3.0, outcomes={"P": 20, "F": 10}, state="stopped"),
    )
    (card,) = work.job_cards(target)
    assert (card.title, card.state, card.fraction, card.resumable) == ("Running mine", "stopped", 0.25, True)
    assert card.counts == "running tests · 30 of 120 cells"
    assert card.outcomes == (("P", "passed", 20), ("F", "assertion failed", 10))


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.4, "0 s"), (59.4, "59 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")]
)
def test_durations_are_words(seconds: float, words: str) -> None:
    """Two units at most, the larger first."""
    assert work.duration(seconds) == words
