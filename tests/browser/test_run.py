"""A verifier's tests from the upload to their place on the leaderboard."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.app import PROJECT, settle
from tests.workspace import HOSTILE, make_benchmark

TWO_MINUTES = 120_000


def _tests_file(folder: Path) -> Path:
    """Tests that find the best solution of every other problem, and leave it tied with one on the rest.

    Two bad rows are among them: one that is no JSON, one for a problem that the benchmark has not.
    """
    rows = []
    for index, problem in enumerate(make_benchmark().problems):
        tests = [f"assert {problem.entry_point}([1, 2, 3]) == {6 + index}"]
        if index % 2 == 0:
            tests.append(f"assert {problem.entry_point}([1]) == {1 + index}")
        rows.append(json.dumps({"task_id": problem.task_id, "tests": tests}))
    rows += ["{", json.dumps({"task_id": HOSTILE, "tests": ["assert True"]})]
    path = folder / "uploaded.jsonl"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def _assert_it_leads_on(page: Page) -> None:
    """The message of the finished run leads to the Verifiers page, and can be dismissed."""
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text("my tests is done")).to_be_hidden()
    page.reload()
    settle(page)
    expect(page.get_by_text("my tests is fooled on no problem.")).to_be_visible()
    page.get_by_role("link", name="See how it compares").click()
    expect(page.locator("h1")).to_have_text("Verifiers")
    settle(page)
    assert parse_qs(urlsplit(page.url).query)["verifier"] == ["my tests"]


def test_the_size_that_an_upload_may_have_is_said(page: Page, address: str) -> None:
    """The upload names the limit that is in force."""
    limit = tomllib.loads((PROJECT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    page.goto(f"{address}/run")
    settle(page)
    expect(page.get_by_text(f"{limit['server']['maxUploadSize']}MB per file")).to_be_visible()


@pytest.mark.slow
def test_uploaded_tests_are_run_and_ranked(page: Page, address: str, tmp_path: Path) -> None:
    """Upload, report, run, and the verifier's Top-1 on the leaderboard: 4 hits and 4 halves of 8."""
    page.goto(f"{address}/run")
    settle(page)
    page.locator("input[type=file]").set_input_files(_tests_file(tmp_path))
    expect(page.get_by_text("8 of 10 rows are good")).to_be_visible()
    expect(page.get_by_text("2 things to mend")).to_be_visible()
    page.get_by_role("spinbutton", name="Seconds per test").fill("0.5")
    page.get_by_role("textbox", name="Verifier's name").fill("my tests")
    page.keyboard.press("Enter")
    settle(page)
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_text("Running my tests")).to_be_visible()
    expect(page.get_by_text("Running my tests")).to_be_hidden(timeout=TWO_MINUTES)
    expect(page.get_by_text("my tests is done: 72 cells, 8 problems.")).to_be_visible()
    settle(page)
    _assert_it_leads_on(page)
    row = page.locator(".frame tbody tr").filter(has_text="my tests")
    expect(row.locator("[data-metric=top1] .value")).to_have_text("0.750")
    assert page.evaluate("window.hacked") is None
