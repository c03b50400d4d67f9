"""The app as others reach it: the login, the path panel, hostile links."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.views import work
from core.views.work import Backend
from core.workspace import Workspace
from tests.pages.conftest import APP
from tests.workspace import BENCHMARK, HOSTILE

Open = Callable[..., AppTest]
AUTH = {"client_id": "x", "client_secret": "y", "server_metadata_url": "https://id.example.org"}
PARAMETERS = (
    *("benchmark", "verifier", "problem", "solution", "test", "in", "find", "also", "first", "second"),
    *("left", "right", "rows", "columns", "filter", "q"),
)


@pytest.fixture
def weak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A served app on a machine whose only backend does not isolate fully; nothing starts."""
    monkeypatch.setenv("TOUCHSTONE_SERVED", "1")
    backend = Backend("process", works=True, full=False, guarantees=("limits",), missing=("no namespaces",))
    monkeypatch.setattr(work, "backends", lambda: (backend,))
    monkeypatch.setattr(work.jobs, "start", lambda *_: pytest.fail("a job was started"))
    st.cache_data.clear()


def test_without_a_login_there_is_only_the_login(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """Where [auth] is configured, who has not logged in sees a button, none of the data and no other page."""
    monkeypatch.setenv("TOUCHSTONE_DATA", str(data))
    app = AppTest.from_file(str(APP), default_timeout=30)
    app.secrets["auth"] = AUTH
    app.query_params["problem"] = "Tiny/3"
    app.run()
    assert _is_login(app)
    with pytest.raises(ValueError, match=r"Known pages: \['Log in'\]"):
        app.switch_page("pages/problem.py")


def _is_login(app: AppTest) -> bool:
    labels = [button.label for button in app.button]
    return labels == ["Log in"] and not app.exception and not app.dataframe and not app.selectbox


def test_a_page_reached_past_the_navigation_asks_for_the_login(
    monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    """A page's own file, run by itself as a fresh server does for a deep link, shows the login only."""
    monkeypatch.setenv("TOUCHSTONE_DATA", str(data))
    app = AppTest.from_file(str(APP.parent / "pages" / "problems.py"), default_timeout=30)
    app.secrets["auth"] = AUTH
    app.run()
    assert _is_login(app)


def test_who_has_logged_in_sees_the_data(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """With a login the Overview opens, and there is a way out."""
    monkeypatch.setenv("TOUCHSTONE_DATA", str(data))
    app = AppTest.from_file(str(APP), default_timeout=30)
    app.secrets["auth"] = AUTH
    app.user = {"is_logged_in": True, "email": "someone@example.org"}
    app.run()
    assert not app.exception
    assert len(app.dataframe) == 1
    assert "Log out" in [button.label for button in app.button]


@pytest.mark.parametrize("page", ["overview", "verifiers", "problems", "problem", "run"])
@pytest.mark.parametrize("value", ["../../etc/passwd", HOSTILE, "\0", "%2e%2e%2f", ""])
def test_a_hostile_link_opens_the_page(open_page: Open, page: str, value: str) -> None:
    """Paths and markup in the parameters of a link choose nothing and break nothing."""
    app = open_page(page, **dict.fromkeys(PARAMETERS, value))
    assert not app.exception
    assert not app.error
    assert app.session_state["chosen benchmark"] == BENCHMARK


@pytest.mark.parametrize("text", ["/etc/passwd", "../../../etc/passwd", "runs/../../x"])
def test_a_served_app_reads_below_its_data_folder_only(open_page: Open, weak: None, text: str) -> None:
    """A path that leads out is refused with the same words whether it exists or not."""
    app = open_page("overview")
    app = app.text_input(key="load-path").input(text).run()
    assert not app.exception
    assert "reads files of its data folder only" in app.text[0].value


def test_a_served_app_takes_a_file_of_its_data_folder(open_page: Open, weak: None, data: Path) -> None:
    """A path relative to the data folder is read."""
    app = open_page("overview")
    app = app.text_input(key="load-path").input("benchmarks/tiny.jsonl").run()
    assert not app.exception
    assert "rows are good" in app.success[0].value


def test_a_served_app_builds_no_demo_without_isolation(open_page: Open, weak: None, tmp_path: Path) -> None:
    """The button ends in a message that says what is missing, and no job."""
    app = open_page("overview", tmp_path)
    app = app.button[0].click().run()
    assert not app.exception
    assert "no namespaces" in app.text[0].value


def test_a_served_app_starts_no_run_without_isolation(open_page: Open, weak: None, data: Path) -> None:
    """The button ends in a message that says what is missing, and no job."""
    tests = Workspace(data).tests_dir / "kept.jsonl"
    tests.parent.mkdir(exist_ok=True)
    tests.write_text('{"task_id": "Tiny/0", "tests": ["assert add_all([1]) == 1"]}', encoding="utf-8")
    app = open_page("run")
    app = app.segmented_control[0].set_value("Kept here").run()
    button = next(button for button in app.button if button.label == "Start the run")
    app = button.click().run()
    tests.unlink()
    assert not app.exception
    assert any("no namespaces" in text.value for text in app.text)


def test_formulas_in_names_are_defused_in_the_csv(open_page: Open) -> None:
    """A problem called like a formula is text in the exported table."""
    import pandas as pd

    from core.views.problems import ProblemTable, problem_csv

    table = ProblemTable(pd.DataFrame({"task_id": ["=1+1", "@x", "Tiny/1"], "top1": [1.0, 0.5, -0.5]}), 3, {})
    assert problem_csv(table).decode().splitlines()[1:] == ["'=1+1,1.0", "'@x,0.5", "Tiny/1,-0.5"]
