"""A model's word on the strategies of a hunt's harnesses, beside the syntax tree's (appendix B.3).

Each harness is asked about twice, its generators and its check, with the categories of figures 13 and
14. Answers are kept in the hunt's folder, one line each as they come, so that nobody pays twice:

    strategies.jsonl    {"pair_id", "answer_index", "model", "generators": [str], "checkers": [str]}

A list is null where the model's answer holds none that can be used.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from core.formats.answers import code_blocks, without_reasoning
from core.hunting.folder import Hunt
from core.hunting.strategies import CheckerStrategy, GeneratorStrategy
from core.llm.asks import Ask, Generation, Kind, Shown
from core.llm.client import Client, Endpoint, EndpointError
from core.llm.prompts import PromptName, load_template
from core.metrics.agreement import Agreement, agreement
from core.model import Problem, Solution
from core.progress import OnProgress, Progress

__all__ = ["Asked", "agreements", "ask_strategies", "read_asked"]

_FILE: Final = "strategies.jsonl"
_GIVE_UP_AFTER: Final = 10
_WORDS: Final[Mapping[str, str]] = {
    "reference implementation": CheckerStrategy.REFERENCE,
    "reference": CheckerStrategy.REFERENCE,
    "invariant checking": CheckerStrategy.INVARIANT,
    "invariant": CheckerStrategy.INVARIANT,
    "hardcoded": CheckerStrategy.HARDCODED,
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model says of one answer; None where it said nothing that can be used."""

    pair_id: str
    index: int
    model: str
    generators: tuple[str, ...] | None
    checkers: tuple[str, ...] | None


def ask_strategies(
    hunt: Hunt,
    model: str,
    endpoint: Endpoint,
    *,
    concurrency: int = 8,
    on_progress: OnProgress | None = None,
) -> int:
    """Ask about every harness that this model has not been asked about; returns how many failed.

    Raises:
        RefusedError: the endpoint refuses key, model or address.
        EndpointError: ten harnesses in a row failed, or all of them.
    """
    known = {(one.pair_id, one.index) for one in read_asked(hunt) if one.model == model}
    harnesses = list(_harnesses(hunt))
    waiting = [one for one in harnesses if one[:2] not in known]
    work = _Work(hunt.folder / _FILE, model, len(harnesses), len(harnesses) - len(waiting), on_progress)
    try:
        asyncio.run(work.do(waiting, endpoint, concurrency))
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    if work.last is not None and work.failed == len(waiting):
        raise work.last
    return work.failed


def read_asked(hunt: Hunt) -> list[Asked]:
    """What models have said of a hunt's answers; a line that was cut off is left out."""
    path = hunt.folder / _FILE
    found = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            row = json.loads(line)
            lists = [None if row[key] is None else tuple(row[key]) for key in ("generators", "checkers")]
            found.append(Asked(row["pair_id"], int(row["answer_index"]), row["model"], *lists))
        except (ValueError, KeyError, TypeError):
            continue
    return found


def agreements(hunt: Hunt, model: str) -> dict[str, Agreement]:
    """Syntax tree and model compared: "generators", each a function, and each strategy of a check by name."""
    trees = {(row["pair_id"], row["answer_index"]): row for row in hunt.answers()}
    asked = [one for one in read_asked(hunt) if one.model == model and (one.pair_id, one.index) in trees]
    ours: list[str] = []
    theirs: list[str] = []
    for one in asked:
        tree = trees[one.pair_id, one.index]["generator_strategies"]
        if one.generators is not None and len(one.generators) == len(tree):
            ours += tree
            theirs += one.generators
    found = {"generators": agreement(ours, theirs)}
    rated = [one for one in asked if one.checkers is not None]
    for strategy in CheckerStrategy:
        found[strategy.value] = agreement(
            [strategy.value in trees[one.pair_id, one.index]["checker_strategies"] for one in rated],
            [strategy.value in (one.checkers or ()) for one in rated],
        )
    return found


class _Work:
    """The requests under way."""

    def __init__(
        self, path: Path, model: str, total: int, known: int, on_progress: OnProgress | None
    ) -> None:
        self._path, self._model, self._total, self._known = path, model, total, known
        self._on_progress = on_progress
        self._done = known
        self._in_a_row = 0
        self._started = time.monotonic()
        self.failed = 0
        self.last: EndpointError | None = None

    async def do(
        self, waiting: Sequence[tuple[str, int, str, list[str]]], endpoint: Endpoint, concurrency: int
    ) -> None:
        self._tell()
        left = iter(waiting)
        async with Client(endpoint) as client, asyncio.TaskGroup() as group:
            for _ in range(concurrency):
                group.create_task(self._take_turns(client, left))

    async def _take_turns(self, client: Client, waiting: Iterator[tuple[str, int, str, list[str]]]) -> None:
        for pair_id, index, code, names in waiting:
            try:
                said = [
                    (await client.ask(_ask(self._model, prompt, pair_id, index, code, names))).text
                    for prompt in (PromptName.GENERATORS, PromptName.CHECKERS)
                ]
            except EndpointError as error:
                self.last = error
                self.failed += 1
                self._in_a_row += 1
                if self._in_a_row >= _GIVE_UP_AFTER:
                    raise
                continue
            self._in_a_row = 0
            self._keep(
                {
                    "pair_id": pair_id,
                    "answer_index": index,
                    "model": self._model,
                    "generators": _generators(said[0], len(names)),
                    "checkers": _checkers(said[1]),
                }
            )

    def _keep(self, row: Mapping[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
        self._done += 1
        self._tell()

    def _tell(self) -> None:
        if self._on_progress:
            spent = time.monotonic() - self._started
            phase = f"asking {self._model} about strategies"
            self._on_progress(
                Progress(phase, self._done, self._total, "harnesses", cached=self._known, seconds=spent)
            )


def _harnesses(hunt: Hunt) -> Iterator[tuple[str, int, str, list[str]]]:
    """(pair_id, index, code, names of its generators) of every answer whose form is right."""
    for one in hunt.findings():
        names = list(dict.fromkeys(generated.name for generated in one.generated))
        if names and not one.fault:
            yield one.pair_id, one.index, one.code, names


def _ask(model: str, prompt: PromptName, pair_id: str, index: int, code: str, names: Sequence[str]) -> Ask:
    generation = Generation(
        Kind.TESTS, model, shown=Shown.REFERENCE, template=load_template(prompt), temperature=0.0
    )
    about = ", ".join(names) if prompt is PromptName.GENERATORS else "check_output"
    return Ask(generation, Problem(pair_id, about), Solution(str(index), code))


def _generators(text: str, count: int) -> list[str] | None:
    words = _listed(text)
    if words is None or len(words) != count or not set(words) <= set(GeneratorStrategy):
        return None
    return words


def _checkers(text: str) -> list[str] | None:
    words = _listed(text)
    if words is None or not set(words) <= set(_WORDS):
        return None
    found = {_WORDS[word] for word in words}
    return [one.value for one in CheckerStrategy if one in found]


def _listed(text: str) -> list[str] | None:
    """The words in the last ```json block."""
    answer, _ = without_reasoning(text)
    blocks = [content for language, content in code_blocks(answer) if language == "json"]
    try:
        value = json.loads(blocks[-1])
    except (IndexError, ValueError, RecursionError):
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        return None
    return [item.strip().lower() for item in value]
