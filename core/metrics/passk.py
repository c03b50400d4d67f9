"""pass@k without bias."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def pass_at_k(n: npt.ArrayLike, c: npt.ArrayLike, k: int) -> npt.NDArray[np.float64]:
    """The chance that k of n samples, drawn without replacement, hold a right one.

    1 - C(n-c, k) / C(n, k) (Chen et al. 2021, "Evaluating Large Language Models Trained on Code",
    section 2.1), formed from logarithms of factors near 1 so that neither large n nor tiny c loses digits.

    Args:
        n: int [...], samples per problem.
        c: int [...], right samples among them; broadcast against n.
        k: samples drawn, at least 1.

    Returns:
        float [...]; average it over problems for the benchmark's pass@k.

    Raises:
        ValueError: k < 1, k > n (the estimator does not exist), or c not in 0..n.
    """
    total, right = np.broadcast_arrays(np.asarray(n, dtype=np.float64), np.asarray(c, dtype=np.float64))
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}")
    if np.any(total < k):
        raise ValueError(f"pass@{k} needs at least {k} samples of every problem, one has {total.min():g}")
    if np.any((right < 0) | (right > total)):
        raise ValueError("c must lie in 0..n")
    certain = total - right < k
    log_all_wrong = np.zeros(total.shape)
    for j in range(k):
        log_all_wrong += np.log1p(np.where(certain, 0.0, -right / (total - j)))
    return np.where(certain, 1.0, -np.expm1(log_all_wrong))
