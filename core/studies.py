"""The studies of suite size on a run: how metrics grow with tests, and when a ranking is settled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.metrics import SaturationPoint, ScalingPoint, saturation, scaling
from core.scoring import Undefined
from core.store import Run

SATURATION_SIZES = tuple(range(1, 11))
"""The k of Scoring Verifiers v2, Table 3."""
_SCALING_STEP = 5


def scaling_of(
    run: Run,
    sizes: Sequence[int] | None = None,
    *,
    undefined: Undefined = "nan",
    bootstrap: int = 2000,
    seed: int = 0,
) -> list[ScalingPoint]:
    """Metrics with the first 5, 10, 15 ... tests of each suite (Scoring Verifiers v2, section 5.3).

    Raises:
        InputError: the run has no tests, or is not finished.
    """
    outcomes, reference = _matrices(run)
    longest = max(matrix.shape[1] for matrix in outcomes)
    steps = range(_SCALING_STEP, longest + _SCALING_STEP, _SCALING_STEP)
    chosen = sizes or [min(step, longest) for step in steps]
    return scaling(outcomes, reference, chosen, undefined=undefined, bootstrap=bootstrap, seed=seed)


def saturation_of(
    run: Run,
    sizes: Sequence[int] = SATURATION_SIZES,
    *,
    draws: int = 100,
    undefined: Undefined = "nan",
    seed: int = 0,
) -> list[SaturationPoint]:
    """How well k random tests rank as all do (Scoring Verifiers v2, appendix B); errors as `scaling_of`."""
    outcomes, _ = _matrices(run)
    return saturation(outcomes, sizes, draws=draws, undefined=undefined, seed=seed)


def _matrices(run: Run) -> tuple[list[npt.NDArray[np.uint8]], list[npt.NDArray[np.float64]]]:
    if not run.finished or not run.manifest.n_cells:
        raise InputError(f"{run.path}: expected a finished run of tests")
    truth = run.scores().groupby("task_id", sort=False)["reference_score"]
    reference = {str(task_id): scores.to_numpy(float) for task_id, scores in truth}
    matrices = [run.matrix(task_id) for task_id in run.task_ids()]
    kept = [matrix for matrix in matrices if matrix.outcomes.size]
    if not kept:
        raise InputError(f"{run.path}: no problem has tests")
    return [matrix.outcomes for matrix in kept], [reference[matrix.task_id] for matrix in kept]
