"""What is measured only when somebody asks, with progress, and kept for whoever asks next."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import streamlit as st

from core.views.catalog import RunEntry
from core.views.diagnostics import Report
from core.words import quantity

T = TypeVar("T")
_KEPT = 64
_AT_ONCE = 500_000
"""Cells that are measured without asking first: a second or two."""


def key_of(run: RunEntry, *options: Hashable) -> Hashable:
    """What a measurement of a run is kept under: it changes with the run."""
    return (run.folder, (run.folder / "manifest.json").stat().st_mtime_ns, *options)


def wanted(run: RunEntry, what: str, *keys: Hashable) -> bool:
    """Whether to measure now: it is known, or quick, or the user says so."""
    if all(key in _shelf()[1] for key in keys) or run.manifest.n_cells <= _AT_ONCE:
        return True
    return st.button(
        f"Measure {what}: {quantity(run.manifest.n_cells, 'cell')}",
        key=f"measure-{what}",
        icon=":material/play_arrow:",
    )


def kept(key: Hashable, measure: Callable[[], T]) -> T:
    """The measurement kept under `key`, made now if there is none."""
    lock, shelf = _shelf()
    if key not in shelf:
        found = measure()
        with lock:
            shelf[key] = found
            while len(shelf) > _KEPT:
                del shelf[next(iter(shelf))]
        return found
    value: T = shelf[key]
    return value


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """A bar with counts while something is measured; gives the function that moves it."""
    place = st.empty()

    def report(done: int, total: int) -> None:
        place.progress(done / max(1, total), text=f"{what}: {done:,} of {total:,}")

    try:
        yield report
    finally:
        place.empty()


@st.cache_resource
def _shelf() -> tuple[threading.Lock, dict[Hashable, object]]:
    return threading.Lock(), {}
