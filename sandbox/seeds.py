"""Random numbers that are the same each time, for programs and for checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final


def _seed_random(seed: int) -> None:
    import random

    random.seed(seed)


def _seed_numpy(seed: int) -> None:
    try:
        import numpy as np
    except ImportError:
        return
    np.random.seed(seed)  # noqa: NPY002 - programs use the global generator


SEEDERS: Final[dict[str, Callable[[int], None]]] = {
    "random": _seed_random,
    "statistics": _seed_random,
    "numpy": _seed_numpy,
}
"""By the name of a module, what makes the random numbers that one gets from it those of a seed."""
