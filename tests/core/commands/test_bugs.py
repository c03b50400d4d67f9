"""`python -m core bugs`: what it prints of the two small hunts, and what it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from core.commands.hunt_table import show_answers
from core.formats import load
from core.formats.pairs import write_answers, write_pairs
from core.hunting.commands import hunt
from core.hunting.model import AnswerKind, HuntOptions
from core.model import VerifierKind
from core.store import open_run
from core.workspace import Workspace
from sandbox.fake import FakeSandbox
from tests.hunts import PAIRS, write_hunts
from tests.workspace import BENCHMARK, build_workspace


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The small data folder with two hunts in it."""
    found = build_workspace(tmp_path_factory.mktemp("data"))
    write_hunts(found)
    return found


def bugs(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    command = [sys.executable, "-m", "core", "bugs", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def result(*arguments: str | Path) -> Any:
    """What it prints as JSON."""
    done = bugs(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_tables_hold_first_k_groups_and_the_difference(workspace: Workspace) -> None:
    """Rates by first k and by group, and the paired difference from the other hunt, with intervals."""
    harness, cases = workspace.run_dir("tiny-harness"), workspace.run_dir("tiny-io")
    sheet = result("tables", harness, "--against", cases, "--by", "difficulty")

    assert [point["count"] for point in sheet["first_k"]] == [1, 3, 5, 10, 20]
    assert {name: one["n_pairs"] for name, one in sheet["groups"].items()} == {"easy": 2, "hard": 1}
    assert sheet["differences"]["true_bug_rate"]["n"] == 3
    assert sheet["differences"]["true_bug_rate"]["value"] == pytest.approx((1 / 3 + 0 + 1 / 2) / 3 - 1)
    shown = bugs("tables", harness, "--by", "difficulty").stdout
    assert "first 20" in shown
    assert "easy" in shown


def test_each_answer_is_told_with_its_class(workspace: Workspace) -> None:
    """A row for each answer in the pairs' order: its class in words, and what is wrong with its form."""
    rows = result("answers", workspace.run_dir("tiny-harness"))["answers"]

    assert [(row["pair_id"], row["answer"]) for row in rows] == [
        (pair.pair_id, n + 1) for pair, count in zip(PAIRS, (3, 2, 2), strict=True) for n in range(count)
    ]
    assert (rows[0]["class"], rows[0]["means"]) == ("true_bug", "true bug")
    assert rows[2]["fault"] == "no code block of the kind that counts"
    shown = bugs("answers", workspace.run_dir("tiny-harness")).stdout
    assert shown.count("Tiny/") == len(rows)
    assert "good input, missed" in shown


@pytest.mark.parametrize("command", ["score", "show"])
def test_a_hunt_taken_for_a_run_says_what_it_is(workspace: Workspace, command: str) -> None:
    """Status 2, and which commands read a hunt."""
    asked = [sys.executable, "-m", "core", command, str(workspace.run_dir("tiny-io"))]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is a hunt, not a run: `python -m core bugs tables HUNT` prints its rates" in done.stderr


def test_a_long_hunt_is_cut_and_says_how_to_see_all(capsys: pytest.CaptureFixture[str]) -> None:
    """After its summary a hunt lists twenty answers, and names the command that lists the others too."""
    row = {"answer": 1, "means": "true bug", "n_inputs": 4, "n_left_out": 0, "fault": ""}
    sheet = {"hunt": "my hunt", "answers": [{**row, "pair_id": f"p{n:02}"} for n in range(21)]}
    show_answers(sheet, everything=False, as_json=False)
    printed = capsys.readouterr()
    assert "p19" in printed.out
    assert "p20" not in printed.out
    assert "The first 20 of 21 answers; python -m core bugs answers 'my hunt' lists all." in printed.err


def test_best_of_n_is_of_any_run(workspace: Workspace) -> None:
    """A verifier that is mostly right chooses better than chance, and the table says by how much."""
    (row,) = result("best", workspace.run_dir("oracle-1"), "--n", "4")["runs"]

    assert row["original"]["value"] == pytest.approx(1 / 6)
    assert row["selected"]["value"] > row["original"]["value"]
    assert row["gain"]["value"] == pytest.approx(row["selected"]["value"] - row["original"]["value"])
    assert row["oracle"]["value"] == pytest.approx(4 / 6)
    assert (
        "oracle-1 has as many; a smaller --n"
        in bugs("best", workspace.run_dir("oracle-1"), "--n", "9").stderr
    )
    assert "best of 4" in bugs("best", workspace.run_dir("oracle-1"), "--n", "4").stdout


def test_training_examples_are_written(workspace: Workspace, tmp_path: Path) -> None:
    """The true bugs of the hunt, one a line."""
    assert result("sft", workspace.run_dir("tiny-harness"), "--out", tmp_path / "s.jsonl")["examples"] == 2
    rows = [json.loads(line) for line in (tmp_path / "s.jsonl").read_text().splitlines()]
    assert [row["pair_id"] for row in rows] == [PAIRS[0].pair_id, PAIRS[2].pair_id]


def test_without_a_true_bug_no_training_file_is_written(workspace: Workspace, tmp_path: Path) -> None:
    """A hunt that exposed nothing ends with status 2, says what its answers are, and leaves no file."""
    pairs, answers, out = tmp_path / "p.jsonl", tmp_path / "a.jsonl", tmp_path / "s.jsonl"
    write_pairs(PAIRS, pairs)
    write_answers({PAIRS[0].pair_id: ["I can't.", "Nor can I."]}, answers)
    hunt(pairs, str(answers), tmp_path / "h", HuntOptions(AnswerKind.HARNESS), FakeSandbox(lambda _: []))
    done = bugs("sft", tmp_path / "h", "--out", out)
    assert done.returncode == 2
    assert f"{out}: not written, as there is nothing to learn from {tmp_path / 'h'}: " in done.stderr
    assert "none of its answers is a true bug (2 format error)" in done.stderr
    assert not out.exists()


def test_pairs_and_offline_answers_of_a_benchmark_are_files_that_load(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Both read back: two pairs a problem at most, and one answer about each problem."""
    benchmark = workspace.benchmark_file(BENCHMARK)
    assert result("pairs", benchmark, "--out", tmp_path / "p.jsonl")["pairs"] == 16
    assert result("offline", benchmark, "--out", tmp_path / "a.jsonl")["answers"] == 8

    assert len(load(tmp_path / "p.jsonl").pairs) == 16
    assert set(load(tmp_path / "a.jsonl").answers) == {f"Tiny/{i}" for i in range(8)}


def test_a_hunts_answers_are_run_as_a_verifier(workspace: Workspace, tmp_path: Path) -> None:
    """`run --tests` takes a hunt's folder; any other folder is refused with a message."""
    benchmark = ["--benchmark", str(workspace.benchmark_file(BENCHMARK))]
    command = [sys.executable, "-m", "core", "run", *benchmark, "--timeout", "1", "--tests"]
    done = subprocess.run(
        [*command, str(workspace.run_dir("tiny-io")), "--out", str(tmp_path / "run")],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "TOUCHSTONE_DATA": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    manifest = open_run(tmp_path / "run").manifest
    assert (manifest.verifier_kind, manifest.n_tests) == (VerifierKind.HARNESS, 3)

    refused = subprocess.run(
        [*command, str(tmp_path), "--out", str(tmp_path / "other")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 2
    assert str(tmp_path) in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tables", "nowhere"), "holds no hunt"),
        (("best", "nowhere"), "nowhere"),
        (("pairs", "nowhere", "--out", "x"), "nowhere"),
    ],
)
def test_what_is_not_there_is_said(arguments: tuple[str, ...], said: str) -> None:
    """Exit status 2 and a message that names the path, no stack trace."""
    done = bugs(*arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_group_is_refused_with_those_there_are(workspace: Workspace) -> None:
    """Exit status 2 and the keys that the hunt's pairs can be grouped by."""
    done = bugs("tables", workspace.run_dir("tiny-harness"), "--by", "colour")
    assert done.returncode == 2
    assert "no pair of this hunt has 'colour' to group by; known are: difficulty" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["sft", "pairs", "offline"])
def test_a_file_that_cannot_be_written_is_refused_before_any_work(
    workspace: Workspace, tmp_path: Path, command: str
) -> None:
    """A folder, or a path below a file, ends in one sentence and exit status 2."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    for out, said in ((tmp_path, "is a folder"), (tmp_path / "file" / "x.jsonl", "is a file")):
        done = bugs(command, workspace.run_dir("tiny-harness"), "--out", out)
        assert (done.returncode, said in done.stderr, "Traceback" in done.stderr) == (2, True, False)


def test_a_hunt_that_lost_answers_says_so(tmp_path: Path) -> None:
    """The tables are about what is left, and a note counts what is missing."""
    write_hunts(Workspace(tmp_path))
    folder = Workspace(tmp_path).run_dir("tiny-harness")
    (folder / "answers-00000.parquet").unlink()
    done = bugs("tables", folder)
    assert "counts 7 answers, the folder has 0" in " ".join(done.stderr.split())
