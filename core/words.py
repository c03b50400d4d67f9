"""Numbers with their nouns, for sentences that people read."""

from __future__ import annotations

import math

__all__ = ["alone_in_words", "p_in_words", "p_value", "plural", "quantity"]

_SMALLEST_P = 0.0015


def quantity(number: int, noun: str, several: str = "") -> str:
    """A number with its noun: "1 problem", "1,640 problems".

    Args:
        number: how many.
        noun: for one.
        several: for any other number; default: the noun with an s.
    """
    return f"{number:,} {plural(number, noun, several)}"


def plural(number: int, noun: str, several: str = "") -> str:
    """The noun alone, as it stands after `number`."""
    return noun if number == 1 else several or f"{noun}s"


def p_value(value: float) -> str:
    """A p-value of 2,000 resamples: "0.042", or a bound; "" where it is undefined."""
    if math.isnan(value):
        return ""
    return "\N{LESS-THAN OR EQUAL TO} 0.001" if value < _SMALLEST_P else f"{value:.3f}"


def p_in_words(value: float) -> str:
    """The same with its sign, as it stands after "p": "= 0.042"."""
    told = p_value(value)
    return f"= {told}" if told[:1].isdigit() else told


def alone_in_words(problems: int) -> str:
    """What to know of problems with one solution alone to order."""
    return (
        f"In {quantity(problems, 'problem')} one solution alone has a score and a reference rank: "
        "Top-1 and Bottom-1 are 1 there, whatever the score"
    )
