"""Cases on disk, and answers run in a sandbox."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.hunting.model import AnswerKind, Finding, HuntOptions, RawAnswer
from core.hunting.trial import hunt
from core.model import Pair, ProblemKind

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    """A pair, an answer, and what it is."""

    name: str
    sentence: str
    kind: AnswerKind
    pair: Pair
    answer: str
    expected: str
    fault: str | None


def read_cases() -> list[Case]:
    """Every case of the data folder."""
    return [_case(path) for path in sorted(CASES.glob("*/case.toml"))]


def _case(path: Path) -> Case:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    name = path.parent.name
    pair = Pair(name, "", ProblemKind(data["program"]), data["good"], data["buggy"], data.get("entry_point"))
    return Case(
        name,
        data["sentence"],
        AnswerKind(data["kind"]),
        pair,
        data["answer"],
        data["expected"],
        data.get("fault"),
    )


def find(executor: Any, pair: Pair, *answers: str, **options: Any) -> list[Finding]:
    """The findings on answers to one pair; options as those of `HuntOptions`."""
    raw = [RawAnswer(pair, i, text) for i, text in enumerate(answers)]
    chosen = HuntOptions(options.pop("kind", AnswerKind.HARNESS), **options)
    return [one for batch in hunt(raw, executor, chosen) for one in batch]


def harness(code: str) -> str:
    """An answer whose block is this code."""
    return f"```python\n{code}\n```\n"
