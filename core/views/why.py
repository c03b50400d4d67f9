"""Why a verifier ranks a problem as it does: one sentence, and the cell that shows it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.metrics import passed_fraction
from core.model import Outcome
from core.views.pass_matrix import invalid_tests, reference_rows
from core.views.problem import ProblemView
from core.words import plural, quantity

_SAME = 1e-9


def explain(view: ProblemView) -> str:
    """One sentence on whether, and why, the verifier ranks the best solution wrong, its wrong tests named."""
    found = _Order.of(view)
    known, scores, best, top = found.known, found.scores, found.best, found.top
    if len(known) < 2:
        return "Fewer than two solutions have a score and a reference rank: there is no order to judge."
    if view.matrix is not None and not view.suite.tests:
        return "The verifier has no test for this problem, so all solutions tie."
    invalid = wrong_tests(view)
    bad = int(invalid.sum())
    if bad and bad == len(invalid):
        which = "The only test fails" if bad == 1 else f"All {bad} tests fail"
        return f"{which} a solution that is known to be right."
    also = f"; {_wrong(invalid)}" if bad else ""
    if found.silent:
        return f"No signal: all {len(known)} solutions get the score {scores[known[0]]:.2f}{also}."
    if set(top) <= set(best):
        name = view.solutions[top[0]].id
        return f"Ranked right: {name} is the best of both the verifier and the reference{also}."
    if right := [row for row in top if row in best]:
        others = [row for row in top if row not in best]
        return (
            f"{view.solutions[right[0]].id}, the reference best, shares the top score {scores[right[0]]:.2f} "
            f"with {quantity(len(others), 'worse solution')}: {_tie(view, right[0], others)}{also}."
        )
    chosen, wanted = top[0], max(best, key=lambda row: scores[row])
    start = (
        f"The verifier puts {view.solutions[chosen].id} (reference score "
        f"{_number(view.solutions[chosen].reference_score)}) above {view.solutions[wanted].id}"
    )
    if view.matrix is None:
        return f"{start}: score {scores[chosen]:.2f} against {scores[wanted]:.2f}."
    if bad:
        without = passed_fraction(view.matrix.outcomes[:, ~invalid])
        them = "it" if bad == 1 else "them"
        return f"{_wrong(invalid)}; without {them} it would {_place(without, wanted, known)}."
    return f"{start}: {_split(view.matrix.outcomes, chosen, wanted)}."


def telling_cell(view: ProblemView) -> tuple[str, int] | None:
    """The cell to look at first, as (solution id, test index); None where it would tell nothing.

    A test that fails a solution known to be right; else, where a worse solution is first, a test that the
    best one fails and it passes; where a worse one shares the first place, the hardest test that it passes;
    else the first failure in reference order.
    """
    if view.matrix is None or view.matrix.outcomes.size == 0:
        return None
    outcomes = view.matrix.outcomes
    failed = (outcomes != Outcome.PASSED) & (outcomes != Outcome.INTERNAL_ERROR)
    for row in reference_rows(view.solutions):
        if failed[row].any():
            return view.solutions[row].id, int(np.argmax(failed[row]))
    if not failed.any():
        return None
    found = _Order.of(view)
    passed = outcomes == Outcome.PASSED
    worse = [row for row in found.top if row not in found.best]
    if worse and not found.silent:
        if len(worse) < len(found.top):
            hard = np.where(passed[worse[0]], failed.sum(axis=0), -1)
            return view.solutions[worse[0]].id, int(np.argmax(hard))
        wanted = max(found.best, key=lambda row: found.scores[row])
        ahead = passed[worse[0]] & failed[wanted]
        if ahead.any():
            return view.solutions[wanted].id, int(np.argmax(ahead))
    row = int(np.argmax(failed.any(axis=1)))
    return view.solutions[row].id, int(np.argmax(failed[row]))


@dataclass(frozen=True, slots=True)
class _Order:
    """Who is first for whom, as rows of the view.

    Attributes:
        scores: the verifier's, NaN where there is none.
        known: rows with a score and a reference rank.
        best: the reference best among them; `top` the verifier's.
        silent: all get one score.
    """

    scores: npt.NDArray[np.float64]
    known: list[int]
    best: list[int]
    top: list[int]
    silent: bool

    @classmethod
    def of(cls, view: ProblemView) -> _Order:
        scores = np.array([np.nan if score is None else score for score in view.scores], dtype=np.float64)
        ranks = [math.inf if s.reference_rank is None else s.reference_rank for s in view.solutions]
        known = [row for row, rank in enumerate(ranks) if math.isfinite(rank) and not math.isnan(scores[row])]
        first = min((ranks[row] for row in known), default=math.inf)
        highest = max((scores[row] for row in known), default=math.nan)
        return cls(
            scores=scores,
            known=known,
            best=[row for row in known if ranks[row] == first],
            top=[row for row in known if scores[row] >= highest - _SAME],
            silent=all(highest - scores[row] < _SAME for row in known),
        )


def wrong_tests(view: ProblemView) -> npt.NDArray[np.bool_]:
    """Which tests fail a solution known to be right; none for a verifier that runs no tests."""
    if view.matrix is None:
        return np.zeros(0, dtype=np.bool_)
    return invalid_tests(view.matrix.outcomes, view.solutions)


def _wrong(invalid: npt.NDArray[np.bool_]) -> str:
    verb = plural(int(invalid.sum()), "fails", "fail")
    found = f"{int(invalid.sum())} of {quantity(len(invalid), 'test')} {verb} the reference solution"
    return f"{found} ({_named(np.flatnonzero(invalid))})"


def _tie(view: ProblemView, right: int, others: Sequence[int]) -> str:
    if view.matrix is None:
        return "it scores them alike"
    passed = view.matrix.outcomes == Outcome.PASSED
    differ = np.flatnonzero((passed[list(others)] != passed[right]).any(axis=0))
    if len(differ) == 0:
        return "no test tells them apart"
    return f"they fail equally many tests, but not the same ({_named(differ)})"


def _split(outcomes: npt.NDArray[np.uint8], chosen: int, wanted: int) -> str:
    passed = outcomes == Outcome.PASSED
    ahead = np.flatnonzero(passed[chosen] & ~passed[wanted])
    missing = int(np.sum(outcomes[wanted] == Outcome.INTERNAL_ERROR))
    if len(ahead) == 0:
        return f"it passes no test that the other fails, but {quantity(missing, 'verdict')} are missing"
    return f"it passes {quantity(len(ahead), 'test')} that the other fails ({_named(ahead)})"


def _named(tests: npt.NDArray[np.intp]) -> str:
    """Tests by their numbers, the first five of them."""
    shown = ", ".join(str(test + 1) for test in tests[:5]) + (", …" if len(tests) > 5 else "")
    return f"{plural(len(tests), 'test')} {shown}"


def _place(scores: npt.NDArray[np.float64], row: int, known: Sequence[int]) -> str:
    above = sum(scores[other] > scores[row] + _SAME for other in known)
    tied = sum(abs(scores[other] - scores[row]) <= _SAME for other in known) - 1
    if above:
        return f"rank {above + 1} still"
    return f"share the first rank with {quantity(tied, 'other')}" if tied else "rank first"


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
