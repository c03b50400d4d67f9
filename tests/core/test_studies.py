"""The studies on runs of the small data folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.metrics import compare
from core.scoring import run_scores
from core.store import open_run
from core.studies import beside, scaling_of, selection_of
from core.views.measured import read_scores
from tests.workspace import build_workspace


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The run folders by verifier."""
    workspace = build_workspace(tmp_path_factory.mktemp("data"))
    return {open_run(folder).manifest.name: folder for folder in workspace.run_dirs()}


def test_one_beside_one_is_the_comparison(runs: dict[str, Path]) -> None:
    """Against a family of one the differences are those of the paired comparison of two."""
    first, second = open_run(runs["typed inputs"]), open_run(runs["model-a tests"])
    found = beside(first, [second], bootstrap=200)
    assert found.differences == compare(read_scores(first), read_scores(second), bootstrap=200)
    assert found.invalid == (0.0, pytest.approx(8 / 40))


def test_a_family_counts_by_its_mean(runs: dict[str, Path]) -> None:
    """Top-1 less the mean of the others' Top-1, where all problems define it."""
    names = ["typed inputs", "model-a tests", "smoke"]
    found = beside(open_run(runs[names[0]]), [open_run(runs[name]) for name in names[1:]], bootstrap=0)
    own, *others = found.values["top1"]
    assert found.differences["top1"].value == pytest.approx(own - sum(others) / 2)
    assert found.names == tuple(names)


def test_runs_of_different_benchmarks_are_refused(
    runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the runs and their benchmarks; so is a family without members."""
    first, second = open_run(runs["typed inputs"]), open_run(runs["smoke"])
    monkeypatch.setattr(second, "manifest", replace(second.manifest, benchmark_sha256="0" * 64))
    with pytest.raises(InputError, match="on different ones"):
        beside(first, [second])
    with pytest.raises(InputError, match="at least one other run"):
        beside(first, [])


def test_random_subsets_of_all_tests_are_all_tests(runs: dict[str, Path]) -> None:
    """With every test taken the order is of no effect; with fewer it is."""
    run = open_run(runs["model-a tests"])
    first, random = (scaling_of(run, [2, 5], order=order, bootstrap=0) for order in ("first", "random"))
    assert random[1].metrics["spearman"].value == pytest.approx(first[1].metrics["spearman"].value)
    assert random[0].metrics["spearman"].value != first[0].metrics["spearman"].value


def test_the_best_of_all_by_score_is_top_1(runs: dict[str, Path]) -> None:
    """Picking out of all solutions by score is right as often as Top-1 says, ties included."""
    for name in ("typed inputs", "model-a tests", "smoke"):
        run = open_run(runs[name])
        points = selection_of(run, bootstrap=0)
        assert [point.n for point in points] == [2, 3, 4, 5, 6]
        top1 = run_scores(run).evaluate(bootstrap=0).metrics["top1"].value
        assert points[-1].accuracy["score"].value == pytest.approx(top1)
        assert points[-1].accuracy["any"].value == 1.0
