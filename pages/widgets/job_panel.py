"""Jobs that run, with live progress, and those that ended: watched from their folders, so none is lost."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.jobs import JobError
from core.views import work
from core.views.finished import Finished, finished, first_fooled, reservations
from core.views.work import JobCard
from core.words import plural
from pages.widgets import data, scope
from pages.widgets.states import plain, reported

_SEEN = "jobs seen"
_DISMISSED = "finished jobs dismissed"
_PUT_AWAY = "ended jobs put away"


def job_panel(*, done: bool = False) -> None:
    """Draw all jobs that run, were stopped or failed; with `done` also what ended well within the last hour.

    That is news where runs are started or looked for; on other pages it would be in the way.
    """
    if done:
        _finished()
    cards = work.job_cards(data.workspace())
    st.session_state[_SEEN] = _states(cards)
    running = any(card.state == "running" for card in cards)
    st.fragment(_cards, run_every=1.0 if running else None)()


def _states(cards: Sequence[JobCard]) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """What the page beside the cards depends on: it is drawn anew when this changes."""
    return work.finished_jobs(data.workspace()), frozenset((card.name, card.state) for card in cards)


def _finished() -> None:
    dismissed: set[tuple[str, str]] = st.session_state.setdefault(_DISMISSED, set())
    ended = [one for one in finished(data.workspace(), data.catalog()) if _mark(one) not in dismissed]
    if not ended:
        return
    with st.container(border=True):
        _ended(ended[0], dismissed)
    if earlier := ended[1:]:
        with st.expander(f"{len(earlier)} more done within the last hour"):
            for one in earlier:
                _ended(one, dismissed)


def _mark(ended: Finished) -> tuple[str, str]:
    return ended.name, ended.run.manifest.finished or ""


def _ended(ended: Finished, dismissed: set[tuple[str, str]]) -> None:
    with reported():
        summary = data.summary(ended.run, scope.undefined())
        fooled, doubts = first_fooled(summary), reservations(summary)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/check_circle: **{plain(ended.said)}**", width="stretch")
        st.button(
            "Dismiss",
            key=f"dismiss-{ended.name}",
            type="tertiary",
            icon=":material/close:",
            on_click=dismissed.add,
            args=(_mark(ended),),
        )
    if doubts:
        st.caption(plain(doubts))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(
            "pages/verifiers.py",
            label="See how it compares",
            icon=":material/leaderboard:",
            query_params={**ended.link(), "section": "Two compared", "first": ended.run.label},
        )
        if fooled is None:
            st.caption(f"{plain(ended.run.label)} is fooled on no problem.", width="content")
        else:
            task_id, count = fooled
            st.page_link(
                "pages/problem.py",
                label=f"{'The only problem' if count == 1 else f'First of {count:,} problems'} that "
                f"{plural(count, 'fools', 'fool')} {plain(ended.run.label)}: {plain(task_id)}",
                icon=":material/grid_on:",
                query_params={**ended.link(), "problem": task_id, "in": "fooled"},
            )


def _cards() -> None:
    cards = work.job_cards(data.workspace())
    if _states(cards) != st.session_state[_SEEN]:
        st.rerun()
    away: set[tuple[str, str]] = st.session_state.setdefault(_PUT_AWAY, set())
    for card in cards:
        if card.state == "running":
            away.difference_update({mark for mark in away if mark[0] == card.name})
        if (card.name, card.state) not in away:
            with st.container(border=True):
                _card(card, away)


def _card(card: JobCard, away: set[tuple[str, str]]) -> None:
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
        elif st.button(
            "Resume", key=f"resume-{card.name}", icon=":material/play_arrow:", width="stretch", type="primary"
        ):
            try:
                backend = data.backend_for(work.backend_of(card)) if data.served() else None
                work.resume(card, backend)
            except JobError as error:
                st.error("It could not be started:")
                st.text(str(error))
            else:
                st.rerun()
        if card.state != "running":
            st.button(
                "Dismiss",
                key=f"put-away-{card.name}",
                type="tertiary",
                icon=":material/close:",
                help="Hide this here. What it finished is kept, and its command goes on from there.",
                on_click=away.add,
                args=((card.name, card.state),),
                width="stretch",
            )
    if card.state == "stopped":
        st.caption("What it finished is kept; Resume goes on from there.")
    if card.state == "failed":
        st.error("This job failed. What it finished is kept; its last words:")
        st.code(card.message or card.log or "it said nothing", language=None, wrap_lines=True)
