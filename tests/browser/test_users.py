"""Several visitors at once, filters, and hostile programs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import Browser, Page, expect

from core.model import Benchmark
from core.store import write_scores_run
from core.workspace import Workspace
from tests.browser.app import running_app, settle
from tests.workspace import HOSTILE, make_benchmark


def test_two_users_do_not_disturb_each_other(browser: Browser, address: str) -> None:
    """Each keeps verifier, problem, filter and cell while the other moves about."""
    links = {
        "one": "/problem?verifier=model-a+tests&problem=Tiny/3&in=fooled",
        "two": "/problem?verifier=typed+inputs&problem=Tiny/6",
    }
    contexts = [browser.new_context() for _ in links]
    one, two = (context.new_page() for context in contexts)
    for page, link in zip((one, two), links.values(), strict=True):
        page.goto(address + link)
        settle(page)
    one.keyboard.press("j")
    expect(one.locator("h1")).to_have_text("Tiny/5")
    two.keyboard.press("k")
    expect(two.locator("h1")).to_have_text("Tiny/5")
    two.keyboard.press("k")
    expect(two.locator("h1")).to_have_text("Tiny/4")
    expect(one.locator("h1")).to_have_text("Tiny/5")
    settle(one)
    settle(two)
    found = [parse_qs(urlsplit(page.url).query)["verifier"] for page in (one, two)]
    assert found == [["model-a tests"], ["typed inputs"]]
    assert parse_qs(urlsplit(one.url).query)["in"] == ["fooled"]
    for context in contexts:
        context.close()


def test_a_filter_stays_in_the_link(page: Page, address: str) -> None:
    """A named filter narrows the list, says how many it keeps, and is there after a reload."""
    page.goto(f"{address}/problems?verifier=model-a+tests")
    settle(page)
    expect(page.get_by_text("8 of 8 problems")).to_be_visible()
    page.get_by_test_id("stMain").get_by_role("button", name="fooled").click()
    expect(page.get_by_text("4 of 8 problems")).to_be_visible()
    page.wait_for_url("**filter=fooled**")
    page.reload()
    settle(page)
    expect(page.get_by_text("4 of 8 problems")).to_be_visible()


def test_tables_offer_only_the_defused_csv(page: Page, address: str) -> None:
    """Streamlit's own download of a table, which leaves formulas alone, is hidden; ours is there."""
    page.goto(f"{address}/problems")
    settle(page)
    page.get_by_test_id("stDataFrame").hover()
    expect(page.locator("button[aria-label^='Search:']")).to_be_visible()
    download = page.locator("button[aria-label^='Download as CSV']")
    expect(download).to_have_count(1)
    expect(download).to_be_hidden()
    with page.expect_download() as file:
        page.get_by_role("button", name="CSV", exact=True).click()
    assert file.value.suggested_filename == "problems.csv"


def test_hostile_programs_and_names_are_shown_as_text(page: Page, tmp_path: Path) -> None:
    """Markup in task ids, solution ids, code, sources and names of verifier and benchmark runs nothing."""
    plain = make_benchmark()
    problem = replace(plain.problems[0], task_id=f"T/{HOSTILE}", prompt=HOSTILE, entry_point="f")
    solutions = tuple(
        replace(solution, id=f"{solution.id} {HOSTILE}", code=f"# {HOSTILE}\n", source=HOSTILE)
        for solution in plain.solutions["Tiny/0"]
    )
    benchmark = Benchmark(HOSTILE, (problem,), {problem.task_id: solutions})
    scores = {problem.task_id: {solution.id: float(at) for at, solution in enumerate(solutions)}}
    workspace = Workspace(tmp_path / "data")
    for name in ("one", "two"):
        label = f"{name} {HOSTILE}"
        write_scores_run(
            workspace.run_dir(name), name=label, verifier=label, benchmark=benchmark, scores=scores
        )
    with running_app(workspace.root) as address:
        for link in ("/", "/verifiers", "/problems", f"/problem?also={quote(f'two {HOSTILE}')}", "/run"):
            page.goto(address + link)
            settle(page)
            assert page.evaluate("window.hacked") is None
            assert page.locator("img[src=x]").count() == 0
            assert page.locator("[data-testid=stException]").count() == 0
        page.goto(f"{address}/problem")
        settle(page)
        expect(page.locator(".listing").get_by_text(HOSTILE).first).to_be_visible()
