"""Ask everything that has no answer yet, several requests at a time, and keep what comes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.jobs import job_folder
from core.llm.asks import Ask, Generation, Key, plan
from core.llm.client import Client, Endpoint, EndpointError
from core.llm.costs import Prices
from core.llm.records import AnswerFile, FailureList, answer_row, row_line
from core.model import Benchmark
from core.progress import OnProgress, Progress

__all__ = ["GIVE_UP_AFTER", "Summary", "generate", "open_answers"]

GIVE_UP_AFTER = 20
"""Failures in a row after which nothing more is asked: the endpoint is down, or refuses what is asked."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a generation came to.

    Attributes:
        requests: all that the generation has.
        known: answers that were there before.
        answered: answers that came now.
        failed: requests without an answer, listed in the job's folder.
        truncated, empty, unparsed: answers of the file that are marked so.
        prompt_tokens, completion_tokens: of all answers of the file, as the endpoint counted.
        unmetered: answers for which it counted nothing.
        cost: of these tokens; None unless both prices are known.
        seconds: wall time.
    """

    out: str
    requests: int
    known: int
    answered: int
    failed: int
    truncated: int
    empty: int
    unparsed: int
    prompt_tokens: int
    completion_tokens: int
    unmetered: int
    cost: float | None
    seconds: float


def open_answers(generation: Generation, benchmark: Benchmark, out: Path) -> AnswerFile:
    """The file of answers, to look at what is known or to go on.

    Raises:
        InputError: it holds answers to something else.
    """
    return AnswerFile(out, {**generation.described(), "benchmark": benchmark.name})


def generate(
    benchmark: Benchmark,
    generation: Generation,
    endpoint: Endpoint,
    out: Path,
    *,
    asks: Sequence[Ask] | None = None,
    prices: Prices | None = None,
    concurrency: int = 8,
    retry_failed: bool = False,
    on_progress: OnProgress | None = None,
) -> Summary:
    """Ask a model for everything of `generation` that `out` does not hold yet.

    Each answer is on the disk before the next request of its place is made, so that a process killed at
    any moment loses only the requests in flight; the same call goes on.

    Args:
        benchmark: the problems, with solutions where these are shown or rated.
        generation: what to ask for.
        endpoint: where.
        out: the file of answers; appended to.
        asks: the requests; None for those that `plan` makes.
        prices: for the cost in the progress' message and in the summary.
        concurrency: requests under way at once.
        retry_failed: ask only what failed before.
        on_progress: told after every answer.

    Raises:
        InputError: `out` holds something else, or the benchmark lacks what has to be shown.
        RefusedError: the endpoint refuses key, model or address; nothing more was asked.
        EndpointError: `GIVE_UP_AFTER` requests in a row failed; nothing more was asked.
    """
    with open_answers(generation, benchmark, out) as answers:
        failures = FailureList(job_folder(out))
        work = _Work(
            benchmark=benchmark,
            generation=generation,
            endpoint=endpoint,
            answers=answers,
            failures=failures,
            prices=prices or Prices(),
            asks=asks,
            total=sum(1 for _ in plan(benchmark, generation)) if asks is None else len(asks),
            on_progress=on_progress,
            only=set(failures.read()) if retry_failed else None,
        )
        try:
            asyncio.run(work.do(concurrency))
        finally:
            failed = failures.keep_only(answers.known)
            work.tell()
        return work.summary(out, failed)


@dataclass(slots=True, kw_only=True)
class _Work:
    """The requests under way and what they come to."""

    benchmark: Benchmark
    generation: Generation
    endpoint: Endpoint
    answers: AnswerFile
    failures: FailureList
    asks: Sequence[Ask] | None
    prices: Prices
    total: int
    on_progress: OnProgress | None
    only: set[Key] | None
    known: int = 0
    failed: int = 0
    empty: int = 0
    failed_in_a_row: int = 0
    started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.known = self.answers.totals.answers

    async def do(self, concurrency: int) -> None:
        waiting = self._waiting()
        self.tell()
        async with Client(self.endpoint) as client:
            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(concurrency):
                        group.create_task(self._take_turns(client, waiting))
            except ExceptionGroup as several:
                raise several.exceptions[0] from None

    def _waiting(self) -> Iterator[Ask]:
        for ask in plan(self.benchmark, self.generation) if self.asks is None else self.asks:
            if ask.key not in self.answers.known and (self.only is None or ask.key in self.only):
                yield ask

    async def _take_turns(self, client: Client, waiting: Iterator[Ask]) -> None:
        for ask in waiting:
            try:
                answer = await client.ask(ask)
            except EndpointError as error:
                self._fail(ask, error)
            else:
                row = answer_row(
                    self.benchmark, ask, answer, {**self.answers.request, "base_url": client.base_url}
                )
                line = client.without_key(row_line(row))
                if row["empty"]:
                    self.empty += 1
                    self.failures.keep(line)
                    self._fail(ask, EndpointError(_without_text(row)))
                else:
                    self.failed_in_a_row = 0
                    self.answers.append(ask, row, line)
            self.tell()

    def _fail(self, ask: Ask, error: EndpointError) -> None:
        self.failures.add(ask, str(error))
        self.failed += 1
        self.failed_in_a_row += 1
        if self.failed_in_a_row >= GIVE_UP_AFTER:
            raise EndpointError(
                f"{GIVE_UP_AFTER} requests in a row failed, nothing more is asked; the same command goes on. "
                f"The last: {error}"
            )

    def tell(self) -> None:
        if self.on_progress is None:
            return
        totals = self.answers.totals
        said = [f"{totals.prompt_tokens:,} tokens in", f"{totals.completion_tokens:,} out"]
        cost = self._cost()
        if cost is not None:
            said.append(f"cost {cost:.4f}")
        if self.failed:
            said.append(f"{self.failed} failed")
        self.on_progress(
            Progress(
                phase=f"asking {self.generation.model}",
                done=totals.answers,
                total=self.total,
                unit="answers",
                cached=self.known,
                seconds=time.monotonic() - self.started,
                message=", ".join(said),
            )
        )

    def summary(self, out: Path, failed: int) -> Summary:
        totals = self.answers.totals
        return Summary(
            out=str(out),
            requests=self.total,
            known=self.known,
            answered=totals.answers - self.known,
            failed=failed,
            truncated=totals.truncated,
            empty=totals.empty + self.empty,
            unparsed=totals.unparsed,
            prompt_tokens=totals.prompt_tokens,
            completion_tokens=totals.completion_tokens,
            unmetered=totals.unmetered,
            cost=self._cost(),
            seconds=round(time.monotonic() - self.started, 1),
        )

    def _cost(self) -> float | None:
        return self.prices.cost(self.answers.totals.prompt_tokens, self.answers.totals.completion_tokens)


def _without_text(row: Mapping[str, Any]) -> str:
    """Why an answer counts as none: it came without any text."""
    why = f" (finish_reason {row['finish_reason']})" if row["finish_reason"] else ""
    hint = "; raise --max-tokens" if row["truncated"] else ""
    return f"the answer has no text{why}{hint}"
