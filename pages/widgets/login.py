"""The gate of an app that is served behind a login: OpenID Connect, by Streamlit's own `st.login`.

It stands where `.streamlit/secrets.toml` has an [auth] section; then nothing else is shown to who has not
logged in. Where the secrets can't be read it stays shut.
"""

from __future__ import annotations

import streamlit as st
from streamlit.errors import StreamlitAPIException, StreamlitSecretNotFoundError


def locked() -> bool:
    """Whether a login is asked for and this visitor has not logged in."""
    return _configured() and not bool(st.user.get("is_logged_in", False))


def login() -> None:
    """The only page of a visitor who has not logged in."""
    st.title("Touchstone", anchor=False)
    st.markdown("This installation is for people who log in.")
    if st.button("Log in", type="primary", icon=":material/login:"):
        try:
            st.login()
        except (StreamlitAPIException, ImportError):
            st.error("The login is not set up right; whoever runs this app finds the reason in its log.")


def logout_button() -> None:
    """A way out, where there is a login."""
    if _configured():
        st.button("Log out", on_click=st.logout, icon=":material/logout:", type="tertiary")


def _configured() -> bool:
    try:
        return "auth" in st.secrets
    except StreamlitSecretNotFoundError:
        return False
    except Exception:  # noqa: BLE001 - secrets that can't be read might have had a login in them
        return True
