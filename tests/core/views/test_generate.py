"""The Generate page's engine against a real server: start, watch, retry what failed; keys stay secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core import jobs
from core.errors import InputError
from core.formats import load
from core.formats.touchstone import write_benchmark
from core.llm import Generation, Kind, Prices, Shown
from core.model import Benchmark
from core.views import generate
from core.views.generate import GenerateRequest, GenerationCard
from core.workspace import Workspace
from tests.core.llm.conftest import SOLUTIONS, problem
from tests.core.llm.server import Server

KEY = "sk-a-secret-of-the-visitor"


@pytest.fixture
def server() -> Iterator[Server]:
    """A server that knows one key."""
    with Server() as found:
        found.key = KEY
        yield found


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """A data folder with a benchmark of four problems."""
    found = Workspace(tmp_path / "data")
    problems = tuple(problem(number) for number in range(4))
    solutions = {one.task_id: SOLUTIONS for one in problems}
    write_benchmark(Benchmark("doubles", problems, solutions), found.benchmark_file("doubles"))
    return found


@pytest.fixture
def request_of(workspace: Workspace, server: Server) -> GenerateRequest:
    """Two tests for each problem, without retries."""
    return GenerateRequest(
        Generation(Kind.TESTS, "served", n_tests=2),
        str(workspace.benchmark_file("doubles")),
        base_url=server.base_url,
        retries=0,
        concurrency=1,
        prices=Prices(1.0, 2.0),
    )


def finished(server: Server, workspace: Workspace) -> GenerationCard:
    """The one generation's card once its job has ended."""
    server.wait_for(lambda: all(card.state != "running" for card in generate.generation_cards(workspace)))
    (card,) = generate.generation_cards(workspace)
    return card


def test_what_failed_is_listed_and_asked_again_alone(
    workspace: Workspace, server: Server, request_of: GenerateRequest
) -> None:
    """Of four requests two fail; a retry asks these two and no other, and nothing is lost."""
    server.fault = lambda number, body: "400" if number in {2, 3} else None
    out = generate.start_generation(workspace, request_of, KEY)
    card = finished(server, workspace)
    assert (card.n_failed, card.n_unasked, card.fraction) == (2, 0, 0.5)
    assert card.failed["task_id"].tolist() == ["T/1", "T/2"]
    assert "made to fail with 400" in card.failed["reason"][0]
    assert "200 tokens in, 40 out, cost 0.0003, 2 failed" in card.counts
    generate.go_on(card, KEY, only_failed=True)
    card = finished(server, workspace)
    assert (card.state, card.n_failed, card.fraction) == ("done", 0, 1.0)
    assert len(server.seen) == 6
    assert len(load(out, benchmark=generate.read_problems(request_of.source)).suites) == 4


def test_the_key_is_in_no_file(workspace: Workspace, server: Server, request_of: GenerateRequest) -> None:
    """The typed key reaches the server, and no file below the data folder."""
    generate.start_generation(workspace, request_of, KEY)
    assert finished(server, workspace).state == "done"
    written = [path.read_bytes() for path in workspace.root.rglob("*") if path.is_file()]
    assert written
    assert all(KEY.encode() not in content for content in written)


def test_a_served_app_lends_its_key_to_nobody(
    workspace: Workspace, server: Server, request_of: GenerateRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where others name the address, the key of whoever runs the app is not sent there."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    generate.start_generation(workspace, request_of, served=True)
    assert finished(server, workspace).state == "failed"
    assert all(KEY not in headers.get("authorization", "") for _, _, headers in server.seen)
    card = finished(server, workspace)
    generate.go_on(card)
    assert finished(server, workspace).state == "done"


def test_the_estimate_counts_what_is_left(
    workspace: Workspace, server: Server, request_of: GenerateRequest
) -> None:
    """Before anything is asked all is to be asked; afterwards nothing is, and nothing costs."""
    asked = generate.read_problems(request_of.source)
    assert generate.expected(workspace, request_of, asked).requests == 4
    assert generate.expected(workspace, replace(request_of, problems=3), asked).requests == 3
    generate.start_generation(workspace, request_of, KEY)
    finished(server, workspace)
    left = generate.expected(workspace, request_of, asked)
    assert (left.requests, left.known, left.cost) == (0, 4, 0.0)
    other = replace(request_of, generation=replace(request_of.generation, n_tests=5))
    with pytest.raises(InputError, match="holds answers that were asked with n_tests 2, not 5"):
        generate.expected(workspace, other, asked)


def test_an_edited_template_is_what_is_sent(
    workspace: Workspace, server: Server, request_of: GenerateRequest
) -> None:
    """The preview and the request show the user's own words, filled in; the template is kept by its hash."""
    asked = generate.read_problems(request_of.source)
    generation = generate.with_template(request_of.generation, "Write $n_tests tests. $$5.\n$problem")
    (sent,) = generate.prompt_of(generation, asked, "T/2")
    assert sent.content.startswith("Write 2 tests. $5.\ndef double(x):")
    generate.start_generation(workspace, replace(request_of, generation=generation), KEY)
    assert finished(server, workspace).state == "done"
    assert sent.content in [body["messages"][-1]["content"] for body in server.bodies]
    with pytest.raises(InputError, match="expected \\$problem"):
        generate.with_template(request_of.generation, "Write tests.")


def test_each_kind_is_kept_where_it_is_used(workspace: Workspace, server: Server) -> None:
    """Tests and rewards are beside the tests that Run offers, solutions where Benchmark looks."""
    kinds = {
        Kind.TESTS: (workspace.tests_dir, {}),
        Kind.REWARDS: (workspace.tests_dir, {}),
        Kind.SOLUTIONS: (workspace.solutions_dir, {}),
        Kind.HARNESS: (workspace.harnesses_dir, {"shown": Shown.EACH}),
        Kind.IO: (workspace.harnesses_dir, {"shown": Shown.EACH}),
    }
    for kind, (folder, options) in kinds.items():
        asked = GenerateRequest(Generation(kind, "org/model", **options), "humaneval")
        assert generate.answers_file(workspace, asked) == folder / f"org-model-{kind.value}.jsonl"


def test_a_wrong_address_is_refused_before_a_job_is_started(
    workspace: Workspace, request_of: GenerateRequest
) -> None:
    """A base URL with a password in it never reaches a job's command line."""
    wrong = replace(request_of, base_url="http://user:secret@host/v1")
    with pytest.raises(InputError, match="holds a password"):
        generate.start_generation(workspace, wrong, KEY)
    assert jobs.find(workspace.tests_dir) == ()
