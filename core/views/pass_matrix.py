"""The pass matrix as it is shown: rows and columns in the chosen order, folded, marked, packed.

Covers ordering, folding and marking of one `PassMatrix`, and its packing into one block of
bytes for the component in assets/pass_matrix. What a click on a cell shows is `core.views.problem`.
"""

from __future__ import annotations

import enum
import json
import struct
from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import pdist

from core.figures.palette import OUTCOMES
from core.metrics import difficulty
from core.model import Outcome, PassMatrix, Solution
from core.words import quantity

_LABEL_LENGTH = 220
_OPTIMAL_ORDER_UP_TO = 250
_IN_PROCESS = np.uint8(0x80)

Codes = npt.NDArray[np.uint8]
Order = npt.NDArray[np.intp]


class RowOrder(enum.StrEnum):
    """What the rows (solutions) are sorted by."""

    REFERENCE = "reference order"
    SCORE = "verifier score"
    SIMILARITY = "similarity"


class ColumnOrder(enum.StrEnum):
    """What the columns (tests) are sorted by."""

    SUITE = "suite order"
    RATE = "pass rate"
    SIMILARITY = "similarity"


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One solution beside the matrix; scores are in [0, 1], None where unknown."""

    id: str
    label: str
    reference: float | None
    score: float | None


@dataclass(frozen=True, slots=True)
class MatrixColumn:
    """One test, or several with identical outcomes folded into one.

    Attributes:
        tests: indices into the suite, ascending; the first one stands for all.
        label: source of the first test, shortened.
        pass_rate: passed / (outcomes that are not INTERNAL_ERROR); None if there are none.
        invalid: the reference solution fails it.
        useless: every solution has the same outcome, so it separates nothing.
    """

    tests: tuple[int, ...]
    label: str
    pass_rate: float | None
    invalid: bool
    useless: bool


@dataclass(frozen=True, slots=True)
class MatrixView:
    """A pass matrix ready to draw.

    Attributes:
        title: what it shows, for a reader who can't see it.
        score_name: what the verifier's score is called.
        outcomes: uint8 codes of `Outcome`, shape (rows, columns), in the order shown.
        in_process: which of them were judged inside the program's own process; None for none.
    """

    title: str
    score_name: str
    rows: tuple[MatrixRow, ...]
    columns: tuple[MatrixColumn, ...]
    outcomes: Codes
    in_process: npt.NDArray[np.bool_] | None = None


def arrange(
    matrix: PassMatrix,
    solutions: Sequence[Solution],
    scores: Sequence[float | None],
    tests: Sequence[str],
    *,
    score_name: str,
    rows: RowOrder = RowOrder.REFERENCE,
    columns: ColumnOrder = ColumnOrder.SUITE,
    fold: bool = False,
    in_process: npt.NDArray[np.bool_] | None = None,
) -> MatrixView:
    """The matrix in the chosen order, with its marks.

    Args:
        matrix: outcomes in reference order.
        solutions: one for each row of `matrix`, in the same order.
        scores: the verifier's score of each of them.
        tests: source of each test, in suite order.
        score_name: what the scores are called (the run's or the verifier's name).
        rows: order of the rows.
        columns: order of the columns; folded groups are ordered by their first test.
        fold: put columns with identical outcomes into one.
        in_process: cells judged inside the program's own process, shape of `matrix`.
    """
    outcomes = matrix.outcomes
    groups = identical_columns(outcomes) if fold else [(test,) for test in range(outcomes.shape[1])]
    invalid = invalid_tests(outcomes, solutions)
    useless = useless_tests(outcomes)
    rates = difficulty(outcomes)
    shown = tuple(
        MatrixColumn(
            tests=group,
            label=_shorten(tests[group[0]]),
            pass_rate=None if np.isnan(rates[group[0]]) else float(rates[group[0]]),
            invalid=bool(invalid[group[0]]),
            useless=bool(useless[group[0]]),
        )
        for group in groups
    )
    heads = [group[0] for group in groups]
    codes = outcomes[:, heads]
    across = _column_order(codes, columns)
    down = _row_order(outcomes, scores, rows)
    labelled = tuple(
        MatrixRow(solution.id, solution.id, solution.reference_score, score)
        for solution, score in zip(solutions, scores, strict=True)
    )
    return MatrixView(
        title=(
            f"Outcomes of {quantity(outcomes.shape[0], 'solution')} under "
            f"{quantity(outcomes.shape[1], 'test')}, {matrix.task_id}"
        ),
        score_name=score_name,
        rows=tuple(labelled[row] for row in down),
        columns=tuple(shown[column] for column in across),
        outcomes=np.ascontiguousarray(codes[np.ix_(down, across)]),
        in_process=None if in_process is None else in_process[:, heads][np.ix_(down, across)],
    )


def pack(view: MatrixView, selected: tuple[str, int] | None) -> bytes:
    """The view as bytes: length of the header (uint32, little endian), JSON header, one byte per cell.

    A byte is the outcome's code, with the highest bit set where it was judged in the program's process.

    Args:
        view: what to draw.
        selected: (solution id, test index) of the selected cell.
    """
    counts = np.bincount(view.outcomes.ravel(), minlength=len(OUTCOMES))
    header = {
        "title": view.title,
        "names": {"score": view.score_name},
        "rows": [asdict(row) for row in view.rows],
        "columns": [asdict(column) for column in view.columns],
        "outcomes": [
            {
                "letter": style.letter,
                "name": style.name,
                "light": [style.fill(), style.ink()],
                "dark": [style.fill(dark=True), style.ink(dark=True)],
                "count": int(counts[code]),
            }
            for code, style in enumerate(OUTCOMES.values())
        ],
        "selected": selected,
    }
    text = json.dumps(header, allow_nan=False).encode()
    cells = view.outcomes
    if view.in_process is not None:
        cells = cells | np.where(view.in_process, _IN_PROCESS, np.uint8(0))
    return struct.pack("<I", len(text)) + text + cells.tobytes()


def reference_rows(solutions: Sequence[Solution]) -> list[int]:
    """Rows that are known to be right: they pass every reference test."""
    return [row for row, solution in enumerate(solutions) if solution.reference_score == 1.0]


def invalid_tests(outcomes: Codes, solutions: Sequence[Solution]) -> npt.NDArray[np.bool_]:
    """Whether each test fails a solution that is known to be right, shape (tests,).

    Missing verdicts don't count.
    """
    right = outcomes[reference_rows(solutions), :]
    failed: npt.NDArray[np.bool_] = (right != Outcome.PASSED) & (right != Outcome.INTERNAL_ERROR)
    found: npt.NDArray[np.bool_] = np.any(failed, axis=0)
    return found


def useless_tests(outcomes: Codes) -> npt.NDArray[np.bool_]:
    """Whether each test either passes every solution or passes none, shape (tests,).

    Missing verdicts are left out; such a test moves every score alike and changes no order.
    """
    rates = difficulty(outcomes)
    useless: npt.NDArray[np.bool_] = np.isnan(rates) | (rates == 0) | (rates == 1)
    return useless


def identical_columns(outcomes: Codes) -> list[tuple[int, ...]]:
    """Tests grouped by identical outcomes, in order of their first member."""
    groups: dict[bytes, list[int]] = {}
    for test, column in enumerate(np.ascontiguousarray(outcomes.T)):
        groups.setdefault(column.tobytes(), []).append(test)
    return [tuple(group) for group in groups.values()]


def _row_order(outcomes: Codes, scores: Sequence[float | None], order: RowOrder) -> Order:
    if order is RowOrder.SIMILARITY:
        return _similarity_order(outcomes)
    if order is RowOrder.SCORE:
        values = np.array([np.nan if score is None else score for score in scores], dtype=np.float64)
        return np.argsort(-values, kind="stable")
    return np.arange(outcomes.shape[0])


def _column_order(outcomes: Codes, order: ColumnOrder) -> Order:
    if order is ColumnOrder.SIMILARITY:
        return _similarity_order(outcomes.T)
    if order is ColumnOrder.RATE:
        return np.argsort(-difficulty(outcomes), kind="stable")
    return np.arange(outcomes.shape[1])


def _similarity_order(vectors: Codes) -> Order:
    """Leaves of an average-linkage clustering by the share of differing outcomes."""
    groups = identical_columns(vectors.T)
    if len(groups) < 3:
        return np.array([member for group in groups for member in group], dtype=np.intp)
    distances = pdist(vectors[[group[0] for group in groups]], "hamming")
    tree = linkage(distances, "average", optimal_ordering=len(groups) <= _OPTIMAL_ORDER_UP_TO)
    return np.array([member for leaf in leaves_list(tree) for member in groups[leaf]], dtype=np.intp)


def _shorten(source: str) -> str:
    return source if len(source) <= _LABEL_LENGTH else source[:_LABEL_LENGTH] + "…"
