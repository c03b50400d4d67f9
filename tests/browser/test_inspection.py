"""From a suspicion to the test that caused it, in a real browser."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.app import settle
from tests.workspace import HOSTILE

CARELESS = "verifier=model-a+tests"


def _open(page: Page, address: str, path: str) -> None:
    page.goto(f"{address}{path}")
    settle(page)


def _parameters(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def _matrix(page: Page) -> tuple[float, float]:
    """Where the first cell of the pass matrix is, in pixels: five columns of 34 x 26."""
    box = page.locator(".scroll canvas").bounding_box()
    assert box is not None
    return box["x"] + box["width"] - 10 - 5 * 34 + 17, box["y"] + 46 + 13


def test_a_problem_opens_from_the_filtered_list(page: Page, address: str) -> None:
    """A click in the table opens the problem, and the link carries verifier, problem and filter."""
    _open(page, address, f"/problems?{CARELESS}&filter=fooled")
    box = page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 30, box["y"] + 35 + 17 + 35)
    expect(page.locator("h1")).to_have_text("Tiny/3")
    settle(page)
    found = _parameters(page)
    assert found["problem"] == ["Tiny/3"]
    assert found["verifier"] == ["model-a tests"]
    assert found["in"] == ["fooled"]
    expect(page.get_by_text("2 of 5 tests fail the reference solution")).to_be_visible()


def test_keys_lead_through_the_filtered_list(page: Page, address: str) -> None:
    """J and k go to the next and the previous problem that the filter keeps."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3&in=fooled")
    page.keyboard.press("j")
    expect(page.locator("h1")).to_have_text("Tiny/5")
    page.keyboard.press("k")
    expect(page.locator("h1")).to_have_text("Tiny/3")


def test_a_click_in_the_matrix_selects_the_cell(page: Page, address: str) -> None:
    """The clicked cell is explained below the matrix and stands in the URL; arrows move it."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3")
    x, y = _matrix(page)
    page.mouse.click(x, y + 5 * 26)
    expect(page.get_by_text("AttributeError: 'list' object has no attribute 'total'")).to_be_visible()
    expect(page.locator(".listing .marked .number")).to_have_text("3")
    page.keyboard.press("ArrowUp")
    expect(page.get_by_text("T time limit")).to_be_visible()
    page.wait_for_url(re.compile("solution=sample-4"))
    assert _parameters(page)["test"] == ["1"]


def test_a_copied_link_opens_the_same_cell(page: Page, context: BrowserContext, address: str) -> None:
    """A second visitor with the link sees the same problem, cell and order."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3")
    x, y = _matrix(page)
    page.get_by_role("radio", name="pass rate").click()
    settle(page)
    page.mouse.click(x, y + 26)
    page.wait_for_url(re.compile("solution=sample-1"))
    wanted = page.locator(".said").text_content()
    other = context.new_page()
    other.goto(page.url)
    settle(other)
    expect(other.locator("h1")).to_have_text("Tiny/3")
    expect(other.get_by_text("sample-1 under test")).to_be_visible()
    assert wanted is not None
    test = re.search(r"test (\d+)", wanted)
    assert test is not None
    expect(other.get_by_text(f"sample-1 under test {test[1]}")).to_be_visible()
    assert _parameters(other)["columns"] == ["pass rate"]


def test_the_matrix_says_its_cells_aloud(page: Page, address: str) -> None:
    """The canvas has a name, and the selected cell is announced as text."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3")
    scroll = page.locator(".scroll")
    assert "6 solutions by 5 columns" in (scroll.get_attribute("aria-label") or "")
    scroll.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".said")).to_have_text("reference, test 4: P passed")


def test_every_outcome_of_the_matrix_has_its_letter_in_the_legend(page: Page, address: str) -> None:
    """The legend names each outcome that occurs, with letter and count."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3")
    shown = page.locator(".legend .swatch").all_text_contents()
    assert shown == ["P", "F", "E", "T", "C", "I"]


def test_hostile_text_is_shown_as_text(page: Page, address: str) -> None:
    """Markup in a prompt and in a raw answer is shown and never run."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/2")
    page.get_by_role("tab", name="Raw answer").click()
    settle(page)
    assert page.get_by_text(HOSTILE.split("<img", maxsplit=1)[0]).count() >= 2
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("path", ["/problem?problem=", "/problems?q="])
def test_a_hostile_link_runs_nothing(page: Page, address: str, path: str) -> None:
    """Markup in a link is text."""
    _open(page, address, path + quote(HOSTILE))
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x]").count() == 0


def test_the_leaderboard_sorts_by_any_metric(page: Page, address: str) -> None:
    """A click on a head puts that metric's best first: the smallest MAE, the largest Spearman."""
    _open(page, address, "/verifiers")
    names = page.locator(".frame tbody th")
    expect(names.first).to_contain_text("typed inputs")
    page.locator(".frame").get_by_role("button", name="Top-1").click()
    page.locator(".frame").get_by_role("button", name="Top-1").click()
    expect(names.first).to_contain_text("smoke")
    page.locator(".frame").get_by_role("button", name="MAE").click()
    expect(names.first).to_contain_text("typed inputs")


@pytest.mark.parametrize("path", ["/", "/verifiers", "/problems", f"/problem?{CARELESS}", "/run"])
def test_a_narrow_window_shows_every_page(context: BrowserContext, address: str, path: str) -> None:
    """At 400 pixels nothing makes the page itself scroll sideways."""
    page = context.new_page()
    page.set_viewport_size({"width": 400, "height": 800})
    _open(page, address, path)
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")
