"""The app as a process of its own, and a Chromium to look at it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from playwright.sync_api import Browser, Page, sync_playwright

PROJECT = Path(__file__).resolve().parents[2]
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
]


class AppProcess:
    """The app as a process of its own on a free port; a context manager that starts and ends it.

    Attributes:
        address: where it answers; the same after a restart.
    """

    def __init__(self, data: Path, *options: str, **environment: str) -> None:
        """Take a data folder, options of `streamlit run`, and more of the environment."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}"
        self._command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
        self._command += options
        self._environment = {**os.environ, "TOUCHSTONE_DATA": str(data), **environment}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Id of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers."""
        self._process = subprocess.Popen(
            self._command,
            cwd=PROJECT,
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
        )
        _wait_until_it_answers(self.address)

    def kill(self) -> None:
        """End it at once, as a crash would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(10)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(10)


@contextmanager
def running_app(data: Path) -> Iterator[str]:
    """Start the app with a data folder on a free port; gives its address."""
    with AppProcess(data) as app:
        yield app.address


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def settle(page: Page) -> None:
    """Wait until the app has run its script and drawn everything."""
    page.wait_for_selector("h1")
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_function("!document.querySelector('[data-stale=true], [data-testid=stSkeleton]')")
    page.wait_for_timeout(700)


def _wait_until_it_answers(address: str) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
