"""Every backend that works here against the whole corpus: nothing forged, nothing lost, nothing left."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from sandbox import survey
from tests.attacks import corpus
from tests.attacks.report import owned_up, run_apart

ATTACKS = {attack.name: attack for attack in corpus.load()}
BACKENDS = ("process", "bubblewrap", "docker")
FAMILIES = frozenset({
    "equality", "exits", "inspection", "tracing", "monkeypatching", "forged results", "alarms",
    "hooks and threads", "left-over state", "files", "processes", "network", "resources", "odd values",
    "scripts", "calls",
})  # fmt: skip


@cache
def report(backend: str) -> dict[str, Any]:
    """The corpus run once through a backend."""
    return run_apart(backend)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=[getattr(pytest.mark, name)] if name == "docker" else [])
        for name in BACKENDS
    ],
)
def run(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The corpus run through one backend; skipped, with the reason, where the backend can't work."""
    rows = {row.backend: row for row in survey()}
    if request.param not in rows:
        pytest.skip(f"{request.param}: there is no such backend")
    if not rows[request.param].guarantees:
        pytest.skip(f"{request.param}: " + "; ".join(rows[request.param].missing))
    found = report(request.param)
    assert not found["error"], found["error"]
    return found


def test_the_corpus_is_large_and_covers_every_family() -> None:
    """There are at least 60 attacks and each family of attacks has one."""
    assert len(ATTACKS) >= 60
    assert {attack.family for attack in ATTACKS.values()} == FAMILIES


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_well_formed(name: str) -> None:
    """An attack has a sentence, a check or more, and allowed outcomes for each of them."""
    attack = ATTACKS[name]
    assert attack.sentence.endswith(".")
    assert attack.kind in corpus.KINDS
    assert attack.guards in corpus.GUARDS
    assert len(attack.checks) == len(attack.expected) > 0
    assert all(allowed and set(allowed) <= set("PFETMOC") for allowed in attack.expected)


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gets_only_the_verdicts_it_deserves(run: dict[str, Any], name: str) -> None:
    """No check passes that the program did not answer, and no verdict is lost or of the wrong kind."""
    attack = ATTACKS[name]
    assert len(run["attacks"][name]) == attack.rounds
    for letters in run["attacks"][name]:
        for letter, allowed in zip(letters, attack.expected, strict=True):
            assert letter in allowed or owned_up(run, attack, letter), (letters, run["messages"][name])


def test_honest_solutions_keep_their_verdicts(run: dict[str, Any]) -> None:
    """An honest solution gets the same verdicts before, between and after all attacks."""
    wrong = {name: letters for name, letters in run["honest"].items() if letters != corpus.HONEST_LETTERS}
    assert not wrong
    assert len(run["honest"]) == len(ATTACKS) + 2


def test_nothing_reaches_a_listener(run: dict[str, Any]) -> None:
    """No program gets through to a listener on loopback, in the file system or on an abstract socket."""
    if not run["full"]:
        pytest.skip("this backend does not promise it here: " + "; ".join(run["missing"]))
    assert run["reached"] == []


def test_no_process_outlives_the_sandbox(run: dict[str, Any]) -> None:
    """When the sandbox is closed no process that it or a program started is left."""
    assert run["processes"] == []


def test_no_child_outlives_its_verdict(run: dict[str, Any]) -> None:
    """Children that programs left behind are gone while the sandbox is still open."""
    assert run["running"] == []


def test_no_file_is_left(run: dict[str, Any]) -> None:
    """The sandbox leaves nothing in its scratch folder; a fully isolating one lets nothing out of it."""
    assert run["scratch"] == []
    assert run["outside"] == [] or not run["full"]


def test_no_mount_is_left(run: dict[str, Any]) -> None:
    """Nothing stays mounted where programs ran or reached for files."""
    assert run["mounts"] == []
