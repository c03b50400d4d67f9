"""What the command line prints for people."""

from __future__ import annotations

import pytest

from core import terminal
from core.terminal import (
    print_table,
    show_build,
    show_export,
    show_family,
    show_report,
    show_saturation,
    show_scores,
)


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


def test_runs_of_one_name_are_told_apart_by_their_folders(capsys: pytest.CaptureFixture[str]) -> None:
    """Where two rows would look alike, each says its run; a name that is there once stands alone."""

    def entry(name: str, run: str) -> dict[str, object]:
        metric = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 3, "n_undefined": 0}
        return {
            "run": run, "verifier": name, "benchmark": "b", "n_problems": 3, "metrics": {"top1": metric},
        }  # fmt: skip

    runs = [entry("twice", "runs/a"), entry("twice", "runs/[b]"), entry("once", "runs/c")]
    show_scores({"runs": runs}, as_json=False)
    printed = capsys.readouterr().out
    assert "twice (runs/a)" in printed
    assert "twice (runs/[b])" in printed
    assert "runs/c" not in printed


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


def test_an_export_says_which_figures_the_runs_do_not_give(capsys: pytest.CaptureFixture[str]) -> None:
    """The papers' figures that are missing stand under a sentence that says so, each on a line of its own."""
    needs = "Bug finding (HarnessLLM, Figure 2): a finished hunt, or a CSV with " + ", ".join(["column"] * 30)
    show_export({"out": "paper", "figures": 3, "waiting": [needs]}, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert "Figures of the papers that these runs do not give, and what each is made from:" in lines
    assert f"  {needs}" in lines
    show_export({"out": "paper", "figures": 3, "waiting": []}, as_json=False)
    assert "Figures of the papers" not in capsys.readouterr().out


def test_a_piped_table_is_neither_wrapped_nor_cut(capsys: pytest.CaptureFixture[str]) -> None:
    """Outside a terminal a row is one line with all of its text, however wide, and its intervals."""
    print_table(["name", "x"], [["n" * 300, "y" * 300]], names=True)
    assert ["n" * 300, "y" * 300] in [line.split() for line in capsys.readouterr().out.splitlines()]
    metric = {"value": 0.5, "low": 0.25, "high": 0.75, "n": 3, "n_undefined": 1}
    run = {
        "verifier": "v" * 200,
        "benchmark": "b",
        "n_problems": 3,
        "metrics": {f"m{n}": metric for n in range(9)},
    }
    show_scores({"runs": [run]}, as_json=False)
    (row,) = [line for line in capsys.readouterr().out.splitlines() if "v" * 200 in line]
    assert row.count("0.500 1u [0.250, 0.750]") == 9


def test_an_undefined_value_is_a_dash_in_studies(capsys: pytest.CaptureFixture[str]) -> None:
    """Saturation at a k that no problem has, and a family without a difference, print no Python words."""
    nothing = float("nan")
    point = {"k": 9, "rho": nothing, "low": nothing, "high": nothing, "sigma": nothing, "n": 0}
    published = {"benchmark": "HE+", "points": [{"k": 9, "rho": 0.9}]}
    show_saturation({"points": [point], "saturates_at": None, "published": published}, as_json=False)
    difference = {"value": nothing, "low": nothing, "high": nothing, "p_value": nothing, "n": 0}
    family = {
        "names": ["v"],
        "values": {"r2": [-1.6]},
        "differences": {"r2": difference},
        "invalid": [nothing],
    }
    show_family(family, as_json=False)
    out = capsys.readouterr().out
    assert "nan" not in out
    assert "-1.600" in out


def test_scores_stand_on_end_in_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a row would run over the edge each metric has a line and each run a column; nothing is cut."""
    monkeypatch.setattr(terminal, "_IN_TERMINAL", True)
    monkeypatch.setenv("COLUMNS", "60")
    metric = {"value": 0.5, "low": 0.25, "high": 0.75, "n": 3, "n_undefined": 0}
    names = ("top1", "bottom1", "spearman")
    run = {"verifier": "careful", "benchmark": "b", "n_problems": 3, "metrics": dict.fromkeys(names, metric)}
    show_scores({"runs": [run, {**run, "verifier": "[b]"}]}, as_json=False)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["verifier", "careful", "[b]"]
    assert ["top1", "0.500", "0.500"] in lines
    assert ["[0.250,", "0.750]", "[0.250,", "0.750]"] in lines
