"""What came of the corpus on a backend: the run in a process of its own, and its sums."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.attacks import corpus

WATCHDOG_SECONDS = 900


@dataclass(frozen=True)
class Sums:
    """The corpus on one backend in numbers.

    Attributes:
        attacks: hostile solutions.
        verdicts: checks that they were judged by, each round counted.
        forged: passes that the program did not earn and nobody owned up to.
        lost: verdicts that never came or say that the sandbox failed; wrong ones of honest solutions.
        mistaken: verdicts of a kind that is not allowed for that check, though no pass.
        left: processes, files, mounts and other objects found when the sandbox was closed.
        owned_up: passes marked as judged in-process, or that the backend says it does not prevent.
        wrong: the attacks behind `forged`, `lost` and `mistaken`.
    """

    attacks: int
    verdicts: int
    forged: int
    lost: int
    mistaken: int
    left: tuple[str, ...]
    owned_up: int
    wrong: tuple[str, ...]


def run_apart(backend: str) -> dict[str, Any]:
    """The report of `tests.attacks.run` on a backend; one with an `error` if the run failed."""
    command = [sys.executable, "-m", "tests.attacks.run", backend]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True, text=True)
    try:
        printed, _ = process.communicate(timeout=WATCHDOG_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return {"error": f"the run did not end within {WATCHDOG_SECONDS} s"}
    if process.returncode != 0:
        return {"error": f"the run ended with status {process.returncode}"}
    found: dict[str, Any] = json.loads(printed)
    return found


def owned_up(report: Mapping[str, Any], attack: corpus.Attack, letter: str) -> bool:
    """Whether this is a pass that the backend says it can't prevent here, or that it marked."""
    gap = attack.guards not in {"judge", "environment"} and not report["full"]
    return letter == "P" and (gap or (attack.marked and attack.name in report["in_process"]))


def sums(report: Mapping[str, Any]) -> Sums:
    """Count what a report tells."""
    attacks = {attack.name: attack for attack in corpus.load() if attack.name in report["attacks"]}
    wrong: list[str] = []
    counts = dict.fromkeys(("verdicts", "forged", "lost", "mistaken", "owned_up"), 0)
    for name, attack in attacks.items():
        rounds = [*report["attacks"][name]]
        rounds += ["?" * len(attack.checks)] * (attack.rounds - len(rounds))
        for letter, allowed in [
            pair for letters in rounds for pair in zip(letters, attack.expected, strict=True)
        ]:
            counts["verdicts"] += 1
            if letter in allowed:
                continue
            kind = "forged" if letter == "P" else "lost" if letter in "I?" else "mistaken"
            kind = "owned_up" if owned_up(report, attack, letter) else kind
            counts[kind] += 1
            if kind != "owned_up":
                wrong.append(f"{name} ({kind}: {letter})")
    for name, letters in report["honest"].items():
        if letters != corpus.HONEST_LETTERS:
            counts["lost"] += 1
            wrong.append(f"honest solution {name} ({letters})")
    left = [
        f"{kind}: {thing}"
        for kind in ("running", "processes", "scratch", "outside", "mounts", "reached")
        for thing in report[kind]
    ]
    return Sums(len(attacks), left=tuple(left), wrong=tuple(wrong), **counts)
