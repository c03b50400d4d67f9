"""Trials made from letters, for the tests of this folder."""

import numpy as np

from core.evolution.patterns import Outcomes, Trial
from core.model import Assertion, Origin, Outcome, Problem, Solution


def cells(*rows: str) -> Outcomes:
    """Outcome letters, one text a solution, as codes."""
    codes = [[Outcome.from_letter(letter) for letter in row] for row in rows]
    return np.array(codes, dtype=np.uint8).reshape(len(rows), len(rows[0]) if rows else 0)


def trial(*rows: str, task_id: str = "p", sources: tuple[str, ...] = (), source: str = "") -> Trial:
    """A problem whose solutions are called s0, s1, ... and whose tests are numbered."""
    models = sources or ("",) * len(rows)
    return Trial(
        Problem(task_id, "Double x.", entry_point="f", metadata={"source": source} if source else {}),
        tuple(Solution(f"s{i}", f"def f(x): return {i}", model) for i, model in enumerate(models)),
        tuple(Assertion(f"assert f({i}) == {2 * i}", Origin("v", "seed", 0)) for i in range(len(rows[0]))),
        cells(*rows),
    )
