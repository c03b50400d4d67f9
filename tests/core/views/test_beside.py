"""Two things of one problem beside each other."""

from __future__ import annotations

from core.model import Assertion, StdioTest, TestSuite
from core.views.beside import reference_beside, solutions_beside, suites_beside
from core.views.catalog import BenchmarkEntry
from core.views.code import Pane
from core.views.problem import open_problem


def _suite(*sources: str) -> TestSuite:
    return TestSuite("T/0", tuple(Assertion(source) for source in sources))


def _lines(pane: Pane) -> list[tuple[int | None, str, str]]:
    return [(line.number, line.kind, "".join(text for _, text in line.pieces)) for line in pane.lines]


def test_shared_tests_share_a_line_whatever_their_order() -> None:
    """First what both have, then what one has; the numbers are those of each suite."""
    found = suites_beside("a", _suite("assert f(1)", "assert f(2)", "assert f(3)"), "b", _suite(
        "assert f(3) ", "assert f(9)", "assert f(1)",
    ))  # fmt: skip
    left, right = (_lines(pane) for pane in found.panes)
    assert left == [(1, "", "assert f(1)"), (3, "", "assert f(3)"), (2, "removed", "assert f(2)")]
    assert right == [(3, "", "assert f(1)"), (1, "", "assert f(3)"), (2, "added", "assert f(9)")]
    assert (found.shared, found.left_only, found.right_only) == (2, 1, 1)


def test_a_test_counts_as_often_as_it_occurs() -> None:
    """A test that one suite has twice and the other once is shared once."""
    found = suites_beside("a", _suite("assert f(1)", "assert f(1)"), "b", _suite("assert f(1)"))
    assert (found.shared, found.left_only, found.right_only) == (1, 1, 0)
    assert [line[1] for line in _lines(found.panes[1])] == ["", "filler"]


def test_tests_of_several_lines_take_one() -> None:
    """Input and output of a program stand on one line, so that both sides stay aligned."""
    suite = TestSuite("T/0", (StdioTest("1\n2\n", "3\n"),))
    found = suites_beside("a", suite, "b", _suite())
    assert len(found.panes[0].lines) == len(found.panes[1].lines) == 1


def test_solutions_and_the_reference_beside_each_other(benchmark: BenchmarkEntry) -> None:
    """Titles carry the reference score; the line in which two programs differ is marked on both sides."""
    run = next(run for run in benchmark.runs if run.name == "smoke-1")
    view = open_problem(run.name, run.label, run.folder, "Tiny/0")
    panes = solutions_beside(view, "reference", "sample-3")
    assert panes is not None
    assert panes[1].title == "sample-3 · reference score 0.40"
    assert [line.kind for line in panes[0].lines] == ["", "", "removed"]
    against = reference_beside(view, "sample-3")
    assert against is not None
    assert against[0].lines == panes[0].lines
    assert solutions_beside(view, "reference", "nobody") is None
    assert reference_beside(view, "nobody") is None
