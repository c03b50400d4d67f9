"""Prompts: templates in `assets/prompts`, or a user's own, filled in for a problem.

The requirements are the papers' (Scoring Verifiers, appendices A, D and E; HarnessLLM, figures 9
and 10), the wording is ours. A template is a text with `$problem`, `$entry_point`, `$n_tests` and
`$solution`; lines `[system]`, `[user]` and `[assistant]` begin a message of that role, a text
without them is the user's.
"""

from __future__ import annotations

import enum
import hashlib
import re
import string
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from core.errors import InputError
from core.model import Problem

__all__ = ["Message", "PromptName", "Template", "load_template", "read_template"]

Message: TypeAlias = dict[str, str]
"""{"role": "system" | "user" | "assistant", "content": text}"""

_FOLDER = Path(__file__).parents[2] / "assets" / "prompts"
_ROLE = re.compile(r"^\[(system|user|assistant)\][ \t]*$\n?", re.MULTILINE)
_PLACES = frozenset({"problem", "entry_point", "n_tests", "solution"})


class PromptName(enum.StrEnum):
    """The templates in `assets/prompts`, by file name."""

    TESTS = "tests"
    TESTS_WITH_SOLUTION = "tests_with_solution"
    TESTS_STDIO = "tests_stdio"
    TESTS_STDIO_WITH_SOLUTION = "tests_stdio_with_solution"
    SOLUTIONS = "solutions"
    SOLUTIONS_STDIO = "solutions_stdio"
    SOLUTIONS_PARTIAL = "solutions_partial"
    SOLUTIONS_PARTIAL_STDIO = "solutions_partial_stdio"
    REWARD = "reward"
    JUDGE = "judge"
    HARNESS = "harness"
    HARNESS_STDIO = "harness_stdio"
    SEEDS = "seeds"
    IO = "io"
    GENERATORS = "generators"
    CHECKERS = "checkers"


@dataclass(frozen=True, slots=True)
class Template:
    """A checked template.

    Attributes:
        name: for messages: its file.
        text: with placeholders.
    """

    name: str
    text: str

    def __post_init__(self) -> None:
        template = string.Template(self.text)
        if not template.is_valid():
            raise InputError(
                f"{self.name}: a lone $ on line {self._bad_line()}; write $$ for the sign itself"
            )
        unknown = sorted(set(template.get_identifiers()) - _PLACES)
        if unknown:
            known = ", ".join(f"${place}" for place in sorted(_PLACES))
            raise InputError(f"{self.name}: ${unknown[0]} is no placeholder; known are {known}")
        if "problem" not in template.get_identifiers():
            raise InputError(f"{self.name}: expected $problem, where the problem's text goes")

    @property
    def sha256(self) -> str:
        """Hex digest of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def has_solution(self) -> bool:
        """Whether it shows a solution."""
        return "solution" in string.Template(self.text).get_identifiers()

    def require(self, solution: bool) -> None:
        """Refuse a template that hides the solution it should show, or shows one where there is none."""
        if solution and not self.has_solution:
            raise InputError(f"{self.name}: expected $solution, where the solution's code goes")
        if self.has_solution and not solution:
            raise InputError(f"{self.name}: has $solution, but no solution was chosen to be shown")

    def fill(self, problem: Problem, *, n_tests: int, solution: str | None) -> list[Message]:
        """The messages for a problem; what is filled in is never read as part of the template."""
        values = {
            "problem": problem.prompt.strip(),
            "entry_point": problem.entry_point or "",
            "n_tests": str(n_tests),
            "solution": (solution or "").strip(),
        }
        return [
            {"role": role, "content": string.Template(text).substitute(values).strip()}
            for role, text in self._parts()
        ]

    def _parts(self) -> list[tuple[str, str]]:
        before, *rest = _ROLE.split(self.text)
        if not rest:
            return [("user", before)]
        parts = [("user", before)] if before.strip() else []
        return parts + list(zip(rest[::2], rest[1::2], strict=True))

    def _bad_line(self) -> int:
        lines = self.text.split("\n")
        return next(i for i, line in enumerate(lines, 1) if not string.Template(line).is_valid())


@cache
def load_template(name: PromptName) -> Template:
    """Touchstone's own template."""
    path = _FOLDER / f"{name}.md"
    return Template(str(path), path.read_text(encoding="utf-8"))


def read_template(path: Path) -> Template:
    """A user's own template.

    Raises:
        InputError: it can't be read, or is no template; the message says where.
    """
    try:
        return Template(str(path), path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: expected a template in UTF-8: {error}") from error
