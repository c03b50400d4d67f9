"""`python -m core evolve`, from files to files."""

import json
from pathlib import Path
from typing import Any

import pytest

from core import formats
from core.__main__ import main
from core.store import open_run
from tests.core.evolution.test_commands import pipeline_file, run_folder
from tests.core.evolution.trials import trial

GOOD, STRICT = "def f(xs): return sum(xs)", "def f(xs): return sum(xs[:2])"
POOL = trial("PPPP", "PPFF", "FFFF", task_id="p", sources=("reference", "a", "mutant: line 1"), source="taco")


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """A command's status, stdout and stderr."""
    try:
        status = main(list(map(str, arguments)))
    except SystemExit as end:
        status = int(end.code or 0)
    captured = capsys.readouterr()
    return int(status or 0), captured.out, captured.err


def test_a_report_is_a_table_for_people(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Without --json there are columns and rows, and no raw data structure."""
    status, out, err = run(capsys, "evolve", "report", run_folder(tmp_path / "zero", POOL))
    assert status == 0
    head, row, *rest = out.splitlines()
    assert head.split()[:4] == ["round", "problems", "tests/problem", "pass@1"]
    assert row.split()[:4] == ["0", "1", "4.00", "0.0%"]
    assert any(line.split()[:2] == ["0", "seed"] for line in rest)
    assert any(line.split()[0] == "taco" for line in rest if line.split())
    assert any(line.split()[:2] == ["mutant", "0"] for line in rest)
    assert "{" not in out
    assert "wrong: tests failing the reference" in err


def test_a_report_may_filter(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With --filter the final filter is applied, with its options."""
    folder = run_folder(tmp_path / "zero", POOL)
    _, out, _ = run(
        capsys, "evolve", "report", folder, "--filter", "--per-pattern", 1, "--min-tests", 1, "--json"
    )
    method = json.loads(out)["rounds"][0]["sources"]["overall"]["methods"]["seed"]
    assert method == {"generated": 4, "retained": 2}


def problems_file(path: Path) -> Path:
    """One problem with a reference and a test that hardly tells anything."""
    row = {
        "task_id": "sum",
        "prompt": 'def f(xs):\n    """The sum."""\n',
        "entry_point": "f",
        "reference_solution": GOOD,
        "reference_tests": ["assert f([1, 2]) == 3"],
    }
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


@pytest.mark.slow
def test_from_a_pool_to_evolved_suites(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solutions become a pool, a suite is run on it and grown, and the rounds are written for a trainer."""
    monkeypatch.setenv("TOUCHSTONE_DATA", str(tmp_path / "data"))
    problems = problems_file(tmp_path / "problems.jsonl")
    for name, code in (("model-a", STRICT), ("model-b", GOOD + "  # b")):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"task_id": "sum", "solution": code}) + "\n")
    pool, zero, out = tmp_path / "pool.jsonl", tmp_path / "zero", tmp_path / "grown"
    given = [item for name in ("model-a", "model-b") for item in ("--solutions", tmp_path / f"{name}.jsonl")]
    status, text, _ = run(capsys, "evolve", "pool", problems, *given, "--out", pool, "--json")
    assert status == 0
    assert json.loads(text)["solutions"] == {"reference": 1, "model-a": 1, "model-b": 1}
    tests = tmp_path / "tests.jsonl"
    tests.write_text(json.dumps({"task_id": "sum", "tests": ["assert f([1, 2]) == 3"]}) + "\n")
    assert run(capsys, "run", "--benchmark", pool, "--tests", tests, "--out", zero)[0] == 0
    options = ("--rounds", 1, "--attempts", 30, "--n-tests", 4, "--min-tests", 1, "--workers", 1)
    status, text, _ = run(capsys, "evolve", "round", zero, "--out", out, *options, "--json")
    assert status == 0
    report = json.loads(text)
    rates = [one["sources"]["overall"]["models"]["model-a"]["1"]["value"] for one in report["rounds"]]
    assert rates == [1.0, 0.0]
    assert report["runs"] == [str(zero), f"{out}-1"]
    assert {one["method"]: one["split"] == one["tests"] for one in report["steps"]} == {
        "adversarial": True,
        "discriminative": True,
    }
    assert open_run(Path(f"{out}-1")).manifest.parent == "zero"
    status, text, _ = run(capsys, "evolve", "round", zero, "--out", out, *options)
    assert status == 0
    assert "{" not in text
    prompts = tmp_path / "prompts.jsonl"
    exported = ("--layout", "prompts", "--min-tests", 1, "--out", prompts)
    assert run(capsys, "evolve", "export", f"{out}-1", *exported)[0] == 0
    assert json.loads(prompts.read_text())["entry_point"] == "f"


def test_a_round_of_what_is_no_run_is_wrong_input(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start that is neither a run nor a pipeline file ends with status 2, and says so."""
    monkeypatch.setenv("TOUCHSTONE_DATA", str(tmp_path / "data"))
    start = problems_file(tmp_path / "problems.jsonl")
    status, _, err = run(
        capsys, "evolve", "round", start, "--out", tmp_path / "grown", "--sandbox", "process"
    )
    assert status == 2
    assert "expected a run's folder or rows with" in err


def test_seeds_are_deduplicated(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Problems of two files become one file without near copies; a row a source, and what was dropped."""
    for name in ("taco", "apps"):
        rows = [
            {"id": f"{name}-{t}", "question": t, "tests": ["assert f(1) == 1"]}
            for t in ("add two", f"a {name}")
        ]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    files, out = (tmp_path / "taco.jsonl", tmp_path / "apps.jsonl"), tmp_path / "seeds.jsonl"
    status, text, err = run(capsys, "evolve", "dedup", *files, "--out", out)
    assert status == 0
    heads = [line.split()[0] for line in text.splitlines() if line.split()]
    assert heads[:4] == ["source", "taco", "apps", "dropped"]
    assert {*text.splitlines()[-1].split()} == {"taco-add", "apps-add", "two", "1.000"}
    assert "comparing problems: 4/4 problems" in err
    assert f"3 problems written to {out}" in err
    assert "TF-IDF of words (offline; knows no meaning)" in err
    loaded = formats.load(out)
    assert loaded.benchmark is not None
    assert len(loaded.benchmark.problems) == 3


def test_filters_and_choices_are_told_in_words(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`filter` names its reasons in words and `select` says why a solution is shown; JSON keeps its shape."""
    folder = run_folder(tmp_path / "zero", POOL)
    options = ("--per-pattern", 1, "--min-tests", 1)
    _, text, _ = run(capsys, "evolve", "filter", folder, *options)
    assert [line.split() for line in text.splitlines()] == [
        ["problems", "tests"],
        ["before", "1", "4"],
        ["removed:", "passed", "by", "too", "few", "0"],
        ["removed:", "same", "pass", "vector", "2"],
        ["removed:", "too", "few", "tests", "left", "0"],
        ["removed:", "too", "many", "perfect", "0"],
        ["after", "1", "2"],
    ]
    choice = ("evolve", "select", folder, "--problem", "p", "--method", "adversarial")
    _, text, _ = run(capsys, *choice)
    assert text.splitlines()[1].split() == ["s0", "100%", "best", "by", "pass", "rate"]
    _, text, _ = run(capsys, *choice, "--json")
    assert json.loads(text) == {"selected": ["s0", "s1"]}


def test_a_missing_library_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without sentence-transformers the message says what to install."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    start = problems_file(tmp_path / "problems.jsonl")
    asked = ("--embedding", "sentence-transformers", "--out", tmp_path / "x")
    status, _, err = run(capsys, "evolve", "dedup", start, *asked)
    assert status == 2
    assert "requirements-embeddings.txt" in err


def test_refined_seeds_become_problems(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Answers with a question and enough tests are kept, the others counted, bad rows named."""

    def answer(task_id: str, value: Any) -> str:
        return json.dumps({"task_id": task_id, "response": json.dumps(value), "sample": 0}) + "\n"

    tests = [f"assert f({n}) == {n}" for n in range(5)]
    answers, out = tmp_path / "answers.jsonl", tmp_path / "out.jsonl"
    answers.write_text(
        answer("a", {"question": "Hard.", "tests": tests})
        + answer("b", {"tests": tests})
        + answer("c", {"question": "Hard.", "tests": tests[:2]})
        + '{"task_id": "d"}\n'
    )
    status, text, err = run(capsys, "evolve", "seeds", answers, "--out", out, "--json")
    assert status == 0
    assert json.loads(text) == {
        "problems": 1,
        "tests": 5,
        "left_out": {"no question": 1, "fewer than 5 tests": 1},
    }
    assert "answers.jsonl:4: response: expected task_id and response as text" in err
    assert json.loads(out.read_text()) == {"id": "a", "question": "Hard.", "tests": tests}


def test_a_pipeline_file_can_be_exported(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """What works on a run works on a pipeline file."""
    start = pipeline_file(tmp_path / "rows.jsonl", POOL)
    exported = ("--out", tmp_path / "out.jsonl", "--min-tests", 1, "--json")
    status, text, _ = run(capsys, "evolve", "export", start, *exported)
    assert (status, json.loads(text)["tests"]) == (0, 4)


def test_wrong_tests_are_dropped_on_request(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """With --drop-wrong a test that the reference fails is counted under its own reason."""
    folder = run_folder(tmp_path / "r", trial("PF", "PP", sources=("reference", "a")))
    _, out, _ = run(capsys, "evolve", "filter", folder, "--drop-wrong", "--min-tests", 1, "--json")
    assert json.loads(out)["removed"]["fails_reference"] == 1


def test_a_round_without_problems_is_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Where the filter drops every problem the table is followed by the reason and the option."""
    _, out, err = run(capsys, "evolve", "report", run_folder(tmp_path / "zero", POOL), "--filter")
    assert out.splitlines()[1].split()[:2] == ["0", "0"]
    assert "Round 0: the filter drops the only problem: 1 with too few tests left." in err
    assert "--min-tests N" in err


@pytest.mark.parametrize("command", ["dedup", "export", "pool", "seeds", "round"])
def test_a_place_that_cannot_be_written_is_refused_before_any_work(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    """A path below a file, or a folder where a file is written, ends in one sentence and exit status 2."""
    start = problems_file(tmp_path / "p.jsonl")
    (tmp_path / "file").write_text("", encoding="utf-8")
    places = [(tmp_path / "file" / "x", "is a file")]
    places += [(tmp_path, "is a folder")] if command != "round" else [(tmp_path / "file", "is a file")]
    for out, said in places:
        status, printed, err = run(capsys, "evolve", command, start, "--out", out)
        assert (status, printed) == (2, "")
        assert said in err
        assert "Errno" not in err


def test_rounds_are_not_written_into_another_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A folder that holds a run is refused before anything is written into it."""
    start, other = run_folder(tmp_path / "zero", POOL), run_folder(tmp_path / "other", POOL)
    before = sorted(path.name for path in other.iterdir())
    status, _, err = run(capsys, "evolve", "round", start, "--out", other)
    assert status == 2
    assert "expected a new folder or rounds to go on with" in " ".join(err.split())
    assert sorted(path.name for path in other.iterdir()) == before
