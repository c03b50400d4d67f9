"""The one place of colours and letters."""

import itertools

import matplotlib as mpl
import matplotlib.style
import pytest

from core.figures.palette import NEUTRAL, OUTCOMES, SERIES, contrast, ink_on, luminance, rgba
from core.model import Outcome


def test_every_outcome_has_its_letter_a_color_and_a_hatch_of_its_own():
    """No two outcomes share a colour or a hatch, and letters are the model's."""
    assert list(OUTCOMES) == [outcome.letter for outcome in Outcome]
    assert len({style.color for style in OUTCOMES.values()}) == len(Outcome)
    assert len({style.hatch for style in OUTCOMES.values()}) == len(Outcome)


def test_the_series_colors_are_petroffs_ten():
    """They are the ones that matplotlib ships."""
    cycle = mpl.style.library["petroff10"]["axes.prop_cycle"]
    assert list(SERIES) == [entry["color"] for entry in cycle]


@pytest.mark.parametrize("letter", list(OUTCOMES))
def test_letters_can_be_read_on_their_color(letter):
    """The contrast of letter and fill is that of legible text (WCAG AA)."""
    assert contrast(OUTCOMES[letter].color, OUTCOMES[letter].ink) >= 4.5


@pytest.mark.parametrize("background", ["#ffffff", "#0e1117"])
def test_the_neutral_ink_can_be_read_on_light_and_on_dark(background):
    """One grey serves both themes."""
    assert contrast(NEUTRAL, background) > 4


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
        assert abs(luminance(a.color) - luminance(b.color)) > 0.05 or a.hatch != b.hatch
