"""The one place of colours and letters."""

import itertools
import tomllib
from pathlib import Path

import matplotlib as mpl
import matplotlib.style
import numpy as np
import pytest

from core.figures.palette import (
    DARK,
    LIGHT,
    OUTCOMES,
    SERIES,
    SERIES_DARK,
    SERIES_LIGHT,
    contrast,
    ink_on,
    luminance,
    rgba,
)
from core.model import Outcome

_EYES = {
    "normal": np.eye(3),
    "protanope": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranope": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanope": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def _linear(color):
    """Linear sRGB of "#rrggbb"."""
    channels = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)


def _lab(linear):
    """CIE L*a*b* (D65) of linear sRGB."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]],
    )
    x, y, z = to_xyz @ np.clip(linear, 0, 1) / np.array([0.95047, 1, 1.08883])
    fx, fy, fz = (np.cbrt(t) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return np.array([116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)])


def test_every_outcome_has_its_letter_a_color_and_a_hatch_of_its_own():
    """No two outcomes share a colour or a hatch, and letters are the model's."""
    assert list(OUTCOMES) == [outcome.letter for outcome in Outcome]
    assert len({style.light for style in OUTCOMES.values()}) == len(Outcome)
    assert len({style.hatch for style in OUTCOMES.values()}) == len(Outcome)


def test_the_series_colors_are_petroffs_ten():
    """They are the ones that matplotlib ships."""
    cycle = mpl.style.library["petroff10"]["axes.prop_cycle"]
    assert list(SERIES) == [entry["color"] for entry in cycle]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("letter", list(OUTCOMES))
def test_letters_can_be_read_on_their_color(letter, dark):
    """The contrast of letter and fill is that of legible text (WCAG AA)."""
    style = OUTCOMES[letter]
    assert contrast(style.fill(dark=dark), style.ink(dark=dark)) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("eyes", _EYES)
def test_no_two_outcomes_look_alike_to_any_eyes(eyes, dark):
    """Every two fills are 20 apart (CIE76), simulated as Machado, Oliveira and Fernandes (2009) do."""
    seen = [_lab(_EYES[eyes] @ _linear(style.fill(dark=dark))) for style in OUTCOMES.values()]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 20


def test_a_pass_is_the_quietest_outcome():
    """On a light page no failure is lighter than a pass, on a dark one none darker."""
    failures = [style for style in OUTCOMES.values() if style.letter not in "PI"]
    passed = OUTCOMES["P"]
    assert all(luminance(style.light) < luminance(passed.light) for style in failures)
    assert all(luminance(style.dark) > luminance(passed.dark) for style in failures)


_CONFIG = tomllib.loads((Path(__file__).parents[3] / ".streamlit" / "config.toml").read_text("utf-8"))
_PAGES = [(LIGHT, _CONFIG["theme"]["light"]), (DARK, _CONFIG["theme"]["dark"])]


@pytest.mark.parametrize(("page", "theme"), _PAGES, ids=["light", "dark"])
def test_chart_text_and_marks_stand_out_from_every_background_of_the_theme(page, theme):
    """Text has WCAG AA's 4.5:1 and marks 3:1, on the page, in the report, and where charts are drawn."""
    for background in (page.background, theme["backgroundColor"]):
        assert contrast(page.ink, background) >= 4.5
        assert min(contrast(color, background) for color in (page.muted, *page.series)) >= 3


@pytest.mark.parametrize(("page", "theme"), _PAGES, ids=["light", "dark"])
def test_the_themes_own_text_can_be_read(page, theme):
    """Text, links and tabs (drawn in the primary colour) have 4.5:1 on the page and in the sidebar."""
    for background in (theme["backgroundColor"], theme["secondaryBackgroundColor"]):
        for ink in ("textColor", "linkColor", "primaryColor"):
            assert contrast(theme[ink], background) >= 4.5, ink
    assert tuple(theme["chartCategoricalColors"]) == page.series


@pytest.mark.parametrize("eyes", _EYES)
@pytest.mark.parametrize("series", [SERIES_LIGHT, SERIES_DARK], ids=["light", "dark"])
def test_series_on_screen_stay_apart_to_any_eyes(series, eyes):
    """Every two are 15 apart (CIE76), the first six 20; Petroff's own come as close as 17."""
    seen = [_lab(_EYES[eyes] @ _linear(color)) for color in series]
    apart = {(i, j): np.linalg.norm(seen[i] - seen[j]) for i, j in itertools.combinations(range(10), 2)}
    assert min(apart.values()) > 15
    assert min(distance for (_, later), distance in apart.items() if later < 6) > 20


def test_contrast_is_that_of_the_standard():
    """Black on white is 21, a colour on itself 1, and black or white is the better ink."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#3f90da", "#3f90da") == 1
    assert luminance("#ffffff") == pytest.approx(1)
    assert (ink_on("#000000"), ink_on("#ffffff")) == ("#ffffff", "#000000")
    assert rgba("#ff8000", 0.5) == "rgba(255, 128, 0, 0.5)"


def test_neighbouring_outcomes_differ_in_lightness_or_hatch():
    """In a grey print no two outcomes look the same."""
    for a, b in itertools.combinations(OUTCOMES.values(), 2):
        assert abs(luminance(a.light) - luminance(b.light)) > 0.05 or a.hatch != b.hatch
