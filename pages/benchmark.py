"""Benchmark: problems and candidate solutions into a benchmark by the recipe, and what is missing in one."""

from __future__ import annotations

import streamlit as st

from pages.widgets import data, frame, scope
from pages.widgets.build_panel import build_panel
from pages.widgets.built_panel import built_panel
from pages.widgets.by_hand_panel import by_hand_panel
from pages.widgets.job_panel import job_panel
from pages.widgets.states import plain, reported

frame.enter("pages/benchmark.py")
st.title("Build a benchmark", anchor=False)
st.markdown(
    "Problems with tests and candidate solutions become a benchmark that verifiers can be judged on: every "
    "candidate is scored on the problem's own tests, and the recipe of Scoring Verifiers picks k of them "
    "whose scores are spread evenly from right to wrong."
)
job_panel()
entry = scope.benchmark()
with st.expander("New benchmark", expanded=entry is None, icon=":material/construction:"):
    build_panel()
if entry is None:
    st.stop()
st.subheader(plain(entry.name), anchor=False)
if entry.file is None:
    st.info("The file of this benchmark is not in the data folder, only runs on it.")
    st.stop()
with reported():
    built = data.built(entry.file)
built_panel(built, entry)
by_hand_panel(built, entry)
