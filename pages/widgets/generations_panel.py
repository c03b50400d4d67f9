"""Generations under way and done: totals while they run, failures, and how to go on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.jobs import JobError
from core.views import generate, work
from core.views.generate import GenerationCard
from pages.widgets import data
from pages.widgets.states import plain


def generations_panel(key: str) -> None:
    """Draw a card for each; redrawn every second while one runs. Nothing where there are none."""
    cards = generate.generation_cards(data.workspace())
    running = any(card.state == "running" for card in cards)
    st.fragment(_cards, run_every=1.0 if running else None)(key, was_running=running)


def _cards(key: str, *, was_running: bool) -> None:
    cards = generate.generation_cards(data.workspace())
    if was_running and not any(card.state == "running" for card in cards):
        st.rerun()
    for card in cards:
        with st.container(border=True):
            _card(card, key)


def _card(card: GenerationCard, key: str) -> None:
    words, buttons = st.columns([4, 1], vertical_alignment="center")
    with words:
        st.markdown(f"**{plain(card.name)}** · {card.kind} · {card.state}")
        if card.fraction is not None and card.state != "done":
            st.progress(card.fraction, text=plain(card.counts))
        else:
            st.caption(f"{plain(card.counts)}. {card.next_step if card.state == 'done' else ''}")
    with buttons:
        if card.state == "running":
            if st.button("Stop", key=f"stop-{card.out}", icon=":material/stop:", width="stretch"):
                with st.spinner("Stopping; every answer so far is kept …"):
                    work.stop_folder(card.out)
                st.rerun()
        else:
            if card.n_failed:
                _start(
                    f"Retry the {card.n_failed:,} failed",
                    f"retry-{card.out}",
                    lambda: generate.go_on(card, key, only_failed=True, served=data.served()),
                )
            if card.fraction is None or card.n_unasked:
                _start("Go on", f"go-on-{card.out}", lambda: generate.go_on(card, key, served=data.served()))
    if card.message:
        st.error("It ended early. Every answer so far is kept; its last words:")
        st.code(card.message, language=None, wrap_lines=True)
    if card.n_failed:
        with st.expander(f"{card.n_failed:,} requests without an answer"):
            st.dataframe(card.failed, hide_index=True, alt="Requests that failed, and why")


def _start(label: str, key: str, begin: Callable[[], None]) -> None:
    if st.button(label, key=key, icon=":material/play_arrow:", width="stretch"):
        try:
            begin()
        except JobError as error:
            st.error("It could not be started:")
            st.text(str(error))
        else:
            st.rerun()
