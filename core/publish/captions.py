"""What a reader has to know to read a figure, for its caption: what is counted, and on which benchmark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from core.metrics import GLOSSARY
from core.publish import papers

__all__ = ["NOTES", "SCALING", "metric_note"]


def metric_note(key: str) -> str:
    """What a metric is and which direction is better."""
    entry = GLOSSARY[key]
    return f"{entry.definition} {entry.better.capitalize()} is better." if entry.better else entry.definition


def _rates(*keys: str) -> str:
    return " ".join(f"{GLOSSARY[key].name}: {_lower(GLOSSARY[key].definition)}" for key in keys)


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


SCALING: Final = "Each suite is cut to so many tests; one with fewer takes part with all it has."
NOTES: Final[Mapping[str, str]] = {
    papers.PROMPTING[1]: metric_note("top1"),
    papers.OVERLAP[1]: (
        "Share of the problems of a source (row) that have a near duplicate in another (column)."
    ),
    papers.DIFFICULTY[1]: (
        "pass@k: chance that at least one of k solutions drawn from the pool passes all tests of a problem."
    ),
    papers.RETENTION[1]: (
        "Of the tests that each step wrote for a round, the share that the filter at its end keeps."
    ),
    papers.MODELS[1]: metric_note("pass_at_k"),
    papers.BUGS[1]: _rates("gi", "itr", "tbr"),
    papers.BY_TESTS[1]: f"Only the first tests of each answer count. {_rates('itr', 'tbr')}",
    papers.BY_DIFFICULTY[1]: _rates("tbr"),
    papers.STRATEGIES[1]: "An answer may use several, so that shares need not add up to 100%.",
    papers.DIVERSITY[1]: "Inputs of all answers to a pair, taken together; their lengths as logarithms.",
}
"""By the figure of a paper that a figure is the counterpart of."""
