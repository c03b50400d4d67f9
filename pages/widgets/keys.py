"""Keys that Streamlit's buttons can't have, and the list of all keys."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_SCRIPT = Path(__file__).resolve().parents[2] / "assets" / "keys" / "keys.js"
_BOUND = {"/": ".st-key-q input", "?": ".st-key-keys button"}
_KEYS = (
    ("`j` `k`", "next and previous problem (on Bugs: answer) of the filtered list"),
    ("`/`", "search, on the Problems page"),
    ("arrow keys", "move in the pass matrix, once a cell is selected; with Ctrl to the edge"),
    ("`+` `-` `0`", "zoom the pass matrix in and out, fit it"),
    ("`Esc`", "select no cell"),
    ("`?`", "this list"),
)

# plotly's 5 MB: Streamlit asks for them only once a page's script has drawn its first chart.
_STATIC = Path(st.__file__).parent / "static"
_AHEAD = [
    f"./{path.relative_to(_STATIC).as_posix()}" for path in (_STATIC / "static/js").glob("PlotlyChart.*.js")
]

_component = st.components.v2.component(
    "touchstone_keys", html="<span></span>", js=_SCRIPT.read_text(encoding="utf-8")
)


def keys_button() -> None:
    """Bind `/` to the search and `?` to this button, which lists all keys."""
    if st.button("Keys", icon=":material/keyboard:", type="tertiary", key="keys", help="Or press `?`"):
        _keys()
    _component(key="bound-keys", data={"keys": _BOUND, "ahead": _AHEAD})


@st.dialog("Keys")
def _keys() -> None:
    st.markdown("\n".join(["| key | does |", "|---|---|", *(f"| {key} | {text} |" for key, text in _KEYS)]))
