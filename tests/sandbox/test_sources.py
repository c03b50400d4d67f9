"""What the judge does with the source of a program before it runs."""

from __future__ import annotations

from types import CodeType

import pytest

from sandbox.sources import prepare_program

_NAMES = [f"a{number}" for number in range(1500)]
_BOMBS = {
    "finally": "def f():\n" + "".join(" " * n + " try: 1\n" + " " * n + " finally:\n" for n in range(9)),
    "pattern": f"match 1:\n case [{','.join(_NAMES)}]: pass",
    "patterns": f"match 1:\n case [{','.join(_NAMES[:600])}] | [{','.join(_NAMES[599::-1])}]: pass",
    "sums": "x = " + "+".join(['"a"*4096'] * 200),
    "sums of one": "x = " + "+".join(['"a"*4096'] * 60) + '+"b"' * 1500,
    "long": "x = 1\n" * 2000,
}


@pytest.mark.parametrize("name", _BOMBS)
def test_what_is_costly_to_compile_is_left_to_the_programs_own_process(name: str) -> None:
    """The judge, which all programs share, compiles none that could fill its memory or stop it."""
    assert prepare_program(_BOMBS[name]).code == _BOMBS[name]


def test_other_programs_are_compiled() -> None:
    """Sums, products and the words of pattern matching in a text leave a program as cheap as it is."""
    program = 'import re\ndef f(x):\n    """In any case: a + b * c."""\n    return x * 2 + len(x) ** 2\n' * 20
    assert isinstance(prepare_program(program).code, CodeType)


@pytest.mark.parametrize(
    "source",
    ["#" + "\u0316\u0300" * 1_000_000, "a" + "\u0316\u0300" * 200_000 + " = 1"],
    ids=["text", "name"],
)
def test_combining_marks_do_not_stop_the_judge(source: str) -> None:
    """Reading a source takes a time in proportion to its length: the square of these would be hours."""
    assert prepare_program(source).code == source


@pytest.mark.parametrize(
    ("source", "silent", "seeded"),
    [
        ("\N{FULLWIDTH LATIN SMALL LETTER P}rint(1)", False, ()),
        ("import r\N{MATHEMATICAL BOLD SMALL A}ndom", True, ("random",)),
        ("x = 'é'", True, ()),
    ],
)
def test_names_are_read_as_python_reads_them(source: str, silent: bool, seeded: tuple[str, ...]) -> None:
    """A wide or bold letter in a name is the plain one."""
    prepared = prepare_program(source)
    assert (prepared.silent, prepared.seeded) == (silent, seeded)
