"""How well a verifier's scores agree with the reference: arrays in, numbers out.

Covers the metrics of the scoring-verifiers papers on whole benchmarks at once, their
intervals, the comparison of two verifiers, pass@k, what each test of a suite is worth,
the two studies of suite size, and selecting with a verifier. Knows no file, no run and no chart.
"""

from core.metrics.comparison import Difference, Scores, compare, compare_measured, compare_to_family
from core.metrics.evaluation import (
    METRIC_KEYS,
    Evaluation,
    PerProblem,
    Statistics,
    counted,
    evaluate,
    min_max,
)
from core.metrics.glossary import GLOSSARY, Entry
from core.metrics.marks import MARKED, comparable, places
from core.metrics.passk import pass_at_k
from core.metrics.resampling import in_words as bootstrap_in_words
from core.metrics.selection import PICKERS, SelectionPoint, best_of_n
from core.metrics.studies import (
    SaturationPoint,
    ScalingPoint,
    saturates_at,
    saturation,
    scaling,
)
from core.metrics.suites import (
    Subset,
    difficulty,
    discrimination,
    greedy_subset,
    passed_fraction,
    redundancy,
    validity,
)

__all__ = [
    "GLOSSARY",
    "MARKED",
    "METRIC_KEYS",
    "PICKERS",
    "Difference",
    "Entry",
    "Evaluation",
    "PerProblem",
    "SaturationPoint",
    "ScalingPoint",
    "Scores",
    "SelectionPoint",
    "Statistics",
    "Subset",
    "best_of_n",
    "bootstrap_in_words",
    "comparable",
    "compare",
    "compare_measured",
    "compare_to_family",
    "counted",
    "difficulty",
    "discrimination",
    "evaluate",
    "greedy_subset",
    "min_max",
    "pass_at_k",
    "passed_fraction",
    "places",
    "redundancy",
    "saturates_at",
    "saturation",
    "scaling",
    "validity",
]
