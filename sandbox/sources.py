"""Prepares a program: what its source alone says about how to run it, and what its process is to load.

No code of the program runs here; it is read and, where that is safe, compiled.
"""

from __future__ import annotations

import functools
import marshal
import unicodedata
from dataclasses import dataclass
from types import CodeType
from typing import Final

from sandbox.stateless import is_stateless
from sandbox.verdict import PROGRAM_FILE

_COMPILED_HERE: Final = 10_000
"""Characters of a program that the judge compiles itself."""
_CODE_BYTES: Final = 1 << 20
_SEEDED: Final = ("random", "statistics", "numpy")
"""Modules that a program must name to get random numbers from them."""


@dataclass(frozen=True, slots=True)
class PreparedProgram:
    """A program, ready to be loaded.

    Attributes:
        code: compiled, or its source, to be compiled in its own process.
        stateless: whether it can leave nothing behind outside its namespace.
        silent: whether it can't print.
        seeded: modules whose random numbers are to be seeded.
    """

    code: CodeType | str
    stateless: bool
    silent: bool
    seeded: tuple[str, ...]

    def load(self, name: str, seed: int) -> bytes:
        """What its process is to load, as `sandbox.program` reads it.

        Args:
            name: of the module that it becomes.
            seed: of its random numbers.
        """
        return marshal.dumps((self.code, name, seed, self.seeded))


@functools.lru_cache(maxsize=64)
def prepare_program(source: str) -> PreparedProgram:
    """Prepare a program; the same source is prepared once."""
    stateless = is_stateless(source)
    words = _as_python_reads(source)
    seeded = tuple(module for module in _SEEDED if module in words)
    return PreparedProgram(
        _compiled(source) if stateless else source, stateless, "print" not in words, seeded
    )


def _as_python_reads(source: str) -> str:
    """A source with wide letters as the plain ones that they are in names."""
    if source.isascii():
        return source
    return unicodedata.normalize("NFKC", source)


def _compiled(program: str) -> CodeType | str:
    """The code of a program; its source where compiling it may fail or take long.

    Here it costs a fraction of what it costs in a new process, where each page that is written is a copy. Of
    nested `finally` blocks the compiler writes twice as many copies with each level.
    """
    if len(program) > _COMPILED_HERE or "finally" in program:
        return program
    try:
        code = compile(program, PROGRAM_FILE, "exec", dont_inherit=True)
        return code if len(marshal.dumps(code)) < _CODE_BYTES else program
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program
