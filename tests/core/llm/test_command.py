import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from core import jobs
from core.formats import load
from core.jobs import JobState, job_folder
from tests.core.llm.server import Server, chat

KEY = "sk-test-0123456789abcdef"


def command(server: Server, benchmark: Path, out: Path, *more: str, kind: str = "tests") -> list[str]:
    """Arguments after `python -m core`."""
    where = ["--benchmark", str(benchmark), "--model", "m", "--base-url", server.base_url, "--out", str(out)]
    return ["generate", kind, *where, *more]


def environment(folder: Path, **more: str) -> dict[str, str]:
    """This process's environment without keys."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return {**kept, "TOUCHSTONE_DATA": str(folder / "data"), **more}


def core(*arguments: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run `python -m core` to its end."""
    return subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        capture_output=True,
        text=True,
        env=environment(folder, **more),
        check=False,
    )


def keys(out: Path) -> list[tuple[str, int]]:
    """task_id and sample of each whole row."""
    whole = [line for line in out.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return [(row["task_id"], row["sample"]) for row in map(json.loads, whole)]


def test_a_killed_generation_goes_on(server: Server, benchmark_file: Path, tmp_path: Path) -> None:
    """After kill -9 in the middle the same command asks the rest; only what was in flight is asked twice."""
    out = tmp_path / "t.jsonl"
    arguments = command(server, benchmark_file, out, "--samples", "5", "--concurrency", "3", "--json")

    def reply(path: str, body: object) -> dict[str, object]:
        if server.answered >= 7:
            server.gate.clear()
        return chat("assert double(1) == 2")

    server.reply = reply
    process = subprocess.Popen(
        [sys.executable, "-m", "core", *arguments], env=environment(tmp_path), stderr=subprocess.DEVNULL
    )
    server.wait_for(lambda: not server.gate.is_set() and out.exists() and len(keys(out)) >= 7)
    process.send_signal(signal.SIGKILL)
    process.wait()
    job = jobs.read(job_folder(out))
    assert job is not None
    assert job.state is JobState.FAILED
    before = keys(out)
    assert 7 <= len(before) < 20
    with out.open("a") as stream:
        stream.write('{"task_id": "T/3", "sam')  # as if killed while writing
    server.reply = lambda path, body: chat("assert double(1) == 2")
    server.gate.set()
    done = core(*arguments, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["known"] == len(before)
    assert Counter(keys(out)) == Counter({(f"T/{i}", sample): 1 for i in range(4) for sample in range(5)})
    assert len(server.seen) <= 20 + 3


def test_a_job_stops_cleanly_and_goes_on(server: Server, benchmark_file: Path, tmp_path: Path) -> None:
    """SIGTERM ends a generation as "stopped" with its answers kept; started again it finishes."""
    out = tmp_path / "t.jsonl"
    arguments = command(server, benchmark_file, out, "--concurrency", "1")
    server.fault = lambda number, body: "hang" if number == 3 else None
    jobs.start(arguments, job_folder(out), {"TOUCHSTONE_API_KEY": KEY})
    server.wait_for(lambda: len(server.seen) == 3 and len(keys(out)) == 2)
    jobs.stop(job_folder(out))
    job = jobs.read(job_folder(out))
    assert job is not None
    assert job.state is JobState.STOPPED, job.log_tail
    assert job.progress is not None
    assert (job.progress.done, job.progress.total) == (2, 4)
    jobs.start(arguments, job_folder(out), {"TOUCHSTONE_API_KEY": KEY})
    server.wait_for(
        lambda: (again := jobs.read(job_folder(out))) is None or again.state is not JobState.RUNNING
    )
    assert sorted(keys(out)) == [(f"T/{i}", 0) for i in range(4)]
    assert {headers["authorization"] for _, _, headers in server.seen} == {f"Bearer {KEY}"}


def test_the_key_is_written_nowhere(server: Server, benchmark_file: Path, tmp_path: Path) -> None:
    """No file, output or log holds the key, though the endpoint echoes it and logs are at their loudest."""
    server.key = KEY
    server.reply = lambda path, body: chat(f"your key is {KEY}", reasoning_content=KEY)
    server.fault = lambda number, body: "400" if number == 2 else None
    loud = {"OPENAI_LOG": "debug"}
    out = tmp_path / "t.jsonl"
    arguments = command(server, benchmark_file, out, "--concurrency", "1", "--retries", "0", "--json")
    texts = []
    for number, given in enumerate((KEY, f"  {KEY}\n", f"{KEY}x", f"{KEY}\nX: y", f"{KEY}\u00e9")):
        variable = ("TOUCHSTONE_API_KEY", "OPENAI_API_KEY")[number % 2]
        done = core(*arguments, folder=tmp_path, **{variable: given}, **loud)
        texts += [done.stdout, done.stderr]
        out.unlink(missing_ok=True)
    jobs.start(arguments, job_folder(out), {"TOUCHSTONE_API_KEY": KEY, **loud})
    server.wait_for(lambda: (job := jobs.read(job_folder(out))) is None or job.state is not JobState.RUNNING)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"t.jsonl", "job.json", "job.log", "progress.json", "failures.jsonl"} <= {
        path.name for path in files
    }
    assert "[key removed]" in out.read_text()
    texts += [path.read_bytes().decode("utf-8", "replace") for path in files]
    assert not [text for text in texts if KEY in text]
    assert any(KEY in headers["authorization"] for _, _, headers in server.seen)


def test_a_dry_run_asks_nothing(server: Server, benchmark_file: Path, tmp_path: Path) -> None:
    """--dry-run prints the estimate with its cost and one filled-in prompt, and writes nothing."""
    out = tmp_path / "t.jsonl"
    prices = ("--price-in", "1", "--price-out", "2", "--max-tokens", "500")
    done = core(*command(server, benchmark_file, out, "--dry-run", "--json", *prices), folder=tmp_path)
    sheet = json.loads(done.stdout)
    expected = sheet["estimate"]
    assert (expected["requests"], expected["known"]) == (4, 0)
    assert expected["prompt_tokens"] > 4 * 100
    assert expected["cost"] == pytest.approx(
        (expected["prompt_tokens"] + 2 * expected["completion_tokens"]) / 1e6
    )
    assert expected["most_completion_tokens"] == 2000
    assert "Costs $5. (number 0)" in sheet["prompt"][0]["content"]
    assert not server.seen
    assert not out.exists()
    assert not job_folder(out).exists()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--extra", "[1]"), "expected a JSON object"),
        (("--prompt", "no-such-file.md"), "no-such-file.md"),
        (("--base-url", "http://a:b@host/v1"), "password"),
    ],
)
def test_bad_options_end_with_2(
    more: tuple[str, ...], words: str, server: Server, benchmark_file: Path, tmp_path: Path
) -> None:
    """What the user got wrong is named, with exit status 2 and no request."""
    done = core(*command(server, benchmark_file, tmp_path / "t.jsonl", *more), folder=tmp_path)
    assert (done.returncode, server.seen) == (2, [])
    assert words in done.stderr


def test_failures_end_with_1_and_are_named(server: Server, benchmark_file: Path, tmp_path: Path) -> None:
    """If some requests failed the summary is printed, the status is 1 and the way to go on is said."""
    out = tmp_path / "t.jsonl"
    server.fault = lambda number, body: "400" if "(number 2)" in str(body) else None
    arguments = command(server, benchmark_file, out, "--json")
    done = core(*arguments, folder=tmp_path)
    assert (done.returncode, json.loads(done.stdout)["failed"]) == (1, 1)
    assert "--retry-failed" in done.stderr
    server.fault = lambda number, body: None
    done = core(*arguments, "--retry-failed", folder=tmp_path)
    assert (done.returncode, json.loads(done.stdout)["failed"]) == (0, 0)


def test_rewards_become_a_run_and_are_scored(server: Server, benchmark_file: Path, tmp_path: Path) -> None:
    """`generate rewards` writes what `score` and `run --tests` take; the run executes nothing."""
    out, folder = tmp_path / "r.jsonl", tmp_path / "run"
    rewards = {"return x * 2": "reward:3.0", "return x ** 2": "reward:-1.5", "return x\n": "reward:-2"}
    server.reply = lambda path, body: chat(
        next(said for code, said in rewards.items() if code in body["messages"][-1]["content"] + "\n")
    )
    assert core(*command(server, benchmark_file, out, kind="rewards"), folder=tmp_path).returncode == 0
    flat = json.loads(core("score", str(out), "--json", folder=tmp_path).stdout)["runs"][0]
    where = ("--benchmark", str(benchmark_file), "--tests", str(out), "--out", str(folder), "--json")
    done = core("run", *where, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)["runs"][0]
    assert run["metrics"] == flat["metrics"]
    assert run["metrics"]["top1"]["value"] == 1.0
    assert run["metrics"]["mae"]["value"] == pytest.approx(0.4 / 3)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["verifier_kind"] == "reward"


@pytest.mark.parametrize("kind", ["harness", "io"])
def test_answers_to_hunt_with_are_read_as_such(
    server: Server, benchmark_file: Path, tmp_path: Path, kind: str
) -> None:
    """Each is asked for with the program that it is about, and the file is one of answers."""
    out = tmp_path / "a.jsonl"
    server.reply = lambda path, body: chat('```json\n[{"input_args": {"x": 1}, "expected_output": 2}]\n```')
    done = core(*command(server, benchmark_file, out, "--json", kind=kind), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    answers = load(out).answers
    rows = list(map(json.loads, out.read_text().splitlines()))
    assert set(answers) == {f"{row['task_id']}:{row['shown_solution']}" for row in rows}
