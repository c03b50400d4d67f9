"""`study`: suite size, when a ranking is settled, the best of n, one verifier beside others."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from core.commands.common import Sheet, long_work
from core.errors import InputError
from core.figures import LineSeries
from core.jobs import forget, study_folder, working
from core.metrics import saturates_at
from core.progress import Progress
from core.scoring import Undefined
from core.store import StoreError, open_run
from core.studies import beside, saturation_of, scaling_of, selection_of
from core.views import curves
from core.views.published import published_saturation


def scaling(
    folder: Path, order: Literal["first", "random"], undefined: Undefined, bootstrap: int, seed: int
) -> Sheet:
    """Metrics against the number of tests."""
    run = open_run(folder)
    points = scaling_of(run, order=order, undefined=undefined, bootstrap=bootstrap, seed=seed)
    return {
        "study": "scaling",
        "run": str(folder),
        "order": order,
        "points": [dataclasses.asdict(point) for point in points],
    }


def saturation(folder: Path, draws: int, undefined: Undefined, seed: int, published: str | None) -> Sheet:
    """Agreement of k random tests with all tests, and the smallest k that is enough."""
    with long_work("start again") as on_progress:
        points = saturation_of(
            open_run(folder), draws=draws, undefined=undefined, seed=seed, on_progress=on_progress
        )
    sheet: Sheet = {
        "study": "saturation",
        "run": str(folder),
        "saturates_at": saturates_at(points),
        "points": [dataclasses.asdict(point) for point in points],
    }
    if published is not None:
        found = next(iter(published_saturation(published)), None)
        if found is None:
            raise InputError(f"--published: nothing is published for {published!r}; expected HE+ or MBPP+")
        by_k = {int(k): (rho, low, high) for k, rho, low, high in _columns(found)}
        sheet["published"] = {
            "benchmark": published,
            "points": [
                {"k": k, "rho": rho, "low": low, "high": high} for k, (rho, low, high) in by_k.items()
            ],
        }
    return sheet


def sizes(folders: Sequence[Path], undefined: Undefined) -> Sheet:
    """Both studies of suite size as the app and the figures take them, kept beside each run; a job.

    Raises:
        StoreError: a run can't be read, or nothing can be kept beside it.
        InputError: it has no tests.
        StoppedError: it was asked to stop; runs that are done are not studied again.
    """
    cells = [(folder, open_run(folder).manifest.n_cells) for folder in folders]
    job = study_folder(folders[0])
    settled: list[Sheet] = []
    with long_work() as on_progress, working(job, sys.argv[1:], on_progress) as tell:
        for before, one in enumerate(cells):

            def told(done: Progress, before: int = before) -> None:
                share = done.done / max(1, done.total)
                tell(dataclasses.replace(done, overall=(before + share) / len(cells)))

            found = curves.study(one[0], undefined=undefined, on_progress=told)
            if curves.unstudied_cells([one], undefined):
                raise StoreError(f"{one[0]}: the study can't be kept there; is the folder writable?")
            settled.append(
                {"run": str(one[0]), "saturates_at": saturates_at(found.saturation, curves.SETTLED)}
            )
    forget(job)
    job.rmdir()
    return {"study": "sizes", "undefined": undefined, "runs": settled}


def selection(folder: Path, bootstrap: int, seed: int) -> Sheet:
    """How often the pick out of n solutions is right, by way of picking."""
    points = selection_of(open_run(folder), bootstrap=bootstrap, seed=seed)
    return {
        "study": "selection",
        "run": str(folder),
        "points": [dataclasses.asdict(point) for point in points],
    }


def family(folder: Path, others: Sequence[Path], undefined: Undefined, bootstrap: int, seed: int) -> Sheet:
    """One run beside one or several others of the same benchmark."""
    runs = [open_run(path) for path in (folder, *others)]
    found = beside(runs[0], runs[1:], undefined=undefined, bootstrap=bootstrap, seed=seed)
    return {"study": "family", "run": str(folder), **dataclasses.asdict(found)}


def _columns(line: LineSeries) -> Iterator[tuple[float, float, float, float]]:
    yield from zip(line.x, line.y, line.low, line.high, strict=True)
