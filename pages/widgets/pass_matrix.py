"""The pass matrix component (assets/pass_matrix) as a widget."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from core.views.pass_matrix import MatrixView, pack
from pages.widgets.components import no_action

_ASSETS = Path(__file__).resolve().parents[2] / "assets" / "pass_matrix"
# Streamlit takes one script without imports: the parts are joined, in this order.
_PARTS = ("drawing", "pointing", "matrix")

_component = st.components.v2.component(
    "touchstone_pass_matrix",
    html=(_ASSETS / "pass_matrix.html").read_text(encoding="utf-8"),
    css=(_ASSETS / "pass_matrix.css").read_text(encoding="utf-8"),
    js="\n".join((_ASSETS / f"{part}.js").read_text(encoding="utf-8") for part in _PARTS),
)


def pass_matrix(view: MatrixView, selected: tuple[str, int] | None, *, key: str) -> tuple[str, int] | None:
    """Draw the matrix; the selected cell as (solution id, test index), or None.

    Args:
        view: what to draw.
        selected: the cell selected so far (from the link that opened the page).
        key: identity of the widget; another key forgets the selection.
    """
    result = _component(key=key, data=pack(view, selected), on_cell_change=no_action)
    cell = result.get("cell", None)
    if cell is None:
        return selected
    return (str(cell[0]), int(cell[1])) if cell else None
