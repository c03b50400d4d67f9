"""Figures of EvolveCoder and of prompting, from runs that belong together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from core.evolution.filters import Rules
from core.evolution.patterns import REFERENCE
from core.evolution.report import RoundReport, model_of, models_of_run
from core.evolution.sources import open_trials
from core.figures import Basis, Chart
from core.figures import rows as charts
from core.metrics import bootstrap_in_words
from core.publish.escape import label
from core.publish.papers import DIFFICULTY, MODELS, OVERLAP, PROMPTING, RETENTION, Found
from core.publish.source import BenchmarkRuns
from core.store import open_run
from core.views.rounds import difficulty_chart, reports_of, retention_chart
from core.views.runs import RunSummary

_WITH_SOLUTION = (" with solution", " (with solution)", "+solution")
_MOST_MODELS = 24

WAITING: Final = (
    (*PROMPTING, "runs named alike but for ' with solution' at the end of one"),
    (*DIFFICULTY, "runs of which each refines the one before (its parent)"),
    (*RETENTION, "runs of which each refines the one before (its parent)"),
    (*MODELS, "solutions by at least two models"),
    (*OVERLAP, "problems of several sources: the Evolve page compares them"),
)
"""Name, figure and what it needs."""


def figures(benchmark: BenchmarkRuns) -> Iterator[Found]:
    """What the runs of a benchmark give of those figures."""
    name = benchmark.name
    if pairs := _with_and_without(benchmark):
        yield (
            label(name, "with-solution"),
            f"{PROMPTING[0]}, {name}",
            PROMPTING[1],
            partial(_prompting, pairs),
        )
    for chain in _chains(benchmark):
        folders = tuple(run.folder for run in chain)
        key = (name, "rounds", chain[-1].label)
        yield (
            label(*key, "difficulty"),
            f"{DIFFICULTY[0]}, {name}",
            DIFFICULTY[1],
            partial(_difficulty, folders),
        )
        yield label(*key, "tests"), f"{RETENTION[0]}, {name}", RETENTION[1], partial(_tests, folders)
    for run in benchmark.tested:
        if 2 <= len(_models(run.folder)) <= _MOST_MODELS:
            yield (
                label(name, "models", run.label),
                f"{MODELS[0]}, {name}",
                MODELS[1],
                partial(_by_model, run),
            )


def _with_and_without(benchmark: BenchmarkRuns) -> list[tuple[RunSummary, RunSummary]]:
    """Runs of one verifier with and without a solution in the prompt, told by their labels."""
    by_label = {run.label.lower(): run for run in benchmark.runs}
    return [
        (run, by_label[run.label.lower().removesuffix(ending)])
        for run in benchmark.runs
        for ending in _WITH_SOLUTION
        if run.label.lower().endswith(ending) and run.label.lower().removesuffix(ending) in by_label
    ]


def _prompting(pairs: Sequence[tuple[RunSummary, RunSummary]]) -> Chart:
    rows = []
    for shown, plain in pairs:
        for prompting, run in (("with solution", shown), ("without", plain)):
            metric = run.evaluation.metrics["top1"]
            ends = {"low": metric.low, "high": metric.high}
            rows.append({"verifier": plain.label, "prompting": prompting, "top1": metric.value, **ends})
    first = pairs[0][0].evaluation
    interval = bootstrap_in_words(first.bootstrap)
    return charts.with_and_without_solutions(
        rows, Basis(first.metrics["top1"].n, interval=interval, seed=first.seed)
    )


def _chains(benchmark: BenchmarkRuns) -> list[tuple[RunSummary, ...]]:
    """Runs of which each refines the one before, the first one's tests being round 0."""
    by_name = {run.manifest.name: run for run in benchmark.tested} | {
        run.name: run for run in benchmark.tested
    }
    parents = {
        run.name: by_name.get(run.manifest.parent) or by_name.get(Path(run.manifest.parent).name)
        for run in benchmark.tested
        if run.manifest.parent
    }
    inner = {parent.name for parent in parents.values() if parent}
    chains = []
    for run in benchmark.tested:
        chain: list[RunSummary] = []
        at: RunSummary | None = None if run.name in inner else run
        while at is not None and at not in chain:
            chain.append(at)
            at = parents.get(at.name)
        if len(chain) > 1:
            chains.append(tuple(reversed(chain)))
    return chains


@lru_cache(maxsize=8)
def _reports(folders: tuple[Path, ...]) -> tuple[RoundReport, ...]:
    """The rounds after the paper's filter of tests; every round keeps all problems, so that they compare."""
    rounds = [{trial.task_id: trial for trial in open_trials(folder)} for folder in folders]
    return reports_of(rounds, Rules(min_tests=0, max_perfect=None))


def _difficulty(folders: tuple[Path, ...]) -> Chart:
    return difficulty_chart(_reports(folders), folders[0].name)


def _tests(folders: tuple[Path, ...]) -> Chart:
    return retention_chart(_reports(folders), folders[0].name)


@lru_cache(maxsize=64)
def _models(folder: Path) -> frozenset[str]:
    """Who wrote the solutions, the reference aside."""
    return frozenset(map(model_of, open_run(folder).solution_sources())) - {REFERENCE, ""}


def _by_model(run: RunSummary) -> Chart:
    rows = [
        {"model": model, "k": k, **asdict(metric)}
        for model, found in models_of_run(open_run(run.folder)).items()
        for k, metric in found.items()
    ]
    return charts.pass_at_k_by_model(rows, Basis(run.manifest.n_problems))
