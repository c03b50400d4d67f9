"""Suite size on the Verifiers page: how a metric grows with tests, and when the ranking is settled.

What is found is kept beside the run, in `studies-<undefined>.json`: it belongs to one content of
`manifest.json`, whose hash it holds, and is made anew where it does not fit.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from core.figures import Lines, LineSeries
from core.figures.build import saturation_lines, scaling_lines
from core.files import sha256, write_json
from core.metrics import SaturationPoint, ScalingPoint, saturates_at
from core.model import Metric
from core.progress import OnProgress
from core.store import Run
from core.studies import saturation_of, scaling_of
from core.views.opened import opened
from core.views.runs import Undefined

BOOTSTRAP = 2000
AT_ONCE: Final = 500_000
"""Cells that are studied without asking first: a few seconds."""
SEED = 0
SETTLED = 0.9
_SMALL = 5
_LAYOUT: Final = 1


@dataclass(frozen=True, slots=True)
class SizeStudies:
    """Both studies of one run."""

    scaling: tuple[ScalingPoint, ...]
    saturation: tuple[SaturationPoint, ...]


def study(
    folder: Path, *, undefined: Undefined = "nan", on_progress: OnProgress = lambda _: None
) -> SizeStudies:
    """Both studies of a finished run of tests (Scoring Verifiers v2, section 5.3 and appendix B).

    Those kept beside the run, else made and kept; a folder that can't be written is studied each time.
    20,000 problems take minutes, of which `on_progress` is told.

    Raises:
        StoreError: the run can't be read.
        InputError: it has no tests.
    """
    run = opened(folder)
    path, identity = _file(folder, undefined), _identity(folder)
    found = _kept(path, identity)
    if found is None:
        found = _study(run, undefined, on_progress)
        with contextlib.suppress(OSError):
            write_json(path, _without_nan(identity | asdict(found)))
    return found


def unstudied_cells(runs: Iterable[tuple[Path, int]], undefined: Undefined) -> int:
    """How many cells a study of some runs has to go through: 0 where all are kept beside them.

    Args:
        runs: folder and number of cells of each.
        undefined: what an undefined correlation counts as.
    """
    return sum(cells for folder, cells in runs if not _studied(folder, undefined))


def _studied(folder: Path, undefined: Undefined) -> bool:
    path = _file(folder, undefined)
    return path.exists() and _kept(path, _identity(folder)) is not None


def _identity(folder: Path) -> dict[str, Any]:
    """What kept studies must say of themselves to be those of this run."""
    return {
        "layout": _LAYOUT,
        "made_of": sha256(folder / "manifest.json"),
        "bootstrap": BOOTSTRAP,
        "seed": SEED,
    }


def _file(folder: Path, undefined: Undefined) -> Path:
    return folder / f"studies-{undefined}.json"


def _study(run: Run, undefined: Undefined, on_progress: OnProgress) -> SizeStudies:
    longest = int(run.problem_summary()["n_tests"].max())
    sizes = sorted({*range(1, min(longest, _SMALL) + 1), *range(5, longest + 1, 5), longest})
    return SizeStudies(
        tuple(scaling_of(run, sizes, undefined=undefined, bootstrap=BOOTSTRAP, seed=SEED)),
        tuple(saturation_of(run, undefined=undefined, seed=SEED, on_progress=on_progress)),
    )


def scaling_chart(
    studies: Mapping[str, SizeStudies],
    key: str,
    benchmark: str,
    undefined: Undefined,
    published: Sequence[LineSeries] = (),
) -> Lines:
    """A metric against the number of tests, published curves beside; `undefined` is that of `studies`."""
    found = {name: one.scaling for name, one in studies.items()}
    return _beside(
        scaling_lines(found, key, undefined=undefined, bootstrap=BOOTSTRAP, seed=SEED, benchmark=benchmark),
        published,
    )


def saturation_chart(
    studies: Mapping[str, SizeStudies], benchmark: str, published: Sequence[LineSeries] = ()
) -> Lines:
    """Rank agreement of k tests with all tests, with published curves beside."""
    found = {name: one.saturation for name, one in studies.items()}
    chart = saturation_lines(found, seed=SEED, threshold=SETTLED)
    return _beside(replace(chart, title=f"{chart.title} on {benchmark}"), published)


def settled(studies: Mapping[str, SizeStudies]) -> str:
    """How many tests settle each verifier's ranking, in a sentence."""
    said = []
    for name, one in studies.items():
        k = saturates_at(one.saturation, SETTLED)
        largest = one.saturation[-1].k if one.saturation else 0
        needed = f"more than {largest}" if k is None else str(k)
        said.append(f"{name}: {needed}")
    reached = f"\N{GREEK SMALL LETTER RHO} above {SETTLED:g}"
    return f"Random tests that settle the ranking ({reached}): {'; '.join(said)}."


def _kept(path: Path, identity: Mapping[str, Any]) -> SizeStudies | None:
    """What is kept; None where there is nothing, or nothing that fits."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        if any(kept[key] != value for key, value in identity.items()):
            return None
        scaling = (
            {
                **point,
                "metrics": {key: Metric(**_with_nan(metric)) for key, metric in point["metrics"].items()},
            }
            for point in kept["scaling"]
        )
        return SizeStudies(
            tuple(ScalingPoint(**point) for point in scaling),
            tuple(SaturationPoint(**_with_nan(point)) for point in kept["saturation"]),
        )
    except (OSError, KeyError, TypeError, ValueError, AttributeError):
        return None


def _without_nan(value: Any) -> Any:
    """JSON has no NaN: null instead."""
    if isinstance(value, Mapping):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def _with_nan(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: math.nan if value is None else value for key, value in fields.items()}


def _beside(chart: Lines, published: Sequence[LineSeries]) -> Lines:
    if not published:
        return chart
    return replace(
        chart,
        series=(*chart.series, *published),
        alt=f"{chart.alt} Published beside: {', '.join(series.name for series in published)}.",
    )
