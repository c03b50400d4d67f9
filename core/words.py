"""Numbers with their nouns, for sentences that people read."""

from __future__ import annotations

__all__ = ["plural", "quantity"]


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
