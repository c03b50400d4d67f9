"""Charts from arrays and from results of `core.metrics`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from core.figures.chart import Basis
from core.figures.charts import (
    Bars,
    BarSeries,
    Box,
    BoxSummary,
    Histogram,
    HistogramSeries,
    Lines,
    LineSeries,
)
from core.metrics import (
    GLOSSARY,
    Evaluation,
    SaturationPoint,
    ScalingPoint,
    SelectionPoint,
    bootstrap_in_words,
    counted,
)
from core.metrics.evaluation import Undefined

_FEW = 0.1
"""A point of a line that rests on less than this share of the units of the best founded one is hollow."""


def histogram(
    groups: Mapping[str, npt.ArrayLike],
    *,
    bins: int | Sequence[float] = 20,
    unit: str = "values",
    **words: Any,
) -> Histogram:
    """Histogram of one or more groups of values over common bins; NaN is left out.

    Args:
        groups: name -> float [n].
        bins: number of equal bins over the range of all groups, or the edges of the bins.
        unit: what is counted, for the caption.
        words: further fields of the chart (title, x_label, y_label, alt, share).
    """
    arrays = {name: _defined(values) for name, values in groups.items()}
    everything = np.concatenate([*arrays.values(), np.zeros(0)])
    edges = np.histogram_bin_edges(everything if len(everything) else np.zeros(1), bins=np.asarray(bins))
    series = tuple(
        HistogramSeries(name, tuple(np.histogram(values, bins=edges)[0].tolist()))
        for name, values in arrays.items()
    )
    n = sum(sum(one.counts) for one in series)
    return Histogram(edges=tuple(edges.tolist()), series=series, basis=Basis(n=n, unit=unit), **words)


def box(groups: Mapping[str, npt.ArrayLike], *, unit: str = "values", **words: Any) -> Box:
    """Box per group of values, NaN left out, groups without values left out; arguments as for `histogram`."""
    boxes = []
    for name, given in groups.items():
        values = _defined(given)
        if len(values) == 0:
            continue
        q1, median, q3 = (float(q) for q in np.quantile(values, [0.25, 0.5, 0.75]))
        reach = 1.5 * (q3 - q1)
        inside = values[(values >= q1 - reach) & (values <= q3 + reach)]
        outside = np.sort(values[(values < q1 - reach) | (values > q3 + reach)])
        low, high = float(inside.min()), float(inside.max())
        boxes.append(BoxSummary(name, len(values), low, q1, median, q3, high, tuple(outside.tolist())))
    return Box(boxes=tuple(boxes), basis=Basis(n=sum(b.n for b in boxes), unit=unit), **words)


def metric_bars(
    evaluations: Mapping[str, Evaluation], key: str, *, benchmark: str = "", horizontal: bool = True
) -> Bars:
    """One metric of several verifiers with its intervals, in the given order."""
    entry = GLOSSARY[key]
    metrics = [evaluation.metrics[key] for evaluation in evaluations.values()]
    where = f" on {benchmark}" if benchmark else ""
    said = ", ".join(
        f"{name} {m.value:.3f}"
        for name, m in zip(evaluations, metrics, strict=True)
        if not math.isnan(m.value)
    )
    first = next(iter(evaluations.values()), None)
    return Bars(
        title=f"{entry.name}{where}",
        x_label="Verifier",
        y_label=f"{entry.name} ({entry.better} is better)",
        alt=f"Bars of {entry.name}{where}: {said or 'no values'}.",
        basis=Basis(
            **_extremes(counted(key, one.metrics[key], one.undefined) for one in evaluations.values()),
            interval=bootstrap_in_words(first.bootstrap) if first else "",
            seed=first.seed if first else None,
        ),
        categories=tuple(evaluations),
        series=(
            BarSeries(
                entry.name,
                tuple(m.value for m in metrics),
                tuple(m.low for m in metrics),
                tuple(m.high for m in metrics),
            ),
        ),
        horizontal=horizontal,
    )


def scaling_lines(
    studies: Mapping[str, Sequence[ScalingPoint]],
    key: str,
    *,
    undefined: Undefined,
    bootstrap: int,
    seed: int,
    benchmark: str = "",
) -> Lines:
    """One metric against the number of tests, a line per verifier (scoring-verifiers v2, Figure 6).

    `undefined`, `bootstrap` and `seed` are those that the points were made with.
    """
    entry = GLOSSARY[key]
    where = f" on {benchmark}" if benchmark else ""
    series = []
    for name, points in studies.items():
        metrics = [point.metrics[key] for point in points]
        series.append(
            LineSeries(
                name,
                tuple(float(point.n_tests) for point in points),
                tuple(m.value for m in metrics),
                tuple(m.low for m in metrics),
                tuple(m.high for m in metrics),
                tuple(counted(key, m, undefined) for m in metrics),
            )
        )
    ends = _ends(series)
    return Lines(
        title=f"{entry.name} by number of tests{where}",
        x_label="Tests per problem",
        y_label=entry.name,
        alt=f"Lines of {entry.name} against the number of tests{where}: {ends or 'no values'}.",
        basis=Basis(**founded(series), interval=bootstrap_in_words(bootstrap), seed=seed),
        series=tuple(series),
    )


def selection_lines(points: Sequence[SelectionPoint], *, name: str, bootstrap: int, seed: int) -> Lines:
    """How often the pick out of n solutions is right, a line for each way to pick."""
    ways = list(points[0].accuracy) if points else []
    series = []
    for way in ways:
        found = [point.accuracy[way] for point in points]
        series.append(
            LineSeries(
                way,
                tuple(float(point.n) for point in points),
                tuple(metric.value for metric in found),
                tuple(metric.low for metric in found),
                tuple(metric.high for metric in found),
                tuple(point.problems for point in points),
            )
        )
    last = "; ".join(f"{one.name} {one.y[-1]:.3f}" for one in series)
    return Lines(
        title=f"Best of n with {name}",
        x_label="Solutions to pick from",
        y_label="Chance that the pick is right",
        alt=f"Chance that the pick out of n solutions passes all reference tests. With the most: {last}.",
        basis=Basis(**founded(series), interval=bootstrap_in_words(bootstrap), seed=seed),
        series=tuple(series),
        share=True,
    )


def saturation_lines(
    studies: Mapping[str, Sequence[SaturationPoint]], *, seed: int, threshold: float | None = 0.9
) -> Lines:
    """Rank agreement of k tests with all tests, a line per benchmark (scoring-verifiers v2, Table 3)."""
    series = tuple(
        LineSeries(
            name,
            tuple(float(p.k) for p in points),
            tuple(p.rho for p in points),
            tuple(p.low for p in points),
            tuple(p.high for p in points),
            tuple(p.n for p in points),
        )
        for name, points in studies.items()
    )
    ends = _ends(series)
    draws = max((p.draws for study in studies.values() for p in study), default=0)
    return Lines(
        title="Saturation of the ranking",
        x_label="Tests drawn (k)",
        y_label="Spearman's \N{GREEK SMALL LETTER RHO} with all tests",
        alt=f"Lines of rank agreement against the number of tests drawn: {ends or 'no values'}.",
        basis=Basis(
            **founded(series),
            interval=f"95% CI of the mean over {draws:,} draws",
            seed=seed,
        ),
        series=series,
        rule=threshold,
        rule_label="" if threshold is None else f"\N{GREEK SMALL LETTER RHO} = {threshold:g}",
    )


def founded(series: Sequence[LineSeries]) -> dict[str, Any]:
    """Fields of `Basis` of lines whose points have an n: the most, the fewest, and which are hollow."""
    found = _extremes(n for one in series for n in one.n)
    few = math.ceil(_FEW * found["n"])
    return found | ({"few": few} if found.get("least", few) < few else {})


def _defined(values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64).ravel()
    return array[~np.isnan(array)]


def _extremes(units: Iterable[int]) -> dict[str, Any]:
    """The most and the fewest units behind the marks that are drawn, as fields of `Basis`."""
    drawn = [n for n in units if n]
    return {"n": max(drawn), "least": min(drawn)} if drawn else {"n": 0}


def _ends(series: Sequence[LineSeries]) -> str:
    """Each line's first and last value that is defined, in words."""
    defined = [(one.name, [y for y in one.y if not math.isnan(y)]) for one in series]
    return "; ".join(f"{name} from {ys[0]:.3f} to {ys[-1]:.3f}" for name, ys in defined if ys)
