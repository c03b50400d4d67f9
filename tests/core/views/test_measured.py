"""A run's metrics are kept beside it, and belong to one content of the run."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.metrics import compare, compare_measured, evaluate
from core.store import open_run
from core.views import measured
from core.views.measured import measures
from core.workspace import Workspace


@pytest.fixture
def folder(workspace: Workspace, tmp_path: Path) -> Path:
    """A run that may be changed, without anything kept."""
    target = tmp_path / "run"
    shutil.copytree(workspace.run_dir("careless-1"), target, ignore=shutil.ignore_patterns("measured-*"))
    return target


@pytest.mark.parametrize("undefined", ["nan", "zero"])
def test_what_is_kept_is_what_was_measured(
    folder: Path, undefined: measured.Undefined, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second reading gives the same numbers without measuring."""
    first = measures(open_run(folder), undefined)
    monkeypatch.setattr(measured, "evaluate", lambda *_, **__: pytest.fail("measured again"))
    second = measures(open_run(folder), undefined)
    assert repr(second.evaluation.metrics) == repr(first.evaluation.metrics)
    pd.testing.assert_frame_equal(second.problems, first.problems)
    assert dataclasses.replace(second, evaluation=first.evaluation, problems=first.problems) == first
    for field in dataclasses.fields(first.evaluation.per_problem):
        np.testing.assert_array_equal(
            getattr(second.evaluation.per_problem, field.name),
            getattr(first.evaluation.per_problem, field.name),
        )


def test_the_numbers_are_those_of_the_scores(folder: Path) -> None:
    """Metrics computed from the scores by name are the metrics computed from the arrays."""
    table = open_run(folder).scores()
    codes, _ = pd.factorize(table["task_id"])
    wanted = evaluate(codes, table["score"], table["reference_score"], table["reference_rank"])
    assert repr(measures(open_run(folder), "nan").evaluation.metrics) == repr(wanted.metrics)


def test_a_changed_run_is_measured_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept for another manifest is not used."""
    measures(open_run(folder), "nan")
    manifest = folder / "manifest.json"
    manifest.write_text(
        manifest.read_text(encoding="utf-8").replace("2026-01-05", "2026-01-06"), encoding="utf-8"
    )
    asked = []
    monkeypatch.setattr(measured, "evaluate", lambda *a, **k: asked.append(1) or evaluate(*a, **k))
    measures(open_run(folder), "nan")
    assert asked == [1]


def test_a_damaged_file_is_measured_anew(folder: Path) -> None:
    """What can't be read is replaced."""
    first = measures(open_run(folder), "nan")
    (folder / "measured-nan.parquet").write_bytes(b"PAR1 or so")
    assert repr(measures(open_run(folder), "nan").evaluation.metrics) == repr(first.evaluation.metrics)
    assert measured.measures(open_run(folder), "nan").problems.equals(first.problems)


def test_one_problems_scores_are_those_of_all(folder: Path) -> None:
    """A problem read by itself has its rows of the whole table; an unknown one has none."""
    run = open_run(folder)
    everything = run.scores()
    for task_id in run.task_ids():
        wanted = everything[everything["task_id"] == task_id].reset_index(drop=True)
        pd.testing.assert_frame_equal(run.scores_of(task_id), wanted)
    assert run.scores_of("Nowhere/1").empty


@pytest.mark.parametrize("undefined", ["nan", "zero"])
def test_two_runs_are_compared_from_what_is_kept(
    folder: Path, workspace: Workspace, undefined: measured.Undefined
) -> None:
    """The paired differences are those of the raw scores, measured now and from what was kept."""
    other = workspace.run_dir("smoke-1")
    wanted = compare(
        measured.read_scores(open_run(folder)), measured.read_scores(open_run(other)), undefined=undefined
    )
    for _ in range(2):
        sides = [measures(open_run(path), undefined).evaluation.statistics for path in (folder, other)]
        assert repr(compare_measured(sides[0], sides[1:], undefined=undefined)) == repr(wanted)
