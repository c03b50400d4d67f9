"""Writes the assertions of unittest and pytest as plain `assert` statements, where they mean the same."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

__all__ = ["plain_assertions", "test_methods"]

_COMPARED: dict[str, type[ast.cmpop]] = {
    "assertEqual": ast.Eq,
    "assertEquals": ast.Eq,
    "assertListEqual": ast.Eq,
    "assertTupleEqual": ast.Eq,
    "assertDictEqual": ast.Eq,
    "assertSetEqual": ast.Eq,
    "assertMultiLineEqual": ast.Eq,
    "assertNotEqual": ast.NotEq,
    "assertIs": ast.Is,
    "assertIsNot": ast.IsNot,
    "assertIn": ast.In,
    "assertNotIn": ast.NotIn,
    "assertLess": ast.Lt,
    "assertLessEqual": ast.LtE,
    "assertGreater": ast.Gt,
    "assertGreaterEqual": ast.GtE,
}
_JUDGED: dict[str, Callable[[ast.expr], ast.expr]] = {
    "assertTrue": lambda value: value,
    "assertFalse": lambda value: ast.UnaryOp(ast.Not(), value),
    "assertIsNone": lambda value: ast.Compare(value, [ast.Is()], [ast.Constant(None)]),
    "assertIsNotNone": lambda value: ast.Compare(value, [ast.IsNot()], [ast.Constant(None)]),
}


def test_methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    """The test methods of a test class (unittest's or pytest's), each with `self` alone; [] for any other."""
    return [
        method
        for method in node.body
        if isinstance(method, ast.FunctionDef)
        and method.name.startswith("test")
        and len(method.args.args) == 1
    ]


test_methods.__test__ = False  # type: ignore[attr-defined]  # pytest would take it for a test


def plain_assertions(statement: ast.stmt) -> tuple[ast.stmt | None, str]:
    """A copy of the statement in which every assertion is an `assert`.

    Returns:
        The copy and "", or None and the reason why there is no plain form.
    """
    try:
        plain = _Plain().visit(copy.deepcopy(statement))
    except _NoPlainFormError as error:
        return None, str(error)
    except RecursionError:
        return None, "it is nested too deeply"
    if any(isinstance(node, ast.Name) and node.id == "self" for node in ast.walk(plain)):
        return None, "it needs the object of its test class"
    return ast.fix_missing_locations(plain), ""


class _NoPlainFormError(Exception):
    pass


class _Plain(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        name = _method(node.value)
        if name is None or not isinstance(node.value, ast.Call):
            return node
        return _plain_call(name, node.value)

    def visit_With(self, node: ast.With) -> ast.AST:
        self.generic_visit(node)
        call = node.items[0].context_expr
        name = _method(call)
        if name is None or not isinstance(call, ast.Call):
            return node
        if name not in {"assertRaises", "raises"} or len(node.items) > 1 or node.items[0].optional_vars:
            raise _NoPlainFormError(f"{name} in this form has no plain assertion")
        if len(call.args) != 1 or call.keywords:
            raise _NoPlainFormError(f"{name} with more than the exception's type has no plain assertion")
        return _must_raise(node.body, call.args[0])


def _method(node: ast.expr) -> str | None:
    """`assertX` of `self.assertX(...)`, `raises` of `pytest.raises(...)`."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
    ):
        name, owner = node.func.attr, node.func.value.id
        if (owner == "self" and name.startswith(("assert", "fail"))) or (owner, name) == ("pytest", "raises"):
            return name
    return None


def _plain_call(name: str, call: ast.Call) -> ast.stmt:
    arguments, keywords = list(call.args), {k.arg: k.value for k in call.keywords}
    message = keywords.pop("msg", None)
    if name in {"assertRaises", "raises"} and len(arguments) > 1:
        body = ast.Expr(ast.Call(arguments[1], arguments[2:], call.keywords))
        return _must_raise([body], arguments[0])
    if name in _COMPARED and len(arguments) in {2, 3} and not keywords:
        test: ast.expr = ast.Compare(arguments[0], [_COMPARED[name]()], [arguments[1]])
        return ast.Assert(test, message or next(iter(arguments[2:]), None))
    if name in _JUDGED and len(arguments) in {1, 2} and not keywords:
        return ast.Assert(_JUDGED[name](arguments[0]), message or next(iter(arguments[1:]), None))
    if name == "assertIsInstance" and len(arguments) == 2 and not keywords:
        return ast.Assert(ast.Call(ast.Name("isinstance", ast.Load()), arguments, []), message)
    if name == "assertAlmostEqual" and len(arguments) in {2, 3} and not set(keywords) - {"places", "delta"}:
        return ast.Assert(_almost_equal(arguments, keywords), message)
    raise _NoPlainFormError(f"{name} in this form has no plain assertion")


def _almost_equal(arguments: list[ast.expr], keywords: dict[str | None, ast.expr]) -> ast.expr:
    """The meaning of unittest's `assertAlmostEqual`: rounded to places (7), or within delta."""
    distance = _call("abs", ast.BinOp(arguments[0], ast.Sub(), arguments[1]))
    if "delta" in keywords:
        return ast.Compare(distance, [ast.LtE()], [keywords["delta"]])
    places = arguments[2] if len(arguments) == 3 else keywords.get("places", ast.Constant(7))
    return ast.Compare(_call("round", distance, places), [ast.Eq()], [ast.Constant(0)])


def _call(function: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(function, ast.Load()), list(arguments), [])


def _must_raise(body: list[ast.stmt], exception: ast.expr) -> ast.stmt:
    fails = ast.Assert(ast.Constant(False), ast.Constant("no exception was raised"))
    return ast.Try(body, [ast.ExceptHandler(exception, None, [ast.Pass()])], [fails], [])
