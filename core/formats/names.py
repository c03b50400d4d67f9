"""Which names a statement reads, binds and may change: enough to know what a test depends on.

Errs on the side of keeping: names of inner scopes count as read, any method call on a
variable counts as changing it.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_GLOBAL_EFFECTS = {"seed", "setrecursionlimit", "set_int_max_str_digits", "setlocale", "filterwarnings"}


@dataclass(frozen=True, slots=True)
class Effects:
    """What one statement does to names.

    Attributes:
        reads: names it loads, those of inner scopes included.
        binds: names it assigns, imports or defines.
        changes: names of objects that it may change in place.
        everywhere: whether it changes the whole program's behaviour (seeds, star imports).
    """

    reads: frozenset[str]
    binds: frozenset[str]
    changes: frozenset[str]
    everywhere: bool = False


def effects(statement: ast.stmt) -> Effects:
    """What a statement reads, binds and may change."""
    visitor = _Visitor()
    visitor.visit(statement)
    return Effects(
        frozenset(visitor.reads), frozenset(visitor.binds), frozenset(visitor.changes), visitor.everywhere
    )


def read_names(*nodes: ast.AST) -> set[str]:
    """Every name that the nodes load, those of inner scopes included."""
    return {
        name.id
        for node in nodes
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and not isinstance(name.ctx, ast.Store)
    }


def root_name(node: ast.expr) -> str | None:
    """`a` of `a.b[0].c`; None if the expression doesn't begin with a name."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def needed_before(test: ast.stmt, context: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of `context` that `test`, which comes after them, depends on, in order."""
    kept = _closure(test, list(context))
    while True:
        alive = _without_dead_stores(kept)
        if len(alive) == len(kept):
            return kept
        kept = _closure(test, alive)


def _closure(test: ast.stmt, context: list[ast.stmt]) -> list[ast.stmt]:
    facts = [effects(statement) for statement in context]
    fixed = {
        name
        for statement, fact in zip(context, facts, strict=True)
        if isinstance(statement, (ast.Import, ast.ImportFrom, *_DEFINITIONS))
        for name in fact.binds
    }
    variables = {name for fact in facts for name in fact.binds} - fixed
    needed = read_names(test)
    chosen: set[int] = set()
    grew = True
    while grew:
        grew = False
        for index in range(len(context) - 1, -1, -1):
            if index in chosen:
                continue
            fact = facts[index]
            if fact.everywhere or fact.binds & needed or fact.changes & needed & variables:
                chosen.add(index)
                needed |= fact.reads
                grew = True
    return [statement for index, statement in enumerate(context) if index in chosen]


def _without_dead_stores(kept: list[ast.stmt]) -> list[ast.stmt]:
    """Leaves out `x = ...` that nothing reads before the next `x = ...`."""
    facts = [effects(statement) for statement in kept]
    captured = {
        name
        for statement in kept
        for node in ast.walk(statement)
        if isinstance(node, (ast.Lambda, *_DEFINITIONS))
        for name in read_names(node)
    }
    alive = []
    for index, statement in enumerate(kept):
        name = _simple_target(statement)
        if name is None or name in captured or facts[index].changes:
            alive.append(statement)
            continue
        for later in range(index + 1, len(kept)):
            if name in facts[later].reads | facts[later].changes:
                alive.append(statement)
                break
            if _simple_target(kept[later]) == name:
                break
        else:
            alive.append(statement)
    return alive


def _simple_target(statement: ast.stmt) -> str | None:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        return target.id if isinstance(target, ast.Name) else None
    return None


class _Visitor(ast.NodeVisitor):
    def __init__(self) -> None:
        self.reads: set[str] = set()
        self.binds: set[str] = set()
        self.changes: set[str] = set()
        self.everywhere = False
        self._depth = 0

    def visit_Name(self, node: ast.Name) -> None:
        if not isinstance(node.ctx, ast.Store):
            self.reads.add(node.id)
        if not isinstance(node.ctx, ast.Load) and not self._depth:
            self.binds.add(node.id)

    def visit_Import(self, node: ast.Import) -> None:
        self.binds |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        self.binds |= {alias.asname or alias.name for alias in node.names}
        self.everywhere |= any(alias.name == "*" for alias in node.names) or node.module == "__future__"

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._definition(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._definition(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._definition(node)

    def _definition(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        if not self._depth:
            self.binds.add(node.name)
        self._inner(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._inner(node)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._inner(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._inner(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._inner(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._inner(node)

    def _inner(self, node: ast.AST) -> None:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.name and not self._depth:
            self.binds.add(node.name)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        name = root_name(node.target)
        if name:
            self.reads.add(name)
            self.changes.add(name)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self._stored_into(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self._stored_into(node)

    def _stored_into(self, node: ast.Attribute | ast.Subscript) -> None:
        name = root_name(node)
        if name and not isinstance(node.ctx, ast.Load):
            self.changes.add(name)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            self._changed(node.func)
            self.everywhere |= node.func.attr in _GLOBAL_EFFECTS
        elif isinstance(node.func, ast.Name):
            self.everywhere |= node.func.id in _GLOBAL_EFFECTS
            if node.func.id == "next":
                for argument in node.args:
                    self._changed(argument)
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call) and not (
            isinstance(node.value.func, ast.Name) and node.value.func.id == "print"
        ):
            for argument in node.value.args:
                self._changed(argument)
        self.generic_visit(node)

    def _changed(self, node: ast.expr) -> None:
        name = root_name(node)
        if name:
            self.changes.add(name)
