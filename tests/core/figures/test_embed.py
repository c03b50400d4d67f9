"""Charts as data inside an HTML file."""

import json

import pytest

from core.figures import embed
from tests.core.figures.samples import SAMPLES
from tests.core.figures.test_screen import hostile


@pytest.mark.parametrize("name", SAMPLES)
def test_the_data_is_json_that_closes_no_script(name):
    """Whatever a name is, no tag can begin or end in it; nothing needs WebGL."""
    text = embed.data(hostile(SAMPLES[name]))
    assert not set(text) & set("<>&")
    assert not {trace["type"] for trace in json.loads(text)["data"]} & {"scattergl", "heatmapgl"}


def test_the_script_is_plotly_whole():
    """It is not a link to a script."""
    assert len(embed.script()) > 1_000_000
    assert "Plotly" in embed.script()
