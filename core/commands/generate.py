"""`python -m core generate`: from its options to what it prints."""

from __future__ import annotations

import dataclasses
import json
import sys
from itertools import islice
from pathlib import Path
from typing import Any

from core import terminal
from core.benchmarks.sources import read_source, source_name
from core.commands.common import say_notes
from core.errors import InputError
from core.jobs import job_folder, working
from core.llm.asks import Generation, Kind, Shown, plan
from core.llm.client import Endpoint
from core.llm.costs import Prices, estimate
from core.llm.generate import generate, open_answers
from core.llm.prompts import read_template
from core.llm.records import failures
from core.model import Benchmark
from core.words import quantity

__all__ = ["benchmark_of", "extra_fields", "run"]

N_TESTS = 10
N_OTHERS = {Kind.SEEDS: 20, Kind.IO: 20}
"""EvolveCoder asks for 20 with a refined problem (appendix A.1), HarnessLLM for at most 20 (figure 10)."""


def run(
    benchmark: Benchmark,
    generation: Generation,
    endpoint: Endpoint,
    out: Path,
    *,
    prices: Prices,
    concurrency: int,
    retry_failed: bool,
    dry_run: bool,
) -> dict[str, Any]:
    """Ask and return the summary; with `dry_run` return {"estimate": {...}, "prompt": [messages]}.

    Raises:
        InputError, EndpointError: as `core.llm.generate.generate`.
    """
    before = open_answers(generation, benchmark, out)
    expected = estimate(
        plan(benchmark, generation), generation, prices, known=before.known, so_far=before.totals
    )
    if dry_run:
        first = next(islice(plan(benchmark, generation), 1), None)
        return {
            "estimate": dataclasses.asdict(expected),
            "prompt": first.messages() if first else [],
        }
    terminal.say(
        f"to ask: {expected.requests} requests, about {expected.prompt_tokens:,} tokens in and "
        f"{expected.completion_tokens:,} out"
        + ("" if expected.cost is None else f", cost about {expected.cost:.2f}")
        + (f"; {quantity(expected.known, 'answer')} there already" if expected.known else "")
    )
    with (
        terminal.progress_bar() as on_progress,
        working(job_folder(out), sys.argv[1:], on_progress) as tell,
    ):
        summary = generate(
            benchmark,
            generation,
            endpoint,
            out,
            prices=prices,
            concurrency=concurrency,
            retry_failed=retry_failed,
            on_progress=tell,
        )
    for failure in failures(out)[:3]:
        terminal.say(f"failed: {f'{failure.task_id} {failure.subject}'.strip()}: {failure.reason}")
    if summary.failed:
        terminal.say(f"{summary.failed} failed: {job_folder(out) / 'failures.jsonl'}; try --retry-failed")
    return dataclasses.asdict(summary)


def benchmark_of(source: str, first: int | None = None) -> Benchmark:
    """The problems to ask about: `humaneval`, or a file of problems or of a benchmark.

    Args:
        source: as `core.benchmarks.sources.read_source`.
        first: only so many of them.
    """
    found = read_source(source, say_notes)
    return Benchmark(source_name(source), found.problems[:first], found.solutions)


def generation_of(
    kind: str, *, shown: str | None, prompt: Path | None, extra: str | None, n_tests: int | None, **rest: Any
) -> Generation:
    """The generation that the command line's options stand for.

    A harness, and inputs and outputs, are written for each solution, a seed is refined with the reference.
    """
    usual = {Kind.HARNESS: Shown.EACH, Kind.IO: Shown.EACH, Kind.SEEDS: Shown.REFERENCE}.get(
        Kind(kind), Shown.NONE
    )
    return Generation(
        kind=Kind(kind),
        n_tests=n_tests or N_OTHERS.get(Kind(kind), N_TESTS),
        shown=Shown(shown) if shown else usual,
        template=read_template(prompt) if prompt else None,
        extra=extra_fields(extra),
        **rest,
    )


def extra_fields(text: str | None) -> dict[str, Any]:
    """Further fields of a request's body, from a JSON object.

    Raises:
        InputError: it is none.
    """
    if not text:
        return {}
    try:
        value = json.loads(text)
    except ValueError as error:
        raise InputError(f"--extra: expected a JSON object: {error}") from error
    if not isinstance(value, dict):
        raise InputError('--extra: expected a JSON object such as {"top_k": 20}')
    return value
