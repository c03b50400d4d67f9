"""`study`: how metrics change with the number of tests."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from core.commands.common import Sheet
from core.metrics import saturates_at
from core.scoring import Undefined
from core.store import open_run
from core.studies import saturation_of, scaling_of


def scaling(folder: Path, undefined: Undefined, bootstrap: int, seed: int) -> Sheet:
    """Metrics against the number of tests."""
    points = scaling_of(open_run(folder), undefined=undefined, bootstrap=bootstrap, seed=seed)
    return {"study": "scaling", "run": str(folder), "points": [dataclasses.asdict(point) for point in points]}


def saturation(folder: Path, draws: int, undefined: Undefined, seed: int) -> Sheet:
    """Agreement of k random tests with all tests, and the smallest k that is enough."""
    points = saturation_of(open_run(folder), draws=draws, undefined=undefined, seed=seed)
    return {
        "study": "saturation",
        "run": str(folder),
        "saturates_at": saturates_at(points),
        "points": [dataclasses.asdict(point) for point in points],
    }
