"""Figures: charts as plain data, drawn twice, on screen and on paper.

`core.figures.charts` is what a figure says, `core.figures.screen.draw` shows it (plotly), and
`core.figures.paper.save` prints it (matplotlib). This package imports neither library, so that a chart
can be made, tested and written as CSV without them.
"""

from core.figures.chart import Basis, Chart
from core.figures.charts import (
    Bars,
    BarSeries,
    Box,
    BoxSummary,
    Heatmap,
    Histogram,
    HistogramSeries,
    Lines,
    LineSeries,
    OutcomeMatrix,
    Part,
    Ranking,
    RankingLines,
    Scatter,
    ScatterSeries,
    StackedBars,
)

__all__ = [
    "BarSeries",
    "Bars",
    "Basis",
    "Box",
    "BoxSummary",
    "Chart",
    "Heatmap",
    "Histogram",
    "HistogramSeries",
    "LineSeries",
    "Lines",
    "OutcomeMatrix",
    "Part",
    "Ranking",
    "RankingLines",
    "Scatter",
    "ScatterSeries",
    "StackedBars",
]
