"""Runs the whole corpus through one backend: `python -m tests.attacks.run BACKEND [NAME ...]`.

Prints one JSON object: the verdicts of every attack, of an honest solution after each of them, and
what was left behind. It is a process of its own so that an attack that gets out harms only it, and
it adopts orphans, so that whatever process outlives the sandbox is found among its children.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from sandbox import open_sandbox
from sandbox.contract import Execution, Job, SandboxError
from tests.attacks import corpus
from tests.attacks.surroundings import Surroundings
from tests.processes import living

PR_SET_CHILD_SUBREAPER = 36
OWN_PROCESS_NAMESPACE = frozenset({"bubblewrap", "docker"})
LINGER_SECONDS = 2.5
"""Detached children of the corpus act 1.5 s after their verdict."""


def run(backend: str, names: list[str]) -> dict[str, Any]:
    """Run the attacks (all, or those named) and say what came of it."""
    attacks = {attack.name: attack for attack in corpus.load() if not names or attack.name in names}
    report: dict[str, Any] = {
        "attacks": {name: [] for name in attacks},
        "messages": {},
        "honest": {},
        "error": "",
        "in_process": [],
    }
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with (
        tempfile.TemporaryDirectory(prefix="touchstone-scratch-") as scratch,
        Surroundings(lethal=backend in OWN_PROCESS_NAMESPACE) as around,
    ):
        Path(scratch).chmod(0o755)
        os.environ["TMPDIR"] = tempfile.tempdir = scratch
        report["reached"] = []
        with open_sandbox(backend=backend, workers=2) as box:
            report["full"] = box.isolation.full
            report["missing"] = box.isolation.missing
            try:
                for execution in box.run(_jobs(attacks, around)):
                    _note(report, attacks, execution)
                    if reached := around.reached():
                        report["reached"] += [f"{name} (seen at {execution.key})" for name in reached]
            except SandboxError as error:
                report["error"] = str(error)
            time.sleep(LINGER_SECONDS)
            report["running"] = [name for name in _processes() if "sleep" in name]
        report["processes"] = _processes()
        report["scratch"] = [str(path) for path in Path(scratch).rglob("*")]
        report["outside"] = around.left_behind()
        report["mounts"] = _mounts_in(scratch, str(around.folder))
    return report


def _jobs(attacks: dict[str, corpus.Attack], around: Surroundings) -> Iterator[Job]:
    yield corpus.honest_job("honest/before")
    for name, attack in attacks.items():
        for turn in range(attack.rounds):
            yield attack.job(f"{turn}/{name}", around.places)
        yield corpus.honest_job(f"honest/after {name}")
    yield corpus.honest_job("honest/at the end")


def _note(report: dict[str, Any], attacks: dict[str, corpus.Attack], execution: Execution) -> None:
    kind, _, name = execution.key.partition("/")
    if kind == "honest":
        report["honest"][name] = "".join(result.outcome.letter for result in execution.results)
        if report["honest"][name] != corpus.HONEST_LETTERS:
            report["messages"][execution.key] = [result.message for result in execution.results]
        return
    letters = attacks[name].letters(execution.results)
    report["attacks"][name].append(letters)
    report["messages"][name] = [result.message[:300] for result in execution.results]
    if any(result.in_process for result in execution.results):
        report["in_process"].append(name)


def _mounts_in(*folders: str) -> list[str]:
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return [point for line in lines if (point := line.split()[4]).startswith(folders)]


def _processes() -> list[str]:
    time.sleep(0.3)
    return living(psutil.Process().children(recursive=True))


if __name__ == "__main__":
    json.dump(run(sys.argv[1], sys.argv[2:]), sys.stdout)
