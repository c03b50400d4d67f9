"""Charts inside an HTML file that stands alone: plotly's script, and each figure as data for it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from plotly.io.json import to_json_plotly
from plotly.offline import get_plotlyjs

from core.figures.chart import Chart
from core.figures.screen import draw


@lru_cache(maxsize=1)
def script() -> str:
    """plotly.js whole, as one script."""
    source: str = get_plotlyjs()
    return source


def data(chart: Chart) -> str:
    """The figure as JSON for `Plotly.newPlot`, safe between the tags of a script element.

    Points are drawn as SVG: WebGL would need a page that lets text be run as code.
    """
    figure: dict[str, Any] = draw(chart).to_plotly_json()
    for trace in figure["data"]:
        if trace["type"] == "scattergl":
            trace["type"] = "scatter"
    # The template only styles what `draw` leaves alone; a figure without it is 7 kB smaller.
    figure["layout"].pop("template", None)
    text: str = to_json_plotly({"data": figure["data"], "layout": figure["layout"]})
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return text
