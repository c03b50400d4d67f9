"""The suites of a run with their pass matrices, read once, and the choice of one problem."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.evolution.patterns import Trial
from core.views.catalog import RunEntry
from core.views.evolve import read_trials
from pages.widgets.measured import kept, key_of, progress, wanted
from pages.widgets.problem_link import choose_problem
from pages.widgets.states import reported


def trials_of(run: RunEntry) -> Mapping[str, Trial]:
    """Every problem of a run; of a large one only when asked for, else the page ends."""
    if not wanted(run, "suites and their pass matrices", key_of(run, "trials")):
        st.stop()
    return read(run)


def read(run: RunEntry) -> Mapping[str, Trial]:
    """Every problem of a run, kept for who asks next."""
    key = key_of(run, "trials")
    with reported(), progress("Problems read") as report:
        return kept(key, lambda: read_trials(run.folder, run.manifest.n_problems, report))


def chosen_trial(trials: Mapping[str, Trial]) -> Trial:
    """The problem of the link, in a box to choose another."""
    names = list(trials)
    task_id = choose_problem(names, names)
    picked = st.selectbox("Problem", names, index=names.index(task_id))
    if picked != task_id:
        st.query_params["problem"] = picked
        st.rerun()
    return trials[picked]
