"""What the command line prints for people."""

from __future__ import annotations

import pytest

from core.terminal import show_build, show_report, show_scores


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


def test_a_long_name_leaves_the_numbers_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """The names go on in a line below; no interval is cut."""
    metric = {"value": 0.5, "low": 0.25, "high": 0.75, "n": 2, "n_undefined": 0}
    metrics = dict.fromkeys(("top1", "bottom1", "spearman", "kendall", "mae", "r2"), metric)
    entry = {"verifier": "verifier_" * 20, "benchmark": "benchmark_" * 8, "n_problems": 2, "metrics": metrics}
    show_scores({"runs": [entry]}, as_json=False)
    printed = capsys.readouterr().out
    assert printed.count("[0.250, 0.750]") == 6
    assert "\N{HORIZONTAL ELLIPSIS}" not in printed


def test_a_verifier_on_few_problems_comes_last_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    """Its mean does not compare with those of others on the same benchmark; on its own benchmark it may."""

    def entry(name: str, value: float, undefined: int, benchmark: str = "b") -> dict[str, object]:
        metric = {"value": value, "low": value, "high": value, "n": 164, "n_undefined": undefined}
        return {"verifier": name, "benchmark": benchmark, "n_problems": 164, "metrics": {"top1": metric}}

    runs = [entry("lucky", 1.0, 161), entry("wide", 0.5, 0), entry("elsewhere", 0.7, 161, "c")]
    show_scores({"runs": runs}, as_json=False)
    printed = capsys.readouterr()
    rows = [line.split()[0] for line in printed.out.splitlines() if " b " in line or " c " in line]
    assert rows == ["elsewhere", "wide", "lucky"]
    assert "note: lucky is measured on 3 problems: too few to compare" in printed.err
    assert "elsewhere is" not in printed.err


def test_a_build_says_which_problems_have_too_few_tests(capsys: pytest.CaptureFixture[str]) -> None:
    """With three tests there are at most four scores, whatever the candidates: more tests are the way."""
    report = {
        "benchmark": "b.jsonl",
        "k": 5,
        "n_problems": 2,
        "n_solutions": 6,
        "mean_tests": 7.5,
        "mean_score": 0.5,
        "complete": 0,
        "incomplete": ["Mine/1", "Mine/2"],
        "few_tests": ["Mine/2"],
        "left_out": {},
        "dropped": {},
    }
    show_build(report, as_json=False)
    said = " ".join(capsys.readouterr().err.split())
    assert "fewer than 5 scores: Mine/1. More --mutants" in said
    assert "fewer than 4 tests, which can't give 5 scores: Mine/2. --more-tests" in said
    show_build({**report, "few_tests": []}, as_json=False)
    assert "--more-tests" not in capsys.readouterr().err


def test_what_is_not_known_is_a_dash_in_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    """A report prints no Python words for a missing value, such as a cost without prices."""
    show_report({"asked": 2, "cost": None, "seconds": 0.5}, as_json=False)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows == [["asked", "2"], ["cost", "-"], ["seconds", "0.500"]]
