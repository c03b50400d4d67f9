import json
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core import formats
from core.benchmarks.sources import read_source
from core.errors import InputError
from core.llm import (
    Endpoint,
    EndpointError,
    Generation,
    Kind,
    Method,
    Mode,
    Prices,
    RefusedError,
    Shown,
    failures,
    generate,
)
from core.llm.generate import GIVE_UP_AFTER
from core.llm.parsing import reasoning_of
from core.model import Benchmark, StdioTest
from core.progress import Progress
from tests.core.llm.server import PASSING, Server, chat

TESTS = Generation(Kind.TESTS, "m", samples=2)


def rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of answers."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_answer_is_kept_as_it_came(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """A row holds the raw text, reasoning, usage, model, finish reason, seconds and request."""
    server.reply = lambda path, body: chat("  assert double(1) == 2\n", reasoning_content="Hm.")
    asked = replace(TESTS, temperature=1.0, max_tokens=50, seed=7, extra={"top_k": 3})
    summary = generate(benchmark, asked, endpoint, tmp_path / "t.jsonl")
    assert (summary.requests, summary.answered, summary.failed) == (8, 8, 0)
    found = rows(tmp_path / "t.jsonl")
    assert {(row["task_id"], row["sample"]) for row in found} == {
        (f"T/{i}", s) for i in range(4) for s in (0, 1)
    }
    row = found[0]
    assert (row["response"], row["reasoning"]) == ("  assert double(1) == 2\n", "Hm.")
    assert (row["answered_by"], row["finish_reason"], row["usage"]["completion_tokens"]) == (
        "served",
        "stop",
        20,
    )
    assert row["seconds"] > 0
    assert row["request"]["base_url"] == server.base_url
    assert {"temperature": 1.0, "max_tokens": 50, "seed": 7, "extra": {"top_k": 3}}.items() <= row[
        "request"
    ].items()
    assert {body["seed"] for body in server.bodies} == {7, 8}
    assert all(body["top_k"] == 3 and body["temperature"] == 1.0 for body in server.bodies)


def test_an_answer_that_is_no_unicode_is_kept(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """A lone surrogate, which UTF-8 can't hold, is written as JSON escapes it and reads back."""
    server.reply = lambda path, body: chat("assert double('\ud800') == 2")
    generate(benchmark, TESTS, endpoint, tmp_path / "t.jsonl")
    assert {row["response"] for row in rows(tmp_path / "t.jsonl")} == {"assert double('\ud800') == 2"}


def test_answers_load_as_suites(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """A file of answers to tests prompts is read as one suite a problem, with the response kept."""
    generate(benchmark, replace(TESTS, samples=1), endpoint, tmp_path / "t.jsonl")
    loaded = formats.load(tmp_path / "t.jsonl", expect="suites", benchmark=benchmark)
    assert not loaded.errors
    assert [len(suite.tests) for suite in loaded.suites] == [2] * 4
    assert loaded.suites[0].response is not None
    assert reasoning_of(rows(tmp_path / "t.jsonl")[0]) == "Two will do."


def test_answers_of_a_stdio_benchmark_load_as_input_and_output(
    stdio_benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """For programs that read standard input the answer's JSON list becomes tests, whole or cut off."""
    server.reply = lambda path, body: chat(
        'Here:\n```json\n[{"input_str": "1\\n", "expected_output": "2\\n"}, {"input_str": "2\\n", "expec'
    )
    generate(stdio_benchmark, Generation(Kind.TESTS, "m"), endpoint, tmp_path / "t.jsonl")
    loaded = formats.load(tmp_path / "t.jsonl", benchmark=stdio_benchmark)
    assert loaded.suites[0].tests == (StdioTest("1\n", "2\n"),)
    assert len(loaded.suites[0].unparsed) == 1


def test_solutions_load_as_whole_programs(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """Both prompts' completions load as solutions with ids of their own and the model as their source."""
    server.reply = lambda path, body: chat("Sure:\n```python\ndef double(x):\n    return x + x\n```\nDone.")
    asked = Generation(Kind.SOLUTIONS, "m", samples=2, mode=Mode.BOTH)
    generate(benchmark, asked, endpoint, tmp_path / "s.jsonl")
    loaded = formats.load(tmp_path / "s.jsonl", expect="solutions", benchmark=benchmark)
    found = loaded.solutions["T/0"]
    assert {one.id for one in found} == {"m/correct/0", "m/correct/1", "m/partial/0", "m/partial/1"}
    assert all(one.source == "m" and one.code.strip().endswith("return x + x") for one in found)
    asked_partly = [body for body in server.bodies if "somewhat incorrect" in body["messages"][0]["content"]]
    assert len(asked_partly) == len(server.bodies) / 2


@pytest.mark.parametrize("fault", PASSING)
def test_a_passing_fault_loses_nothing(
    fault: str, benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """A request that meets a fault which passes is made again, and every answer is there once."""
    server.fault = lambda number, body: fault if number in {2, 5} else None
    patient = replace(endpoint, timeout=2.0) if fault == "hang" else endpoint
    summary = generate(benchmark, TESTS, patient, tmp_path / "t.jsonl", concurrency=2)
    assert (summary.answered, summary.failed) == (8, 0)
    assert len({(row["task_id"], row["sample"]) for row in rows(tmp_path / "t.jsonl")}) == 8
    assert len(rows(tmp_path / "t.jsonl")) == 8
    assert len(server.seen) >= 10


def test_retry_after_is_honoured(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """No request comes before the time that a 429 asked for, though the usual first wait is shorter."""
    server.retry_after = "2"
    server.fault = lambda number, body: "429" if number == 1 else None
    summary = generate(benchmark, TESTS, endpoint, tmp_path / "t.jsonl", concurrency=1)
    assert summary.answered == 8
    assert (len(server.seen), server.early) == (9, 0)


def test_a_wrong_key_stops_at_once_and_says_what_to_do(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """A refused key is not tried again; the message names the variables and hides the key."""
    server.key = "sk-the-right-one"
    with pytest.raises(RefusedError, match="TOUCHSTONE_API_KEY or OPENAI_API_KEY") as caught:
        generate(
            benchmark,
            TESTS,
            replace(endpoint, api_key="sk-quite-wrong-0815"),
            tmp_path / "t.jsonl",
            concurrency=1,
        )
    assert "sk-quite-wrong-0815" not in str(caught.value)
    assert "[key removed]" in str(caught.value)
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("fault", "words"), [("403", "valid one"), ("404", "--model"), ("quota", "no credit left")]
)
def test_what_refuses_everything_stops_everything(
    fault: str, words: str, benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """No such model, no right for the key or no credit: told at once, and nothing more is asked."""
    server.fault = lambda number, body: fault
    once = replace(endpoint, retries=0)
    with pytest.raises(RefusedError, match=words):
        generate(benchmark, TESTS, once, tmp_path / "t.jsonl", concurrency=1)
    assert len(server.seen) == 1


def test_refused_requests_are_listed_and_asked_again_alone(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """A 400 is one request's failure: not retried, listed with its reason, and asked again alone."""
    out = tmp_path / "t.jsonl"
    server.fault = lambda number, body: "400" if "(number 2)" in str(body) else None
    summary = generate(benchmark, replace(TESTS, samples=1), endpoint, out)
    assert (summary.answered, summary.failed, len(server.seen)) == (3, 1, 4)
    (failure,) = failures(out)
    assert failure.task_id == "T/2"
    assert "made to fail with 400" in failure.reason
    server.fault = lambda number, body: None
    out.write_text("".join(out.read_text().splitlines(keepends=True)[:2]))  # one more is missing now
    summary = generate(benchmark, replace(TESTS, samples=1), endpoint, out, retry_failed=True)
    assert (summary.answered, summary.failed, len(server.seen)) == (1, 0, 5)
    assert failures(out) == ()
    assert generate(benchmark, replace(TESTS, samples=1), endpoint, out).answered == 1


def test_an_endpoint_that_is_down_is_given_up(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """After many failures in a row nothing more is asked, and what failed is listed."""
    server.fault = lambda number, body: "500"
    once = replace(endpoint, retries=0)
    with pytest.raises(EndpointError, match="in a row failed"):
        generate(benchmark, replace(TESTS, samples=50), once, tmp_path / "t.jsonl", concurrency=1)
    assert len(server.seen) == GIVE_UP_AFTER
    assert len(failures(tmp_path / "t.jsonl")) == GIVE_UP_AFTER


def test_nothing_listens(benchmark: Benchmark, endpoint: Endpoint, tmp_path: Path) -> None:
    """Where no server is, the reason says so."""
    nowhere = replace(endpoint, base_url="http://127.0.0.1:9/v1", retries=0)
    summary = generate(benchmark, replace(TESTS, samples=1), nowhere, tmp_path / "t.jsonl")
    assert summary.failed == 4
    assert "is it running?" in failures(tmp_path / "t.jsonl")[0].reason


def test_nothing_listens_where_nobody_named_an_endpoint(
    benchmark: Benchmark, endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reason says how to name one."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    generate(
        benchmark,
        replace(TESTS, samples=1),
        replace(endpoint, base_url=None, retries=0),
        tmp_path / "t.jsonl",
    )
    assert "--base-url names another endpoint" in failures(tmp_path / "t.jsonl")[0].reason


def test_what_is_known_is_not_asked_again(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """A line that was cut off by a kill is dropped and asked again; whole lines stay, byte for byte."""
    out = tmp_path / "t.jsonl"
    generate(benchmark, TESTS, endpoint, out)
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:5]) + lines[5][:40])
    summary = generate(benchmark, TESTS, endpoint, out)
    assert (summary.known, summary.answered, len(server.seen)) == (5, 3, 11)
    assert out.read_bytes().startswith(b"".join(lines[:5]))
    assert len(rows(out)) == 8


def test_more_samples_are_added_to_a_file(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """Asking for more samples later asks only for the further ones."""
    generate(benchmark, TESTS, endpoint, tmp_path / "t.jsonl")
    summary = generate(benchmark, replace(TESTS, samples=3), endpoint, tmp_path / "t.jsonl")
    assert (summary.known, summary.answered) == (8, 4)


def test_a_file_of_something_else_is_refused(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """Answers to another request, and files that were not generated, are never appended to."""
    out = tmp_path / "t.jsonl"
    generate(benchmark, TESTS, endpoint, out)
    before = out.read_bytes()
    with pytest.raises(InputError, match="asked with n_tests 10, not 20"):
        generate(benchmark, replace(TESTS, n_tests=20), endpoint, out)
    assert out.read_bytes() == before
    (tmp_path / "mine.jsonl").write_text('{"task_id": "T/0", "tests": ["assert f(1)"]}\n')
    with pytest.raises(InputError, match="was not generated"):
        generate(benchmark, TESTS, endpoint, tmp_path / "mine.jsonl")


def test_truncated_answers_are_marked_and_empty_ones_are_failures(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """An answer cut off is kept and marked; one without text is a failure, kept apart with its reasoning."""

    def reply(path: str, body: dict[str, Any]) -> dict[str, Any]:
        text = body["messages"][0]["content"]
        if "(number 0)" in text:
            return chat(None, finish_reason="length", reasoning="long thoughts")
        return (
            chat("assert dou", finish_reason="length") if "(number 1)" in text else chat("assert double(1)")
        )

    server.reply = reply
    summary = generate(benchmark, replace(TESTS, samples=1), endpoint, tmp_path / "t.jsonl")
    assert (summary.truncated, summary.empty, summary.answered, summary.failed) == (1, 1, 3, 1)
    (failure,) = failures(tmp_path / "t.jsonl")
    assert failure.reason == "the answer has no text (finish_reason length); raise --max-tokens"
    (kept,) = rows(tmp_path / "t.jsonl.job" / "empty.jsonl")
    assert kept["reasoning"] == "long thoughts"
    server.reply = lambda path, body: chat("assert double(1)")
    again = generate(benchmark, replace(TESTS, samples=1), endpoint, tmp_path / "t.jsonl", retry_failed=True)
    assert (again.answered, again.failed) == (1, 0)
    marks = {row["task_id"]: (row["truncated"], row["empty"]) for row in rows(tmp_path / "t.jsonl")}
    assert marks == {
        "T/0": (False, False),
        "T/1": (True, False),
        "T/2": (False, False),
        "T/3": (False, False),
    }
    formats.load(tmp_path / "t.jsonl", expect="suites", benchmark=benchmark)


def test_progress_tells_live_totals(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """Progress counts answers, those known before, and says tokens and cost so far."""
    generate(benchmark, replace(TESTS, samples=1), endpoint, tmp_path / "t.jsonl")
    told: list[Progress] = []
    summary = generate(
        benchmark, TESTS, endpoint, tmp_path / "t.jsonl", prices=Prices(1.0, 10.0), on_progress=told.append
    )
    assert told[0].done == 4
    assert (told[-1].done, told[-1].total, told[-1].cached, told[-1].unit) == (8, 8, 4, "answers")
    assert told[-1].message == "800 tokens in, 160 out, cost 0.0024"
    assert summary.cost == pytest.approx(0.0024)


def test_no_more_requests_at_once_than_allowed(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """With three places never more than three requests are under way, and all three are used."""
    under_way, most, lock = 0, 0, threading.Lock()
    together = threading.Barrier(3, timeout=30)

    def reply(path: str, body: dict[str, Any]) -> dict[str, Any]:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        together.wait()
        with lock:
            under_way -= 1
        return chat("assert double(1) == 2")

    server.reply = reply
    generate(benchmark, replace(TESTS, samples=3), endpoint, tmp_path / "t.jsonl", concurrency=3)
    assert most == 3


def test_a_shown_solution_is_in_the_prompt_and_in_the_row(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """The chosen solution is shown and named in the row; at random it depends on the seed alone."""
    asked = Generation(Kind.TESTS, "m", shown=Shown.WORST)
    generate(benchmark, asked, endpoint, tmp_path / "w.jsonl")
    assert all("return x\n" in body["messages"][0]["content"] for body in server.bodies)
    assert {row["shown_solution"] for row in rows(tmp_path / "w.jsonl")} == {"none"}
    chosen = []
    for name in ("a", "b"):
        asked = Generation(Kind.TESTS, "m", shown=Shown.RANDOM, seed=3)
        generate(benchmark, asked, endpoint, tmp_path / f"{name}.jsonl")
        chosen.append({row["task_id"]: row["shown_solution"] for row in rows(tmp_path / f"{name}.jsonl")})
    assert chosen[0] == chosen[1]


def test_a_harness_is_asked_for_each_solution(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """Answers to harness prompts are kept raw, one for each problem and solution."""
    server.reply = lambda path, body: chat("```python\ndef check_output(a, b): ...\n```")
    asked = Generation(Kind.HARNESS, "m", shown=Shown.EACH)
    assert generate(benchmark, asked, endpoint, tmp_path / "h.jsonl").answered == 12
    assert rows(tmp_path / "h.jsonl")[0]["response"].startswith("```python")
    assert len({(row["task_id"], row["shown_solution"]) for row in rows(tmp_path / "h.jsonl")}) == 12


def test_rewards_go_to_the_endpoint_of_their_method(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """Each method asks its own path, with its own fields, and reads the number from where it stands."""
    usage = {"prompt_tokens": 9, "total_tokens": 9, "completion_tokens": 0}

    def reply(path: str, body: dict[str, Any]) -> dict[str, Any]:
        return {
            "/v1/chat/completions": chat("reward:-3.25"),
            "/classify": {"data": [{"index": 0, "label": "L", "probs": [0.25, 0.75], "num_classes": 2}]},
            "/score": {"data": [{"index": 0, "object": "score", "score": 0.5}]},
            "/pooling": {"data": [{"index": 0, "object": "pooling", "data": [[0.1], [1.5]]}]},
        }[path] | {"usage": usage}

    server.reply = reply
    expected = {Method.CHAT: -3.25, Method.CLASSIFY: 0.75, Method.SCORE: 0.5, Method.POOLING: 1.5}
    for method, number in expected.items():
        server.seen.clear()
        out = tmp_path / f"{method}.jsonl"
        generate(benchmark, Generation(Kind.REWARDS, "m", method=method), endpoint, out)
        loaded = formats.load(out, expect="flat")
        assert [row.reward_score for row in loaded.flat] == [number] * 12
        path, body, _ = server.seen[0]
        assert path == ("/v1/chat/completions" if method is Method.CHAT else f"/{method}")
        if method is Method.SCORE:
            assert "twice x" in body["text_1"]
            assert "def double" in body["text_2"]
        else:
            assert [message["role"] for message in body["messages"]] == ["user", "assistant"]


def test_an_answer_without_a_reward_is_kept_and_counted(
    benchmark: Benchmark, server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """A judge that names no probability leaves a row without a reward that says what was expected."""
    server.reply = lambda path, body: chat(
        "I can't say." if "(number 1)" in str(body) else "Fine.\nProbability: 0.9"
    )
    asked = Generation(Kind.REWARDS, "m", method=Method.JUDGE)
    summary = generate(benchmark, asked, endpoint, tmp_path / "r.jsonl")
    assert summary.unparsed == 3
    bad = [row for row in rows(tmp_path / "r.jsonl") if "unparsed" in row]
    assert {row["task_id"] for row in bad} == {"T/1"}
    assert bad[0]["reward"] == {"reward_score": None, "response": "I can't say."}
    assert "Probability" in bad[0]["unparsed"]


def test_what_a_benchmark_lacks_is_named(benchmark: Benchmark, endpoint: Endpoint, tmp_path: Path) -> None:
    """Problems without solutions can't be rated or shown with one; the message names the problem."""
    bare = Benchmark("bare", benchmark.problems, {})
    for asked in (Generation(Kind.REWARDS, "m"), Generation(Kind.TESTS, "m", shown=Shown.BEST)):
        with pytest.raises(InputError, match="T/0: has no solution"):
            generate(bare, asked, endpoint, tmp_path / "x.jsonl")


def test_problems_of_human_eval_can_be_asked_about(
    server: Server, endpoint: Endpoint, tmp_path: Path
) -> None:
    """A source that is no file works like a benchmark."""
    source = read_source("humaneval", lambda loaded: None)
    benchmark = Benchmark("humaneval", source.problems[:2], {})
    assert generate(benchmark, Generation(Kind.SOLUTIONS, "m"), endpoint, tmp_path / "s.jsonl").answered == 2


@pytest.mark.parametrize(
    "url", ["localhost:8000/v1", "http://me:secret@host/v1", "http://host/v1?key=secret"]
)
def test_an_address_with_a_secret_or_without_a_scheme_is_refused(url: str) -> None:
    """Addresses are written to files, so one that holds a password is refused without showing it."""
    with pytest.raises(InputError) as caught:
        Endpoint(url)
    assert "secret" not in str(caught.value)


def test_what_asks_no_endpoint_waits_for_no_client() -> None:
    """Opening the Evolve page or naming a generation does not import openai, which takes half a second."""
    code = "import sys, core.llm, core.views.evolve, core.views.generate; print('openai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
