import json
from pathlib import Path

import pytest

from core.formats.pairs import write_answers, write_pairs
from core.hunting.asked import agreements, ask_strategies, read_asked
from core.hunting.commands import hunt
from core.hunting.folder import Hunt, open_hunt
from core.hunting.model import AnswerKind, HuntOptions
from core.llm.client import Endpoint, EndpointError
from core.model import Pair, ProblemKind
from sandbox.contract import CheckResult, Job, Outcome
from sandbox.fake import FakeSandbox
from tests.core.hunting.pieces import harness
from tests.core.llm.server import Json, Server, chat

CODE = (
    "def generate_input_1():\n    return ['1']\n\n"
    "def generate_input_2():\n    return [str(i) for i in range(3)]\n\n"
    "def check_output(given, out):\n    assert out.strip()\n"
)
PAIRS = [Pair(f"p{i}", "", ProblemKind.STDIO, "print(1)", "print(2)") for i in range(3)]


@pytest.fixture
def found(tmp_path: Path) -> Hunt:
    """A hunt with three harnesses: two generators each, hardcoded and dynamic, and an invariant."""
    write_pairs(PAIRS, tmp_path / "p.jsonl")
    write_answers({pair.pair_id: [harness(CODE)] for pair in PAIRS}, tmp_path / "a.jsonl")

    def run(job: Job) -> list[CheckResult]:
        return [CheckResult(Outcome.PASSED, value='["1"]', stdout="1")] * len(getattr(job, "calls", ("",)))

    options = HuntOptions(AnswerKind.HARNESS)
    hunt(tmp_path / "p.jsonl", str(tmp_path / "a.jsonl"), tmp_path / "h", options, FakeSandbox(run))
    return open_hunt(tmp_path / "h")


@pytest.fixture
def server() -> Server:
    """A model that says the first generator is dynamic too, and that the check does two things."""
    one = Server()

    def reply(path: str, body: Json) -> Json:
        asked = body["messages"][0]["content"]
        words = (
            ["reference implementation", "Invariant checking"]
            if "or none:" in asked
            else ["dynamic", "dynamic"]
        )
        return chat(f"<think>```json\n[]\n```</think>I think\n```json\n{json.dumps(words)}\n```")

    one.reply = reply
    return one


def test_the_model_and_the_tree_are_compared(
    found: Hunt, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Generators are compared one by one, checks strategy by strategy."""
    monkeypatch.setenv("TOUCHSTONE_API_KEY", "secret-key-123")
    with server:
        assert ask_strategies(found, "m", Endpoint(server.base_url)) == 0
        asked = len(server.seen)
        assert ask_strategies(found, "m", Endpoint(server.base_url)) == 0

    assert asked == len(server.seen) == 6
    assert {one.generators for one in read_asked(found)} == {("dynamic", "dynamic")}
    assert {one.checkers for one in read_asked(found)} == {("invariant", "reference")}
    compared = agreements(found, "m")
    assert (compared["generators"].n, compared["generators"].share) == (6, pytest.approx(0.5))
    assert compared["reference"].share == 0.0
    assert compared["invariant"].share == compared["hardcoded"].share == 1.0
    assert "secret-key-123" not in (found.folder / "strategies.jsonl").read_text()


def test_an_answer_that_is_no_list_of_the_words_says_nothing(found: Hunt, server: Server) -> None:
    """Lists of the wrong length or with other words are kept as null and compared with nothing."""
    server.reply = lambda path, body: chat('```json\n["magic"]\n```')
    with server:
        ask_strategies(found, "m", Endpoint(server.base_url, api_key="k" * 9))

    assert [(one.generators, one.checkers) for one in read_asked(found)] == [(None, None)] * 3
    assert agreements(found, "m")["generators"].n == 0


def test_an_endpoint_that_answers_nothing_is_an_error(found: Hunt, server: Server) -> None:
    """Where every harness failed there is no agreement to tell; the endpoint's last word is raised."""
    server.fault = lambda number, body: "400"
    with server, pytest.raises(EndpointError, match="400"):
        ask_strategies(found, "m", Endpoint(server.base_url, api_key="k" * 9))


def test_what_failed_is_asked_again(found: Hunt, server: Server) -> None:
    """A harness without an answer is counted and asked at the next start; a line that was cut off too."""
    server.fault = lambda number, body: "400" if number == 1 else None
    with server:
        endpoint = Endpoint(server.base_url, api_key="k" * 9, retries=0)
        assert ask_strategies(found, "m", endpoint, concurrency=1) == 1
        with (found.folder / "strategies.jsonl").open("a") as file:
            file.write('{"pair_id": "p')
        assert len(read_asked(found)) == 2


def test_an_endpoint_that_is_down_ends_the_asking(found: Hunt, monkeypatch: pytest.MonkeyPatch) -> None:
    """After some failures in a row nothing more is asked."""
    monkeypatch.setattr("core.hunting.asked._GIVE_UP_AFTER", 2)
    with pytest.raises(EndpointError, match="no connection"):
        ask_strategies(
            found, "m", Endpoint("http://127.0.0.1:9/v1", api_key="k" * 9, retries=0), concurrency=1
        )
