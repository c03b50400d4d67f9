"""The papers' figures by name, for what is made from runs, from hunts, and from tables of the user's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from core.figures import Chart

Found: TypeAlias = tuple[str, str, str, Callable[[], Chart]]
"""Key, name, the paper's figure, and what makes the chart."""
Named: TypeAlias = tuple[str, str]
"""What a figure shows, and the figure of a paper that it is the counterpart of."""

PROMPTING: Final[Named] = (
    "Tests written with and without a solution",
    "Scoring Verifiers v2, Figure 7 (v1, Figure 8)",
)
OVERLAP: Final[Named] = ("Overlap of sources", "EvolveCoder, Figure 1")
DIFFICULTY: Final[Named] = ("Difficulty by round", "EvolveCoder, Figure 4")
RETENTION: Final[Named] = ("New tests that the filter keeps, by round", "EvolveCoder, Figure 5")
MODELS: Final[Named] = ("pass@k by model", "EvolveCoder, Figure 6")
BUGS: Final[Named] = ("Bug finding", "HarnessLLM, Figure 2 and Table 1")
BY_TESTS: Final[Named] = ("Bug finding by number of tests", "HarnessLLM, Figure 4")
BY_DIFFICULTY: Final[Named] = ("True bug rate by difficulty", "HarnessLLM, Figure 6")
STRATEGIES: Final[Named] = ("Strategies", "HarnessLLM, Figure 7")
DIVERSITY: Final[Named] = ("Diversity of inputs", "HarnessLLM, Table 4")
