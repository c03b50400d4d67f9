"""Runs that are stopped, resumed, and outlive the app that started them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.store import open_run
from tests.browser.app import AppProcess, settle
from tests.workspace import build_workspace, make_benchmark

THREE_MINUTES = 180_000
TESTS = 4
CELLS = 8 * 6 * TESTS


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A data folder of its own."""
    return build_workspace(tmp_path / "data").root


@pytest.fixture
def app(root: Path) -> Iterator[AppProcess]:
    """An app of its own, which may be killed and started again."""
    with AppProcess(root) as found:
        yield found


def _start_slow_run(page: Page, address: str, folder: Path) -> None:
    """Start a run whose every cell takes a fifth of a second, and wait for its first cells."""
    slow = [f"import time; time.sleep(0.2); assert {number} >= 0" for number in range(TESTS)]
    rows = [json.dumps({"task_id": p.task_id, "tests": slow}) for p in make_benchmark().problems]
    file = folder / "slow.jsonl"
    file.write_text("\n".join(rows), encoding="utf-8")
    page.goto(f"{address}/run")
    settle(page)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("8 of 8 rows are good")).to_be_visible()
    page.get_by_role("spinbutton", name="Workers").fill("1")
    page.keyboard.press("Enter")
    settle(page)
    page.get_by_role("button", name="Start the run").click()
    expect(page.get_by_text("P passed")).to_be_visible(timeout=THREE_MINUTES)


def _assert_whole(root: Path) -> None:
    run = open_run(root / "runs" / "slow-1")
    assert run.finished
    assert run.outcome_totals()["P"] == run.manifest.n_cells == CELLS


@pytest.mark.slow
def test_a_run_is_stopped_and_resumed(page: Page, app: AppProcess, root: Path, tmp_path: Path) -> None:
    """Stop keeps what is done, Resume goes on from there, and the run is whole in the end."""
    _start_slow_run(page, app.address, tmp_path)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible(timeout=THREE_MINUTES)
    expect(page.get_by_text("Running slow · stopped")).to_be_visible()
    assert not open_run(root / "runs" / "slow-1").finished
    settle(page)
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_text("Running slow · running")).to_be_visible(timeout=THREE_MINUTES)
    expect(page.get_by_text("Running slow")).to_be_hidden(timeout=THREE_MINUTES)
    _assert_whole(root)


@pytest.mark.slow
def test_a_run_survives_a_restart_of_the_app(page: Page, app: AppProcess, root: Path, tmp_path: Path) -> None:
    """The app is killed and started again: the run is found under way, shown, and finishes."""
    _start_slow_run(page, app.address, tmp_path)
    app.kill()
    app.start()
    page.goto(f"{app.address}/run")
    settle(page)
    expect(page.get_by_text("Running slow · running")).to_be_visible(timeout=THREE_MINUTES)
    expect(page.get_by_text("Running slow")).to_be_hidden(timeout=THREE_MINUTES)
    _assert_whole(root)
    page.goto(f"{app.address}/verifiers")
    settle(page)
    expect(page.locator(".frame tbody tr").filter(has_text="slow")).to_be_visible()
