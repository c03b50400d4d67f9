"""Rounds of refinement on the Evolve page: which runs belong together, their numbers, how one starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from core import jobs
from core.evolution.filters import Rules
from core.evolution.patterns import Trial
from core.evolution.report import KS, OVERALL, RoundReport, dropped_note, report_round
from core.evolution.start import newest_round
from core.figures import Basis, Lines, LineSeries
from core.figures.build import founded
from core.llm.client import KEY_VARIABLES
from core.model import Metric
from core.views.catalog import RunEntry
from core.views.diagnostics import Report
from core.workspace import Workspace, safe_name

__all__ = [
    "RoundsRequest",
    "difficulty_chart",
    "diversity_chart",
    "dropped_notes",
    "lineage",
    "lost_parent",
    "reports_of",
    "retention_chart",
    "round_table",
    "start_rounds",
]

_NOTHING = Metric(float("nan"), float("nan"), float("nan"), 0, 0)


@dataclass(frozen=True, slots=True)
class RoundsRequest:
    """What rounds are started with; the words are those of `python -m core evolve round`.

    Attributes:
        model: who writes tests; "" for the generator that needs no model.
        api_key: given to the job's process in its environment, and written nowhere.
    """

    run: RunEntry
    rounds: int
    model: str = ""
    base_url: str = ""
    api_key: str = ""
    n_tests: int = 20
    backend: str = "auto"
    seed: int = 0


def lineage(run: RunEntry, runs: Sequence[RunEntry]) -> tuple[RunEntry, ...]:
    """The rounds that led to a run and those that followed: round 0 first.

    Where several were made of one run, the way on is the newest.
    """
    by_name = {one.name: one for one in runs}
    chain = [run]
    while (parent := by_name.get(chain[0].manifest.parent)) and parent not in chain:
        chain.insert(0, parent)
    while followers := [one for one in runs if one.manifest.parent == chain[-1].name and one not in chain]:
        chain.append(max(followers, key=lambda one: one.manifest.created))
    return tuple(chain)


def lost_parent(chain: Sequence[RunEntry]) -> str:
    """The run that a chain's first run refines and that is not among the benchmark's runs; "" if none is."""
    return chain[0].manifest.parent


def reports_of(
    rounds: Sequence[Mapping[str, Trial]],
    rules: Rules,
    report: Report | None = None,
    *,
    whole: bool = True,
) -> tuple[RoundReport, ...]:
    """The report of each round, as `python -m core evolve report` gives it, of problems read before.

    Args:
        rounds: by task_id, in order.
        rules: the filter at the end of a round.
        report: told how far it is.
        whole: whether the first is round 0; else it has the number that its newest tests say.
    """
    found: list[RoundReport] = []
    newest = -1
    for place, trials in enumerate(rounds):
        newest = max(newest_round(trials.values()), newest + 1)
        number = found[0].round + place if found else 0 if whole else newest
        found.append(report_round(trials.values(), number, rules, written_in=newest))
        if report is not None:
            report(place + 1, len(rounds))
    return tuple(found)


def dropped_notes(reports: Sequence[RoundReport]) -> list[str]:
    """Which problems each round's filter drops, a sentence a round; none where it drops none."""
    overall = [(one.round, one.sources[OVERALL]) for one in reports]
    notes = [dropped_note(number, found.dropped, found.problems_before) for number, found in overall]
    return [note for note in notes if note]


def round_table(reports: Sequence[RoundReport]) -> pd.DataFrame:
    """A row for each round and source: the paper's Table 2, difficulty, and what each method's tests came to.

    Shares are percent; a column without any number is left out, and the source where there is one.
    """
    rows: list[dict[str, object]] = []
    for one in reports:
        for name, found in one.sources.items():
            if name != OVERALL and len(one.sources) == 2:
                continue
            row: dict[str, object] = {
                "round": one.round,
                "source": "all" if name == OVERALL else name,
                "problems": found.problems,
                "tests": found.tests_per_problem,
                **{f"pass@{k}": 100 * metric.value for k, metric in found.pass_at.items()},
                "vectors": found.vectors.value,
                "test_diversity": found.test_diversity.value,
                "told_apart": 100 * found.solution_diversity.value,
                "wrong": 100 * found.fails_reference,
                "missing": found.missing_cells,
                **{
                    name: f"{c.retained:,} of {c.generated:,}"
                    for name, c in found.methods.items()
                    if one.round
                },
            }
            rows.append(row)
    table = pd.DataFrame(rows).dropna(axis="columns", how="all")
    return table if table["source"].nunique() > 1 else table.drop(columns="source")


def difficulty_chart(reports: Sequence[RoundReport], label: str) -> Lines:
    """pass@k of the pool by round (EvolveCoder paper, figure 4), the models' pass@1 beside."""
    series = [_line(f"pass@{k}", reports, [one.sources[OVERALL].pass_at[k] for one in reports]) for k in KS]
    series = [one for one in series if any(one.n)]
    models = sorted({name for one in reports for name in one.sources[OVERALL].models})
    if len(models) > 1:
        for name in models:
            found = [one.sources[OVERALL].models.get(name) for one in reports]
            metrics = [one[1] if one else _NOTHING for one in found]
            series.append(_line(f"{name or 'unknown'}, pass@1", reports, metrics))
    return _lines("Difficulty by round", "pass@k of the pool", series, label)


def diversity_chart(reports: Sequence[RoundReport], label: str) -> Lines:
    """Tests and different pass vectors of a problem by round."""
    overall = [one.sources[OVERALL] for one in reports]
    series = [
        _line("different pass vectors", reports, [one.vectors for one in overall]),
        LineSeries(
            "tests",
            _numbers(reports),
            tuple(one.tests_per_problem for one in overall),
            n=tuple(one.problems for one in overall),
        ),
    ]
    return _lines("Tests and their pass vectors by round", "Number per problem", series, label, share=False)


def retention_chart(reports: Sequence[RoundReport], label: str) -> Lines:
    """Share of each method's new tests that the filter keeps, by round (figure 5)."""
    names = sorted({name for one in reports if one.round for name, c in _methods(one).items() if c[0]})
    series = []
    for name in names:
        points = [(one.round, _methods(one).get(name, (0, 0))) for one in reports if one.round]
        known = [(float(number), kept / made, made) for number, (made, kept) in points if made]
        x, y, n = zip(*known, strict=True) if known else ((), (), ())
        series.append(LineSeries(name, x, y, n=n))
    return _lines("New tests that the filter keeps", "Retained of generated", series, label, "tests")


def start_rounds(workspace: Workspace, request: RoundsRequest) -> str:
    """Start rounds as a job beside the runs; returns its name. JobError if it can't be started."""
    stem = f"{safe_name(request.run.name)}-evolved"
    taken = {path.name for path in workspace.runs_dir.glob("*")}
    name = (
        stem
        if stem not in taken
        else next(f"{stem}.{n}" for n in range(2, 10_000) if f"{stem}.{n}" not in taken)
    )
    folder = workspace.run_dir(name)
    options = {
        "--out": folder,
        "--rounds": request.rounds,
        "--n-tests": request.n_tests,
        "--seed": request.seed,
        "--sandbox": request.backend,
        "--model": request.model or None,
        "--base-url": (request.base_url or None) if request.model else None,
    }
    command = ["evolve", "round", str(request.run.folder), *jobs.spelled(options)]
    secret: Mapping[str, str] = {KEY_VARIABLES[0]: request.api_key} if request.api_key else {}
    environment = {"TOUCHSTONE_DATA": str(workspace.root), **secret}
    return jobs.start(command, folder, environment).folder.name


def _methods(one: RoundReport) -> dict[str, tuple[int, int]]:
    found = one.sources[OVERALL].methods
    return {name: (count.generated, count.retained) for name, count in found.items()}


def _numbers(reports: Sequence[RoundReport]) -> tuple[float, ...]:
    return tuple(float(one.round) for one in reports)


def _line(name: str, reports: Sequence[RoundReport], metrics: Sequence[Metric]) -> LineSeries:
    """A metric by round; it rests on the problems of the round that define it."""
    values, n = tuple(one.value for one in metrics), tuple(one.n - one.n_undefined for one in metrics)
    return LineSeries(name, _numbers(reports), values, n=n)


def _lines(
    title: str,
    y_label: str,
    series: Sequence[LineSeries],
    label: str,
    unit: str = "problems",
    *,
    share: bool = True,
) -> Lines:
    form = ".1%" if share else ".1f"
    ends = "; ".join(f"{one.name} from {one.y[0]:{form}} to {one.y[-1]:{form}}" for one in series if one.y)
    return Lines(
        title=title,
        x_label="Round",
        y_label=y_label,
        alt=f"Lines over rounds of {label}: {ends or 'no values'}.",
        basis=Basis(unit=unit, **founded(series)),
        series=tuple(series),
        share=share,
    )
