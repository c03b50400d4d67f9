"""Every page opens, with data and without, and draws what the link asks for."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

Open = Callable[..., AppTest]
PAGES = ("overview", "verifiers", "problems", "problem", "run")


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
    if page == "overview":
        assert [button.label for button in app.button] == ["Build the demo"]
    else:
        assert "Nothing is loaded yet" in app.info[0].value


def test_a_link_opens_its_problem(open_page: Open) -> None:
    """The problem and the verifier of a link are what is shown."""
    app = open_page("problem", verifier="model-a tests", problem="Tiny/3")
    assert app.title[0].value == "Tiny/3"
    assert app.session_state["verifier"] == "model-a tests"
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


def test_filters_of_a_link_are_in_force(open_page: Open) -> None:
    """The table holds only what the filter and the search of the link keep."""
    app = open_page("problems", verifier="model-a tests", filter="fooled", q="largest")
    assert app.dataframe[0].value["task_id"].tolist() == ["Tiny/1"]


def test_a_filter_that_keeps_nothing_says_so(open_page: Open) -> None:
    """An empty table is replaced by a sentence."""
    app = open_page("problems", q="no such text anywhere")
    assert "No problem passes these filters" in app.info[0].value


def test_two_verifiers_are_compared(open_page: Open) -> None:
    """The link's two verifiers give six differences and the problems that changed hands."""
    app = open_page("verifiers", first="typed inputs", second="model-a tests")
    assert len(app.metric) == 6
    assert app.dataframe[0].value["task_id"].tolist() == ["Tiny/1", "Tiny/3", "Tiny/5", "Tiny/6", "Tiny/7"]


def test_a_damaged_run_is_reported(open_page: Open, data: Path, tmp_path: Path) -> None:
    """A run that can't be read is named on the Overview; the page still opens."""
    import shutil

    root = tmp_path / "data"
    shutil.copytree(data, root)
    (root / "runs" / "smoke-1" / "manifest.json").write_text("{", encoding="utf-8")
    app = open_page("overview", root)
    assert not app.exception
    assert "smoke" in app.warning[0].value
