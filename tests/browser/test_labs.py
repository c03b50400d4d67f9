"""The pages Evolve and Bugs in a real browser: from sliders to matrices, from a class to what fired."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from core.formats.touchstone import write_benchmark
from core.model import Assertion, Benchmark, Problem, Solution
from tests.browser.app import running_app, settle
from tests.hunts import PAIRS, write_hunts
from tests.workspace import build_workspace

MINUTE = 60_000
PROGRAMS = {
    "reference": "def total(xs): return sum(xs)",
    "first two": "def total(xs): return sum(xs[:2])",
    "positive": "def total(xs): return sum(x for x in xs if x > 0)",
    "longest": "def total(xs): return max(xs, default=0)",
}


@pytest.fixture(scope="module")
def labs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An app over the small data folder, two hunts, and a run whose programs can really be run."""
    workspace = build_workspace(tmp_path_factory.mktemp("labs"))
    write_hunts(workspace)
    problem = Problem(
        "sum",
        'def total(xs):\n    """The sum."""\n',
        entry_point="total",
        reference_solution=PROGRAMS["reference"],
        reference_tests=(Assertion("assert total([1, 2]) == 3"),),
    )
    solutions = tuple(
        Solution(name, code, name, 1 - place / 4, place + 1.0)
        for place, (name, code) in enumerate(PROGRAMS.items())
    )
    benchmark = workspace.benchmark_file("sums")
    write_benchmark(Benchmark("sums", (problem,), {"sum": solutions}), benchmark)
    tests = workspace.root / "sums-tests.jsonl"
    row = {"task_id": "sum", "tests": ["assert total([1, 2]) == 3", "assert total([2, 3]) == 5"]}
    tests.write_text(json.dumps(row) + "\n", encoding="utf-8")
    given = ["--benchmark", benchmark, "--tests", tests, "--name", "two tests"]
    subprocess.run(
        [sys.executable, "-m", "core", "run", *given, "--out", workspace.run_dir("two-tests")],
        check=True,
        capture_output=True,
        env={**os.environ, "TOUCHSTONE_DATA": str(workspace.root)},
    )
    with running_app(workspace.root) as address:
        yield address


def _open(page: Page, address: str) -> None:
    page.goto(address)
    settle(page)


def _asked(page: Page, name: str) -> str | None:
    return parse_qs(urlsplit(page.url).query).get(name, [None])[0]


def _matrix_sizes(page: Page) -> list[str]:
    """What each pass matrix on the page says of its size."""
    labels = [one.get_attribute("aria-label") or "" for one in page.locator(".scroll").all()]
    found = [re.search(r"\d+ solutions by \d+ columns", label) for label in labels]
    return [one[0] for one in found if one]


def _first_row(page: Page) -> None:
    """Click the first row of the first table."""
    box = page.locator("[data-testid=stDataFrame] canvas").first.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 30, box["y"] + 35 + 17)


def test_a_slider_changes_the_matrix_and_undo_brings_it_back(page: Page, labs: str) -> None:
    """One test for each pass vector: eight columns become five, and eight again."""
    _open(page, f"{labs}/evolve?benchmark=tiny&verifier=typed+inputs&problem=Tiny/0&min-tests=0")
    expect(page.get_by_role("heading", name="After · 8 tests")).to_be_visible()
    assert _matrix_sizes(page) == ["6 solutions by 8 columns"] * 2

    page.get_by_role("slider", name="Tests for each pass vector").press("Home")
    expect(page.get_by_role("heading", name="After · 5 tests")).to_be_visible()
    settle(page)
    assert _matrix_sizes(page) == ["6 solutions by 8 columns", "6 solutions by 5 columns"]
    assert _asked(page, "per-pattern") == "1"
    expect(page.get_by_text("3 of 8 tests of Tiny/0 are removed.")).to_be_visible()

    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="After · 8 tests")).to_be_visible()
    settle(page)
    assert _matrix_sizes(page) == ["6 solutions by 8 columns"] * 2
    assert _asked(page, "per-pattern") is None


def test_the_solutions_for_a_step_are_shown_with_the_prompt(page: Page, labs: str) -> None:
    """The method is in the link, five solutions have a matrix, and the question to a model names them."""
    _open(page, f"{labs}/evolve?benchmark=tiny&verifier=typed+inputs&problem=Tiny/0&section=Whom+to+test")
    assert _matrix_sizes(page) == ["5 solutions by 8 columns"]
    page.get_by_role("radio", name="Discriminative").click()
    settle(page)
    assert _asked(page, "method") == "Discriminative"
    page.get_by_text("What a model is asked").click()
    expect(page.get_by_text("def add_all(values)").first).to_be_visible()


def test_a_round_is_made_and_reported(page: Page, labs: str) -> None:
    """From the button to the numbers of both rounds: the suite that two programs passed is harder."""
    _open(page, f"{labs}/evolve?benchmark=sums&verifier=two+tests&section=Rounds&min-tests=0")
    expect(page.get_by_text("has no rounds yet")).to_be_visible()
    page.get_by_role("spinbutton", name="Rounds").fill("1")
    page.get_by_role("spinbutton", name="Rounds").press("Enter")
    settle(page)
    page.get_by_role("button", name="Start the rounds").click()
    expect(page.get_by_text("two tests → two tests · round 1").first).to_be_visible(timeout=2 * MINUTE)
    settle(page)
    rows = page.locator("[data-testid=stDataFrame] table tbody tr").all()
    first, second = (row.locator("td").all_text_contents() for row in rows)
    assert (first[0], second[0]) == ("0", "1")
    assert float(first[2]) == 2 < float(second[2])
    expect(page.get_by_text("Difficulty by round")).to_be_visible()
    expect(page.get_by_text("Tests and their pass vectors by round")).to_be_visible()


def test_answers_of_a_class_are_listed_and_one_is_opened(page: Page, labs: str) -> None:
    """A click on a class filters the list, one on a row shows the outputs and the assertion that fired."""
    _open(page, f"{labs}/bugs?hunt=tiny-harness+(harness)")
    page.get_by_role("button", name="true bug", exact=True).click()
    expect(page.get_by_text("2 of 7 answers.")).to_be_visible()
    settle(page)
    assert _asked(page, "class") == "true bug"

    _first_row(page)
    expect(page.get_by_role("heading", name=PAIRS[0].pair_id)).to_be_visible()
    settle(page)
    assert _asked(page, "pair") == PAIRS[0].pair_id
    expect(page.get_by_text("AssertionError: length").first).to_be_visible()
    expect(
        page.locator(".listing .marked", has_text="assert len(out) == len(given['xs'])").first
    ).to_be_visible()
    assert page.evaluate("window.hacked") is None
