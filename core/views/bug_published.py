"""HarnessLLM's published tables (assets/reference), with one's own hunts among their rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pandas as pd

from core.hunting.model import AnswerKind
from core.views.bug_numbers import HuntNumbers
from core.views.published import reference_rows

__all__ = [
    "HARNESS_SOURCE",
    "published_best_of",
    "published_bugs",
    "published_diversity",
    "published_first_k",
    "published_hunt_benchmarks",
]

HARNESS_SOURCE: Final = "HarnessLLM (Liu et al.)"
_RATES: Final = ("good_input", "invalid_test_rate", "true_bug_rate")


def published_hunt_benchmarks() -> tuple[str, ...]:
    """The benchmarks that have published rates, in the paper's order."""
    return tuple(dict.fromkeys(row["benchmark"] for row in reference_rows("harnessllm_bug_finding")))


def published_bugs(benchmark: str, own: Sequence[HuntNumbers]) -> pd.DataFrame:
    """Published rates on a benchmark with one's own, best true bug rate first, in percent.

    Columns: who, verifier, table, good_input, invalid_test_rate, true_bug_rate.
    """
    rows: list[dict[str, object]] = [
        {
            "who": "published",
            "verifier": f"{row['group']}, {row['verifier']}",
            "table": row["table"],
            **{key: float(row[key]) for key in _RATES},
        }
        for row in reference_rows("harnessllm_bug_finding")
        if row["benchmark"] == benchmark
    ]
    rows += [
        {
            "who": "yours",
            "verifier": one.label,
            "table": "",
            **{key: 100 * one.rates.metrics[key].value for key in _RATES},
        }
        for one in own
    ]
    return pd.DataFrame(rows).sort_values("true_bug_rate", ascending=False, kind="stable", ignore_index=True)


def published_first_k(benchmark: str, kind: AnswerKind) -> pd.DataFrame:
    """True bugs in percent of Qwen3-32B with the first k tests only: k, true_bug_rate; empty if none."""
    rows = [
        {"k": int(row["k"]), "true_bug_rate": float(row["true_bug_rate"])}
        for row in reference_rows("harnessllm_first_k")
        if row["benchmark"] == benchmark and row["kind"] == kind.value
    ]
    return pd.DataFrame(rows, columns=["k", "true_bug_rate"])


def published_best_of() -> pd.DataFrame:
    """Best of 8 on LiveCodeBench in percent (tables 3 and 12): tests, selector, and one column a model."""
    rows = reference_rows("harnessllm_best_of_n")
    models = [key for key in rows[0] if key not in {"tests_per_program", "selector"}]
    return pd.DataFrame(
        [
            {
                "tests": row["tests_per_program"].replace("-", "\N{EN DASH}"),
                "selector": row["selector"],
            }
            | {model: float(row[model]) for model in models}
            for row in rows
        ]
    )


def published_diversity() -> pd.DataFrame:
    """Diversity of inputs (table 4) in the columns of `diversity_table`."""
    return pd.DataFrame(
        [
            {
                "answers": f"{row['verifier']}, published",
                "pairs": 214,
                **{key: float(row[key]) for key in ("unique_ratio", "length_range", "length_std")},
            }
            for row in reference_rows("harnessllm_diversity")
        ]
    )
