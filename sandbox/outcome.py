"""How a check ended. Apart from the contract, for the host must stay small."""

from __future__ import annotations

import enum


class Outcome(enum.IntEnum):
    """How one check of one program ended. The numbers are the bytes in files."""

    PASSED = 0
    ASSERTION_FAILED = 1
    RUNTIME_ERROR = 2
    TIME_LIMIT = 3
    MEMORY_LIMIT = 4
    OUTPUT_LIMIT = 5
    COMPILE_ERROR = 6
    INTERNAL_ERROR = 7

    @property
    def letter(self) -> str:
        """The one-letter code used in files and on screen."""
        return "PFETMOCI"[self]

    @classmethod
    def from_letter(cls, letter: str) -> Outcome:
        """The outcome with this one-letter code; ValueError for any other text."""
        if len(letter) != 1 or letter not in "PFETMOCI":
            raise ValueError(f"no outcome has the letter {letter!r}")
        return cls("PFETMOCI".index(letter))

    @property
    def is_non_assertion_error(self) -> bool:
        """Whether the program failed otherwise than by a false assertion (E T M O C)."""
        return Outcome.RUNTIME_ERROR <= self <= Outcome.COMPILE_ERROR
