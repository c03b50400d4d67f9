"""Measures the pass matrix component: `python -m tests.bench.matrix` (part of `make bench`).

In headless Chromium, on a page of its own, 1,200 pixels wide, for matrices of seeded random outcomes:

    arranged     milliseconds to sort, mark and pack it in Python, and what is sent
    clustered    the same with rows and columns in the order of scipy's hierarchy
    first        milliseconds from the bytes to the drawn canvas
    sorted       the same when the order of rows changes
    key, click   milliseconds until an arrow key or a click is answered on the canvas, mean of 40
"""

from __future__ import annotations

import base64
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from playwright.sync_api import Page

from core.model import PassMatrix, Solution
from core.views.pass_matrix import ColumnOrder, MatrixView, RowOrder, arrange, pack
from tests.browser.app import PROJECT, chromium

SIZES = ((64, 764), (200, 1000))
_FOLDER = PROJECT / "assets" / "pass_matrix"
_PARTS = ("drawing", "pointing", "matrix")
_MEASURE = """
async ([script, blocks]) => {
  const blob = new Blob([script], { type: "text/javascript" });
  const show = (await import(URL.createObjectURL(blob))).default;
  const bytes = blocks.map((text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const canvas = document.querySelector("canvas"), scroll = document.querySelector(".scroll");
  const picture = () => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const took = async (action) => {
    const start = performance.now();
    action();
    await drawn();
    return performance.now() - start;
  };
  const take = (data) => show({ parentElement: document.body, data, setStateValue: () => {} });
  const first = await took(() => take(bytes[0]));
  if (new Set(picture()).size < 3) throw new Error("nothing is drawn");
  const sorted = await took(() => take(bytes[1]));
  const many = async (action) => {
    const start = performance.now();
    for (let n = 0; n < 40; n++) action(n);
    picture();
    return (performance.now() - start) / 40;
  };
  scroll.focus();
  const box = canvas.getBoundingClientRect();
  const click = await many((n) => canvas.dispatchEvent(new MouseEvent("click", {
    clientX: box.left + box.width / 2 + n, clientY: box.top + box.height / 2, bubbles: true })));
  const before = document.querySelector(".said").textContent;
  const key = await many(() => scroll.dispatchEvent(
    new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true })));
  if (before === document.querySelector(".said").textContent) throw new Error("the selection does not move");
  return { first, sorted, key, click };
}
"""


@dataclass(frozen=True)
class Prepared:
    """A matrix ready to send: its bytes, and milliseconds that they took."""

    data: bytes
    milliseconds: float


def prepared(n_solutions: int, n_tests: int, rows: RowOrder, columns: ColumnOrder) -> Prepared:
    """A seeded random matrix, arranged and packed as the Problem page does."""
    random = np.random.default_rng(0)
    codes = random.choice(5, (n_solutions, n_tests), p=(0.6, 0.25, 0.1, 0.03, 0.02)).astype(np.uint8)
    ids = tuple(f"model-{number}" for number in range(n_solutions))
    matrix = PassMatrix("t", ids, codes, np.zeros(codes.shape, np.float32))
    known = np.sort(random.random(n_solutions))[::-1]
    solutions = [
        Solution(name, "", "", reference_score=float(score), reference_rank=rank)
        for rank, (name, score) in enumerate(zip(ids, known, strict=True), 1)
    ]
    tests = [f"assert f({number}) == {number}" for number in range(n_tests)]
    scores = (codes == 0).mean(axis=1).tolist()
    start = time.perf_counter()
    view: MatrixView = arrange(
        matrix, solutions, scores, tests, score_name="score", rows=rows, columns=columns
    )
    data = pack(view, (ids[0], 0))
    return Prepared(data, 1000 * (time.perf_counter() - start))


def drawn(page: Page, plain: Prepared, sorted_: Prepared) -> dict[str, float]:
    """Milliseconds by what was done, in a page that holds nothing but the component."""
    html = (_FOLDER / "pass_matrix.html").read_text(encoding="utf-8")
    css = (_FOLDER / "pass_matrix.css").read_text(encoding="utf-8")
    script = "\n".join((_FOLDER / f"{part}.js").read_text(encoding="utf-8") for part in _PARTS)
    page.set_content(f"<!doctype html><style>{css}</style><body>{html}</body>")
    blocks = [base64.b64encode(one.data).decode() for one in (plain, sorted_)]
    found: Any = page.evaluate(_MEASURE, [script, blocks])
    return {str(name): float(value) for name, value in found.items()}


def main() -> None:
    """Measure every size and print the table."""
    print("\nPass matrix, milliseconds\n")
    print("| solutions x tests | arranged | sent | clustered | first | sorted | key | click |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    with chromium() as browser:
        for n_solutions, n_tests in SIZES:
            plain = prepared(n_solutions, n_tests, RowOrder.REFERENCE, ColumnOrder.SUITE)
            near = prepared(n_solutions, n_tests, RowOrder.SIMILARITY, ColumnOrder.SIMILARITY)
            page = browser.new_page(viewport={"width": 1200, "height": 900})
            found = drawn(page, plain, near)
            page.close()
            numbers = (found["first"], found["sorted"], found["key"], found["click"])
            print(
                f"| {n_solutions} x {n_tests} | {plain.milliseconds:.0f} | {len(plain.data) / 1000:.0f} kB "
                f"| {near.milliseconds:.0f} | " + " | ".join(f"{number:.1f}" for number in numbers) + " |"
            )


if __name__ == "__main__":
    main()
