"""A choice that always stands in the URL, so that a copied link keeps its meaning when runs are added."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def chosen(key: str) -> str | None:
    """What is selected under `key`; None while nothing was offered."""
    found: str | None = st.session_state.get(_written(key))
    return found


def select(
    label: str,
    options: Sequence[str],
    key: str,
    *,
    default: str | None = None,
    explained: str | None = None,
    changed: Callable[[], None] | None = None,
    notes: DeltaGenerator | None = None,
) -> str:
    """A selectbox whose value the URL names under `key`, the default too.

    A bound widget leaves its default out of the URL; then the link would mean another run tomorrow.

    Args:
        label: above the box.
        options: at least one.
        key: of the widget and of the parameter.
        default: what is chosen where neither link nor user chose; the first option if None.
        explained: behind the question mark.
        changed: called when the user has chosen another one.
        notes: where to say that the link asks for one that is not there; None for under the box.
    """
    written = _written(key)
    asked = st.query_params.get(key)
    if asked != st.session_state.get(written) and asked in options:
        st.session_state[key] = asked
    elif st.session_state.get(key) not in options:  # a new page, which starts without its widgets' values
        before = st.session_state.get(written)
        st.session_state[key] = before if before in options else default or options[0]
    picked = str(st.selectbox(label, options, key=key, help=explained, on_change=changed))
    if asked and asked not in options and asked != st.session_state.get(written):
        with notes or st.container():
            st.warning(f"{label}: what the link asks for is not here, and another is shown. It asks for:")
            st.text(asked)
    if asked != picked:
        st.query_params[key] = picked
    st.session_state[written] = picked
    return picked


def _written(key: str) -> str:
    return f"chosen {key}"
