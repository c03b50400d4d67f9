"""Runs as choosers of programs."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.model import Benchmark, Problem, Solution
from core.store import write_scores_run
from core.views.selection import best_of_run


def scores_run(folder: Path, sizes: list[int], known: float | None = 0.0) -> Path:
    """A run of scores on problems with so many candidates each, of which the first is right."""
    problems = tuple(Problem(f"p{place}", "", entry_point="f") for place in range(len(sizes)))
    solutions = {
        problem.task_id: tuple(
            Solution(f"s{i}", "", "m", known if i or known is None else 1.0, i + 1.0) for i in range(size)
        )
        for problem, size in zip(problems, sizes, strict=True)
    }
    scores = {name: {one.id: -float(i) for i, one in enumerate(many)} for name, many in solutions.items()}
    benchmark = Benchmark("b", problems, solutions)
    write_scores_run(folder, name="r", verifier="v", benchmark=benchmark, scores=scores)
    return folder


def test_every_point_is_about_the_same_problems(tmp_path: Path) -> None:
    """Problems with fewer candidates than the curve's end are in no point of it."""
    found = best_of_run(scores_run(tmp_path / "r", [2, 4, 4, 6]), "r")
    assert [point.n for point in found.points] == [1, 2, 3, 4]
    assert {point.selected.n for point in found.points} == {3}
    assert found.points[0].original.value == pytest.approx((1 / 4 + 1 / 4 + 1 / 6) / 3)


def test_programs_of_unknown_quality_are_no_wrong_ones(tmp_path: Path) -> None:
    """Without reference scores nobody knows which choice is right, and that is said."""
    with pytest.raises(InputError, match="which of its programs are right is not known"):
        best_of_run(scores_run(tmp_path / "r", [3, 3], known=None), "r")
