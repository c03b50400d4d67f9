"""What the command line prints of a run's problems."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.commands.problem_table import show_problem, show_problems
from core.commands.show import Reading, Reason, problems
from tests.workspace import build_workspace


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
        {"tests": ["assert f(1)", "assert f(2)", "g = f\nassert g(3)"], "solutions": solutions},
        Reading(
            "1 of 3 tests fails the reference solution (test 2).",
            frozenset({1}),
            (Reason("T", "no result within 3 s", 4, "wrong", 2), Reason("I", "", 1, "right", 2)),
        ),
    )
    lines = capsys.readouterr().out.splitlines()
    assert "P passed, F assertion failed, T time limit, I no verdict" in lines
    assert "T no result within 3 s: wrong under test 3 and in 3 other cells" in lines
    assert "I (nothing was told): right under test 3" in lines
    assert "   2 ! assert f(2)" in lines
    assert lines[lines.index("   3   g = f") + 1] == "       assert g(3)"
    assert lines[-2] == "! fails a solution known to be right: 1 of 3 tests"
    assert lines[-1] == "1 of 3 tests fails the reference solution (test 2)."


def test_problems_are_listed_worst_first_and_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """The first twenty in the order given, how to see all and how to look at the worst; or all of them."""
    rows = [
        {
            "task_id": f"Mine/{n:02}",
            "top1": 0.0,
            "spearman": float("nan"),
            "mae": 0.5,
            "n_tests": 3,
            "n_invalid_tests": 1,
        }
        for n in range(25)
    ]
    show_problems({"finished": True, "problems": rows}, "runs/my run", everything=False, as_json=False)
    cut = capsys.readouterr()
    assert cut.out.splitlines()[1].split() == ["Mine/00", "0", "-", "0.5", "3", "1"]
    assert "Mine/19" in cut.out
    assert "Mine/20" not in cut.out
    assert "The worst 20 of 25 problems; --all lists them all." in cut.err
    assert "python -m core show 'runs/my run' --problem Mine/00" in cut.err
    show_problems({"finished": True, "problems": rows}, "runs/my run", everything=True, as_json=False)
    assert "Mine/24" in capsys.readouterr().out


def test_an_unfinished_run_is_said_to_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Only the table of an unfinished run says that verdicts are missing, and how to go on."""
    for finished in (True, False):
        show_problems({"finished": finished, "problems": []}, "runs/a", everything=False, as_json=False)
        assert ("The run is not finished" in capsys.readouterr().err) is not finished


def test_a_problem_without_verdicts_has_no_line_of_letters(capsys: pytest.CaptureFixture[str]) -> None:
    """Where no test was run the reading follows the table without an empty line."""
    solution = {
        "id": "a",
        "reference_score": 1.0,
        "reference_rank": 1,
        "score": None,
        "rank": None,
        "outcomes": "",
    }
    show_problem({"tests": [], "solutions": [solution]}, Reading("No order to judge.", frozenset()))
    assert "" not in [line.strip() for line in capsys.readouterr().out.splitlines()]


def test_a_fooled_problem_comes_before_one_that_is_ranked_right(tmp_path: Path) -> None:
    """All problems of the run are there, and Top-1 never falls from one to the next."""
    workspace = build_workspace(tmp_path)
    rows = problems(workspace.run_dir("careless-1"))["problems"]
    tops = [row["top1"] for row in rows]
    assert len(rows) == 8
    assert tops == sorted(tops)
    assert tops[0] < tops[-1]
    assert rows[0]["n_invalid_tests"] >= 1
    assert json.dumps(rows)
