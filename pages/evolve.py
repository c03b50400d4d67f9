"""Evolve: suites made stronger: filters, whom tests are made for, rounds, and seeds."""

from __future__ import annotations

import streamlit as st

from pages.widgets import frame, states
from pages.widgets.evolve_filter import filter_panel
from pages.widgets.evolve_rounds import rounds_panel
from pages.widgets.evolve_seeds import seeds_panel
from pages.widgets.evolve_selection import selection_panel
from pages.widgets.evolve_trials import trials_of
from pages.widgets.job_panel import job_panel
from pages.widgets.states import plain

SECTIONS = ("Filter", "Whom to test", "Rounds", "Seeds")

frame.enter("pages/evolve.py")
st.title("Evolve", anchor=False)
benchmark = states.need_benchmark()
st.caption(
    "A suite that grows against the solutions that slip through it, and is cut back to what tells them "
    "apart (EvolveCoder)."
)
job_panel()
filters, selection, rounds, seeds = st.tabs(SECTIONS, key="section", on_change="rerun", bind="query-params")
if seeds.open:
    with seeds:
        seeds_panel()
    st.stop()
run = states.need_verifier()
if not run.manifest.n_cells:
    st.info(f"{plain(run.label)} ran no tests: there is no suite to refine. Choose another verifier.")
    st.stop()
if filters.open:
    with filters:
        filter_panel(run, trials_of(run))
if selection.open:
    with selection:
        selection_panel(run, trials_of(run))
if rounds.open:
    with rounds:
        rounds_panel(run, benchmark)
