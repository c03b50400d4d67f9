"""More studies on the Verifiers page: picking the best of n, random subsets, one verifier beside others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pandas as pd

from core.figures import Lines
from core.figures.build import scaling_lines, selection_lines
from core.metrics import GLOSSARY, ScalingPoint, SelectionPoint
from core.store import open_run
from core.studies import beside, scaling_of, selection_of
from core.views.curves import BOOTSTRAP, SEED
from core.views.runs import Undefined


@dataclass(frozen=True, slots=True)
class FamilyTable:
    """One verifier beside others.

    Attributes:
        table: a row a metric: metric, a column a verifier, difference, low, high, problems.
        names: columns of the verifiers, the first one is compared with the mean of the others.
    """

    table: pd.DataFrame
    names: tuple[str, ...]


def selection(folder: Path) -> list[SelectionPoint]:
    """How often the pick out of n solutions is right.

    Raises:
        StoreError: the run can't be read.
        InputError: it has no tests.
    """
    return selection_of(open_run(folder), bootstrap=BOOTSTRAP, seed=SEED)


def selection_chart(points: Sequence[SelectionPoint], name: str) -> Lines:
    """The same as a chart."""
    return selection_lines(points, name=name, bootstrap=BOOTSTRAP, seed=SEED)


def both_orders(folder: Path, undefined: Undefined) -> dict[str, list[ScalingPoint]]:
    """Metrics by number of tests, with the first tests and with random ones; errors as `selection`."""
    run = open_run(folder)
    longest = int(run.problem_summary()["n_tests"].max())
    sizes = sorted({*range(1, min(longest, 5) + 1), *range(5, longest + 1, max(5, longest // 12)), longest})
    measured = partial(scaling_of, run, sizes, undefined=undefined, bootstrap=BOOTSTRAP, seed=SEED)
    return {
        "first tests": measured(order="first"),
        "random subsets": measured(order="random"),
    }


def orders_chart(found: dict[str, list[ScalingPoint]], key: str, name: str, undefined: Undefined) -> Lines:
    """A metric by number of tests in both orders; `undefined` is that of `found`."""
    return scaling_lines(
        found,
        key,
        undefined=undefined,
        bootstrap=BOOTSTRAP,
        seed=SEED,
        benchmark=f"the tests of {name}",
    )


def family(folder: Path, others: Sequence[Path], names: Sequence[str], undefined: Undefined) -> FamilyTable:
    """One run beside others of the same benchmark; `names` of all, the one's first. Errors as `selection`."""
    found = beside(
        open_run(folder),
        [open_run(path) for path in others],
        undefined=undefined,
        bootstrap=BOOTSTRAP,
        seed=SEED,
    )
    rows = []
    for key, values in found.values.items():
        apart = found.differences[key]
        head = f"{GLOSSARY[key].name} {GLOSSARY[key].arrow}"
        rows.append((head, *values, apart.value, apart.low, apart.high, apart.n))
    if not all(map(math.isnan, found.invalid)):
        rows.append(("Share of invalid tests ↓", *found.invalid, None, None, None, None))
    columns = ["metric", *names, "difference", "low", "high", "problems"]
    return FamilyTable(pd.DataFrame(rows, columns=columns), tuple(names))
