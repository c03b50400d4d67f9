"""A reference solution that refuses inputs its problem does not allow."""

from __future__ import annotations

import ast
import textwrap

from core.formats.assertions import parse_quietly, unparse

__all__ = ["with_contract"]


def with_contract(program: str, entry_point: str, contract: str) -> str:
    """The program with the contract's assertions at the start of its entry point.

    Args:
        program: source that defines the entry point as a function.
        entry_point: its name.
        contract: statements about the function's parameters, as EvalPlus keeps them in `contract`.

    Returns:
        The program as it was where the contract is empty or either can't be parsed, or where the
        entry point is no plain function.
    """
    try:
        checks = parse_quietly(textwrap.dedent(contract.strip("\n")))
        statements = parse_quietly(program)
    except SyntaxError:
        return program
    functions = [s for s in statements if isinstance(s, ast.FunctionDef) and s.name == entry_point]
    if not checks or not functions:
        return program
    body = functions[-1].body
    after_docstring = int(ast.get_docstring(functions[-1]) is not None)
    functions[-1].body = [*body[:after_docstring], *checks, *body[after_docstring:]]
    return unparse(*statements)
