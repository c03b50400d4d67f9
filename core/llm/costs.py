"""Tokens and money: an estimate before, totals while it runs."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from core.llm.asks import Ask, Generation, Key, Kind, Method

__all__ = ["Estimate", "Prices", "Totals", "estimate"]

_CHARS_PER_TOKEN = 4
_TOKENS_PER_MESSAGE = 4
_GUESSES = {Kind.SOLUTIONS: 300, Kind.HARNESS: 1200}
_TOKENS_PER_TEST = 40


@dataclass(frozen=True, slots=True)
class Prices:
    """Price of a million tokens, in any currency; None where it is not known."""

    prompt: float | None = None
    completion: float | None = None

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What so many tokens cost; None unless both prices are known."""
        if self.prompt is None or self.completion is None:
            return None
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


@dataclass(slots=True)
class Totals:
    """What the answers kept so far have used.

    Attributes:
        answers: how many.
        unmetered: answers without usage; they are not in the token counts.
    """

    answers: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unmetered: int = 0
    truncated: int = 0
    empty: int = 0
    unparsed: int = 0

    def add(self, row: dict[str, object]) -> None:
        """Count one answer's row."""
        self.answers += 1
        usage = row.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        counts = [usage.get(name) for name in ("prompt_tokens", "completion_tokens")]
        if isinstance(counts[0], int):
            self.prompt_tokens += counts[0]
            self.completion_tokens += counts[1] if isinstance(counts[1], int) else 0
        else:
            self.unmetered += 1
        self.truncated += bool(row.get("truncated"))
        self.empty += bool(row.get("empty"))
        self.unparsed += "unparsed" in row


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a generation will take.

    Attributes:
        requests: those still to be made.
        known: answers that are there already.
        prompt_tokens: of the requests; four characters count as a token.
        completion_tokens: of the answers: the mean of those known, else a guess for the kind.
        from_answers: whether it is the mean of known answers.
        most_completion_tokens: if every answer took all of max_tokens; None without that limit.
        cost, most_cost: None unless both prices are known.
    """

    requests: int
    known: int
    prompt_tokens: int
    completion_tokens: int
    from_answers: bool
    most_completion_tokens: int | None
    cost: float | None
    most_cost: float | None


def estimate(
    asks: Iterable[Ask],
    generation: Generation,
    prices: Prices | None = None,
    *,
    known: Collection[Key] = (),
    so_far: Totals | None = None,
) -> Estimate:
    """Estimate what is still to be asked.

    Args:
        asks: every request of the generation.
        generation: what they ask for.
        prices: for the costs.
        known: requests that have an answer.
        so_far: what those answers used.
    """
    prices = prices or Prices()
    requests = prompt = skipped = 0
    for ask in asks:
        if ask.key in known:
            skipped += 1
            continue
        requests += 1
        prompt += sum(
            math.ceil(len(message["content"]) / _CHARS_PER_TOKEN) + _TOKENS_PER_MESSAGE
            for message in ask.messages()
        )
    metered = so_far.answers - so_far.unmetered if so_far else 0
    each = so_far.completion_tokens / metered if so_far and metered else _guess(generation)
    most = generation.max_tokens * requests if generation.max_tokens and generation.is_chat else None
    completion = round(each * requests) if most is None else min(round(each * requests), most)
    return Estimate(
        requests=requests,
        known=skipped,
        prompt_tokens=prompt,
        completion_tokens=completion,
        from_answers=metered > 0,
        most_completion_tokens=most,
        cost=prices.cost(prompt, completion),
        most_cost=None if most is None else prices.cost(prompt, most),
    )


def _guess(generation: Generation) -> int:
    if generation.kind is Kind.REWARDS:
        return {Method.CHAT: 6, Method.JUDGE: 250}.get(generation.method, 0)
    if generation.kind in {Kind.SOLUTIONS, Kind.HARNESS}:
        return _GUESSES[generation.kind]
    return _TOKENS_PER_TEST * generation.n_tests
