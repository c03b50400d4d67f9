"""How outcomes are named and coloured, wherever they are shown.

The colours are told apart with the common forms of colour blindness: a quiet blue for what
passed, so that failures stand out; orange for a false assertion; darker, distinct tones for
the non-assertion errors; grey with a hatch for missing data. The letter always goes along.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.model import Outcome


@dataclass(frozen=True, slots=True)
class OutcomeStyle:
    """One outcome on screen.

    Attributes:
        name: a few words for a legend.
        help: one sentence that says what it means.
        light, dark: "#rrggbb" on a light and on a dark page.
    """

    letter: str
    name: str
    help: str
    light: str
    dark: str


def _style(outcome: Outcome, name: str, text: str, light: str, dark: str) -> OutcomeStyle:
    return OutcomeStyle(outcome.letter, name, text, light, dark)


STYLES: Mapping[Outcome, OutcomeStyle] = MappingProxyType(
    {
        Outcome.PASSED: _style(
            Outcome.PASSED, "passed", "The test's own assertion ran to its end.", "#bcd6ee", "#2b5075"
        ),
        Outcome.ASSERTION_FAILED: _style(
            Outcome.ASSERTION_FAILED,
            "assertion failed",
            "The program answered, and the test says the answer is wrong.",
            "#f08a0c",
            "#f59a23",
        ),
        Outcome.RUNTIME_ERROR: _style(
            Outcome.RUNTIME_ERROR, "runtime error", "The program raised an exception.", "#b3261e", "#e0564c"
        ),
        Outcome.TIME_LIMIT: _style(
            Outcome.TIME_LIMIT, "time limit", "The check did not end in time.", "#7b2fa8", "#b57be0"
        ),
        Outcome.MEMORY_LIMIT: _style(
            Outcome.MEMORY_LIMIT, "memory limit", "The program ran out of memory.", "#7a4a35", "#b58468"
        ),
        Outcome.OUTPUT_LIMIT: _style(
            Outcome.OUTPUT_LIMIT, "output limit", "The program printed too much.", "#9c9440", "#cfc56b"
        ),
        Outcome.COMPILE_ERROR: _style(
            Outcome.COMPILE_ERROR, "compile error", "The program is not valid Python.", "#3d4451", "#aab2bf"
        ),
        Outcome.INTERNAL_ERROR: _style(
            Outcome.INTERNAL_ERROR,
            "no verdict",
            "The sandbox failed: missing data, never counted as failed.",
            "#e6e6e6",
            "#3a3d42",
        ),
    }
)
