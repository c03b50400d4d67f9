"""Reads the corpus: each folder here is one hostile solution with its checks and allowed outcomes.

`program.py` is the solution; `attack.json` says

    sentence    what the program does
    family      which family of attacks it belongs to
    kind        asserts (default), calls ({"arguments", "expected"}) or stdio ({"stdin", "stdout"})
    entry_point the function or class under test
    entry_is_class  whether that is a class; left out: if it is spelled like one
    checks      the tests
    expected    for each check the outcome letters that are allowed; "P" stands there only where
                the program really computes the right answer
    support     source the checks rely on and the program must not change
    limits      fields of `Limits` that differ from `LIMITS`
    guards      what is attacked: judge (default) or one of the others in `GUARDS`. Such a
                program answers rightly if, and only if, its attack succeeded
    marked      the checks can only be judged in the program's own process: a pass is tolerated there if
                its result says so
    rounds      how often it runs in one sandbox (what the first run left may help the second)

Placeholders such as {SECRET_FILE} in a program stand for things that `surroundings` plants.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sandbox.contract import AssertsJob, CallsJob, CheckResult, Job, Limits, Outcome, StdioJob

FOLDER = Path(__file__).parent
LIMITS: Mapping[str, float] = {"seconds": 4.0, "memory_mb": 768}
KINDS = ("asserts", "calls", "stdio")
GUARDS = ("judge", "files", "network", "processes", "ipc", "limits", "environment")

HONEST_PROGRAM = "import math\nimport os\n\n\ndef add(a, b):\n    return a + b\n"
HONEST_CHECKS = (
    "assert add(1, 2) == 3",
    "assert add(2, 2) == 5",
    "import math\nassert math.isclose(add(0.1, 0.2), 0.3)",
)
HONEST_LETTERS = "PFP"


@dataclass(frozen=True)
class Attack:
    """One hostile solution; the attributes are those of its attack.json."""

    name: str
    program: str
    sentence: str
    family: str
    checks: tuple[Any, ...]
    expected: tuple[str, ...]
    entry_point: str = ""
    entry_is_class: bool | None = None
    kind: str = "asserts"
    support: str = ""
    limits: Limits = field(default_factory=Limits)
    guards: str = "judge"
    marked: bool = False
    rounds: int = 1

    def filled(self, places: Mapping[str, str]) -> str:
        """The program with its placeholders replaced."""
        program = self.program
        for name, value in places.items():
            program = program.replace("{" + name + "}", value)
        return program

    def job(self, key: str, places: Mapping[str, str]) -> Job:
        """The attack as a job for a sandbox."""
        program = self.filled(places)
        if self.kind == "stdio":
            return StdioJob(key, program, tuple(check["stdin"] for check in self.checks), self.limits)
        if self.kind == "calls":
            from sandbox.values import dumps

            calls = tuple(dumps(check["arguments"]) for check in self.checks)
            expected = tuple(dumps(check["expected"]) for check in self.checks)
            return CallsJob(key, program, self.entry_point, calls, self.limits, expected=expected)
        return AssertsJob(
            key, program, self.checks, self.entry_point, self.support, self.limits,
            entry_is_class=self.entry_is_class,
        )  # fmt: skip

    def letters(self, results: tuple[CheckResult, ...]) -> str:
        """The verdicts as letters, returned values and printed texts compared by us, the caller."""
        if len(results) != len(self.checks):
            return "?" * len(self.checks)
        return "".join(
            _compare(self.kind, check, result) if result.outcome is Outcome.PASSED else result.outcome.letter
            for check, result in zip(self.checks, results, strict=True)
        )


def _compare(kind: str, check: Any, result: CheckResult) -> str:
    if kind == "stdio":
        return "P" if result.stdout.split() == check["stdout"].split() else "F"
    if kind == "calls":
        from sandbox.values import loads

        value = None if result.value is None else loads(result.value)
        return "P" if type(value) is type(check["expected"]) and value == check["expected"] else "F"
    return "P"


def honest_job(key: str) -> AssertsJob:
    """An honest solution whose verdicts must be `HONEST_LETTERS` whatever ran before."""
    return AssertsJob(key, HONEST_PROGRAM, HONEST_CHECKS, "add", limits=Limits(seconds=10.0))


def load() -> tuple[Attack, ...]:
    """Every attack of the corpus, by name."""
    return tuple(_read(path.parent) for path in sorted(FOLDER.glob("*/attack.json")))


def _read(folder: Path) -> Attack:
    fields = json.loads((folder / "attack.json").read_text(encoding="utf-8"))
    fields["limits"] = Limits(**{**LIMITS, **fields.get("limits", {})})
    fields["checks"], fields["expected"] = tuple(fields["checks"]), tuple(fields["expected"])
    return Attack(name=folder.name, program=(folder / "program.py").read_text(encoding="utf-8"), **fields)
