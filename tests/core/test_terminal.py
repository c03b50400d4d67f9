"""What the command line prints for people."""

from __future__ import annotations

import pytest

from core.commands.show import Reading
from core.terminal import show_problem, show_scores


def test_a_problem_says_its_letters_and_its_wrong_tests(capsys: pytest.CaptureFixture[str]) -> None:
    """The letters that occur are explained; tests that fail a right solution are marked and counted."""
    rows = [("right", 1.0, "PFI"), ("wrong", 0.5, "PPT")]
    solutions = [
        {
            "id": name,
            "reference_score": score,
            "reference_rank": 1,
            "score": 0.5,
            "rank": 1,
            "outcomes": letters,
        }
        for name, score, letters in rows
    ]
    show_problem(
        {"tests": ["assert f(1)", "assert f(2)", "assert f(3)"], "solutions": solutions},
        Reading("1 of 3 tests fails the reference solution (test 2).", frozenset({1})),
    )
    lines = capsys.readouterr().out.splitlines()
    assert "P passed, F assertion failed, T time limit, I no verdict" in lines
    assert "   2 ! assert f(2)" in lines
    assert "   3   assert f(3)" in lines
    assert lines[-2] == "! fails a solution known to be right: 1 of 3 tests"
    assert lines[-1] == "1 of 3 tests fails the reference solution (test 2)."


def test_scores_are_printed_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    """By the first metric, a verifier without a value last; the interval stands in brackets."""

    def entry(name: str, value: float) -> dict[str, object]:
        metric = {"value": value, "low": value - 0.1, "high": value + 0.1, "n": 3, "n_undefined": 0}
        return {"verifier": name, "benchmark": "b", "n_problems": 3, "metrics": {"top1": metric}}

    runs = [entry("low", 0.2), entry("none", float("nan")), entry("high", 0.9)]
    show_scores({"runs": runs}, as_json=False)
    out = capsys.readouterr().out
    assert out.index("high") < out.index("low") < out.index("none")
    assert "[0.800, 1.000]" in out
