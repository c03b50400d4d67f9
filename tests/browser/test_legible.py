"""What is on screen can be read: contrast of every text, outcomes without colour, scales."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.bench.generate import generate
from tests.browser.app import running_app, settle

CARELESS = "verifier=model-a+tests"
PAGES = (
    "/",
    "/verifiers?published=HE-R%2B&zero=true",
    f"/verifiers?{CARELESS}&section=Single+tests",
    f"/verifiers?{CARELESS}&section=More+studies",
    "/problems?filter=fooled",
    f"/problem?{CARELESS}&problem=Tiny%2F1&in=fooled",
    f"/problem?{CARELESS}&problem=Tiny%2F1&what=two+verifiers%27+tests",
    "/distributions",
    "/run",
)
# Every visible text fainter than 4.5:1 against what it stands on (3:1 where it is large), as WCAG 2 has it.
# Letters on the bars of a chart stand on a shape that is no ancestor; what is switched off may be faint.
FAINT = """
() => {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parse = (color) => {
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3]));
  const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const above = (node) => node.parentElement ?? node.getRootNode().host ?? null;
  const found = new Set();
  const look = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.currentNode; node; node = walker.nextNode()) {
      if (node.shadowRoot) look(node.shadowRoot);
      const element = node.parentElement;
      if (node.nodeType !== Node.TEXT_NODE || !node.textContent.trim() || !element) continue;
      if (element.closest("script, style, title, .bartext, [disabled], [aria-disabled=true]")) continue;
      const range = document.createRange();
      range.selectNode(node);
      const box = range.getBoundingClientRect();
      const style = getComputedStyle(element);
      if (box.width < 2 || box.height < 2 || style.visibility === "hidden") continue;
      let opacity = 1;
      const grounds = [];
      for (let at = element; at; at = above(at)) {
        opacity *= Number(getComputedStyle(at).opacity);
        grounds.unshift(parse(getComputedStyle(at).backgroundColor));
      }
      if (opacity === 0) continue;
      const ground = grounds.reduce((below, color) => over(color, below), [255, 255, 255]);
      const [r, g, b, a] = parse(element instanceof SVGElement ? style.fill : style.color);
      const pair = [luminance(over([r, g, b, a * opacity], ground)), luminance(ground)];
      const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
      const size = parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (contrast < 1.01) continue; // a copy for screen readers, or one that measures
      if (contrast < (large ? 3 : 4.5) - 0.01) {
        found.add(`${contrast.toFixed(2)} ${node.textContent.trim().slice(0, 60)}`);
      }
    }
  };
  look(document.body);
  return [...found];
}
"""


@pytest.fixture(params=["light", "dark"])
def themed(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A tab in either theme."""
    context = browser.new_context(color_scheme=request.param, viewport={"width": 1440, "height": 900})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", PAGES)
def test_every_text_stands_out(themed: Page, address: str, path: str) -> None:
    """No text that is not switched off is fainter than WCAG AA allows."""
    themed.goto(f"{address}{path}")
    settle(themed)
    assert themed.evaluate(FAINT) == []


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An app over problems with 64 solutions and 35 tests: their cells are too small for letters."""
    root = tmp_path_factory.mktemp("many")
    generate(root, 3)
    with running_app(root) as found:
        yield found


def test_outcomes_differ_without_colour_in_small_cells(themed: Page, many: str) -> None:
    """Every outcome but a pass has a mark of its own, in the cells and in the legend, until letters fit."""
    themed.goto(f"{many}/problem")
    settle(themed)
    legend = themed.locator(".legend li:has(.swatch)")
    letters = [text.strip() for text in legend.locator(".swatch").all_inner_texts()]
    assert {"P", "F"} < set(letters)
    marks = [legend.nth(at).locator(".mark") for at in range(len(letters))]
    assert {letter for letter, mark in zip(letters, marks, strict=True) if mark.is_hidden()} == {"P"}
    inked = """(node, side) => {
      const { width, height } = node;
      const data = node.getContext("2d").getImageData(0, 0, width, height).data;
      return Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 3).join());
    }"""
    shapes = [
        [color == "0,0,0" or color == "255,255,255" for color in mark.evaluate(inked)] for mark in marks
    ]
    assert all(any(shape) != (letter == "P") for letter, shape in zip(letters, shapes, strict=True))
    assert len({tuple(shape) for shape in shapes}) == len(letters)
    assert "0,0,0" in themed.locator(".spacer canvas").evaluate(inked)
    for _ in range(3):
        themed.get_by_role("button", name="Zoom in").click()
    expect(legend.locator(".mark:visible")).to_have_count(0)


def test_published_results_stand_apart(page: Page, address: str) -> None:
    """They are in a body of their own under a head that says so, whatever the table is sorted by."""
    page.goto(f"{address}/verifiers?published=HE-R%2B")
    settle(page)
    own, others = page.locator(".frame tbody").nth(0), page.locator(".frame tbody").nth(1)
    expect(others.locator(".divider")).to_contain_text("not runs of yours")
    for head in ("MAE", "Top-1"):
        page.locator(".frame").get_by_role("button", name=head).click()
        expect(own.locator("tr")).to_have_count(4)
        expect(own.locator(".published")).to_have_count(0)
        expect(others.locator(".published").first).to_contain_text("published on HE-R+")


def test_a_metric_says_its_scale_and_its_n(page: Page, address: str) -> None:
    """Each head has the ends of its bars, MAE's turned round; each value its 95% CI and its n as text."""
    page.goto(f"{address}/verifiers")
    settle(page)
    ends = [text.split() for text in page.locator(".scale").all_inner_texts()]
    assert ends[4] == ["1", "0"]
    assert all(end[-1] == "1" for at, end in enumerate(ends) if at != 4)
    cell = page.locator(".frame tbody tr", has_text="smoke").locator("[data-metric=spearman]")
    expect(cell).to_contain_text("n = 6 of 8")
    expect(cell.locator(".sub").first).to_have_text(re.compile(r"^\[.\d?\.?\d+, .*\]$"))
