"""Bugs: answers that are to expose the bug of a program, what each showed, and what they are worth."""

from __future__ import annotations

import streamlit as st

from core.views.bugs import hunt_catalog
from pages.widgets import data, frame
from pages.widgets.hunt_answers import answers_panel
from pages.widgets.hunt_numbers import (
    beside_panel,
    numbers_of,
    rate_cards,
    size_panel,
    strategy_panel,
    use_panel,
)
from pages.widgets.hunt_start import hunt_start
from pages.widgets.job_panel import job_panel
from pages.widgets.selection import select
from pages.widgets.states import plain

SECTIONS = ("Answers", "How many inputs", "Beside others", "Strategies and inputs", "Using them")

frame.enter("pages/bugs.py")
catalog = hunt_catalog(data.workspace())
heading, choice = st.columns([2, 3], vertical_alignment="bottom")
heading.title("Bugs", anchor=False)
job_panel()
for name, reason in catalog.damaged:
    st.warning(f"The hunt {plain(name)} can't be read.")
    st.text(reason)
if not catalog.hunts:
    st.markdown(
        "Pairs of a good and a buggy program, and answers that are to tell them apart: test harnesses, or "
        "inputs with expected outputs. Which expose the bug, which are wrong, which had the right input and "
        "judged it badly? No hunt has been run yet."
    )
    hunt_start()
    st.stop()

labels = {entry.label: entry for entry in catalog.hunts}
with choice:
    entry = labels[select("Hunt", list(labels), "hunt")]
st.caption(
    plain(entry.about) + ("" if entry.finished else " · **not finished: these are its answers so far**")
)
numbers = numbers_of(entry)
if numbers.hunt.loss:
    st.warning("This hunt has lost answers.")
    st.text(numbers.hunt.loss)
rate_cards(numbers)
others = [one for one in catalog.hunts if one.name != entry.name]

answers, sizes, beside, strategies, uses = st.tabs(
    SECTIONS, key="section", on_change="rerun", bind="query-params"
)
if answers.open:
    with answers:
        answers_panel(entry)
if sizes.open:
    with sizes:
        size_panel(numbers)
if beside.open:
    with beside:
        beside_panel(numbers, others)
if strategies.open:
    with strategies:
        strategy_panel(numbers, others)
if uses.open:
    with uses:
        use_panel(numbers)

with st.expander("Start another hunt", icon=":material/bug_report:"):
    hunt_start()
