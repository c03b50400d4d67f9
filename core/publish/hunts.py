"""Figures of HarnessLLM, from hunts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from core.figures import Basis, Chart
from core.figures import rows as charts
from core.hunting.folder import Hunt, open_hunt
from core.hunting.model import Finding
from core.hunting.strategies import CheckerStrategy, GeneratorStrategy
from core.hunting.tables import diversity, first_k, grouped
from core.metrics import GLOSSARY
from core.metrics.hunting import HUNT_INTERVAL
from core.publish.papers import BUGS, BY_DIFFICULTY, BY_TESTS, DIVERSITY, STRATEGIES, Found

RATES: Final = {
    key: GLOSSARY[word].name
    for key, word in (("good_input", "gi"), ("invalid_test_rate", "itr"), ("true_bug_rate", "tbr"))
}
"""The rates of a hunt, by their keys."""
_WRONG = ((0.25, "mostly wrong"), (0.75, "partly right"), (math.inf, "mostly right"))
"""How much of the reference tests a buggy program passes, as the paper groups them."""
_PASSED = ("buggy_score", "pass_rate")
_SHOWN_RATES: Final = {"true_bug_rate": "TBR", "invalid_test_rate": "ITR"}
_SIDES: Final[Mapping[str, type[GeneratorStrategy | CheckerStrategy]]] = {
    "generator": GeneratorStrategy,
    "checker": CheckerStrategy,
}
_BOOTSTRAP, _SEED = 2000, 0

WAITING: Final = (
    (*BUGS, "a finished hunt"),
    (*BY_TESTS, "a finished hunt"),
    (*BY_DIFFICULTY, "a hunt whose pairs say their difficulty"),
    (*STRATEGIES, "a hunt with harnesses"),
    (*DIVERSITY, "a finished hunt"),
)
"""Name, figure and what it needs."""


def figures(hunts: Sequence[Hunt]) -> Iterator[Found]:
    """What some hunts give of the figures."""
    if not hunts:
        return
    labels = named(hunts)
    yield "hunts-bugs-found", *BUGS, partial(_bugs, labels)
    yield "hunts-by-tests", *BY_TESTS, partial(_by_tests, labels)
    if any(pair.metadata.get("difficulty") for hunt in hunts for pair in hunt.pairs()):
        yield "hunts-difficulty", *BY_DIFFICULTY, partial(_by_difficulty, labels)
    if harnesses := {name: hunt for name, hunt in labels.items() if hunt.kind == "harness"}:
        for side, what in (("generator", "input generators"), ("checker", "output checkers")):
            make = partial(_strategies, harnesses, side, what)
            yield f"hunts-{side}-strategies", f"{STRATEGIES[0]} of {what}", STRATEGIES[1], make
    yield "hunts-diversity", *DIVERSITY, partial(_diversity, labels)


def named(hunts: Sequence[Hunt]) -> dict[str, Hunt]:
    """Hunts by the names of their folders, with a number where two share one."""
    names: dict[str, Hunt] = {}
    for hunt in hunts:
        name, number = hunt.folder.name, 2
        while name in names:
            name, number = f"{hunt.folder.name} {number}", number + 1
        names[name] = hunt
    return names


def basis(hunts: Mapping[str, Hunt]) -> Basis:
    """What rates of hunts rest on."""
    sizes = {int(hunt.record.result["n_pairs"]) for hunt in hunts.values()}
    interval = f"{HUNT_INTERVAL}, {_BOOTSTRAP:,} resamples"
    return Basis(max(sizes), "pairs", interval, _SEED)


def _bugs(hunts: Mapping[str, Hunt]) -> Chart:
    rows = [
        {"verifier": name, "rate": rate, "value": hunt.record.result[key], **_ends(hunt, key)}
        for name, hunt in hunts.items()
        for key, rate in RATES.items()
    ]
    return charts.bugs_found(rows, basis(hunts))


def _ends(hunt: Hunt, key: str) -> dict[str, float | None]:
    low, high = hunt.record.intervals.get(key, (None, None))
    return {"low": low, "high": high}


def _by_tests(hunts: Mapping[str, Hunt]) -> Chart:
    rows = []
    for name, hunt in hunts.items():
        for point in first_k(_findings(hunt.folder), bootstrap=_BOOTSTRAP, seed=_SEED):
            for key, short in _SHOWN_RATES.items():
                metric = point.rates.metrics[key]
                line = f"{name}, {short}"
                ends = {"low": metric.low, "high": metric.high}
                rows.append({"n_tests": point.count, "line": line, "value": metric.value, **ends})
    chart = charts.rates_by_tests(rows, basis(hunts))
    words = ", ".join(RATES[key] for key in _SHOWN_RATES)
    return replace(chart, title=f"{chart.title}: {words[0].lower()}{words[1:]}")


def _by_difficulty(hunts: Mapping[str, Hunt]) -> Chart:
    rows = []
    for name, hunt in hunts.items():
        for group, found in grouped(_findings(hunt.folder), hunt.pairs(), "difficulty").items():
            metric = found.metrics["true_bug_rate"]
            ends = {"low": metric.low, "high": metric.high}
            rows.append({"difficulty": group or "not said", "verifier": name, "value": metric.value, **ends})
    return charts.rates_by_difficulty(rows, basis(hunts))


def _strategies(hunts: Mapping[str, Hunt], side: str, what: str) -> Chart:
    rows, n = [], 0
    for name, hunt in hunts.items():
        wrong = {pair.pair_id: _how_wrong(pair.metadata) for pair in hunt.pairs()}
        counts: dict[str, Counter[str]] = {}
        answers: Counter[str] = Counter()
        for answer in hunt.answers():
            if answer["fault"]:
                continue
            group = wrong[answer["pair_id"]]
            where = f"{name}, {group}" if group and len(hunts) > 1 else group or name
            answers[where] += 1
            counts.setdefault(where, Counter()).update(set(answer[f"{side}_strategies"] or ()))
        n += answers.total()
        rows += [
            {"group": where, "strategy": strategy.value, "share": counts[where][strategy] / answers[where]}
            for where in sorted(counts, key=_order)
            for strategy in _SIDES[side]
        ]
    return charts.strategies(rows, what, Basis(n, "answers"))


def _how_wrong(metadata: Mapping[str, Any]) -> str:
    passed = next((metadata[key] for key in _PASSED if isinstance(metadata.get(key), int | float)), None)
    return "" if passed is None else next(word for end, word in _WRONG if passed < end)


def _order(group: str) -> tuple[str, int]:
    hunt, _, word = group.rpartition(", ")
    words = [name for _, name in _WRONG]
    return hunt, words.index(word) if word in words else 0


def _diversity(hunts: Mapping[str, Hunt]) -> Chart:
    rows, n = [], 0
    for name, hunt in hunts.items():
        found = diversity(hunt).values()
        n = max(n, len(found))
        for key, measure in (
            ("unique_ratio", "unique inputs (share)"),
            ("length_range", "range of log length"),
            ("length_std", "deviation of log length"),
        ):
            values = [getattr(one, key) for one in found]
            rows.append(
                {"measure": measure, "verifier": name, "value": fmean(values) if values else math.nan}
            )
    return charts.input_diversity(rows, Basis(n, "pairs"))


@lru_cache(maxsize=8)
def _findings(folder: Path) -> tuple[Finding, ...]:
    return tuple(open_hunt(folder).findings())
