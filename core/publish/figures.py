"""Every figure of the papers that runs and hunts can give, and those that wait for data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from core.figures import Chart, LineSeries
from core.figures.build import metric_bars
from core.metrics import GLOSSARY, METRIC_KEYS
from core.publish import given, hunts, rounds
from core.publish.captions import NOTES, SCALING, metric_note
from core.publish.escape import distinct, label
from core.publish.source import BenchmarkRuns, Source
from core.views.curves import SizeStudies, saturation_chart, scaling_chart, study
from core.views.distributions import benchmark_charts, numbers_of_run, outcome_chart, score_chart
from core.views.published import published_saturation, published_scaling
from core.views.runs import RunSummary, Undefined

_SV: Final = "Scoring Verifiers"
_CELL: Final = "A cell is one solution under one test."
_REFERENCE: Final = "The reference score of a solution is the fraction of the reference tests that it passes."


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that can be made.

    Attributes:
        key: name of its files, unique in a source.
        name: what it shows, in a few words.
        paper: the figure of a paper that it is the counterpart of; "" for none.
        make: its chart.
        note: what its caption says besides.
        studied: whether it needs a study of suite size, which takes seconds the first time.
    """

    key: str
    name: str
    paper: str
    make: Callable[[], Chart]
    note: str = ""
    studied: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """A figure of a paper that a source has no data for.

    Attributes:
        needs: what it is made from.
    """

    name: str
    paper: str
    needs: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Those of a table (CSV) that it can be made from as well; () where there is none."""
        return next((kind.columns for kind in given.KINDS if kind.named[1] == self.paper), ())


def figures(source: Source, published: Mapping[str, str] | None = None) -> tuple[Figure, ...]:
    """All figures of a source: of each benchmark the main result first.

    Args:
        source: runs and hunts.
        published: name of a benchmark -> the paper's benchmark whose curves stand beside its own.
    """
    found = [
        figure
        for benchmark in source.benchmarks
        for figure in _of_benchmark(benchmark, source.undefined, (published or {}).get(benchmark.name, ""))
    ]
    if len(source.benchmarks) > 1:
        found += _of_several(source.benchmarks)
    found += [
        _other(*one, where=f"On {benchmark.name}. ")
        for benchmark in source.benchmarks
        for one in rounds.figures(benchmark)
    ]
    found += [_other(*one) for one in hunts.figures(source.hunts)]
    found += [_other(*one) for one in given.figures(source.given)]
    keys = distinct([figure.key for figure in found])
    return tuple(
        replace(figure, key=key, make=partial(_explained, figure.make, figure.note))
        for figure, key in zip(found, keys, strict=True)
    )


def _other(key: str, name: str, paper: str, make: Callable[[], Chart], where: str = "") -> Figure:
    return Figure(key, name, paper, make, where + NOTES.get(paper, ""))


def _explained(make: Callable[[], Chart], note: str) -> Chart:
    return replace(make(), note=note)


def waiting(found: Sequence[Figure]) -> tuple[Waiting, ...]:
    """The papers' figures that are not among those found, each with what it needs."""
    made = {figure.paper for figure in found}
    return tuple(one for one in _PAPER_FIGURES if one.paper not in made)


def studies(benchmark: BenchmarkRuns, undefined: Undefined) -> dict[str, SizeStudies]:
    """Both studies of suite size of every run that ran tests, by label; kept beside the runs."""
    return {run.label: study(run.folder, undefined=undefined) for run in benchmark.tested}


def _of_benchmark(benchmark: BenchmarkRuns, undefined: Undefined, published: str) -> Iterator[Figure]:
    name, runs = benchmark.name, benchmark.runs
    for key in METRIC_KEYS[:-1]:
        yield Figure(
            label(name, key),
            f"{GLOSSARY[key].name} of each verifier, {name}",
            f"{_SV}, Tables 2 and 4",
            partial(_bars, benchmark, key),
            metric_note(key),
        )
    if benchmark.tested:
        for key in METRIC_KEYS[:-1]:
            yield Figure(
                label(name, "scaling", key),
                f"{GLOSSARY[key].name} by number of tests, {name}",
                f"{_SV} v2, Figure 6 (v1, Figure 7)" if key == "top1" else f"{_SV} v2, Table 5 (v1, Table 4)",
                partial(_scaling, benchmark, undefined, key, published),
                f"{metric_note(key)} {SCALING}",
                studied=True,
            )
        yield Figure(
            label(name, "saturation"),
            f"Saturation of the ranking, {name}",
            f"{_SV} v2, Table 3",
            partial(_saturation, benchmark, undefined, published),
            metric_note("saturation"),
            studied=True,
        )
    if benchmark.tested:
        yield Figure(
            label(name, "outcomes"),
            f"Outcomes of each verifier's tests, {name}",
            f"{_SV} v2, Figure 5a (v1, Figure 5)",
            partial(_outcomes, runs, kinds=False),
            f"On {name}, by verifier. {_CELL}",
        )
        yield Figure(
            label(name, "errors"),
            f"Outcomes with each kind of error, {name}",
            f"{_SV} v2, Figure 16 (v1, Figure 17)",
            partial(_outcomes, runs, kinds=True),
            f"On {name}, by verifier. {_CELL}",
        )
    for run in runs:
        yield Figure(
            label(name, "scores", run.label),
            f"Scores of {run.label}, {name}",
            f"{_SV} v2, Figures 5b and 17 (v1, Figures 6 and 18)",
            partial(score_chart, run),
            f"On {name}, over all solutions, beside their reference scores.",
        )
    for part, chart_name, paper in _BENCHMARK_PANELS:
        yield Figure(
            label(name, part),
            f"{chart_name}, {name}",
            paper,
            partial(_benchmark_chart, (benchmark,), part),
            f"On {name}. {_REFERENCE}",
        )


def _of_several(benchmarks: Sequence[BenchmarkRuns]) -> Iterator[Figure]:
    for part, chart_name, paper in _BENCHMARK_PANELS:
        yield Figure(
            label("benchmarks", part),
            f"{chart_name}, all benchmarks",
            paper,
            partial(_benchmark_chart, benchmarks, part),
            _REFERENCE,
        )


_BENCHMARK_PANELS: Final = (
    ("solutions", "Solutions per problem", f"{_SV} v2, Figures 9 to 12 (v1, Figures 10 to 13)"),
    ("score-distribution", "Reference scores", f"{_SV}, Figure 4"),
    ("score-differences", "Largest score differences", f"{_SV}, Figure 3"),
)


def _benchmark_chart(benchmarks: Sequence[BenchmarkRuns], part: str) -> Chart:
    charts = benchmark_charts([numbers_of_run(one.name, one.runs[0]) for one in benchmarks])
    return charts[[name for name, _, _ in _BENCHMARK_PANELS].index(part)]


def _outcomes(runs: Sequence[RunSummary], *, kinds: bool) -> Chart:
    chart = outcome_chart(runs, kinds=kinds)
    if chart is None:
        raise ValueError("no run has tests")
    return chart


def _bars(benchmark: BenchmarkRuns, key: str) -> Chart:
    evaluations = {run.label: run.evaluation for run in benchmark.runs}
    return replace(metric_bars(evaluations, key, benchmark=benchmark.name), share=GLOSSARY[key].share)


def _scaling(benchmark: BenchmarkRuns, undefined: Undefined, key: str, published: str) -> Chart:
    beside: Sequence[LineSeries] = published_scaling(published, key) if published else ()
    chart = scaling_chart(studies(benchmark, undefined), key, benchmark.name, undefined, beside)
    return replace(chart, share=GLOSSARY[key].share)


def _saturation(benchmark: BenchmarkRuns, undefined: Undefined, published: str) -> Chart:
    beside: Sequence[LineSeries] = published_saturation(published) if published else ()
    return saturation_chart(studies(benchmark, undefined), benchmark.name, beside)


_RUNS = "a finished run of a verifier's tests"
_PAPER_FIGURES: Final = (
    *(Waiting(name, paper, "a finished run") for _, name, paper in reversed(_BENCHMARK_PANELS)),
    Waiting("Outcomes of a verifier's tests", f"{_SV} v2, Figure 5a (v1, Figure 5)", _RUNS),
    Waiting("Kinds of errors", f"{_SV} v2, Figure 16 (v1, Figure 17)", _RUNS),
    Waiting("Scores of a verifier", f"{_SV} v2, Figures 5b and 17 (v1, Figures 6 and 18)", "a finished run"),
    Waiting("Top-1 by number of tests", f"{_SV} v2, Figure 6 (v1, Figure 7)", _RUNS),
    *(Waiting(*one) for one in (*rounds.WAITING, *hunts.WAITING)),
)
