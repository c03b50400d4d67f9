"""Choosing the best of N programs by a run's scores, for the Bugs page and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.figures import Basis, Lines, LineSeries
from core.figures.labels import signed
from core.metrics.best_of import BestOf, best_of
from core.scoring import run_scores
from core.store import open_run

__all__ = ["Selected", "best_of_run", "selection_chart", "selection_table"]

_BOOTSTRAP = 2000
_MOST = 16


@dataclass(frozen=True, slots=True)
class Selected:
    """A run as a chooser of programs: one entry for each n."""

    label: str
    points: tuple[BestOf, ...]


def best_of_run(folder: Path, label: str, ns: Sequence[int] | None = None) -> Selected:
    """What choosing by a run's scores is worth; a program is right if it passes every reference test.

    Problems with a candidate of unknown reference score are left out.

    Args:
        folder: of a finished run.
        label: its name on screen.
        ns: how many to choose from; 1, 2, ... up to what most problems have if not given. Every point is
            about the same problems: those with as many candidates as the largest.

    Raises:
        StoreError, InputError: the run can't be read, or is not finished, or no candidates have scores.
    """
    table = run_scores(open_run(folder)).table
    unknown = table.loc[table["reference_score"].isna(), "task_id"]
    table = table[~table["task_id"].isin(unknown)]
    if table.empty:
        raise InputError(
            f"{folder}: which of its programs are right is not known: its benchmark has no reference scores "
            "(`build` gives them)"
        )
    sizes = table.groupby("task_id").size()
    if ns is None:
        typical = int(sizes.median()) if len(sizes) else 1
        ns = range(1, max(1, min(typical, _MOST)) + 1)
    table = table[table["task_id"].map(sizes) >= max(ns)]
    codes, _ = pd.factorize(table["task_id"])
    right = table["reference_score"].to_numpy(float) == 1.0
    points = best_of(codes, table["score"].to_numpy(float), right, ns, bootstrap=_BOOTSTRAP)
    return Selected(label, tuple(points))


def selection_table(found: Sequence[Selected], n: int) -> pd.DataFrame:
    """Runs as choosers among n: chooser, problems, original, selected, gain, interval, oracle; in percent."""
    rows = []
    for one in found:
        point = next((p for p in one.points if p.n == n), None)
        if point is not None:
            rows.append(
                {
                    "chooser": one.label,
                    "problems": point.selected.n,
                    "original": 100 * point.original.value,
                    "selected": 100 * point.selected.value,
                    "gain": 100 * point.gain.value,
                    "interval": "[{}, {}]".format(
                        *(signed(100 * end, ".1f") for end in (point.gain.low, point.gain.high))
                    ),
                    "oracle": 100 * point.oracle.value,
                }
            )
    return pd.DataFrame(
        rows, columns=["chooser", "problems", "original", "selected", "gain", "interval", "oracle"]
    )


def selection_chart(found: Sequence[Selected], benchmark: str) -> Lines:
    """Share of problems solved by the chosen program against the number to choose from."""
    series = [
        LineSeries(
            one.label,
            tuple(float(p.n) for p in one.points),
            *(tuple(getattr(p.selected, end) for p in one.points) for end in ("value", "low", "high")),
        )
        for one in found
    ]
    first = found[0].points
    series += [
        LineSeries("at random", tuple(float(p.n) for p in first), tuple(p.original.value for p in first)),
        LineSeries("best possible", tuple(float(p.n) for p in first), tuple(p.oracle.value for p in first)),
    ]
    return Lines(
        title=f"Choosing the best of n programs on {benchmark}",
        x_label="Programs to choose from",
        y_label="Share of problems solved",
        alt="; ".join(
            f"{one.label}: {one.points[-1].selected.value:.1%} when choosing from {one.points[-1].n}"
            for one in found
        ),
        series=tuple(series),
        share=True,
        basis=Basis(first[-1].selected.n if first else 0, "problems", "95% CI, bootstrap over problems", 0),
    )
