"""Registers the pages, in the order in which they are worked through; nothing else."""

from __future__ import annotations

import streamlit as st

from pages.widgets.frame import ICON, frame, pages

st.set_page_config(page_title="Touchstone", page_icon=ICON, layout="wide")
listed = pages()
page = st.navigation(listed, position="hidden")
frame(listed, page)
page.run()
