"""Rewrites assertions so that a failed one can show both of its sides.

`assert f(1) == 2` becomes, with operands evaluated once and in their order,

    @l = f(1); @r = 2
    if not (@l == @r): @fail("f(1) == 2", @l, @r, 2)

`is` becomes `@same`, which knows an object of the program by its number, and `type(x)` becomes `@kind(x)`,
which knows its type. A condition (`while node:`, `x if node and node.next else y`) becomes `@truth(...)`, for
which objects of the program are true; an assertion's own truth stays Python's. Nothing else of the check
changes. The names can't be spelled in source text.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Final

from sandbox.stateless import all_nodes, bound_names
from sandbox.verdict import FAIL, KIND, SAME, TRUTH

_COMPARISONS: Final = (
    ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot,
)  # fmt: skip
_LEFT, _RIGHT = "@l", "@r"
_ASKING: Final = ("is", "if", "while", "type")
_MAY_BE_OBJECTS: Final = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.NamedExpr)
_TEXT_LIMIT = 300


def rewrite(
    tree: ast.Module, of_program: Collection[str], source: str = "", given: Collection[str] = ()
) -> ast.Module:
    """Rewrite every assertion of a check.

    Args:
        tree: the check.
        of_program: names that stand for the program's functions; the side that mentions one is `actual`.
        source: of the tree; without it messages show the assertions as Python would write them.
        given: names that the support binds.
    """
    rewritten: ast.Module = _Rewriter(of_program, source).visit(tree)
    return rewrite_questions(rewritten, source, {*of_program, *given})


def rewrite_questions(tree: ast.Module, source: str = "", given: Collection[str] = ()) -> ast.Module:
    """Rewrite what a check or a support asks of objects whose stand-ins can't answer.

    A `type` that the source itself, or what it is given, binds is not the builtin.
    """
    if not source or any(word in source for word in _ASKING):
        mentioned = not source or "type" in source
        asks_for_type = mentioned and "type" not in {*given, *bound_names(all_nodes(tree))}
        tree = _Questions(asks_for_type).visit(tree)
    return tree


def _is_type(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "type"


class _Questions(ast.NodeTransformer):
    """What is asked of objects whose stand-ins can't answer, wherever it is asked."""

    def __init__(self, asks_for_type: bool) -> None:
        self._asks_for_type = asks_for_type

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Conditions ask for truth."""
        super().generic_visit(node)
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            node.test = _truth(node.test)
        elif isinstance(node, ast.comprehension):
            node.ifs = [_truth(test) for test in node.ifs]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """`a is b`, unless one side is a constant."""
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        if len(sides) > 2 or not isinstance(node.ops[0], ast.Is | ast.IsNot):
            return node
        if any(isinstance(side, ast.Constant) for side in sides):
            return node
        is_same = ast.Call(ast.Name(SAME, ast.Load()), sides, [])
        asked = is_same if isinstance(node.ops[0], ast.Is) else ast.UnaryOp(ast.Not(), is_same)
        return ast.fix_missing_locations(ast.copy_location(asked, node))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """`type(x)`."""
        self.generic_visit(node)
        if self._asks_for_type and _is_type(node.func) and len(node.args) == 1:
            node.func = ast.copy_location(ast.Name(KIND, ast.Load()), node.func)
        return node


def _truth(test: ast.expr) -> ast.expr:
    """A condition in which each part that may be an object is asked for its truth."""
    if isinstance(test, ast.BoolOp):
        test.values = [_truth(value) for value in test.values]
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test.operand = _truth(test.operand)
    elif isinstance(test, _MAY_BE_OBJECTS) and not _is_of_assertion(test):
        asked = ast.Call(ast.Name(TRUTH, ast.Load()), [test], [])
        return ast.fix_missing_locations(ast.copy_location(asked, test))
    return test


def _is_of_assertion(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {_LEFT, _RIGHT}


class _Rewriter(ast.NodeTransformer):
    def __init__(self, of_program: Collection[str], source: str) -> None:
        self._of_program = of_program
        self._lines = source.split("\n") if source.isascii() and "\r" not in source else [""]

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        sides = _sides(node.test)
        text = self._text(node.test)
        if len(text) > _TEXT_LIMIT:
            text = text[: _TEXT_LIMIT - 1] + "…"
        if sides is None:
            value = _Temporary(_LEFT, node.test)
            inner = node.test.operand if _is_not(node.test) else None  # type: ignore[attr-defined]
            if inner is not None:
                value = _Temporary(_LEFT, inner)
            test: ast.expr = value.load() if inner is not None else ast.UnaryOp(ast.Not(), value.load())
            shown = [value.load()] if _worth_showing(inner or node.test) else []
            statements: list[ast.stmt] = [value.assign(), _fail_if(test, text, shown, node.msg)]
        else:
            left, right = _Temporary(_LEFT, sides[0]), _Temporary(_RIGHT, sides[1])
            test = ast.UnaryOp(ast.Not(), _with_sides(node.test, left, right))
            shown = [left.load(), right.load()]
            if self._is_expected(sides[0], sides[1]):
                shown.reverse()
            statements = [left.assign(), right.assign(), _fail_if(test, text, shown, node.msg)]
        for statement in statements:
            _place(statement, node)
        return statements

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Assertions are statements: expressions need no visit."""
        return node if isinstance(node, ast.expr) else super().generic_visit(node)

    def _text(self, node: ast.expr) -> str:
        if self._lines != [""] and node.lineno == node.end_lineno:
            return self._lines[node.lineno - 1][node.col_offset : node.end_col_offset]
        return ast.unparse(node)

    def _is_expected(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether the left side is what is expected and the right one the program's."""
        in_left, in_right = self._mentions(left), self._mentions(right)
        if in_left != in_right:
            return in_right
        return _is_literal(left) and not _is_literal(right)

    def _mentions(self, node: ast.expr) -> bool:
        return any(isinstance(inner, ast.Name) and inner.id in self._of_program for inner in ast.walk(node))


class _Temporary:
    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def assign(self) -> ast.stmt:
        return ast.Assign([ast.Name(self._name, ast.Store())], self._value)

    def load(self) -> ast.expr:
        return ast.Name(self._name, ast.Load())


def _place(node: ast.expr | ast.stmt, origin: ast.stmt) -> None:
    """Give new nodes the place of the assertion; what was in the check has its own, with all beneath it."""
    node.lineno, node.end_lineno = origin.lineno, origin.end_lineno
    node.col_offset, node.end_col_offset = origin.col_offset, origin.end_col_offset
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.expr, ast.stmt)) and not hasattr(child, "lineno"):
            _place(child, origin)


def _sides(test: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """The two operands that are worth showing, if evaluating them first changes nothing."""
    if isinstance(test, ast.Call):
        return _first_two(test) if _is_closeness(test) else None
    if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _COMPARISONS)):
        return None
    difference = _difference(test)
    if difference is not None:
        return difference.left, difference.right
    return test.left, test.comparators[0]


def _with_sides(test: ast.expr, left: _Temporary, right: _Temporary) -> ast.expr:
    """The test with its two operands replaced."""
    if isinstance(test, ast.Call):
        return ast.Call(test.func, [left.load(), right.load(), *test.args[2:]], test.keywords)
    assert isinstance(test, ast.Compare)
    difference = _difference(test)
    if difference is None:
        if isinstance(test.ops[0], ast.Is | ast.IsNot):
            is_same = ast.Call(ast.Name(SAME, ast.Load()), [left.load(), right.load()], [])
            return is_same if isinstance(test.ops[0], ast.Is) else ast.UnaryOp(ast.Not(), is_same)
        return ast.Compare(left.load(), test.ops, [right.load()])
    assert isinstance(test.left, ast.Call)
    inner = ast.BinOp(left.load(), ast.Sub(), right.load())
    return ast.Compare(ast.Call(test.left.func, [inner], []), test.ops, test.comparators)


def _difference(test: ast.Compare) -> ast.BinOp | None:
    """`a - b` of `abs(a - b) < e`."""
    call = test.left
    if (
        isinstance(test.ops[0], ast.Lt | ast.LtE)
        and isinstance(call, ast.Call)
        and _called(call) in {"abs", "fabs"}
        and len(call.args) == 1
        and not call.keywords
        and isinstance(call.args[0], ast.BinOp)
        and isinstance(call.args[0].op, ast.Sub)
    ):
        return call.args[0]
    return None


def _is_closeness(call: ast.Call) -> bool:
    starred = any(isinstance(arg, ast.Starred) for arg in call.args)
    return _called(call) in {"isclose", "allclose", "array_equal"} and len(call.args) >= 2 and not starred


def _first_two(call: ast.Call) -> tuple[ast.expr, ast.expr]:
    return call.args[0], call.args[1]


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Name):
        return call.func.id
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _is_not(test: ast.expr) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _worth_showing(value: ast.expr) -> bool:
    """Whether the value of a plain truth test says more than that it is false."""
    return isinstance(value, ast.Call | ast.Name | ast.Subscript | ast.Attribute)


def _is_literal(node: ast.expr) -> bool:
    return not any(isinstance(inner, ast.Name | ast.Call) for inner in ast.walk(node))


def _fail_if(test: ast.expr, text: str, shown: list[ast.expr], note: ast.expr | None) -> ast.stmt:
    pad: list[ast.expr] = [ast.Constant(None)] * (2 - len(shown))
    args = [ast.Constant(text), *shown, *pad, ast.Constant(len(shown))]
    if note is not None:
        args.append(note)
    call = ast.Call(ast.Name(FAIL, ast.Load()), args, [])
    return ast.If(test, [ast.Expr(call)], [])
