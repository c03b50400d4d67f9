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

from sandbox.seeds import SEEDERS
from sandbox.stateless import is_stateless
from sandbox.verdict import PROGRAM_FILE

_COMPILED_HERE: Final = 10_000
"""Characters of a program that the judge compiles itself."""
_CODE_BYTES: Final = 1 << 20
_SUMS_OF_REPETITIONS: Final = 5_000
_SEEDED: Final = tuple(SEEDERS)
"""Modules that are seeded before a program that names them; others after its code, if it loaded them."""


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
    """A source with wide letters as the plain ones that they are in names.

    Letter by letter: a whole text takes the square of its length, where it is full of combining marks.
    """
    if source.isascii():
        return source
    return source.translate({ord(letter): unicodedata.normalize("NFKC", letter) for letter in set(source)})


def _compiled(program: str) -> CodeType | str:
    """The code of a program; its source where compiling it may fail or take long.

    Here it costs a fraction of what it costs in a new process, where each page that is written is a copy.
    """
    if len(program) > _COMPILED_HERE or _may_be_costly(program):
        return program
    try:
        code = compile(program, PROGRAM_FILE, "exec", dont_inherit=True)
        return code if len(marshal.dumps(code)) < _CODE_BYTES else program
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return program


def _may_be_costly(program: str) -> bool:
    """Whether compiling a short program may take more than a moment or some ten megabytes.

    Of nested `finally` blocks the compiler writes twice as many copies with each level; for the names in a
    pattern, instructions by the square of their number or its cube. It keeps each sum of constants
    (`"a" * 4096 + "a" * 4096 + ...`), each longer than the last by what a repetition made.
    """
    return (
        "finally" in program
        or ("match" in program and "case" in program)
        or program.count("*") * program.count("+") > _SUMS_OF_REPETITIONS
    )
