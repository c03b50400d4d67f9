"""Every page opens, with data and without, and draws what the link asks for."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from streamlit.testing.v1 import AppTest

from core.jobs import JobState, read
from core.progress import Progress, write_progress
from core.workspace import DEMO_JOB, Workspace

Open = Callable[..., AppTest]
PAGES = (
    "overview",
    "verifiers",
    "problems",
    "problem",
    "distributions",
    "benchmark",
    "generate",
    "run",
    "publish",
    "evolve",
    "bugs",
)
STARTS = {
    "overview": "Build the demo",
    "benchmark": "Build",
    "generate": "Ask",
    "bugs": "Start the hunt",
}
"""Pages that need nothing: the button with which one begins there."""


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens(open_page: Open, page: str) -> None:
    """A page over real-looking data draws its title and raises nothing."""
    app = open_page(page)
    assert not app.exception
    assert not app.error
    assert len(app.title) == 1


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_over_nothing(open_page: Open, tmp_path: Path, page: str) -> None:
    """An empty data folder gives a page that says what to do next."""
    app = open_page(page, tmp_path)
    assert not app.exception
    assert not app.error
    assert len(app.title) == 1
    if page in STARTS:
        assert STARTS[page] in [button.label for button in app.button]
    else:
        assert "Nothing is loaded yet" in app.info[0].value


def test_the_demo_is_not_built_twice(open_page: Open, tmp_path: Path) -> None:
    """While the demo's job runs its button says so and is off; the card tells the time left in all."""
    process = psutil.Process()
    folder = Workspace(tmp_path).run_dir(DEMO_JOB)
    folder.mkdir(parents=True)
    record = {"command": ["demo"], "pid": process.pid, "create_time": process.create_time()}
    (folder / "job.json").write_text(json.dumps(record), encoding="utf-8")
    write_progress(folder, Progress("round 1: scoring mutants", 30, 60, "programs", overall=0.25))
    app = open_page("overview", tmp_path)
    assert not app.exception
    (button,) = [button for button in app.button if button.label == "The demo is being built"]
    assert button.disabled
    (bar,) = app.get("progress")
    assert bar.proto.value == 25
    assert bar.proto.text.endswith("left in all")


@pytest.mark.parametrize(
    ("page", "told"), [("overview", True), ("run", True), ("publish", False), ("bugs", False)]
)
def test_a_finished_run_is_news_where_runs_are_started(
    open_page: Open, data: Path, tmp_path: Path, page: str, told: bool
) -> None:
    """The overview and the page of runs tell of it; on other pages it would be in the way."""
    shutil.copytree(data, tmp_path / "data")
    folder = Workspace(tmp_path / "data").run_dir("careless-1")
    record = {"command": ["run"], "pid": 999_999_999, "create_time": 0.0}
    (folder / "job.json").write_text(json.dumps(record), encoding="utf-8")
    write_progress(folder, Progress("running tests", 10, 10, state="done"))
    app = open_page(page, tmp_path / "data")
    assert ("Dismiss" in [button.label for button in app.button]) is told


def test_a_failed_job_is_put_away(open_page: Open, tmp_path: Path) -> None:
    """A job that failed can be dismissed: its card goes, its folder stays."""
    folder = Workspace(tmp_path).run_dir("slow")
    folder.mkdir(parents=True)
    record = {"command": ["run", "--name", "slow"], "pid": 0, "create_time": 0.0}
    (folder / "job.json").write_text(json.dumps(record), encoding="utf-8")
    write_progress(folder, Progress("running tests", 1, 2, "cells", state="failed", message="no space left"))
    app = open_page("benchmark", tmp_path)
    assert "no space left" in [code.value for code in app.code]
    (button,) = [button for button in app.button if button.label == "Dismiss"]
    button.click().run()
    assert not app.exception
    assert not app.code
    assert (folder / "job.json").exists()


def test_a_link_opens_its_problem(open_page: Open) -> None:
    """The problem and the verifier of a link are what is shown."""
    app = open_page("problem", verifier="model-a tests", problem="Tiny/3")
    assert app.title[0].value == "Tiny/3"
    assert app.session_state["chosen verifier"] == "model-a tests"
    assert "2 of 5 tests fail the reference solution" in "".join(text.value for text in app.markdown)


def test_a_link_opens_its_cell(open_page: Open) -> None:
    """The solution and the test of a link are the selected cell."""
    app = open_page("problem", verifier="model-a tests", problem="Tiny/3", solution="sample-5", test="1")
    assert any("E runtime error" in text.value and "sample\\-5" in text.value for text in app.markdown)


def test_a_link_to_an_unknown_problem_says_so(open_page: Open) -> None:
    """The first problem is shown instead, with a warning that names the missing one."""
    app = open_page("problem", problem="Nowhere/1")
    assert not app.exception
    assert app.warning[0].value.startswith("This run has no problem Nowhere")
    assert app.title[0].value == "Tiny/0"


def test_next_stays_within_the_filter(open_page: Open) -> None:
    """The next problem is the next one that the list's filter keeps."""
    app = open_page("problem", verifier="model-a tests", problem="Tiny/1", **{"in": "fooled"})
    next_button = next(button for button in app.button if button.label == "Next")
    app = next_button.click().run()
    assert app.title[0].value == "Tiny/3"
    assert app.query_params["problem"] == "Tiny/3"


def test_a_link_to_an_unknown_verifier_says_so(open_page: Open) -> None:
    """What is shown instead is not passed off as what the link meant."""
    app = open_page("overview", verifier="nobody")
    (warning,) = app.main.warning
    assert warning.value.startswith("Verifier in focus: what the link asks for is not here")
    assert "nobody" in [one.value for one in app.main.text]
    assert not app.sidebar.warning
    assert not open_page("overview", verifier="typed inputs").warning


def test_filters_of_a_link_are_in_force(open_page: Open) -> None:
    """The table holds only what the filter and the search of the link keep."""
    app = open_page("problems", verifier="model-a tests", filter="fooled", q="largest")
    assert app.dataframe[0].value["task_id"].tolist() == ["Tiny/1"]


def test_a_filter_that_keeps_nothing_says_so(open_page: Open) -> None:
    """An empty table is replaced by a sentence."""
    app = open_page("problems", q="no such text anywhere")
    assert "No problem passes these filters" in app.info[0].value


def test_a_filter_that_keeps_no_problem_leads_back(open_page: Open) -> None:
    """A problem outside the filter of its link says so; without the filter the list is whole again."""
    app = open_page("problem", verifier="typed inputs", problem="Tiny/2", **{"in": ["uncovered", "fooled"]})
    assert any("keeps no problem of typed inputs" in text.value for text in app.markdown)
    app = next(button for button in app.button if button.label == "Drop the filter").click().run()
    assert app.title[0].value == "Tiny/2"
    assert "in" not in app.query_params
    assert any(text.value.startswith("3 of 8") for text in app.caption)


def test_two_verifiers_are_compared(open_page: Open) -> None:
    """The link's two verifiers give six differences and the problems that changed hands."""
    app = open_page("verifiers", first="typed inputs", second="model-a tests")
    assert len(app.metric) == 6
    assert app.dataframe[0].value["task_id"].tolist() == ["Tiny/1", "Tiny/3", "Tiny/5", "Tiny/6", "Tiny/7"]


def test_the_verifier_in_focus_is_one_of_the_two_compared(open_page: Open) -> None:
    """It stands beside the best of the others, also when the focus moves; a pair that was chosen stays."""
    app = open_page("verifiers", verifier="smoke")
    assert (app.selectbox("first").value, app.selectbox("second").value) == ("smoke", "typed inputs")
    app.session_state["chosen verifier"] = "model-a tests"
    app.run()
    assert (app.selectbox("first").value, app.selectbox("second").value) == ("model-a tests", "typed inputs")
    app.session_state["chosen verifier"] = "typed inputs"
    app.run()
    assert (app.selectbox("first").value, app.selectbox("second").value) == ("model-a tests", "typed inputs")


def test_a_damaged_run_is_reported(open_page: Open, data: Path, tmp_path: Path) -> None:
    """A run that can't be read is named on the Overview; the page still opens."""
    import shutil

    root = tmp_path / "data"
    shutil.copytree(data, root)
    (root / "runs" / "smoke-1" / "manifest.json").write_text("{", encoding="utf-8")
    app = open_page("overview", root)
    assert not app.exception
    assert "smoke" in app.warning[0].value


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ("How many tests", "Random tests that settle the ranking"),
        ("Single tests", "Click one to see it in its matrix"),
        ("Fewer tests", ""),
        ("More studies", "95% CI of the difference"),
    ],
)
def test_a_section_of_a_link_is_measured(open_page: Open, section: str, said: str) -> None:
    """Each section of the Verifiers page opens from its link and draws its numbers."""
    app = open_page("verifiers", verifier="model-a tests", section=section)
    assert not app.exception
    assert not app.error
    assert any(said in text.value for text in app.caption)
    assert ("Two compared" in [tab.label for tab in app.tabs]) and len(app.tabs) == 5


def test_single_tests_are_counted(open_page: Open) -> None:
    """Of the careless verifier's 40 tests 8 are invalid, and the table starts with them."""
    app = open_page("verifiers", verifier="model-a tests", section="Single tests")
    shown = {metric.label: metric.value for metric in app.metric}
    assert (shown["Tests"], shown["Invalid"], shown["Repeat another"]) == (
        "40",
        "8 \u00b7 20%",
        "4 \u00b7 10%",
    )
    assert set(app.dataframe[0].value["fault"].head(8)) == {"invalid"}


def test_a_reward_model_has_no_single_tests(open_page: Open) -> None:
    """A verifier that runs nothing says so in place of an error."""
    for section in ("Single tests", "Fewer tests"):
        app = open_page("verifiers", verifier="reward model", section=section)
        assert not app.error
        assert "ran no tests" in app.info[0].value


def test_ranges_of_a_link_are_in_force(open_page: Open) -> None:
    """A range in the link filters the table, here and in the list that a problem is stepped through."""
    app = open_page("problems", verifier="model-a tests", top1_max="0.0")
    assert app.dataframe[0].value["task_id"].tolist() == ["Tiny/1", "Tiny/3", "Tiny/5", "Tiny/7"]
    app = open_page("problem", verifier="model-a tests", problem="Tiny/1", top1_max="0.0")
    assert any(text.value.startswith("1 of 4") for text in app.caption)
    next_button = next(button for button in app.button if button.label == "Next")
    assert next_button.click().run().title[0].value == "Tiny/3"


def test_two_suites_stand_beside_each_other(open_page: Open) -> None:
    """The link names what stands beside what, and the caption counts what both suites have."""
    app = open_page(
        "problem",
        verifier="model-a tests",
        problem="Tiny/1",
        what="two verifiers' tests",
        suite="typed inputs",
    )
    assert not app.exception
    counted = [text.value for text in app.caption if "tests in both" in text.value]
    assert counted == [
        "5 tests in both, 0 only of model\\-a tests, 3 only of typed inputs. Numbers are those of the tests."
    ]


def test_a_benchmark_without_runs_has_distributions(open_page: Open, tmp_path: Path) -> None:
    """The benchmark's own histograms need no verifier; the verifiers' sections say that there is none."""
    from core.formats.touchstone import write_benchmark
    from core.workspace import Workspace
    from tests.workspace import make_benchmark

    write_benchmark(make_benchmark(), Workspace(tmp_path).benchmark_file("alone"))
    app = open_page("distributions", tmp_path)
    assert not app.exception
    assert not app.error
    assert sum("No verifier" in info.value for info in app.info) == 2
    assert any("n = 48 solutions" in text.value for text in app.caption)


def test_benchmarks_stand_side_by_side(open_page: Open, data: Path, tmp_path: Path) -> None:
    """A second benchmark of the link is drawn beside the selected one."""
    import shutil

    from core.formats.touchstone import write_benchmark
    from core.workspace import Workspace
    from tests.workspace import make_benchmark

    root = tmp_path / "data"
    shutil.copytree(data, root)
    write_benchmark(make_benchmark(), Workspace(root).benchmark_file("other"))
    app = open_page("distributions", root, benchmark="tiny", beside="other")
    assert not app.exception
    assert any("n = 96 solutions" in text.value for text in app.caption)


def test_a_study_of_many_cells_is_asked_for_first(open_page: Open, data: Path, tmp_path: Path) -> None:
    """A study that would take minutes has a button; a job makes it, and then the curves are there."""
    shutil.copytree(data, tmp_path / "data", ignore=shutil.ignore_patterns("studies-*"))
    for manifest in (tmp_path / "data").glob("runs/*/manifest.json"):
        record = json.loads(manifest.read_text(encoding="utf-8"))
        manifest.write_text(json.dumps(record | {"n_cells": record["n_cells"] * 10**6}), encoding="utf-8")
    app = open_page("verifiers", tmp_path / "data", section="How many tests")
    settled = "Random tests that settle the ranking"
    assert not any(settled in caption.value for caption in app.caption)
    (button,) = [button for button in app.button if button.label.startswith("Study suite size")]
    button.click().run()
    assert any(text.value.startswith("**Studying suite size") for text in app.markdown)
    (job,) = (tmp_path / "data" / "runs").glob("*.study")
    while job.exists():
        assert (now := read(job)) is None or now.state is not JobState.FAILED
        time.sleep(0.1)
    app.run()
    assert any(settled in caption.value for caption in app.caption)
    assert len(list((tmp_path / "data").glob("runs/*/studies-nan.json"))) > 1
    assert "study" not in [button.key for button in app.run().button]
