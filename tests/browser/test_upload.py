"""Files that nobody vouches for: each ends in a message, none in a stack trace or outside its folder."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.browser.app import AppProcess, settle
from tests.workspace import HOSTILE, build_workspace

GOOD = json.dumps({"task_id": "Tiny/0", "tests": ["assert add_all([1]) == 1"]}).encode()
LIMIT_MB = 1


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The data folder and the address of an app with small limits."""
    root = tmp_path_factory.mktemp("upload") / "data"
    build_workspace(root)
    limit = str(LIMIT_MB)
    with AppProcess(root, "--server.maxUploadSize", limit, TOUCHSTONE_MAX_FILE_MB=limit) as app:
        yield root, app.address


def _give(page: Page, address: str, name: str, content: bytes) -> None:
    page.goto(f"{address}/run")
    settle(page)
    file: FilePayload = {"name": name, "mimeType": "application/octet-stream", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("large.jsonl", b" " * (LIMIT_MB + 1) * 2**20, "must be 1.0MB or smaller"),
        (
            "bomb.jsonl.gz",
            gzip.compress((GOOD + b"\n") * 50_000),
            "more than the limit of 1 MiB when decompressed",
        ),
        ("bomb.jsonl.gz", gzip.compress(b"[" * 3 * 2**20), "more than the limit of 1 MiB when decompressed"),
        ("latin.jsonl", GOOD.replace(b"add", b"\xe4dd"), "line 1: expected UTF-8 text, found byte 0xe4"),
        ("empty.jsonl", b"", "the file is empty"),
        ("picture.jsonl", bytes(range(256)) * 64, "or no text at all; expected UTF-8"),
        ("cut.jsonl.gz", gzip.compress(GOOD * 99)[:40], "expected intact compressed data"),
        ("cut.parquet", b"PAR1" + bytes(100), "expected intact Parquet"),
        ("other.jsonl", b'{"hello": 1}', "of no known format. Its keys: hello"),
    ],
    ids=["oversized", "bomb", "bomb of one line", "not UTF-8", "empty", "binary", "cut", "Parquet", "other"],
)
def test_a_bad_file_ends_in_a_message(
    page: Page, small: tuple[Path, str], name: str, content: bytes, message: str
) -> None:
    """The message says what was expected and where; the page goes on, and no run can be started."""
    _give(page, small[1], name, content)
    expect(page.get_by_text(message).first).to_be_visible()
    settle(page)
    assert page.locator("[data-testid=stException]").count() == 0
    assert "Traceback" not in (page.text_content("body") or "")
    expect(page.get_by_role("button", name="Start the run")).to_be_disabled()


def test_a_bad_row_is_named_and_the_good_one_is_used(page: Page, small: tuple[Path, str]) -> None:
    """A row that is no JSON costs itself only."""
    _give(page, small[1], "mixed.jsonl", GOOD + b'\n{"task_id": "Tiny/1", "tests": ["assert \xff"]}\n')
    expect(page.get_by_text("1 of 2 rows are good")).to_be_visible()


@pytest.mark.parametrize("name", [f"../../{HOSTILE}.jsonl", "..\\..\\x.jsonl", f"{HOSTILE}.jsonl"])
def test_a_hostile_file_name_is_text_and_stays_inside(page: Page, small: tuple[Path, str], name: str) -> None:
    """A name with dots, slashes and markup leads nowhere and runs nothing."""
    root, address = small
    before = {path for path in root.parent.rglob("*") if root / "uploads" not in path.parents}
    _give(page, address, name, GOOD)
    expect(page.get_by_text("1 of 1 row is good")).to_be_visible()
    settle(page)
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x]").count() == 0
    after = {path for path in root.parent.rglob("*") if root / "uploads" not in path.parents}
    assert after - before <= {root / "uploads"}
