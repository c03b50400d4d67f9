"""The exported report in a real browser, from the disk and without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext

from core.publish.bundle import write
from core.publish.options import Options
from core.publish.source import gather


@pytest.fixture(scope="module")
def report(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report on the small data folder, some of whose prompts and answers are HTML."""
    out = tmp_path_factory.mktemp("export")
    figures = ("tiny-top1", "tiny-outcomes", "tiny-scores-smoke")
    source = gather(sorted((data / "runs").iterdir()))
    write(source, out, Options(formats=("html",), figures=figures), command=["export"])
    return out / "report.html"


def test_the_report_draws_its_charts_and_fetches_nothing(context: BrowserContext, report: Path) -> None:
    """Offline, every chart is drawn and answers the pointer; nothing but the file is asked for."""
    context.set_offline(offline=True)
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(report.as_uri())
    for chart in page.locator(".chart").all():
        chart.scroll_into_view_if_needed()
        chart.locator(".main-svg").first.wait_for()
    bars = page.locator(".chart").first.locator(".bars .point path").first
    bars.hover(force=True)
    page.locator(".chart .hoverlayer .hovertext").first.wait_for()
    assert asked == [report.as_uri()]
    assert said == []


def test_hostile_text_is_shown_and_not_run(context: BrowserContext, report: Path) -> None:
    """A prompt that is a script stands on the page as text, and the page's policy would stop it too."""
    page = context.new_page()
    page.goto(report.as_uri())
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    assert "<script>window.hacked = 1</script>" in page.locator("body").inner_text()
    assert page.evaluate("window.hacked") is None
    page.evaluate(
        "() => document.body.append(Object.assign(document.createElement('script'), "
        "{ textContent: 'window.hacked = 2' }))"
    )
    assert page.evaluate("window.hacked") is None


def test_the_report_fits_a_telephone(context: BrowserContext, report: Path) -> None:
    """Wide tables scroll in their own place, not the page."""
    page = context.new_page()
    page.set_viewport_size({"width": 380, "height": 800})
    page.goto(report.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
