"""Two things of one problem beside each other: solutions, a solution and the reference, two suites."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass

from core.model import TestSuite
from core.views.code import Line, Pane, highlighted, side_by_side
from core.views.problem import ProblemView

_FILLER = Line(None, "filler", ())


class Beside(enum.StrEnum):
    """What stands beside what."""

    SOLUTIONS = "two solutions"
    REFERENCE = "a solution and the reference"
    SUITES = "two verifiers' tests"


@dataclass(frozen=True, slots=True)
class SuiteDiff:
    """The tests of two suites, those that both have on the same line; numbers are those of the tests.

    Attributes:
        shared: tests that both have.
        left_only, right_only: tests that only one has.
    """

    panes: tuple[Pane, Pane]
    shared: int
    left_only: int
    right_only: int


def solutions_beside(view: ProblemView, left: str, right: str) -> tuple[Pane, Pane] | None:
    """Two solutions of a problem as a diff; None where one of them is not there."""
    old, new = view.solution(left), view.solution(right)
    if old is None or new is None:
        return None
    return side_by_side(_title(view, left), old.code, _title(view, right), new.code)


def reference_beside(view: ProblemView, solution_id: str) -> tuple[Pane, Pane] | None:
    """The problem's reference solution and one other as a diff; None where one of them is not there."""
    solution = view.solution(solution_id)
    if solution is None or not view.problem.reference_solution:
        return None
    title = _title(view, solution_id)
    return side_by_side("the problem's reference", view.problem.reference_solution, title, solution.code)


def suites_beside(left_label: str, left: TestSuite, right_label: str, right: TestSuite) -> SuiteDiff:
    """Suite against suite: first what both have, in the left one's order, then what only one has.

    A test counts as often as it occurs; tests are compared as text, without regard to spaces at the ends.
    """
    ours, theirs = _numbered(left), _numbered(right)
    waiting = Counter(text for _, text in theirs)
    both: list[tuple[int, str]] = []
    left_only: list[tuple[int, str]] = []
    for number, text in ours:
        (both if waiting[text] else left_only).append((number, text))
        waiting[text] = max(0, waiting[text] - 1)
    wanted = Counter(text for _, text in both)
    shared_right: dict[str, list[int]] = {}
    right_only: list[tuple[int, str]] = []
    for number, text in theirs:
        if wanted[text]:
            wanted[text] -= 1
            shared_right.setdefault(text, []).append(number)
        else:
            right_only.append((number, text))
    one = [_line(number, "", text) for number, text in both]
    other = [_line(shared_right[text].pop(0), "", text) for _, text in both]
    one += [_line(number, "removed", text) for number, text in left_only]
    other += [_line(number, "added", text) for number, text in right_only]
    longest = max(len(one), len(other))
    one += [_FILLER] * (longest - len(one))
    other += [_FILLER] * (longest - len(other))
    return SuiteDiff(
        (Pane(left_label, tuple(one)), Pane(right_label, tuple(other))),
        len(both),
        len(left_only),
        len(right_only),
    )


def _numbered(suite: TestSuite) -> list[tuple[int, str]]:
    return [
        (number, " \N{DOWNWARDS ARROW WITH CORNER LEFTWARDS} ".join(test.text.strip().splitlines()))
        for number, test in enumerate(suite.tests, start=1)
    ]


def _line(number: int, kind: str, text: str) -> Line:
    return Line(number, kind, highlighted(text))


def _title(view: ProblemView, solution_id: str) -> str:
    solution = view.solution(solution_id)
    known = solution.reference_score if solution else None
    return solution_id if known is None else f"{solution_id} \N{MIDDLE DOT} reference score {known:.2f}"
