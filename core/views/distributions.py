"""The Distributions page: the histograms of the papers, for benchmarks and for verifiers.

Scoring Verifiers v1 and v2, Figures 3 and 4 (benchmarks) and 5 (a verifier), and appendix A.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.figures import Basis, Chart, Histogram, Part, StackedBars
from core.figures.build import histogram
from core.figures.palette import OUTCOMES
from core.formats import load
from core.metrics import min_max
from core.model import Outcome
from core.views.runs import RunSummary

Floats = npt.NDArray[np.float64]

_UNIT_BINS = tuple(float(edge) for edge in np.linspace(0, 1, 21))
_MOST_SINGLE_COUNTS = 40


@dataclass(frozen=True, slots=True)
class BenchmarkNumbers:
    """What the benchmark's histograms are drawn from.

    Attributes:
        n_solutions: of each problem, float [problems].
        spread: highest less lowest reference score of each problem, float [problems], NaN if unknown.
        reference: reference score of each solution, float [solutions], NaN if unknown.
    """

    name: str
    n_solutions: Floats
    spread: Floats
    reference: Floats


def numbers_of_run(name: str, summary: RunSummary) -> BenchmarkNumbers:
    """The benchmark as one of its runs keeps it."""
    return BenchmarkNumbers(
        name,
        summary.problems["n_solutions"].to_numpy(np.float64),
        summary.problems["reference_spread"].to_numpy(np.float64),
        np.asarray(summary.scores.reference_score, dtype=np.float64),
    )


def numbers_of_file(name: str, path: Path) -> BenchmarkNumbers:
    """A benchmark on which no verifier has been run, from its file.

    Raises:
        FormatError: the file can't be read, or holds no benchmark.
    """
    benchmark = load(path).scored(path)
    scores = [
        np.array(
            [np.nan if s.reference_score is None else s.reference_score for s in solutions], dtype=np.float64
        )
        for solutions in (benchmark.solutions[problem.task_id] for problem in benchmark.problems)
    ]
    return BenchmarkNumbers(
        name,
        np.array([len(one) for one in scores], dtype=np.float64),
        np.array([np.ptp(one) if len(one) else np.nan for one in scores], dtype=np.float64),
        np.concatenate([*scores, np.zeros(0)]),
    )


def benchmark_charts(benchmarks: Sequence[BenchmarkNumbers]) -> tuple[Histogram, ...]:
    """Solutions per problem, reference scores and largest differences of one or several benchmarks.

    Several stand beside each other as shares, as they differ in size.
    """
    several = len(benchmarks) > 1
    names = " and ".join(one.name for one in benchmarks)
    counts = {one.name: one.n_solutions for one in benchmarks}
    problems = "Share of problems" if several else "Problems"
    return (
        histogram(
            counts,
            bins=_count_bins(np.concatenate(list(counts.values()))),
            unit="problems",
            title="Solutions per problem",
            x_label="Solutions of a problem",
            y_label=problems,
            alt=f"Histogram of the number of solutions per problem of {names}: {_spans(counts, '.0f')}.",
            share=several,
        ),
        histogram(
            {one.name: one.reference for one in benchmarks},
            bins=_UNIT_BINS,
            unit="solutions",
            title="Fraction of reference tests passed",
            x_label="Reference score of a solution",
            y_label="Share of solutions" if several else "Solutions",
            alt=f"Histogram of the reference scores of all solutions of {names}: "
            f"{_spans({one.name: one.reference for one in benchmarks}, '.2f')}.",
            share=several,
        ),
        histogram(
            {one.name: one.spread for one in benchmarks},
            bins=_UNIT_BINS,
            unit="problems",
            title="Largest score difference in a problem",
            x_label="Highest \N{MINUS SIGN} lowest reference score",
            y_label=problems,
            alt=f"Histogram of the score differences of {names}: "
            f"{_spans({one.name: one.spread for one in benchmarks}, '.2f')}.",
            share=several,
        ),
    )


def outcome_chart(summaries: Sequence[RunSummary], *, kinds: bool = False) -> StackedBars | None:
    """Outcomes of all cells of each verifier; None where none of them ran a test.

    Args:
        summaries: runs; those without cells are left out.
        kinds: tell the non-assertion errors apart, in place of one sum (the papers' Figure 5).
    """
    ran = [summary for summary in summaries if summary.manifest.n_cells]
    if not ran:
        return None
    counts = [summary.manifest.outcome_counts for summary in ran]
    grouped = [o.letter for o in Outcome if o.is_non_assertion_error]
    alone = [letter for letter in OUTCOMES if kinds or letter not in grouped]
    parts = [Part(OUTCOMES[x].name, tuple(float(c.get(x, 0)) for c in counts), x) for x in alone]
    if not kinds:
        together = tuple(float(sum(c.get(x, 0) for x in grouped)) for c in counts)
        parts.insert(2, Part(f"non-assertion error ({' '.join(grouped)})", together))
    parts = [part for part in parts if any(part.values)]
    passed = ", ".join(
        f"{summary.label} {c.get('P', 0) / max(1, sum(c.values())):.0%}"
        for summary, c in zip(ran, counts, strict=True)
    )
    return StackedBars(
        title="Outcomes of all cells, errors by kind" if kinds else "Outcomes of all cells",
        x_label="Share of cells (a solution under a test)",
        y_label="",
        alt=f"Bars of the outcomes of each verifier's cells. Passed: {passed}.",
        basis=Basis(n=sum(summary.manifest.n_cells for summary in ran), unit="cells"),
        categories=tuple(summary.label for summary in ran),
        parts=tuple(parts),
    )


def score_chart(summary: RunSummary) -> Histogram:
    """A verifier's scores beside the reference scores, over all solutions.

    Reward scores are min-max normalised within each problem, as for MAE.
    """
    given = summary.scores
    scores = np.asarray(given.score, dtype=np.float64)
    name, said = summary.label, "score"
    if given.kind == "reward":
        known = ~np.isnan(scores)
        group = np.asarray(given.problem)
        scaled = np.full(len(scores), np.nan)
        scaled[known] = min_max(group[known], scores[known], len(summary.problems))
        scores, said = scaled, "score, min-max normalised within each problem"
    reference = np.asarray(given.reference_score, dtype=np.float64)
    chart = histogram(
        {"reference": reference, name: scores},
        bins=_UNIT_BINS[::2],
        unit="solutions",
        title=f"Scores of {name}",
        x_label=f"Score of a solution ({said})" if given.kind == "reward" else "Score of a solution",
        y_label="Share of solutions",
        alt=f"Histogram of the scores of {name} beside the reference scores: "
        f"mean {np.nanmean(scores) if len(scores) else np.nan:.2f} against "
        f"{np.nanmean(reference) if len(reference) else np.nan:.2f}.",
        share=True,
    )
    return _with_n(chart, int(np.sum(~np.isnan(scores))))


def file_name(chart: Chart, where: str) -> str:
    """Name of a chart's CSV: letters, digits and dashes."""
    words = "".join(c if c.isalnum() and c.isascii() else " " for c in f"{where} {chart.title}".lower())
    return "-".join(words.split())[:120] + ".csv"


def _with_n(chart: Histogram, n: int) -> Histogram:
    return replace(chart, basis=Basis(n=n, unit="solutions"))


def _count_bins(values: Floats) -> int | tuple[float, ...]:
    """A bin for each number of solutions, as long as they can be told apart."""
    if not len(values) or np.ptp(values) > _MOST_SINGLE_COUNTS:
        return 20
    low, high = int(values.min()), int(values.max())
    return tuple(edge - 0.5 for edge in range(low, high + 2))


def _spans(groups: Mapping[str, Floats], form: str) -> str:
    said = []
    for name, values in groups.items():
        known = values[~np.isnan(values)]
        if len(known):
            low, middle, high = (format(float(v), form) for v in (known.min(), np.median(known), known.max()))
            said.append(f"{name} from {low} to {high}, median {middle}")
    return "; ".join(said) or "no values"
