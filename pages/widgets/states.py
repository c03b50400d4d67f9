"""Designed states of pages that have nothing to show, or can't."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.errors import TouchstoneError
from core.store import StoreError
from core.views.catalog import BenchmarkEntry, RunEntry
from pages.widgets import scope


def need_benchmark(title: str = "") -> BenchmarkEntry:
    """The selected benchmark; without one the page ends, under a `title`, with what to do next."""
    found = scope.benchmark()
    if found is None:
        if title:
            st.title(title, anchor=False)
        st.info("Nothing is loaded yet. Build the demo, upload a file or name a path on the Overview.")
        st.page_link("pages/overview.py", label="Go to the Overview", icon=":material/dashboard:")
        st.stop()
    return found


def need_verifier(title: str = "") -> RunEntry:
    """The run in focus; without one the page ends, under a `title`, with what to do next."""
    found = need_benchmark(title)
    run = scope.verifier()
    if run is None:
        if title:
            st.title(title, anchor=False)
        st.info(f"No verifier has been run on {plain(found.name)} yet. Upload its tests and run them.")
        st.page_link("pages/run.py", label="Run a verifier", icon=":material/play_circle:")
        st.stop()
    return run


@contextmanager
def reported() -> Iterator[None]:
    """Show an error of the data or the engine as a message instead of a traceback."""
    try:
        yield
    except (StoreError, TouchstoneError) as error:
        st.error("This can't be shown:")
        st.text(str(error))
        st.stop()


def plain(text: str) -> str:
    """Text from data inside Markdown, as it is."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]()<>#+-.!|$:~^" else letter for letter in text)
