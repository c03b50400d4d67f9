"""What can go wrong in one expression or one statement: the mutation operators themselves.

Pure functions on syntax-tree nodes: a node in, (family, replacement) out. `core.benchmarks.edits`
puts the replacements into the program's text.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

__all__ = ["expression", "negated", "statement"]

_BINARY: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add, ast.FloorDiv),
    ast.Div: (ast.FloorDiv, ast.Mult),
    ast.FloorDiv: (ast.Div, ast.Mod),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.BitXor: (ast.BitOr,),
    ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
}
_COMPARISON: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq, ast.LtE, ast.GtE),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_ORDER_MATTERS = (ast.Add, ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_NAMES = {
    "min": ("max",),
    "max": ("min",),
    "any": ("all",),
    "all": ("any",),
    "sum": ("len", "max"),
    "sorted": ("list",),
    "set": ("list",),
    "round": ("int",),
}
_METHODS = {
    "append": ("extend",),
    "extend": ("append",),
    "upper": ("lower",),
    "lower": ("upper",),
    "isupper": ("islower",),
    "islower": ("isupper",),
    "isalpha": ("isdigit", "isalnum"),
    "isdigit": ("isalpha",),
    "startswith": ("endswith",),
    "endswith": ("startswith",),
    "find": ("rfind",),
    "rfind": ("find",),
    "index": ("count",),
    "count": ("index",),
    "strip": ("lstrip", "rstrip"),
    "swapcase": ("lower", "upper"),
    "keys": ("values",),
    "values": ("keys",),
    "floor": ("ceil",),
    "ceil": ("floor",),
}
_TRANSPARENT = ("abs", "sorted", "set", "reversed", "list", "round", "str", "int")

Change = tuple[str, ast.expr]


def expression(node: ast.expr, parent: ast.AST | None) -> Iterator[Change]:
    """Wrong expressions in the place of `node`, each with the operator's family."""
    if isinstance(node, ast.Constant):
        yield from _constant(node, parent)
    elif isinstance(node, ast.BinOp):
        yield from _binary(node)
    elif isinstance(node, ast.Compare):
        yield from _compare(node)
    elif isinstance(node, ast.BoolOp):
        yield from _boolean(node)
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.UAdd):
        yield ("negation" if isinstance(node.op, ast.Not) else "arithmetic"), node.operand
    elif isinstance(node, ast.Call):
        yield from _call(node)
    elif isinstance(node, ast.Subscript):
        yield from _subscript(node)
    elif isinstance(node, ast.IfExp):
        yield "branch", ast.IfExp(node.test, node.orelse, node.body)
        yield "branch", node.body
        yield "branch", node.orelse
    elif isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        yield from _comprehension(node)
    if isinstance(parent, (ast.For, ast.comprehension)) and node is parent.iter:
        yield from _iterated(node)
    if isinstance(parent, (ast.If, ast.While, ast.IfExp)) and node is parent.test:
        yield "negation", negated(node)
    if isinstance(parent, ast.comprehension) and node in parent.ifs:
        yield "negation", negated(node)
        yield "branch", ast.Constant(True)
    if isinstance(parent, ast.Return):
        yield from _returned(node)


def statement(node: ast.stmt) -> Iterator[tuple[str, str]]:
    """Wrong statements in the place of `node` as (family, text); "pass" removes it."""
    if isinstance(node, (ast.Expr, ast.AugAssign)):
        yield "removal", "pass"
    if isinstance(node, ast.If) and not node.orelse:
        yield "branch", "pass"
    if isinstance(node, ast.AugAssign):
        for operator in _BINARY.get(type(node.op), ()):
            yield "assignment", ast.unparse(ast.AugAssign(node.target, operator(), node.value))
        yield "assignment", f"{ast.unparse(node.target)} = {ast.unparse(node.value)}"
    if isinstance(node, ast.Break):
        yield "loop", "continue"
        yield "loop", "pass"
    if isinstance(node, ast.Continue):
        yield "loop", "break"
        yield "loop", "pass"
    if isinstance(node, ast.Return) and node.value is not None:
        yield "default", "return None"


def _constant(node: ast.Constant, parent: ast.AST | None) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, (int, float)):
        wrong = [value + 1, value - 1]
        if value not in (0, 1) and not isinstance(parent, ast.UnaryOp):
            wrong.append(-value)
        for new in wrong:
            yield "constant", _number(new)
    elif isinstance(value, str):
        if value:
            yield "constant", ast.Constant("")
            if len(value) > 1:
                yield "constant", ast.Constant(value[:-1])
                yield "constant", ast.Constant(value[1:])
            if value.swapcase() != value:
                yield "constant", ast.Constant(value.swapcase())
        else:
            yield "constant", ast.Constant(" ")


def _number(value: float) -> ast.expr:
    return ast.Constant(value) if value >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-value))


def _binary(node: ast.BinOp) -> Iterator[Change]:
    for operator in _BINARY.get(type(node.op), ()):
        yield "arithmetic", ast.BinOp(node.left, operator(), node.right)
    if isinstance(node.op, _ORDER_MATTERS):
        yield "swap", ast.BinOp(node.right, node.op, node.left)
    yield "arithmetic", node.left
    yield "arithmetic", node.right


def _compare(node: ast.Compare) -> Iterator[Change]:
    for place, old in enumerate(node.ops):
        for new in _COMPARISON[type(old)]:
            ops = [*node.ops[:place], new(), *node.ops[place + 1 :]]
            yield "comparison", ast.Compare(node.left, ops, node.comparators)
    for place in range(len(node.comparators)):
        for step in (1, -1):
            shifted = [*node.comparators]
            if isinstance(shifted[place], (ast.Call, ast.Name)) and isinstance(
                node.ops[place], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
            ):
                shifted[place] = _shift(shifted[place], step)
                yield "boundary", ast.Compare(node.left, node.ops, shifted)


def _boolean(node: ast.BoolOp) -> Iterator[Change]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield "boolean", ast.BoolOp(other, node.values)
    for place in range(len(node.values)):
        rest = [*node.values[:place], *node.values[place + 1 :]]
        yield "boolean", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _call(node: ast.Call) -> Iterator[Change]:
    function, arguments = node.func, node.args
    if isinstance(function, ast.Name):
        for name in _NAMES.get(function.id, ()):
            kept = node.keywords if name in ("min", "max", "sorted") else []
            yield "call", ast.Call(ast.Name(name), arguments[:1] if name == "int" else arguments, kept)
        if function.id in _TRANSPARENT and arguments and not isinstance(arguments[0], ast.Starred):
            yield "call", arguments[0]
        if function.id == "range" and arguments:
            yield from _range(node)
        if function.id == "enumerate" and len(arguments) == 1:
            yield "boundary", ast.Call(function, [*arguments, ast.Constant(1)], [])
    elif isinstance(function, ast.Attribute):
        for name in _METHODS.get(function.attr, ()):
            yield "call", ast.Call(ast.Attribute(function.value, name, ast.Load()), arguments, node.keywords)
        if function.attr in ("lower", "upper", "strip", "swapcase") and not arguments:
            yield "call", function.value
    if len(arguments) == 2 and not any(isinstance(a, ast.Starred) for a in arguments):
        yield "swap", ast.Call(function, arguments[::-1], node.keywords)
    for place, keyword in enumerate(node.keywords):
        if keyword.arg in ("key", "reverse", "default"):
            yield "call", ast.Call(function, arguments, node.keywords[:place] + node.keywords[place + 1 :])
    if isinstance(function, ast.Name) and function.id == "sorted" and "reverse" not in _keywords(node):
        backwards = ast.keyword("reverse", ast.Constant(True))
        yield "call", ast.Call(function, arguments, [*node.keywords, backwards])


def _keywords(node: ast.Call) -> set[str | None]:
    return {keyword.arg for keyword in node.keywords}


def _range(node: ast.Call) -> Iterator[Change]:
    for place in range(min(len(node.args), 2)):
        for step in (1, -1):
            arguments = [*node.args]
            arguments[place] = _shift(arguments[place], step)
            yield "boundary", ast.Call(node.func, arguments, [])
    if len(node.args) == 1:
        yield "boundary", ast.Call(node.func, [ast.Constant(1), *node.args], [])


def _subscript(node: ast.Subscript) -> Iterator[Change]:
    index = node.slice
    if isinstance(index, ast.Slice):
        for name in ("lower", "upper"):
            end = getattr(index, name)
            if end is None:
                continue
            for new in (None, _shift(end, 1), _shift(end, -1)):
                other = copy.copy(index)
                setattr(other, name, new)
                yield "boundary", ast.Subscript(node.value, other, ast.Load())
        if index.step is not None:
            yield "boundary", ast.Subscript(node.value, ast.Slice(index.lower, index.upper), ast.Load())
    elif isinstance(index, ast.Name):
        yield "boundary", ast.Subscript(node.value, _shift(index, -1), ast.Load())


def _shift(node: ast.expr, step: int) -> ast.expr:
    """`node` + `step`, folded where it ends in a whole number (`n + 1` becomes `n`, `3` becomes `4`)."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return _number(node.value + step)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        right = node.right
        if isinstance(right, ast.Constant) and type(right.value) is int:
            sign = 1 if isinstance(node.op, ast.Add) else -1
            total = sign * right.value + step
            if total == 0:
                return node.left
            return ast.BinOp(node.left, ast.Add() if total > 0 else ast.Sub(), ast.Constant(abs(total)))
    return ast.BinOp(node, ast.Add() if step > 0 else ast.Sub(), ast.Constant(abs(step)))


def _comprehension(node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Iterator[Change]:
    if len(node.generators) == 1 and isinstance(node, ast.ListComp):
        yield "loop", ast.Subscript(node, ast.Slice(ast.Constant(1), None), ast.Load())


def _iterated(node: ast.expr) -> Iterator[Change]:
    if isinstance(node, (ast.Name, ast.Attribute)):
        yield "loop", ast.Subscript(node, ast.Slice(ast.Constant(1), None), ast.Load())
        last = ast.UnaryOp(ast.USub(), ast.Constant(1))
        yield "loop", ast.Subscript(node, ast.Slice(None, last), ast.Load())
        yield "loop", ast.Subscript(node, ast.Slice(None, None, last), ast.Load())


def negated(node: ast.expr) -> ast.expr:
    """The opposite of a condition; a `not` is taken off, True and False change places."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return ast.Constant(not node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return node.operand
    return ast.UnaryOp(ast.Not(), node)


def _returned(node: ast.expr) -> Iterator[Change]:
    """Defaults of the type that the expression seems to have."""
    if isinstance(node, (ast.Compare, ast.BoolOp)) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    ):
        yield "default", ast.Constant(True)
        yield "default", ast.Constant(False)
        yield "negation", negated(node)
    elif isinstance(node, (ast.List, ast.ListComp)):
        yield "default", ast.List([], ast.Load())
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1:
        yield "swap", ast.Tuple(node.elts[::-1], ast.Load())
    elif isinstance(node, (ast.BinOp, ast.Name, ast.Call)):
        yield "default", ast.Constant(0)
        yield "arithmetic", ast.BinOp(node, ast.Add(), ast.Constant(1))
        yield "arithmetic", ast.BinOp(node, ast.Sub(), ast.Constant(1))
