"""Single tests, small suites and suite size over the small data folder, worked out by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import InputError
from core.formats import load
from core.formats.tests_json import test_to_json
from core.model import Assertion, Origin
from core.store import open_run
from core.views.catalog import BenchmarkEntry
from core.views.curves import saturation_chart, scaling_chart, settled, study
from core.views.diagnostics import diagnose, diagnosis_chart
from core.views.published import published_scaling
from core.views.reduction import reduce_suites, reduced_jsonl, reduction_chart
from core.views.runs import RunSummary


def test_invalid_tests_come_first(benchmark: BenchmarkEntry) -> None:
    """On every other problem tests 3 and 5 fail the reference; test 3 discriminates less: 0.293."""
    run = next(run for run in benchmark.runs if run.name == "careless-1")
    asked: list[tuple[int, int]] = []
    found = diagnose(run.folder, lambda done, total: asked.append((done, total)))
    assert (len(found.tests), found.n_invalid, found.n_misleading) == (40, 8, 0)
    assert (found.n_useless, found.n_spare) == (0, 4)
    first = found.tests.iloc[0]
    assert (first["task_id"], first["test"], first["fault"]) == ("Tiny/1", 3, "invalid")
    assert (first["valid"], first["solution_id"]) == (False, "reference")
    assert first["discrimination"] == pytest.approx(0.2928, abs=1e-4)
    assert asked[0] == (0, 8)


def test_tests_that_separate_nothing_are_counted(benchmark: BenchmarkEntry) -> None:
    """Two problems of the smoke test pass everything: 4 tests, and one of every two repeats the other."""
    run = next(run for run in benchmark.runs if run.name == "smoke-1")
    found = diagnose(run.folder)
    assert (found.n_useless, found.n_spare) == (4, 8)
    chart = diagnosis_chart(found, "smoke")
    assert chart.basis.n == 12
    assert sum(len(series.x) for series in chart.series) == 12


def test_the_csv_of_tests_runs_no_formula(benchmark: BenchmarkEntry) -> None:
    """Every test is a row, and a source that a spreadsheet would run is defused."""
    found = diagnose(next(run for run in benchmark.runs if run.name == "smoke-1").folder)
    found.tests.loc[0, "source"] = "=1+1"
    lines = found.to_csv().splitlines()
    assert len(lines) == 17
    assert ",'=1+1," in lines[1]


def test_a_verifier_without_tests_is_refused(
    benchmark: BenchmarkEntry, summaries: dict[str, RunSummary]
) -> None:
    """There is nothing to say of the single tests of a reward model."""
    run = next(run for run in benchmark.runs if run.name == "reward-model")
    with pytest.raises(InputError, match="ran no tests"):
        diagnose(run.folder)
    with pytest.raises(InputError, match="ran no tests"):
        reduce_suites(summaries["reward-model"], 1.0)


def test_a_small_suite_keeps_the_metrics_of_ranks(summaries: dict[str, RunSummary]) -> None:
    """Of two identical tests one is enough: half the tests and half the time, with the same Top-1."""
    summary = summaries["smoke-1"]
    found = reduce_suites(summary, 1.0)
    assert (found.n_tests, found.n_kept, found.cells_saved) == (16, 8, 48)
    assert found.seconds_saved == pytest.approx(6 * 3.06 + 2 * 0.072, rel=1e-5)
    assert found.seconds == pytest.approx(2 * found.seconds_saved, rel=1e-5)
    for key in ("top1", "bottom1", "spearman", "kendall"):
        assert found.metrics[key] == pytest.approx(summary.evaluation.metrics[key].value)
    assert reduction_chart(found, "smoke").basis.n == 8


def test_fewer_pairs_in_order_need_no_more_tests(summaries: dict[str, RunSummary]) -> None:
    """Keeping less of the ranking never keeps more tests, and every problem keeps what was asked for."""
    strict, loose = (reduce_suites(summaries["oracle-1"], keep) for keep in (1.0, 0.8))
    assert loose.n_kept <= strict.n_kept < strict.n_tests
    assert (loose.problems["kept"] >= 0.8).all()


def test_the_small_suites_are_a_tests_file(summaries: dict[str, RunSummary], tmp_path: Path) -> None:
    """What is downloaded loads as suites of the tests that were kept, with their origin."""
    summary = summaries["smoke-1"]
    file = tmp_path / "small.jsonl"
    file.write_text(reduced_jsonl(summary.folder, reduce_suites(summary, 1.0)), encoding="utf-8")
    loaded = load(file)
    assert not loaded.errors
    assert [suite.task_id for suite in loaded.suites] == [f"Tiny/{index}" for index in range(8)]
    assert loaded.suites[0].tests == (Assertion("assert add_all([1, 2]) == 3", Origin("smoke", "sampled")),)


def test_only_the_chosen_tests_are_in_the_file(summaries: dict[str, RunSummary]) -> None:
    """Each problem's own tests in the order chosen; a problem of which nothing was chosen has no row."""
    summary = summaries["oracle-1"]
    found = replace(reduce_suites(summary, 1.0), chosen={"Tiny/2": (6, 0), "Tiny/5": (3,)})
    run = open_run(summary.folder)
    rows = [json.loads(line) for line in reduced_jsonl(summary.folder, found).splitlines()]
    assert rows == [
        {"task_id": task_id, "tests": [test_to_json(run.suite(task_id).tests[test]) for test in tests]}
        for task_id, tests in found.chosen.items()
    ]


def test_curves_end_at_the_whole_suite(summaries: dict[str, RunSummary]) -> None:
    """With all tests the scaling curve shows the leaderboard's value, and the ranking agrees with itself."""
    summary = summaries["oracle-1"]
    found = {"typed inputs": study(summary.folder)}
    chart = scaling_chart(found, "top1", "tiny", "nan", published_scaling("HE-R+", "top1"))
    assert chart.series[0].x == (1, 2, 3, 4, 5, 8)
    assert chart.series[0].y[-1] == pytest.approx(summary.evaluation.metrics["top1"].value)
    assert len(chart.series) == 4
    assert "published" in chart.alt.lower()
    saturation = saturation_chart(found, "tiny")
    assert saturation.series[0].y[7] == pytest.approx(1)
    assert saturation.title.endswith("on tiny")
    assert settled(found).startswith("Random tests that settle the ranking")
