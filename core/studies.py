"""The studies on runs: suite size, when a ranking is settled, the best of n, one verifier beside others."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.errors import InputError
from core.metrics import (
    METRIC_KEYS,
    Difference,
    SaturationPoint,
    ScalingPoint,
    Scores,
    SelectionPoint,
    best_of_n,
    compare_to_family,
    saturation,
    scaling,
)
from core.model import VerifierKind
from core.progress import OnProgress, Progress
from core.scoring import Undefined, run_scores
from core.store import Run

SATURATION_SIZES = tuple(range(1, 11))
"""The k of Scoring Verifiers v2, Table 3."""
_SCALING_STEP = 5
_EVERY = 8


def scaling_of(
    run: Run,
    sizes: Sequence[int] | None = None,
    *,
    order: Literal["first", "random"] = "first",
    undefined: Undefined = "nan",
    bootstrap: int = 2000,
    seed: int = 0,
) -> list[ScalingPoint]:
    """Metrics with the first 5, 10, 15 ... tests of each suite (Scoring Verifiers v2, section 5.3).

    With order "random" the means over random subsets of so many tests.

    Raises:
        InputError: the run has no tests, or is not finished.
    """
    outcomes, reference = _matrices(run)
    longest = max(matrix.shape[1] for matrix in outcomes)
    steps = range(_SCALING_STEP, longest + _SCALING_STEP, _SCALING_STEP)
    chosen = sizes or [min(step, longest) for step in steps]
    return scaling(
        outcomes, reference, chosen, order=order, undefined=undefined, bootstrap=bootstrap, seed=seed
    )


def saturation_of(
    run: Run,
    sizes: Sequence[int] = SATURATION_SIZES,
    *,
    draws: int = 100,
    undefined: Undefined = "nan",
    seed: int = 0,
    on_progress: OnProgress = lambda _: None,
) -> list[SaturationPoint]:
    """How well k random tests rank as all do (Scoring Verifiers v2, appendix B); errors as `scaling_of`."""
    outcomes, _ = _matrices(run)
    tell = partial(_tell, on_progress, run.manifest.name, time.monotonic())
    return saturation(outcomes, sizes, draws=draws, undefined=undefined, seed=seed, on_problem=tell)


def _tell(on_progress: OnProgress, name: str, started: float, done: int, total: int) -> None:
    seconds = time.monotonic() - started
    on_progress(Progress("studying suite size", done, total, "problems", seconds=seconds, message=name))


def selection_of(
    run: Run, sizes: Sequence[int] | None = None, *, bootstrap: int = 2000, seed: int = 0
) -> list[SelectionPoint]:
    """How often the pick out of n solutions is right, n = 2 to all; errors as `scaling_of`."""
    outcomes, reference = _matrices(run)
    most = max(len(matrix) for matrix in outcomes)
    chosen = sizes or [n for n in range(2, most + 1) if n <= _EVERY or n & (n - 1) == 0 or n == most]
    return best_of_n(outcomes, reference, chosen, bootstrap=bootstrap, seed=seed)


@dataclass(frozen=True, slots=True)
class Beside:
    """One verifier beside others on the problems that all of them have.

    Attributes:
        names: the verifier, then the others.
        values: by metric, one value a verifier in the order of `names`, each over all its problems.
        differences: by metric, the verifier less the mean of the others, paired.
        invalid: share of each verifier's tests that the reference solution fails; NaN for rewards.
    """

    names: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    differences: Mapping[str, Difference]
    invalid: tuple[float, ...]


def beside(
    run: Run,
    others: Sequence[Run],
    *,
    undefined: Undefined = "nan",
    bootstrap: int = 2000,
    seed: int = 0,
) -> Beside:
    """One verifier against another or against a family (Scoring Verifiers v2, sections 5.4 and 5.5).

    Solution inclusion is the same study: the run whose tests were written with a solution in the prompt
    beside the one without.

    Raises:
        InputError: a run is unfinished, the runs are of different benchmarks, or there is no other.
    """
    if not others:
        raise InputError("expected at least one other run to compare with")
    runs = (run, *others)
    if len({one.manifest.benchmark_sha256 for one in runs}) > 1:
        names = ", ".join(f"{one.path} ({one.manifest.benchmark})" for one in runs)
        raise InputError(f"expected runs on one benchmark, these are on different ones: {names}")
    sets = [run_scores(one) for one in runs]
    scores = [_scores(one) for one in runs]
    evaluations = [one.evaluate(undefined=undefined, bootstrap=0) for one in sets]
    return Beside(
        tuple(one.run for one in sets),
        {key: tuple(one.metrics[key].value for one in evaluations) for key in METRIC_KEYS},
        compare_to_family(scores[0], scores[1:], undefined=undefined, bootstrap=bootstrap, seed=seed),
        tuple(map(_invalid, runs)),
    )


def _scores(run: Run) -> Scores:
    """A run's scores; problem codes are positions in the benchmark."""
    table = run.score_arrays()
    return Scores(
        table["position"],
        table["score"],
        table["reference_score"],
        table["reference_rank"],
        "reward" if run.manifest.verifier_kind is VerifierKind.REWARD else "tests",
    )


def _invalid(run: Run) -> float:
    """Share of a run's tests that the reference solution fails, of those with a verdict."""
    if run.manifest.verifier_kind is not VerifierKind.TESTS:
        return math.nan
    table = run.problem_summary()
    known = table["n_tests"].sum()
    return float(table["n_invalid_tests"].sum() / known) if known else math.nan


def _matrices(run: Run) -> tuple[list[npt.NDArray[np.uint8]], list[npt.NDArray[np.float64]]]:
    if not run.finished:
        raise InputError(f"{run.path}: expected a finished run; go on with it first (`run ... --resume`)")
    if not run.manifest.n_cells:
        raise InputError(
            f"{run.path}: expected a run of tests, found scores of a reward model: it ran no test"
        )
    truth = run.scores().groupby("task_id", sort=False)["reference_score"]
    reference = {str(task_id): scores.to_numpy(float) for task_id, scores in truth}
    found = dict(run.matrices())
    kept = [task_id for task_id in run.task_ids() if task_id in found and found[task_id].size]
    if not kept:
        raise InputError(f"{run.path}: no problem has tests")
    return [found[task_id] for task_id in kept], [reference[task_id] for task_id in kept]
