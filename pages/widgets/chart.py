"""A chart with what it rests on and its data to take away."""

from __future__ import annotations

import streamlit as st

from core.figures import Chart
from core.figures.screen import draw
from core.views.distributions import file_name
from pages.widgets.states import plain


def show_chart(chart: Chart, *, key: str, where: str, height: int = 290) -> None:
    """Draw a chart under its title; below it n, seed and method of the interval, and its CSV.

    Args:
        chart: what to draw.
        key: identity of the widgets.
        where: what the file's name says besides the title (the benchmark).
        height: pixels.
    """
    figure = draw(chart, dark=st.context.theme.type == "dark", titled=False)
    st.markdown(f"**{plain(chart.title)}**")
    st.plotly_chart(
        figure,
        height=height,
        key=key,
        alt=chart.alt,
        config={"displaylogo": False, "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"]},
    )
    words, button = st.columns([4, 1], vertical_alignment="center")
    words.caption(plain(str(chart.basis)))
    with button, st.container(horizontal=True, horizontal_alignment="right"):
        st.download_button(
            "CSV",
            data=chart.to_csv,
            file_name=file_name(chart, where),
            mime="text/csv",
            on_click="ignore",
            key=f"{key}-csv",
            icon=":material/download:",
            type="tertiary",
            help=f"The data of “{plain(chart.title)}”, one observation a row.",
        )
