"""From a suspicion to the test that caused it, in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from core.progress import Progress, write_progress
from tests.browser.app import running_app, settle
from tests.workspace import HOSTILE, build_workspace

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


def test_another_verifier_ends_the_filter_of_the_first(page: Page, address: str) -> None:
    """The problem stays; the list that it was reached from does not, nor does the cell."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny%2F3&in=fooled&solution=sample-1&test=2")
    expect(page.get_by_text("(fooled)")).to_be_visible()
    page.get_by_role("combobox", name="Verifier in focus").click()
    page.get_by_role("option", name="typed inputs").click()
    page.wait_for_url(re.compile("verifier=typed"))
    settle(page)
    expect(page.locator("h1")).to_have_text("Tiny/3")
    expect(page.get_by_text("4 of 8", exact=True)).to_be_visible()
    assert not {"in", "solution", "test"} & set(_parameters(page))


def test_a_finished_run_is_compared_where_its_card_leads(page: Page, tmp_path: Path) -> None:
    """The link of its card selects the run as the first of the two; older cards are folded away."""
    workspace = build_workspace(tmp_path)
    for name in ("careless-1", "smoke-1"):
        record = {"command": ["run", "--name", name], "pid": 999_999_999, "create_time": 0.0}
        (workspace.run_dir(name) / "job.json").write_text(json.dumps(record), encoding="utf-8")
        write_progress(workspace.run_dir(name), Progress("running tests", 1, 1, state="done"))
    with running_app(tmp_path) as own:
        _open(page, own, "/run")
        expect(page.get_by_role("link", name="See how it compares").locator("visible=true")).to_have_count(1)
        expect(page.get_by_text("1 more done within the last hour")).to_be_visible()
        page.get_by_role("link", name="See how it compares").locator("visible=true").click()
        page.wait_for_url(re.compile("/verifiers"))
        settle(page)
        assert _parameters(page)["first"] == _parameters(page)["verifier"] == ["smoke"]
        expect(page.get_by_role("tab", name="Two compared")).to_have_attribute("aria-selected", "true")


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


def test_a_link_without_a_selected_cell_opens_without_one(page: Page, address: str) -> None:
    """Esc selects nothing, which the URL says: whoever follows it sees no cell explained either."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3")
    x, y = _matrix(page)
    page.mouse.click(x, y)
    page.wait_for_url(re.compile("solution="))
    page.keyboard.press("Escape")
    page.wait_for_url(re.compile("test=none"))
    page.reload()
    expect(page.get_by_text("Click a cell, or move with the arrow keys")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Click a cell, or move with the arrow keys")).to_have_count(0)


def test_the_row_of_the_selected_cell_is_marked_up_to_the_last_cell(page: Page, address: str) -> None:
    """Its frame closes on the last cell; right of the cells the matrix is as empty as in other rows."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3&solution=sample-1&test=1")
    beyond = page.locator(".scroll canvas").evaluate(
        """canvas => {
            const ratio = canvas.width / canvas.clientWidth;
            const strip = [(canvas.clientWidth - 9) * ratio, 46 * ratio, 8 * ratio, 5 * 26 * ratio];
            const pixels = new Uint32Array(canvas.getContext("2d").getImageData(...strip).data.buffer);
            return new Set(pixels).size;
        }"""
    )
    assert beyond == 1


@pytest.mark.parametrize("width", [700, 1440])
def test_names_over_the_rankings_are_whole(context: BrowserContext, address: str, width: int) -> None:
    """With three verifiers beside the reference, names that take two lines are not cut."""
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    also = "&also=typed+inputs&also=smoke&also=reward+model"
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3{also}")
    heads = page.locator(".ranking .head").evaluate_all(
        "nodes => nodes.map(node => "
        "Array.from(node.querySelectorAll('tspan'), line => line.textContent).join(' '))"
    )
    assert heads == ["reference", "model-a tests", "typed inputs", "smoke", "reward model"]


@pytest.mark.parametrize("width", [700, 1440])
def test_the_steps_to_other_problems_stand_in_a_row(
    context: BrowserContext, address: str, width: int
) -> None:
    """Where the heading leaves them no room, both buttons go below it together."""
    page = context.new_page()
    page.set_viewport_size({"width": width, "height": 900})
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3&in=fooled")
    places = [page.get_by_role("button", name=name).bounding_box() for name in ("Previous", "Next")]
    assert len({place["y"] for place in places if place}) == 1


def test_the_sidebar_says_what_of_it_counts_on_the_bugs_page(page: Page, address: str) -> None:
    """A verifier chosen on the left changes nothing there; where it does, nothing is said."""
    note = page.get_by_test_id("stSidebar").get_by_text("only the benchmark counts")
    _open(page, address, "/bugs")
    expect(note).to_be_visible()
    _open(page, address, "/problems")
    expect(note).to_have_count(0)


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
    expect(page.get_by_text(HOSTILE.split("<img", maxsplit=1)[0]).nth(1)).to_be_attached()
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
    page.wait_for_url(re.compile("sort=top1-up"))
    page.locator(".frame").get_by_role("button", name="MAE").click()
    expect(names.first).to_contain_text("typed inputs")


def test_a_link_keeps_the_order_of_the_leaderboard(page: Page, address: str) -> None:
    """Who follows it sees the rows and the marked head as whoever sorted them; the first head sorts back."""
    _open(page, address, "/verifiers?sort=top1-up")
    names = page.locator(".frame tbody th")
    expect(names.first).to_contain_text("smoke")
    expect(page.locator(".frame th[aria-sort=ascending]")).to_contain_text("Top-1")
    page.locator(".frame").get_by_role("button", name="Verifier").click()
    expect(names.first).to_contain_text("typed inputs")
    page.wait_for_url(lambda url: "sort=" not in url)


NARROW = (
    "/",
    "/verifiers?published=HE-R%2B",
    "/verifiers?section=How+many+tests",
    f"/verifiers?{CARELESS}&section=Single+tests",
    f"/verifiers?{CARELESS}&section=Fewer+tests",
    "/problems?top1_max=0.5",
    f"/problem?{CARELESS}",
    f"/problem?{CARELESS}&what=two+verifiers%27+tests",
    "/distributions",
    "/run",
)


@pytest.mark.parametrize("path", NARROW)
def test_a_narrow_window_shows_every_page(context: BrowserContext, address: str, path: str) -> None:
    """At 400 pixels nothing makes the page itself scroll sideways."""
    page = context.new_page()
    page.set_viewport_size({"width": 400, "height": 800})
    _open(page, address, path)
    main = page.locator("[data-testid=stMain]")
    assert main.evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize("path", ["/", "/verifiers", f"/verifiers?{CARELESS}&section=Single+tests"])
def test_no_number_is_cut_in_half_a_window(context: BrowserContext, address: str, path: str) -> None:
    """At 700 pixels every big number and its name are shown whole."""
    page = context.new_page()
    page.set_viewport_size({"width": 700, "height": 900})
    _open(page, address, path)
    for part in ("stMetricValue", "stMetricLabel"):
        shown = page.get_by_test_id(part)
        assert shown.count() >= 5
        assert shown.evaluate_all(
            "nodes => nodes.every(node => [node, ...node.querySelectorAll('*')]"
            ".every(part => part.scrollWidth <= part.clientWidth + 1 || !part.clientWidth))"
        )


def test_the_diff_of_a_solution_and_the_reference(page: Page, address: str) -> None:
    """What only one of the two has is marked with a sign on its side, and the link keeps the choice."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/1")
    page.get_by_role("radio", name="a solution and the reference").click()
    settle(page)
    diff = page.locator(".listing").last
    assert diff.locator(".removed .sign").first.text_content() == "\N{MINUS SIGN}"
    assert diff.locator(".added .sign").first.text_content() == "+"
    assert _parameters(page)["what"] == ["a solution and the reference"]


def test_two_verifiers_are_compared_by_choice(page: Page, address: str) -> None:
    """Another second verifier changes the differences and the link; a click leads to both on one problem."""
    _open(page, address, f"/verifiers?{CARELESS}&first=typed+inputs&second=smoke")
    top1 = page.get_by_test_id("stMetricValue").first
    before = top1.inner_text()
    page.get_by_role("combobox", name="Second").click()
    page.get_by_role("option", name="model-a tests").click()
    page.wait_for_url(re.compile("second=model-a"))
    settle(page)
    assert top1.inner_text() != before
    expect(page.get_by_text("typed inputs picks the best solution more surely on 4 problems")).to_be_visible()
    page.locator("[data-testid=stDataFrame]").scroll_into_view_if_needed()
    page.wait_for_timeout(300)
    box = page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 30, box["y"] + 35 + 17)
    expect(page.locator("h1")).to_have_text("Tiny/1")
    settle(page)
    assert _parameters(page)["verifier"] == ["typed inputs"]
    assert _parameters(page)["also"] == ["model-a tests"]


def test_the_diff_of_two_suites(page: Page, address: str) -> None:
    """Shared tests stand on one line, tests of one suite only are marked with a sign."""
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/1")
    page.get_by_role("radio", name="two verifiers' tests").click()
    settle(page)
    page.get_by_role("combobox", name="The other verifier").click()
    page.get_by_role("option", name="typed inputs").click()
    settle(page)
    expect(
        page.get_by_text("5 tests in both, 0 only of model-a tests, 3 only of typed inputs")
    ).to_be_visible()
    diff = page.locator(".listing").last
    assert diff.locator(".added .number").all_text_contents() == ["6", "7", "8"]
    assert diff.locator(".added .sign").first.text_content() == "+"
    assert diff.locator(".filler").count() == 3


def test_the_data_of_a_chart_can_be_taken_away(page: Page, address: str) -> None:
    """The CSV under a chart holds its numbers, tidy, and the page is not run again."""
    _open(page, address, "/distributions")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV").first.click()
    file = waiting.value
    assert file.suggested_filename == "tiny-solutions-per-problem.csv"
    assert file.path().read_text(encoding="utf-8") == "series,bin_low,bin_high,count\ntiny,5.5,6.5,8\n"


@pytest.mark.parametrize(("scheme", "passed"), [("light", "#b5d3f0"), ("dark", "#2b5075")])
def test_each_theme_has_its_colours(browser: Browser, address: str, scheme: str, passed: str) -> None:
    """Matrix, chart and page follow the theme."""
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1440, "height": 900})  # type: ignore[arg-type]
    page = context.new_page()
    _open(page, address, f"/problem?{CARELESS}&problem=Tiny/3")
    wanted = tuple(int(passed[at : at + 2], 16) for at in (1, 3, 5))
    swatch = page.locator(".legend .swatch").first
    expect(swatch).to_have_css("background-color", f"rgb{wanted}")
    _open(page, address, "/distributions")
    bar = page.locator(".js-plotly-plot .bars .point path").and_(page.locator(f"[style*='rgb{wanted}']"))
    assert bar.count() >= 1
    background = page.locator("[data-testid=stApp]").evaluate(
        "node => getComputedStyle(node).backgroundColor"
    )
    lightness = sum(int(part) for part in re.findall(r"\d+", background)[:3])
    assert (lightness < 150) == (scheme == "dark")
    context.close()


def test_keys_focus_the_search_and_list_themselves(page: Page, address: str) -> None:
    """`/` puts the cursor into the search, where it types itself; `?` lists the keys."""
    _open(page, address, "/problems")
    page.keyboard.press("/")
    search = page.get_by_role("textbox", name="Search")
    expect(search).to_be_focused()
    page.keyboard.type("?/")
    expect(search).to_have_value("?/")
    search.fill("")
    search.blur()
    settle(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next and previous problem")


def test_what_draws_charts_is_fetched_before_it_is_asked_for(page: Page, address: str) -> None:
    """A page without a chart has asked for plotly's script already, and there is one at that address."""
    _open(page, address, "/run")
    ahead = page.locator("head link[rel=modulepreload][href*=PlotlyChart]")
    assert ahead.count() == 1
    found = page.request.get(ahead.evaluate("node => node.href"))
    assert found.ok
    assert len(found.body()) > 1_000_000


def test_no_file_names_flash_up(page: Page, address: str) -> None:
    """Until the app has run, the sidebar names no file of pages/."""
    page.goto(f"{address}/distributions", wait_until="commit")
    seen = ""
    while "Verifier in focus" not in seen:
        seen = page.evaluate("document.querySelector('[data-testid=stSidebar]')?.innerText ?? ''")
        assert not re.search(r"\b(app|overview|verifiers)\b", seen)
        page.wait_for_timeout(20)


def test_a_link_keeps_its_verifier_and_a_choice_changes_it(page: Page, address: str) -> None:
    """The URL names benchmark and verifier even where they are the first choice; a choice replaces it."""
    _open(page, address, "/problems")
    page.wait_for_url(re.compile("verifier=reward"))
    assert _parameters(page)["benchmark"] == ["tiny"]
    page.get_by_role("combobox", name="Verifier in focus").click()
    page.get_by_role("option", name="smoke").click()
    page.wait_for_url(re.compile("verifier=smoke"))
    page.get_by_role("link", name="Distributions").click()
    expect(page.locator("h1")).to_have_text("Distributions")
    settle(page)
    assert _parameters(page)["verifier"] == ["smoke"]
