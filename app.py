"""Registers the pages, in the order in which they are worked through."""

from __future__ import annotations

import streamlit as st

from pages.widgets.frame import ICON, frame

st.set_page_config(page_title="Touchstone", page_icon=ICON, layout="wide")
page = st.navigation(
    [
        st.Page("pages/overview.py", title="Overview", icon=":material/dashboard:", default=True),
        st.Page("pages/verifiers.py", title="Verifiers", icon=":material/leaderboard:", url_path="verifiers"),
        st.Page("pages/problems.py", title="Problems", icon=":material/list_alt:", url_path="problems"),
        st.Page("pages/problem.py", title="Problem", icon=":material/grid_on:", url_path="problem"),
        st.Page("pages/run.py", title="Run", icon=":material/play_circle:", url_path="run"),
    ]
)
frame()
page.run()
