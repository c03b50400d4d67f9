"""The components of assets/ beside the pass matrix: listings and diffs, ranking lines, the leaderboard."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.views.code import Pane
from core.views.problem import RankingView
from core.views.verifiers import Leaderboard

_ASSETS = Path(__file__).resolve().parents[2] / "assets"


def _read(name: str, kind: str) -> str:
    return (_ASSETS / name / f"{name}.{kind}").read_text(encoding="utf-8")


_listing, _ranking, _leaderboard = (
    st.components.v2.component(
        f"touchstone_{name}", html=_read(name, "html"), css=_read(name, "css"), js=_read(name, "js")
    )
    for name in ("listing", "ranking", "leaderboard")
)


def listing(panes: Sequence[Pane], *, key: str, wrapped: bool = False) -> None:
    """Draw listings beside each other; `wrapped` for values: no line numbers, long lines wrap."""
    _listing(key=key, data={"panes": [pane.plain() for pane in panes], "wrapped": wrapped})


def ranking_lines(view: RankingView, *, key: str) -> None:
    """Draw the reference order and the verifiers' orders, joined by lines."""
    _ranking(key=key, data=view.plain())


def leaderboard_table(view: Leaderboard, *, key: str) -> None:
    """Draw all verifiers with all metrics and their intervals; a click on a head sorts, as the URL says."""
    metrics = [head.key for head in view.heads]
    asked, _, way = st.query_params.get("sort", "").rpartition("-")
    order = [metrics.index(asked), way == "down"] if asked in metrics else None
    result = _leaderboard(key=key, data={**view.plain(), "order": order}, on_order_change=no_action)
    clicked = result.get("order", None)
    if clicked:
        st.query_params["sort"] = f"{metrics[int(clicked[0])]}-{'down' if clicked[1] else 'up'}"
    elif clicked is not None:
        st.query_params.pop("sort", None)


def no_action() -> None:
    """Streamlit fills in a state value only where it has a callback."""
