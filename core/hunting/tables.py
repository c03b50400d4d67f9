"""Tables over a hunt that need nothing to be run again: first k, repeats, groups, pairwise, diversity."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core.hunting.folder import Hunt
from core.hunting.judgement import classify
from core.hunting.model import MAX_GENERATORS, Finding, InputTrial
from core.metrics.comparison import Difference
from core.metrics.hunting import Diversity, HuntRates, compare_hunts, hunt_rates, input_diversity
from core.model import AnswerClass, Pair

__all__ = ["Point", "compare", "diversity", "first_k", "grouped", "rates", "repeats"]

FIRST = (1, 3, 5, 10, 20)
"""The k of tables 7 and 8."""


@dataclass(frozen=True, slots=True)
class Point:
    """The rates when only a part of each answer's inputs counts.

    Attributes:
        count: how many inputs at most, or how many repeats.
        mean_inputs: inputs that counted, per answer without a format error.
    """

    count: int
    mean_inputs: float
    rates: HuntRates


def rates(findings: Sequence[Finding], **options: Any) -> HuntRates:
    """The rates of a hunt; options as those of `hunt_rates`."""
    return hunt_rates(_codes(findings), [one.answer_class for one in findings], **options)


def first_k(findings: Sequence[Finding], ks: Sequence[int] = FIRST, **options: Any) -> list[Point]:
    """The rates when only the first k inputs of each answer count (appendix B.1, tables 7 and 8)."""

    def first(k: int) -> Callable[[Finding], Sequence[InputTrial]]:
        return lambda one: one.trials[:k]

    return [_point(findings, k, first(k), options) for k in ks]


def repeats(findings: Sequence[Finding], seed: int, n: int, **options: Any) -> list[Point]:
    """The rates when generators are run once, twice, ... n times (section 4.2, figure 4).

    Args:
        findings: of a hunt whose generators were run at least `n` times.
        seed: of the first run.
        n: up to how many runs.
        options: as those of `hunt_rates`.
    """

    def within(runs: int) -> Callable[[Finding], Sequence[InputTrial]]:
        return lambda one: [trial for trial in one.trials if trial.seed < seed + runs * MAX_GENERATORS]

    return [_point(findings, runs, within(runs), options) for runs in range(1, n + 1)]


def grouped(
    findings: Sequence[Finding], pairs: Sequence[Pair], key: str | Callable[[Pair], str], **options: Any
) -> dict[str, HuntRates]:
    """The rates by group of pairs: difficulty, seen and unseen source, how wrong the buggy program is.

    Args:
        findings: answers to any of the pairs.
        pairs: all of them.
        key: a key of the pairs' metadata, or what gives a pair's group. Pairs without one are in "".
        options: as those of `hunt_rates`.
    """
    name = (lambda pair: str(pair.metadata.get(key, ""))) if isinstance(key, str) else key
    group = {pair.pair_id: name(pair) for pair in pairs}
    found: dict[str, list[Finding]] = {}
    for one in findings:
        found.setdefault(group[one.pair_id], []).append(one)
    return {group_name: rates(found[group_name], **options) for group_name in sorted(found)}


def compare(a: Sequence[Finding], b: Sequence[Finding], **options: Any) -> dict[str, Difference]:
    """A hunt less another, paired by pair: harness against input/output, say.

    Options as those of `compare_hunts`.
    """
    codes = {pair_id: i for i, pair_id in enumerate(dict.fromkeys(one.pair_id for one in (*a, *b)))}
    ours, theirs = (
        ([codes[one.pair_id] for one in side], [one.answer_class for one in side]) for side in (a, b)
    )
    return compare_hunts(ours, theirs, **options)


def diversity(hunt: Hunt, per_pair: Mapping[str, int] | None = None, seed: int = 0) -> dict[str, Diversity]:
    """How different the inputs of each pair are, all its answers' inputs together (section 4.3, table 4).

    Within an answer duplicates were dropped before anything ran, so they are not seen here.

    Args:
        hunt: finished or not.
        per_pair: inputs to draw of each pair, so that two hunts compare the same numbers; all if not given.
        seed: of the draw.
    """
    inputs: dict[str, list[tuple[str, int]]] = {}
    for row in hunt.inputs(("pair_id", "input", "input_chars")):
        inputs.setdefault(row["pair_id"], []).append((row["input"], row["input_chars"]))
    result = {}
    for pair_id, rows in inputs.items():
        wanted = len(rows) if per_pair is None else min(len(rows), per_pair.get(pair_id, 0))
        rng = random.Random(f"{seed}/{pair_id}")  # noqa: S311 - reproducible, no secret
        drawn = rows if wanted == len(rows) else rng.sample(rows, wanted)
        result[pair_id] = input_diversity([text for text, _ in drawn], [length for _, length in drawn])
    return result


def _point(
    findings: Sequence[Finding],
    count: int,
    part: Callable[[Finding], Sequence[InputTrial]],
    options: Mapping[str, Any],
) -> Point:
    parts = [part(one) for one in findings]
    classes = [
        AnswerClass.FORMAT_ERROR if one.fault else classify(trials)
        for one, trials in zip(findings, parts, strict=True)
    ]
    sizes = [len(trials) for one, trials in zip(findings, parts, strict=True) if not one.fault]
    mean = sum(sizes) / len(sizes) if sizes else float("nan")
    return Point(count, mean, hunt_rates(_codes(findings), classes, **options))


def _codes(findings: Sequence[Finding]) -> list[int]:
    codes = {pair_id: i for i, pair_id in enumerate(dict.fromkeys(one.pair_id for one in findings))}
    return [codes[one.pair_id] for one in findings]
