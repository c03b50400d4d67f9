"""The command line as other programs meet it: exit statuses, messages, what is kept when it is stopped."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.workspace import build_workspace

ROOT = Path(__file__).parents[3]
PROBLEM = {
    "task_id": "square",
    "prompt": 'def f(a):\n    """The square."""\n',
    "entry_point": "f",
    "reference_solution": "def f(a):\n    return a * a\n",
    "reference_tests": [f"assert f({n}) == {n * n}" for n in range(-3, 3)],
}


def start(data: Path, *arguments: object) -> subprocess.Popen[str]:
    """Start a command with `data` as its data folder."""
    return subprocess.Popen(
        [sys.executable, "-m", "core", *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "TOUCHSTONE_DATA": str(data)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(data: Path, *arguments: object) -> tuple[int, str, str]:
    """Run a command; exit status, stdout and stderr."""
    process = start(data, *arguments)
    out, err = process.communicate()
    return process.returncode, out, err


@pytest.fixture
def problems(tmp_path: Path) -> Path:
    """A file with one problem."""
    path = tmp_path / "problems.jsonl"
    path.write_text(json.dumps({**PROBLEM, "solutions": []}) + "\n")
    return path


def test_a_folder_without_a_run_is_wrong_input(tmp_path: Path) -> None:
    """Showing what is no run ends with status 2 and names the folder."""
    status, _, err = run(tmp_path, "show", tmp_path / "none", "--problem", "x")
    assert status == 2
    assert "is not the folder of a run" in err


def test_a_folder_whose_job_failed_says_why(tmp_path: Path) -> None:
    """Showing a run that was never begun tells which command failed there, and why."""
    (tmp_path / "job.json").write_text('{"command": ["run"], "pid": 4194305, "create_time": 1.0}')
    (tmp_path / "job.log").write_text("error docker: no engine answers\n")
    status, _, err = run(tmp_path, "show", tmp_path)
    assert status == 2
    assert "`python -m core run` failed before there was one: docker: no engine answers" in err


def test_an_unknown_sandbox_is_answered_with_those_that_exist(tmp_path: Path, problems: Path) -> None:
    """The names, and the command that says which of them work here; nothing is run."""
    inputs = ["--benchmark", problems, "--tests", problems, "--out", tmp_path / "run"]
    status, _, err = run(tmp_path, "run", *inputs, "--sandbox", "firejail")
    assert status == 2
    assert (
        "'firejail' is not one of 'auto', 'process', 'bubblewrap', 'docker'; `python -m core sandboxes`"
        in err
    )
    assert "Value error" not in err


@pytest.mark.parametrize("group", [[], ["study"], ["evolve"], ["bugs"]])
def test_the_list_of_commands_cuts_no_sentence(tmp_path: Path, group: list[str]) -> None:
    """What each command does is short enough for a terminal of 80 columns."""
    _, out, _ = run(tmp_path, *group, "--help")
    assert "Commands:" in out
    assert "..." not in out.partition("Commands:")[2]


def test_a_file_is_not_the_folder_of_a_run(tmp_path: Path, problems: Path) -> None:
    """Showing a file ends with status 2, as any path that is no run does."""
    status, _, err = run(tmp_path, "show", problems)
    assert status == 2
    assert "is not the folder of a run" in err


def test_a_source_that_is_not_there_is_answered_with_what_one_may_be(tmp_path: Path) -> None:
    """A name that is no file ends with status 2 and says what a source is."""
    status, _, err = run(tmp_path, "build", "mbbp", "--out", tmp_path / "b.jsonl")
    assert status == 2
    assert "mbbp: there is no such file; expected humaneval, a file or folder of problems, or hub:" in err


@pytest.mark.slow
def test_a_benchmark_of_nothing_is_refused(tmp_path: Path, problems: Path) -> None:
    """Without candidates there is nothing to rank: no file is written, and the reason is said."""
    out = tmp_path / "bench.jsonl"
    status, _, err = run(tmp_path, "build", problems, "--out", out)
    assert status == 2
    assert "nothing to rank" in err
    assert not out.exists()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_build_is_stopped_cleanly(tmp_path: Path, problems: Path, number: signal.Signals) -> None:
    """A stopped build says so, leaves no benchmark and no process, and its cells in the cache."""
    solutions, out = tmp_path / "solutions.jsonl", tmp_path / "bench.jsonl"
    slow = "import time\ndef f(a):\n    time.sleep(0.5)\n    return {}\n"
    solutions.write_text(
        "".join(json.dumps({"task_id": "square", "solution": slow.format(n)}) + "\n" for n in range(60))
    )
    process = start(tmp_path, "build", problems, "--out", out, "--solutions", solutions, "--workers", "1")
    assert process.stderr is not None
    while "scoring candidates" not in process.stderr.readline():
        pass
    process.send_signal(number)
    out_text, err = process.communicate(timeout=60)
    assert (process.returncode, out_text) == (1, "")
    assert "stopped; what is finished is kept" in err
    assert not out.exists()
    assert (tmp_path / "cache.sqlite").exists()


def test_a_build_replaces_no_other_file(tmp_path: Path, problems: Path) -> None:
    """A file that is no benchmark is not overwritten: status 2 before any work, and it is as it was."""
    before = problems.with_name("mine.jsonl")
    before.write_text('{"task_id": "square", "tests": ["assert f(1) == 1"]}\n')
    status, _, err = run(tmp_path, "build", problems, "--out", before, "--mutants", "4")
    assert status == 2
    assert "holds something else (touchstone-tests)" in err
    assert "sandbox:" not in err
    assert before.read_text() == '{"task_id": "square", "tests": ["assert f(1) == 1"]}\n'


@pytest.mark.parametrize("command", ["build", "run"])
def test_a_place_that_cannot_be_written_is_refused_first(
    tmp_path: Path, problems: Path, command: str
) -> None:
    """A path below a file ends with status 2 and one sentence, before anything runs."""
    out = problems / "below"
    inputs = [problems] if command == "build" else ["--benchmark", problems, "--tests", problems]
    status, _, err = run(tmp_path, command, *inputs, "--out", out)
    assert status == 2
    assert "is a file; expected a folder" in err
    assert "sandbox:" not in err


@pytest.mark.parametrize("command", ["build", "run"])
def test_a_name_that_the_system_refuses_is_refused_first(
    tmp_path: Path, problems: Path, command: str
) -> None:
    """A name that is too long, or a link to nowhere, ends with status 2 and one sentence; nothing is left."""
    (tmp_path / "link").symlink_to(tmp_path / "nowhere" / "else")
    inputs = [problems] if command == "build" else ["--benchmark", problems, "--tests", problems]
    for out in (tmp_path / "new" / ("x" * 300), tmp_path / "link" / "below"):
        status, _, err = run(tmp_path, command, *inputs, "--out", out)
        assert status == 2
        assert f"{out}: can't be written" in err.replace("\n", "")
        assert "sandbox:" not in err
    assert not (tmp_path / "new").exists()


@pytest.mark.slow
def test_a_finished_run_says_that_nothing_was_run(tmp_path: Path, problems: Path) -> None:
    """The same command again prints the same scores and says that nothing was run for them."""
    bench, tests = tmp_path / "bench.jsonl", tmp_path / "tests.jsonl"
    tests.write_text('{"task_id": "square", "tests": ["assert f(2) == 4"]}\n')
    assert run(tmp_path, "build", problems, "--out", bench, "--mutants", "8")[0] == 0
    arguments = ("run", "--benchmark", bench, "--tests", tests, "--out", tmp_path / "run", "--json")
    first, second = run(tmp_path, *arguments), run(tmp_path, *arguments)
    assert (first[0], first[1]) == (second[0], second[1])
    assert "nothing was run" in second[2]
    assert "nothing was run" not in first[2]


def test_scoring_every_folder_passes_over_a_job(tmp_path: Path) -> None:
    """`score runs/*` scores the runs, and says which folder is a job's alone."""
    workspace = build_workspace(tmp_path)
    job = workspace.run_dir("demo")
    job.mkdir()
    (job / "job.json").write_text('{"command": ["demo"], "pid": 1, "create_time": 0.0}')
    status, out, err = run(tmp_path, "score", *sorted(workspace.runs_dir.iterdir()), "--json")
    assert status == 0
    assert "demo" not in [entry["run"] for entry in json.loads(out)["runs"]]
    assert "a job's folder, no run" in err


def test_scores_of_single_solutions_are_told_to_say_nothing(tmp_path: Path) -> None:
    """`score` says in how many problems one solution alone is ranked, so that its 1.000 is not believed."""
    rows = [
        {"dataset": "x", "task_id": task, "ground_average_test_score": 1.0, "rank": rank}
        | {"average_test_score": 0.5}
        for task, rank in (("A", 1), ("B", 1), ("B", 2))
    ]
    file = tmp_path / "scores.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    status, _, err = run(tmp_path, "score", file)
    assert status == 0
    assert "In 1 problem one solution alone has a score and a reference rank" in err


def test_ctrl_c_before_the_work_begins_is_no_trace(tmp_path: Path, problems: Path) -> None:
    """Ctrl-C while a command still loads its libraries ends with status 1 and one sentence."""
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "core", "check", str(problems)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    while "typer" not in process.stderr.readline():
        pass
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert "stopped before any work was begun" in err
    assert "Traceback" not in err


def test_a_python_without_the_libraries_is_told_how_to_get_them() -> None:
    """Started with another Python, the command line names the interpreter and the way to install."""
    process = subprocess.run(
        [sys.executable, "-S", "-m", "core", "demo"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 1
    assert "make run" in process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.slow
def test_a_benchmark_runs_its_own_tests(tmp_path: Path, problems: Path) -> None:
    """Given as the tests, a benchmark's reference tests rank its solutions as they are ranked."""
    bench = tmp_path / "bench.jsonl"
    status, _, err = run(tmp_path, "build", problems, "--out", bench, "--mutants", 8, "--more-tests", 6)
    assert status == 0, err
    status, out, err = run(
        tmp_path, "run", "--benchmark", bench, "--tests", bench, "--out", tmp_path / "own", "--json"
    )
    assert status == 0, err
    metrics = json.loads(out)["runs"][0]["metrics"]
    assert (metrics["top1"]["value"], metrics["spearman"]["value"], metrics["mae"]["value"]) == (1, 1, 0)


@pytest.mark.slow
def test_a_run_of_no_usable_test_is_refused(tmp_path: Path, problems: Path) -> None:
    """Tests, or scores, of unknown tasks alone end with status 2, and no run is written."""
    bench, tests = tmp_path / "bench.jsonl", tmp_path / "tests.jsonl"
    tests.write_text('{"task_id": "other", "tests": ["assert f(2) == 4"]}\n')
    assert run(tmp_path, "build", problems, "--out", bench, "--mutants", "8")[0] == 0
    status, out, err = run(
        tmp_path, "run", "--benchmark", bench, "--tests", tests, "--out", tmp_path / "r", "--json"
    )
    assert (status, out) == (2, "")
    assert "holds no usable test" in err
    scores = tmp_path / "scores.jsonl"
    row = {"dataset": "x", "task_id": "other", "ground_average_test_score": 1.0, "average_test_score": 1.0}
    scores.write_text(json.dumps(row) + "\n")
    status, _, err = run(tmp_path, "run", "--benchmark", bench, "--tests", scores, "--out", tmp_path / "r")
    assert status == 2
    assert "holds no usable score" in err
    assert not (tmp_path / "r").exists()


def test_a_build_does_not_replace_its_source(tmp_path: Path, problems: Path) -> None:
    """SOURCE and --out as one file would lose what is not kept: refused."""
    before = problems.read_text()
    status, _, err = run(tmp_path, "build", problems, "--out", problems, "--mutants", "4")
    assert status == 2
    assert "is the source itself" in err
    assert problems.read_text() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "x", "--seed", "-1"),
        ("score", "x", "--bootstrap", "999999999"),
        ("demo", "--workers", "5000000"),
    ],
)
def test_an_option_out_of_range_is_wrong_usage(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """A seed below zero, too many replicates or workers end with status 2 before any work."""
    status, _, err = run(tmp_path, *arguments)
    assert status == 2
    assert "Invalid value" in err


def test_checking_tells_each_reason_once_or_row_by_row(tmp_path: Path, problems: Path) -> None:
    """Unknown tasks are one line with the first row and a count; with --all and --json each row is there."""
    tests = tmp_path / "tests.jsonl"
    rows = [{"task_id": f"other/{n}", "tests": ["assert f(1) == 1"]} for n in range(40)]
    rows.append({"task_id": "square", "tests": ["assert f(2) == 4"]})
    tests.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ("check", tests, "--benchmark", problems)
    status, out, err = run(tmp_path, *command)
    assert status == 2
    assert out.splitlines() == [
        "touchstone-tests: 1 of 41 rows are good",
        (
            f"  {tests}:1: task_id: expected a task of the benchmark, 'other/0' is not in it "
            "(and 39 more like it, to line 40)"
        ),
    ]
    assert "--all lists every row" in err
    assert run(tmp_path, *command, "--all")[1].count("is not in it") == 40
    assert [row["line"] for row in json.loads(run(tmp_path, *command, "--json")[1])["errors"]] == [
        *range(1, 41)
    ]


@pytest.mark.parametrize("name", ["two\nlines", "bell\a", " "])
def test_a_name_that_no_table_can_show_is_refused(tmp_path: Path, problems: Path, name: str) -> None:
    """A line break, a control character or nothing but blanks as a name: status 2 before anything runs."""
    inputs = ("--benchmark", problems, "--tests", problems, "--out", tmp_path / "run")
    status, _, err = run(tmp_path, "run", *inputs, "--name", name)
    assert status == 2
    assert "--name: expected a name on one line" in err.replace("\n", "")
    assert not (tmp_path / "run").exists()
