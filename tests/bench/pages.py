"""Measures the pages: `python -m tests.bench.pages` (part of `make bench`).

For generated data folders (`tests.bench.generate`) of 164, 1,000 and 21,642 problems with 64 solutions and
35 tests, and for each page:

    script      seconds (and of them processor time) of the page's script without a browser (AppTest): in
                a fresh process, then again
    browser     seconds until Chromium shows the page and nothing moves any more: the first visit to a
                fresh server, the link opened again in another tab (Streamlit's own start is most of it),
                and a click on the page's name from another page
    sent        what the websocket brings: opened again, and at the click
    memory      peak resident set of the fresh server

The last line of a size is one server that all pages were asked of in turn. With --data the folders are
kept and used again; writing the largest takes about ten minutes.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, quote

from playwright.sync_api import Browser, BrowserContext, Page, WebSocket

from core.store import read_manifest
from tests.bench.cells import apart
from tests.bench.generate import EVOLVECODER_22K, generate
from tests.browser.app import PROJECT, AppProcess, chromium

SIZES = (164, 1000, EVOLVECODER_22K)
_LONGEST = 300.0
_IDLE = """
() => {
  const app = document.querySelector("[data-testid=stApp]");
  const idle = app?.dataset.testScriptState === "notRunning" && document.querySelector("h1")
    && !document.querySelector("[data-stale=true], [data-testid=stSkeleton], [data-testid=stSpinner]");
  if (!idle) window.idleSince = undefined;
  else window.idleSince ??= Date.now();
  return window.idleSince && Date.now() - window.idleSince > 400 ? window.idleSince : null;
}
"""


@dataclass(frozen=True)
class Script:
    """What a page's script took: seconds on the clock, and of processor time."""

    seconds: float
    processor: float

    def __str__(self) -> str:
        return f"{self.seconds:.2f} ({self.processor:.2f})"


@dataclass(frozen=True)
class Visit:
    """What one way of coming to a page took: seconds, and bytes received."""

    seconds: float
    received: int


@dataclass(frozen=True)
class Measured:
    """One page at one size."""

    page: str
    script: list[Script]
    first: Visit
    again: Visit
    click: Visit
    memory_mb: float


def page_links(n_problems: int) -> dict[str, str]:
    """The address of every page, by its file's name; one problem in the middle, and one search."""
    names = sorted(path.stem for path in (PROJECT / "pages").glob("*.py") if path.stem != "__init__")
    links = {name: "/" if name == "overview" else f"/{name}" for name in names}
    links["problem"] = f"/problem?problem={quote(f'Generated/{n_problems // 2}', safe='')}"
    return links | {"problems, search": f"/problems?q=transform_{n_problems // 2}("}


def measure(data: Path, n_problems: int) -> Iterator[Measured]:
    """Every page over one data folder."""
    app = AppProcess(data)
    with chromium() as browser, _profile(browser, app) as context:
        for page, link in page_links(n_problems).items():
            script = apart(script_seconds, data, link)
            with app:
                first, again = _opened(context, app, link), _opened(context, app, link)
                click = _clicked(context, app, page)
                yield Measured(page, script, first, again, click, peak_mb(app.pid))


def all_in_turn(data: Path, n_problems: int) -> float:
    """Peak resident set, in MiB, of a server that was asked for every page twice."""
    app = AppProcess(data)
    with chromium() as browser, _profile(browser, app) as context, app:
        for link in [*page_links(n_problems).values()] * 2:
            _opened(context, app, link)
        return peak_mb(app.pid)


def script_seconds(data: Path, link: str) -> list[Script]:
    """What a page's script takes in this process, the first time and the second.

    AppTest needs a first run before it opens a page by name: that one is over a folder of four problems,
    whose benchmark has the same name so that it stays the selected one.
    """
    from streamlit.testing.v1 import AppTest

    path, _, query = link.partition("?")
    app = AppTest.from_file(str(PROJECT / "app.py"), default_timeout=_LONGEST)
    with tempfile.TemporaryDirectory() as small:
        generate(
            Path(small), 4, name=read_manifest(next(data.glob("runs/*"))).benchmark, benchmark_file=False
        )
        os.environ["TOUCHSTONE_DATA"] = small
        app.run()
    os.environ["TOUCHSTONE_DATA"] = str(data)
    if path != "/":
        app.switch_page(f"pages{path}.py")
    app.query_params.update(parse_qs(query))
    found = []
    for _ in range(2):
        wall, processor = time.perf_counter(), time.process_time()
        app.run()
        found.append(Script(time.perf_counter() - wall, time.process_time() - processor))
        if app.exception or not app.title:
            raise RuntimeError(f"{link}: {[found.value for found in app.exception]}")
    return found


def peak_mb(pid: int) -> float:
    """Peak resident set of a process, in MiB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024


def _opened(context: BrowserContext, app: AppProcess, link: str) -> Visit:
    with _tab(context) as (page, received):
        start = time.time()
        page.goto(app.address + link)
        return Visit(_idle(page) - start, sum(received))


def _clicked(context: BrowserContext, app: AppProcess, name: str) -> Visit:
    """Come to a page by its name at the left, having seen it and another one before."""
    file = name.partition(",")[0]
    other = "run" if file != "run" else "problem"
    with _tab(context) as (page, received):
        page.goto(app.address + ("/" if file == "overview" else f"/{file}"))
        _idle(page)
        _follow(page, other)
        received.clear()
        return Visit(_follow(page, file), sum(received))


def _follow(page: Page, file: str) -> float:
    page.evaluate("window.idleSince = undefined")
    link = page.locator(".st-key-pages a").filter(has_text=re.compile(f"{file.capitalize()}$"))
    start = time.time()
    link.click()
    return _idle(page) - start


def _idle(page: Page) -> float:
    """When the page came to rest, in seconds of the clock."""
    found = page.wait_for_function(_IDLE, timeout=_LONGEST * 1000, polling=20)
    return float(found.json_value()) / 1000


@contextmanager
def _profile(browser: Browser, app: AppProcess) -> Iterator[BrowserContext]:
    """A browser that has Streamlit's own scripts in its cache: they are the same for every page and size."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    with app, _tab(context) as (page, _):
        for _ in range(2):
            page.goto(app.address + "/run")
            _idle(page)
    try:
        yield context
    finally:
        context.close()


@contextmanager
def _tab(context: BrowserContext) -> Iterator[tuple[Page, list[int]]]:
    """A fresh tab, and the sizes of the messages that it received."""
    received: list[int] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: received.append(len(payload)))

    page = context.new_page()
    page.on("websocket", listen)
    try:
        yield page, received
    finally:
        page.close()


def _print(rows: list[Measured], size: int) -> None:
    print(f"\n{size:,} problems x 64 solutions x 35 tests, two verifiers\n")
    print("| page | script first s | again s | browser first s | again s | click s | sent KB | at click KB |"
          " memory MiB |")  # fmt: skip
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for row in rows:
        print(
            f"| {row.page} | {row.script[0]} | {row.script[1]} | {row.first.seconds:.2f} | "
            f"{row.again.seconds:.2f} | {row.click.seconds:.2f} | {row.again.received / 1000:,.0f} | "
            f"{row.click.received / 1000:,.0f} | {row.memory_mb:,.0f} |"
        )


def main() -> None:
    """Read the options, measure, print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--problems", type=int, action="append", help=f"sizes; default {SIZES}")
    parser.add_argument("--data", type=Path, help="folder for the data folders; kept")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for size in options.problems or SIZES:
            data = (options.data or Path(folder)) / f"scale-{size}"
            if not data.exists():
                print(f"Writing {data} …", file=sys.stderr)
                generate(data, size, benchmark_file=size < EVOLVECODER_22K)
            _print(list(measure(data, size)), size)
            peak = all_in_turn(data, size)
            print(f"\nOne server, all pages twice: {peak:,.0f} MiB at its peak", flush=True)


if __name__ == "__main__":
    main()
