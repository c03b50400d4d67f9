"""What a hunt's answers are worth in numbers: rates, first k, repeats, groups, diversity, strategies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

import pandas as pd

from core.errors import InputError
from core.figures import Basis, Lines, LineSeries, Part, StackedBars
from core.figures.labels import signed
from core.hunting.asked import agreements, read_asked
from core.hunting.folder import Hunt
from core.hunting.model import AnswerKind, Finding
from core.hunting.strategies import CheckerStrategy, GeneratorStrategy
from core.hunting.tables import Point, compare, diversity, first_k, grouped, rates, repeats
from core.hunting.training import nothing_to_learn
from core.metrics import GLOSSARY
from core.metrics.hunting import HUNT_INTERVAL, HUNT_KEYS, HuntRates
from core.model import Metric, Pair
from core.words import p_in_words

__all__ = [
    "BOOTSTRAP",
    "RATES",
    "HuntNumbers",
    "RateCard",
    "agreement_table",
    "asked_grouping",
    "class_chart",
    "compared_table",
    "diversity_table",
    "first_k_chart",
    "group_keys",
    "group_table",
    "grouping",
    "measure",
    "name_of",
    "rate_cards",
    "repeat_chart",
    "strategy_chart",
]

BOOTSTRAP: Final = 2000
SEED: Final = 0
_ENTRIES: Final = {
    "good_input": "gi",
    "invalid_test_rate": "itr",
    "true_bug_rate": "tbr",
    "format_error": "format_error",
    "mean_reward": "harness_reward",
}
RATES: Final = ("good_input", "invalid_test_rate", "true_bug_rate")
_MOST_GROUPS: Final = 20
_NO_GROUPS: Final = frozenset({"rating", "buggy", "task_id"})
_WRONGNESS: Final = "how wrong the buggy program is"
_RATING: Final = "Codeforces rating"


@dataclass(frozen=True, slots=True)
class RateCard:
    """One rate for the screen."""

    name: str
    value: str
    interval: str
    help: str


@dataclass(frozen=True, slots=True)
class HuntNumbers:
    """A hunt read once, for all its tables.

    Attributes:
        findings: every answer with its inputs.
        rates: over all of them.
        no_examples: why there is nothing to train on, "" where there is.
    """

    hunt: Hunt
    label: str
    pairs: tuple[Pair, ...]
    findings: tuple[Finding, ...]
    rates: HuntRates
    no_examples: str = ""


def measure(hunt: Hunt, label: str) -> HuntNumbers:
    """Read a hunt and compute its rates."""
    findings = tuple(hunt.findings())
    found = rates(findings, bootstrap=BOOTSTRAP, seed=SEED)
    no_examples = nothing_to_learn(one.answer_class.key for one in findings)
    return HuntNumbers(hunt, label, hunt.pairs(), findings, found, no_examples)


def name_of(key: str) -> str:
    """A rate's name on screen, with the direction that is better."""
    entry = GLOSSARY[_ENTRIES[key]]
    return f"{entry.name} {entry.arrow}".strip()


def rate_cards(numbers: HuntNumbers) -> tuple[RateCard, ...]:
    """The five rates with their intervals."""
    return tuple(
        RateCard(
            name_of(key),
            _shown(key, metric.value),
            _interval(key, metric) + (" (exact)" if key in numbers.rates.exact else ""),
            GLOSSARY[_ENTRIES[key]].help(),
        )
        for key, metric in ((key, numbers.rates.metrics[key]) for key in HUNT_KEYS)
    )


def class_chart(hunts: Sequence[HuntNumbers], words: Mapping[Any, Any]) -> StackedBars:
    """What the answers of some hunts are: a bar for each hunt, `words` names the classes in their order."""
    parts = tuple(
        Part(named.name, tuple(float(one.rates.classes[which]) for one in hunts))
        for which, named in words.items()
    )
    said = "; ".join(
        f"{one.label}: " + ", ".join(f"{one.rates.classes[w]} {n.name}" for w, n in words.items())
        for one in hunts
    )
    return StackedBars(
        title="What the answers are",
        x_label="Share of answers",
        y_label="",
        alt=f"Answers by class. {said}.",
        categories=tuple(one.label for one in hunts),
        parts=parts,
        basis=Basis(sum(one.rates.n_answers for one in hunts), "answers"),
    )


def first_k_chart(numbers: HuntNumbers) -> Lines:
    """The rates when only the first k inputs of each answer count (tables 7 and 8)."""
    longest = max((len(one.trials) for one in numbers.findings), default=1)
    ks = [k for k in (1, 2, 3, 5, 10, 15, 20) if k < longest] + [max(1, longest)]
    points = first_k(numbers.findings, ks, bootstrap=BOOTSTRAP, seed=SEED)
    return _lines(points, "Only the first k inputs of each answer", "Inputs that count (k)")


def repeat_chart(numbers: HuntNumbers) -> Lines | None:
    """The rates when generators are run 1, 2, ... times (figure 4); None where they ran once."""
    times = int(numbers.hunt.record.identity.get("repeat", 1))
    if times < 2 or numbers.hunt.kind is not AnswerKind.HARNESS:
        return None
    seed = int(numbers.hunt.record.identity["seed"])
    points = repeats(numbers.findings, seed, times, bootstrap=BOOTSTRAP)
    return _lines(points, "Generators run again with other seeds", "Runs of each generator")


def group_keys(pairs: Sequence[Pair]) -> tuple[str, ...]:
    """By what a hunt's pairs can be grouped: what their metadata says, and how wrong f is."""
    values: dict[str, set[str]] = {}
    for pair in pairs:
        for key, value in pair.metadata.items():
            if isinstance(value, str | int | bool):
                values.setdefault(key, set()).add(str(value))
    found = [key for key, seen in values.items() if 1 < len(seen) <= _MOST_GROUPS and key not in _NO_GROUPS]
    found += [_RATING] if any("rating" in pair.metadata for pair in pairs) else []
    found += [_WRONGNESS] if any("buggy_score" in pair.metadata for pair in pairs) else []
    found += ["kind of program"] if len({pair.kind for pair in pairs}) > 1 else []
    return tuple(found)


def asked_grouping(key: str, pairs: Sequence[Pair]) -> str | Callable[[Pair], str]:
    """What gives a pair's group for a key that somebody typed.

    Raises:
        InputError: no pair has it; the message names those that there are.
    """
    known = dict.fromkeys([*group_keys(pairs), *(name for pair in pairs for name in pair.metadata)])
    if key not in known:
        names = ", ".join(known) or "none"
        raise InputError(f"no pair of this hunt has {key!r} to group by; known are: {names}")
    return grouping(key)


def group_table(numbers: HuntNumbers, key: str) -> pd.DataFrame:
    """The rates by group of pairs: group, pairs, answers, and the three rates with their intervals."""
    found = grouped(numbers.findings, numbers.pairs, grouping(key), bootstrap=BOOTSTRAP, seed=SEED)
    return pd.DataFrame(
        [
            {"group": name or "(not said)", "pairs": one.n_pairs, "answers": one.n_answers}
            | {key: _with_interval(one.metrics[key]) for key in RATES}
            for name, one in found.items()
        ]
    )


def compared_table(first: HuntNumbers, second: HuntNumbers) -> pd.DataFrame:
    """The first hunt less the second, paired on the pairs that both have answers to."""
    found = compare(first.findings, second.findings, bootstrap=BOOTSTRAP, seed=SEED)
    rows = []
    for key, one in found.items():
        lower = GLOSSARY[_ENTRIES[key]].better == "lower"
        sure = not math.isnan(one.low) and not one.low <= 0 <= one.high
        better = (first if (one.value > 0) != lower else second).label
        rows.append(
            {
                "rate": name_of(key),
                "difference": _signed(key, one.value),
                "interval": ""
                if math.isnan(one.low)
                else f"[{_signed(key, one.low)}, {_signed(key, one.high)}]",
                "p": p_in_words(one.p_value),
                "pairs": one.n,
                "verdict": f"{better} is better" if sure else "no clear difference",
            }
        )
    return pd.DataFrame(rows)


def diversity_table(hunts: Sequence[HuntNumbers], published: pd.DataFrame | None = None) -> pd.DataFrame:
    """How different the inputs are, averaged over pairs (table 4).

    Two hunts are drawn down to the same number of inputs for each pair, as the paper does. Rows of
    `published` come last.
    """
    counts = [_input_counts(one) for one in hunts]
    shared = None
    if len(hunts) > 1:
        names = set.intersection(*(set(one) for one in counts))
        shared = {name: min(one[name] for one in counts) for name in names}
    rows = []
    for one in hunts:
        found = [
            value
            for name, value in diversity(one.hunt, shared, SEED).items()
            if shared is None or name in shared
        ]
        rows.append(
            {
                "answers": one.label,
                "pairs": len(found),
                "unique_ratio": 100 * fmean(x.unique_ratio for x in found) if found else math.nan,
                "length_range": fmean(x.length_range for x in found) if found else math.nan,
                "length_std": fmean(x.length_std for x in found) if found else math.nan,
            }
        )
    own = pd.DataFrame(rows)
    return own if published is None else pd.concat([own, published], ignore_index=True)


def strategy_chart(
    numbers: HuntNumbers, what: type[GeneratorStrategy | CheckerStrategy]
) -> StackedBars | None:
    """How generators, or checks, go about it, by how wrong the buggy program is (figure 7); None without."""
    column = "generator_strategies" if what is GeneratorStrategy else "checker_strategies"
    group = {pair.pair_id: _wrongness(pair) for pair in numbers.pairs}
    rows = [row for row in numbers.hunt.answers() if row[column]]
    names = [name for name in (*_LEVELS, "") if any(group[row["pair_id"]] == name for row in rows)]
    if not rows:
        return None
    counts = {
        one: tuple(
            float(sum(row[column].count(one.value) for row in rows if group[row["pair_id"]] == name))
            for name in names
        )
        for one in what
    }
    whose = "generators" if what is GeneratorStrategy else "checks"
    return StackedBars(
        title=f"Strategies of {whose}",
        x_label=f"Share of {whose}' strategies",
        y_label="Buggy program",
        alt=f"Strategies of {whose}: " + ", ".join(f"{one.value} {sum(n):.0f}" for one, n in counts.items()),
        categories=tuple(name or "all answers" for name in names),
        parts=tuple(Part(one.value, n) for one, n in counts.items()),
        basis=Basis(len(rows), "harnesses, told from their syntax"),
    )


def agreement_table(hunt: Hunt) -> pd.DataFrame:
    """Models asked about the strategies, beside the syntax tree: model, strategy, n, agreement, kappa."""
    rows = []
    for model in dict.fromkeys(one.model for one in read_asked(hunt)):
        for name, one in agreements(hunt, model).items():
            shown = "generators, each" if name == "generators" else f"check: {name}"
            rows.append(
                {"model": model, "strategy": shown, "n": one.n, "agree": 100 * one.share, "kappa": one.kappa}
            )
    return pd.DataFrame(rows, columns=["model", "strategy", "n", "agree", "kappa"])


_LEVELS: Final = ("mostly wrong (< 25% of tests)", "medium (25% to 75%)", "mostly right (> 75%)")
_RATED: Final = ("easy (up to 1800)", "medium (1801 to 2400)", "hard (above 2400)")


def grouping(key: str) -> str | Callable[[Pair], str]:
    """What gives a pair's group for one of `group_keys`."""
    if key == _WRONGNESS:
        return _wrongness
    if key == _RATING:
        return _rated
    return (lambda pair: pair.kind.value) if key == "kind of program" else key


def _wrongness(pair: Pair) -> str:
    """How wrong f is, by the share of tests it passes, in the paper's three groups (section 4.3)."""
    score = pair.metadata.get("buggy_score")
    if not isinstance(score, int | float):
        return ""
    return _LEVELS[0] if score < 0.25 else _LEVELS[1] if score <= 0.75 else _LEVELS[2]


def _rated(pair: Pair) -> str:
    """The paper's groups of Codeforces ratings (section 4.3)."""
    try:
        rating = float(pair.metadata["rating"])
    except (KeyError, TypeError, ValueError):
        return ""
    return _RATED[2] if rating > 2400 else _RATED[1] if rating > 1800 else _RATED[0]


def _lines(points: Sequence[Point], title: str, x_label: str) -> Lines:
    series = tuple(
        LineSeries(
            name_of(key),
            tuple(float(one.count) for one in points),
            *(
                tuple(getattr(one.rates.metrics[key], end) for one in points)
                for end in ("value", "low", "high")
            ),
        )
        for key in RATES
    )
    last = points[-1].rates.metrics
    return Lines(
        title=title,
        x_label=x_label,
        y_label="Share of answers",
        alt=f"{title}: at {points[-1].count} "
        + ", ".join(f"{name_of(key)} {last[key].value:.1%}" for key in RATES),
        series=series,
        share=True,
        basis=Basis(points[-1].rates.n_pairs, "pairs", HUNT_INTERVAL, SEED),
    )


def _input_counts(numbers: HuntNumbers) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in numbers.findings:
        if one.trials:
            counts[one.pair_id] = counts.get(one.pair_id, 0) + len(one.trials)
    return counts


def _shown(key: str, value: float) -> str:
    if math.isnan(value):
        return "n/a"
    return f"{value:.3f}" if key == "mean_reward" else f"{100 * value:.1f}%"


def _signed(key: str, value: float) -> str:
    return signed(value) if key == "mean_reward" else signed(100 * value, ".1f")


def _interval(key: str, metric: Metric) -> str:
    if math.isnan(metric.low):
        return "no CI"
    return f"[{_shown(key, metric.low)}, {_shown(key, metric.high)}]"


def _with_interval(metric: Metric) -> str:
    ends = "" if math.isnan(metric.low) else f"  [{100 * metric.low:.1f}, {100 * metric.high:.1f}]"
    return f"{100 * metric.value:.1f}{ends}"
