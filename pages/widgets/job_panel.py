"""Jobs that run, with live progress: watched from their folders, so that nothing is lost with the page."""

from __future__ import annotations

import streamlit as st

from core.jobs import JobError
from core.views import work
from core.views.work import JobCard
from pages.widgets import data
from pages.widgets.states import plain

_SEEN = "jobs seen finished"


def job_panel() -> None:
    """Draw all jobs that run, were stopped or failed; nothing where there are none."""
    cards = work.job_cards(data.workspace())
    st.session_state[_SEEN] = work.finished_jobs(data.workspace())
    running = any(card.state == "running" for card in cards)
    st.fragment(_cards, run_every=1.0 if running else None)()


def _cards() -> None:
    cards = work.job_cards(data.workspace())
    if work.finished_jobs(data.workspace()) != st.session_state[_SEEN]:
        st.rerun()
    for card in cards:
        with st.container(border=True):
            _card(card)


def _card(card: JobCard) -> None:
    words, buttons = st.columns([4, 1], vertical_alignment="center")
    with words:
        st.markdown(f"**{plain(card.title)}** · {card.state}")
        if card.fraction is not None:
            st.progress(card.fraction, text=plain(card.counts))
        else:
            st.caption(plain(card.counts))
        if card.outcomes:
            st.caption(" · ".join(f"**{letter}** {name} {count:,}" for letter, name, count in card.outcomes))
    with buttons:
        if card.state == "running":
            if st.button("Stop", key=f"stop-{card.name}", icon=":material/stop:", width="stretch"):
                with st.spinner("Stopping; what is finished is kept …"):
                    work.stop(card)
                st.rerun()
        elif st.button("Resume", key=f"resume-{card.name}", icon=":material/play_arrow:", width="stretch"):
            try:
                backend = data.backend_for(work.backend_of(card)) if data.served() else None
                work.resume(card, backend)
            except JobError as error:
                st.error("It could not be started:")
                st.text(str(error))
            else:
                st.rerun()
    if card.state == "failed":
        st.error("This job failed. What it finished is kept; its last words:")
        st.code(card.message or card.log or "it said nothing", language=None, wrap_lines=True)
