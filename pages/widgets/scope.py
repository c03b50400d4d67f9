"""What is selected everywhere: the benchmark, the verifier, and how undefined correlations count."""

from __future__ import annotations

import streamlit as st

from core.views.catalog import BenchmarkEntry, RunEntry
from core.views.runs import Undefined
from pages.widgets import data
from pages.widgets.selection import chosen


def benchmark() -> BenchmarkEntry | None:
    """The selected benchmark, or None while there is none."""
    return data.catalog().benchmark(chosen("benchmark"))


def verifier() -> RunEntry | None:
    """The run in focus, or None while the benchmark has no runs."""
    found = benchmark()
    runs = found.runs if found else ()
    return next((run for run in runs if run.label == chosen("verifier")), None)


def undefined() -> Undefined:
    """How undefined correlations are counted."""
    return "zero" if st.session_state.get("zero") else "nan"


def undefined_note() -> str:
    """The rule in force, for the foot of a table."""
    if undefined() == "zero":
        return "Undefined correlations count as 0, as in the published tables."
    return "Undefined correlations are left out of n."
