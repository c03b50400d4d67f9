import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from core.errors import InputError
from core.formats.pairs import write_answers, write_pairs
from core.hunting import trial
from core.hunting.commands import hunt
from core.hunting.folder import open_hunt
from core.hunting.model import AnswerKind, HuntOptions
from core.hunting.rows import LONGEST_TEXT
from core.hunting.tables import compare, diversity, first_k, grouped, rates, repeats
from core.model import AnswerClass, Pair, ProblemKind
from sandbox import open_sandbox
from sandbox.contract import Sandbox
from tests.core.hunting.pieces import read_cases

NAMES = (
    "function_true_bug",
    "function_missed",
    "stdio_true_bug",
    "fault_no_check",
    "function_invalid_assertion",
)
CASES = [case for case in read_cases() if case.name in NAMES]
HARNESS = HuntOptions(AnswerKind.HARNESS)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """One for all tests of this module."""
    with open_sandbox(workers=2) as opened:
        yield opened


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, str]:
    """A file of five pairs and one of an answer to each."""
    write_pairs([case.pair for case in CASES], tmp_path / "pairs.jsonl")
    write_answers({case.name: [case.answer] for case in CASES}, tmp_path / "answers.jsonl")
    return tmp_path / "pairs.jsonl", str(tmp_path / "answers.jsonl")


def command(*arguments: str | Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run `python -m core hunt`."""
    return core_command("hunt", *arguments, home=home)


def core_command(*arguments: str | Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run `python -m core`."""
    return subprocess.run(
        [sys.executable, "-m", "core", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env={"TOUCHSTONE_DATA": str(home), "PATH": "/usr/bin:/bin"},
    )


def test_a_hunt_without_a_model_says_how_many_pairs_give_it_nothing(tmp_path: Path) -> None:
    """Texts with neither types nor examples are counted in a note, and their inputs are not defined."""
    bare = Pair("bare", "Adds.", ProblemKind.FUNCTION, "def f(x): return x", "def f(x): return 1", "f")
    write_pairs([bare], tmp_path / "pairs.jsonl")
    options = ("--pairs", tmp_path / "pairs.jsonl", "--answers", "offline", "--kind", "harness")
    done = command(*options, "--out", tmp_path / "h", home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "note: 1 of 1 pair without an answer: offline" in done.stderr
    tables = core_command("bugs", "tables", tmp_path / "h", home=tmp_path)
    assert tables.returncode == 0, tables.stderr
    assert "nan" not in tables.stdout


def test_the_command_prints_the_contract(files: tuple[Path, str], tmp_path: Path) -> None:
    """The JSON has exactly the keys that other programs read, and the numbers of the five answers."""
    options = ("--pairs", files[0], "--answers", files[1], "--kind", "harness", "--out", tmp_path / "h")
    done = command(*options, "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr

    assert json.loads(done.stdout) == {
        "n_pairs": 5,
        "n_answers": 5,
        "good_input": pytest.approx(3 / 5),
        "invalid_test_rate": pytest.approx(1 / 5),
        "true_bug_rate": pytest.approx(2 / 5),
        "format_error": pytest.approx(1 / 5),
        "mean_reward": pytest.approx(2.1 / 5),
        "classes": {
            "format_error": 1,
            "invalid": 1,
            "no_difference": 0,
            "good_input_invalid": 0,
            "good_input_missed": 1,
            "true_bug": 2,
        },
    }


def test_a_folder_of_something_else_is_refused(files: tuple[Path, str], tmp_path: Path) -> None:
    """Exit status 2, a message that names what is there, and nothing is written."""
    out = tmp_path / "mine"
    out.mkdir()
    (out / "thesis.tex").write_text("precious")
    done = command(
        "--pairs", files[0], "--answers", files[1], "--kind", "harness", "--out", out, home=tmp_path
    )

    assert done.returncode == 2
    assert "thesis.tex" in done.stderr
    assert [path.name for path in out.iterdir()] == ["thesis.tex"]


def test_a_finished_hunt_reads_back(files: tuple[Path, str], tmp_path: Path, sandbox: Sandbox) -> None:
    """Pairs, findings, inputs with both outputs and what fired are in the folder, and the record is whole."""
    report = hunt(*files, tmp_path / "h", HARNESS, sandbox, command=["hunt"])
    found = open_hunt(tmp_path / "h")

    assert {pair.pair_id: pair for pair in found.pairs()} == {case.name: case.pair for case in CASES}
    assert {one.pair_id: one.answer_class.key for one in found.findings()} == {
        case.name: case.expected for case in CASES
    }
    assert found.record.finished
    assert found.record.result == report.result
    assert found.record.identity["limits"]["checker"]["seconds"] == 5.0
    one = found.finding("function_true_bug", 0)
    assert one is not None
    fired = one.trials[1].buggy_check
    assert (one.trials[1].good.output, one.trials[1].buggy.output) == ("[1,2,2]", "[1,2]")
    assert fired is not None
    assert fired.rejects
    assert one == next(f for f in found.findings() if f.pair_id == "function_true_bug")
    assert found.finding("function_true_bug", 1) is None


def test_the_same_command_goes_on_where_it_was_stopped(
    files: tuple[Path, str], tmp_path: Path, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Finished answers are not run again, what was lost is, and the result is that of one go."""
    whole = hunt(*files, tmp_path / "whole", HARNESS, sandbox)
    monkeypatch.setattr(trial, "_BATCH", 2)

    class StoppedError(Exception):
        pass

    def stop_after_two(progress: Any) -> None:
        if progress.done >= 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        hunt(*files, tmp_path / "h", HARNESS, sandbox, on_progress=stop_after_two)
    before = (tmp_path / "h" / "answers-00000.parquet").stat().st_mtime_ns
    (tmp_path / "h" / "inputs-00001.parquet").write_bytes(b"half of a pa")
    assert not open_hunt(tmp_path / "h").record.finished

    assert hunt(*files, tmp_path / "h", HARNESS, sandbox) == whole
    assert (tmp_path / "h" / "answers-00000.parquet").stat().st_mtime_ns == before
    assert len(open_hunt(tmp_path / "h").findings()) == len(CASES)


@pytest.mark.parametrize(
    ("options", "word"),
    [(HuntOptions(AnswerKind.HARNESS, first=1), "first"), (HuntOptions(AnswerKind.HARNESS, seed=1), "seed")],
)
def test_another_hunt_in_the_folder_is_refused(
    files: tuple[Path, str], tmp_path: Path, sandbox: Sandbox, options: HuntOptions, word: str
) -> None:
    """Options that would mix two hunts in one folder are an error that names them."""
    hunt(*files, tmp_path / "h", HARNESS, sandbox)

    with pytest.raises(InputError, match=f"another {word}"):
        hunt(*files, tmp_path / "h", options, sandbox)


def test_answers_and_pairs_without_each_other_are_said(
    files: tuple[Path, str], tmp_path: Path, sandbox: Sandbox
) -> None:
    """An answer to an unknown pair and a pair without an answer are notes, not silence."""
    write_answers({"unknown": ["x"], "fault_no_check": ["x"]}, tmp_path / "few.jsonl")
    said: list[str] = []
    report = hunt(files[0], str(tmp_path / "few.jsonl"), tmp_path / "h", HARNESS, sandbox, say=said.append)

    assert report.result["n_pairs"] == 1
    assert any("not among the pairs, e.g. unknown" in line for line in said)
    assert any("4 of 5 pairs without an answer" in line for line in said)
    assert open_hunt(tmp_path / "h").record.notes == said


def test_files_of_another_kind_are_refused(files: tuple[Path, str], tmp_path: Path, sandbox: Sandbox) -> None:
    """Answers given as pairs and pairs given as answers end in a message."""
    with pytest.raises(InputError, match="without a usable pair"):
        hunt(Path(files[1]), files[1], tmp_path / "h", HARNESS, sandbox)
    with pytest.raises(InputError, match="without answers"):
        hunt(files[0], str(files[0]), tmp_path / "h", HARNESS, sandbox)


def test_long_texts_are_cut_and_their_lengths_kept(tmp_path: Path, sandbox: Sandbox) -> None:
    """An input beyond the limit is kept cut, with its true length; lone surrogates don't break the file."""
    case = next(case for case in CASES if case.name == "stdio_true_bug")
    code = (
        "def generate_input_1():\n    return ['1 2' + ' ' * 300000]\n\n"
        "def check_output(a, b):\n    assert b, '\\ud800'\n"
    )
    write_pairs([case.pair], tmp_path / "p.jsonl")
    write_answers({case.name: [f"```python\n{code}```\n\ud800"]}, tmp_path / "a.jsonl")
    hunt(tmp_path / "p.jsonl", str(tmp_path / "a.jsonl"), tmp_path / "h", HARNESS, sandbox)
    (row,) = pq.read_table(tmp_path / "h" / "inputs-00000.parquet").to_pylist()

    assert row["input_chars"] == 300_003
    assert len(row["input"]) == LONGEST_TEXT + 1
    assert diversity(open_hunt(tmp_path / "h"))[case.name].unique_ratio == 1.0


def test_tables_need_no_second_run(files: tuple[Path, str], tmp_path: Path, sandbox: Sandbox) -> None:
    """First-k, repeats, groups and comparison come out of the folder, and agree with its rates."""
    options = HuntOptions(AnswerKind.HARNESS, repeat=2)
    report = hunt(*files, tmp_path / "h", options, sandbox)
    found = open_hunt(tmp_path / "h")
    findings, pairs = found.findings(), found.pairs()

    first = first_k(findings, (1, 20), bootstrap=0)
    assert [point.rates.classes[AnswerClass.TRUE_BUG] for point in first] == [0, 2]
    assert first[0].mean_inputs == 1.0
    scaled = repeats(findings, options.seed, 2, bootstrap=0)
    assert scaled[-1].rates.metrics["true_bug_rate"].value == report.result["true_bug_rate"]

    def by_kind(pair: Pair) -> str:
        return pair.kind.value

    groups = grouped(findings, pairs, by_kind, bootstrap=0)
    assert {name: one.n_pairs for name, one in groups.items()} == {"function": 4, "stdio": 1}
    assert rates(findings, bootstrap=0).metrics["good_input"].value == report.result["good_input"]
    assert all(one.value == 0 and one.n == 5 for one in compare(findings, findings).values())
