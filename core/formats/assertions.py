"""Splits Python statements into single tests, each with the statements it depends on.

A test is an `assert` statement, a whole block (`for`, `while`, `with`, `if`, `try`) with one in
it, or a call of a helper that asserts. Functions without parameters and methods of unittest
classes are opened, and each of their assertions is a test. Three things are refused, each with
its reason: an assertion that is a constant (`assert True` tells no two programs apart), one
that doesn't use the entry point, and one that can't be taken out of its surroundings.

The message of an assertion stays if it is a literal; a computed one goes, it may call the
program under test once more.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from core.formats.errors import plain_message
from core.formats.names import effects, needed_before, read_names
from core.formats.unittests import plain_assertions, test_methods

__all__ = ["Split", "parse_quietly", "split_tests", "unparse"]

_BLOCKS = (ast.For, ast.While, ast.With, ast.If, ast.Try, ast.Match)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)
_KNOWN_MODULES = sys.stdlib_module_names | {"numpy", "pandas", "pytest", "scipy", "sympy"}


@dataclass(slots=True)
class Split:
    """What the statements were split into.

    Attributes:
        tests: source of each test, in order, duplicates collapsed if asked for.
        refused: (source, reason) of what looked like a test and can't be one.
        redefined: source of definitions of the entry point that were left out.
        duplicates: tests that were already there.
    """

    tests: list[str] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    redefined: list[str] = field(default_factory=list)
    duplicates: int = 0


def split_tests(statements: Iterable[ast.stmt], entry_point: str | None, *, collapse: bool = True) -> Split:
    """Split a script's statements into tests of `entry_point` (None: of anything).

    With `collapse=False` a test that occurs twice stays twice: reference tests are counted
    as their authors wrote them.
    """
    splitter = _Splitter(entry_point, collapse=collapse)
    splitter.script(list(statements), [])
    return splitter.result


def parse_quietly(source: str) -> list[ast.stmt]:
    """The statements of a source; SyntaxError for anything that can't be parsed, however odd."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source).body
    except SyntaxError as error:
        error.msg = plain_message(error.msg)
        raise
    except (RecursionError, MemoryError) as error:
        raise SyntaxError("it is nested too deeply") from error
    except ValueError as error:
        raise SyntaxError(str(error)) from error


def unparse(*statements: ast.stmt) -> str:
    """The statements as source, one after the other."""
    return ast.unparse(ast.fix_missing_locations(ast.Module(list(statements), [])))


class _Splitter:
    def __init__(self, entry_point: str | None, *, collapse: bool) -> None:
        self.entry_point = entry_point
        self.collapse = collapse
        self.result = Split()
        self._seen: set[str] = set()
        self._asserting: set[str] = set()

    def script(self, statements: list[ast.stmt], outer: Sequence[ast.stmt]) -> None:
        """Emit the tests of one scope; `outer` is what runs before it."""
        statements = list(self._flat(statements))
        self._asserting |= _asserting_helpers(statements, self._asserting)
        opened = {s.name for s in statements if isinstance(s, _FUNCTIONS) and self._opens(s)}
        setup = [
            s
            for s in statements
            if not self._is_test(s) and not (isinstance(s, _FUNCTIONS) and s.name in opened)
        ]
        context = list(outer)
        called = {_called(s) for s in statements}
        for statement in statements:
            if isinstance(statement, _FUNCTIONS) and statement.name in opened:
                self._function(statement, [*outer, *setup])
            elif isinstance(statement, ast.ClassDef) and test_methods(statement):
                for method in test_methods(statement):
                    self._function(method, [*outer, *setup])
            elif _called(statement) in opened:
                continue
            elif self._is_test(statement):
                self._emit(statement, context)
                context.extend(_remaining_effect(statement))
            else:
                context.append(statement)
                if (
                    isinstance(statement, _FUNCTIONS)
                    and _has_assert(statement)
                    and not (statement.name in called or self._used(statement.name, statements))
                ):
                    self._refuse(statement, "a function with parameters that nothing calls")

    def _flat(self, statements: Iterable[ast.stmt]) -> Iterable[ast.stmt]:
        """The statements without redefinitions, and with the body of the main guard in its place."""
        for statement in statements:
            if _is_main_guard(statement):
                yield from self._flat(statement.body)  # type: ignore[attr-defined]
                continue
            kept = self._without_redefinition(statement)
            if kept is not None:
                yield kept

    def _without_redefinition(self, statement: ast.stmt) -> ast.stmt | None:
        if isinstance(statement, ast.ImportFrom):
            return self._import_from(statement)
        name = self.entry_point
        if isinstance(statement, ast.Import):
            defines = any(alias.asname == name for alias in statement.names)
        else:
            defines = (
                isinstance(statement, (*_FUNCTIONS, ast.ClassDef, ast.Assign, ast.AnnAssign))
                and name is not None
                and name in effects(statement).binds
            )
        if defines:
            self.result.redefined.append(unparse(statement))
            return self._tests_within(statement) if isinstance(statement, ast.FunctionDef) else None
        return statement

    def _tests_within(self, function: ast.FunctionDef) -> ast.stmt | None:
        """A test function of the assertions that a redefinition holds in the place of its body.

        Those are the ones that call the entry point and need none of its parameters.
        """
        arguments = function.args
        parameters = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        plain = [s for s in function.body if not isinstance(s, ast.Return)]
        needed: list[ast.stmt] = []
        for index, test in enumerate(plain):
            if self._is_test(test) and self.entry_point in read_names(test):
                whole = [*needed_before(test, [s for s in plain[:index] if not self._is_test(s)]), test]
                if not read_names(*whole) & parameters and not any(map(_has_return, whole)):
                    needed += [s for s in whole if s not in needed]
        if not needed:
            return None
        nothing = ast.arguments([], [], None, [], [], None, [])
        return ast.FunctionDef(f"test_{function.name}", nothing, needed, [], None, None)

    def _import_from(self, statement: ast.ImportFrom) -> ast.stmt | None:
        root = (statement.module or "").split(".")[0]
        keep = [
            alias
            for alias in statement.names
            if (alias.asname or alias.name) != self.entry_point
            and not (alias.name == "*" and (statement.level or root not in _KNOWN_MODULES))
        ]
        if len(keep) == len(statement.names):
            return statement
        self.result.redefined.append(unparse(statement))
        return ast.ImportFrom(statement.module, keep, statement.level) if keep else None

    def _opens(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        arguments = function.args
        return self._asserts(function) and not (
            arguments.args or arguments.posonlyargs or arguments.kwonlyargs or arguments.vararg
        )

    def _function(self, function: ast.FunctionDef | ast.AsyncFunctionDef, outer: Sequence[ast.stmt]) -> None:
        if isinstance(function, ast.AsyncFunctionDef):
            self._refuse(function, "an asynchronous test")
        elif function.decorator_list:
            self._refuse(function, "a test under a decorator")
        elif _leaves_early(function):
            call = ast.Expr(ast.Call(ast.Name(function.name, ast.Load()), [], []))
            self._emit(call, [*outer, function])
        else:
            self.script(function.body, outer)

    def _emit(self, test: ast.stmt, context: Sequence[ast.stmt]) -> None:
        plain, reason = plain_assertions(test)
        if plain is None:
            self._refuse(test, reason)
            return
        for node in ast.walk(plain):
            if (
                isinstance(node, ast.Assert)
                and node.msg is not None
                and not isinstance(node.msg, ast.Constant)
            ):
                node.msg = None
        if isinstance(plain, ast.Assert) and not any(
            isinstance(node, ast.Name | ast.Call) for node in ast.walk(plain.test)
        ):
            self._refuse(plain, "a constant, which no program can fail or pass differently")
            return
        try:
            whole = [*needed_before(plain, context), plain]
            source = unparse(*whole)
            parse_quietly(source)
            compile(source, "<test>", "exec", dont_inherit=True)
        except (SyntaxError, RecursionError, ValueError, MemoryError) as error:
            self._refuse(test, f"it is no Python outside of its surroundings: {error}")
            return
        if self.entry_point is not None and self.entry_point not in read_names(*whole):
            self._refuse(plain, f"it does not use {self.entry_point}")
            return
        key = _without_message(whole)
        if self.collapse and key in self._seen:
            self.result.duplicates += 1
        else:
            self._seen.add(key)
            self.result.tests.append(source)

    def _refuse(self, statement: ast.stmt, reason: str) -> None:
        try:
            self.result.refused.append((unparse(statement), reason))
        except RecursionError:
            self.result.refused.append(("(nested too deeply to show)", reason))

    def _is_test(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Assert):
            return True
        return isinstance(statement, (*_BLOCKS, ast.Expr)) and self._asserts(statement)

    def _asserts(self, node: ast.stmt) -> bool:
        return _has_assert(node) or bool(read_names(node) & self._asserting)

    def _used(self, name: str, statements: Sequence[ast.stmt]) -> bool:
        return any(name in read_names(s) for s in statements)


def _asserting_helpers(statements: Sequence[ast.stmt], known: set[str]) -> set[str]:
    """Names of functions with parameters that assert, by themselves or through one another."""
    functions = [s for s in statements if isinstance(s, ast.FunctionDef) and s.args.args]
    names = set(known)
    grew = True
    while grew:
        more = {f.name for f in functions if _has_assert(f) or read_names(f) & names} - names
        names |= more
        grew = bool(more)
    return names


def _has_assert(node: ast.AST) -> bool:
    return any(isinstance(n, ast.Assert) or _is_assert_call(n) for n in ast.walk(node))


def _is_assert_call(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and (
            (node.func.value.id == "self" and node.func.attr.startswith("assert"))
            or (node.func.value.id == "pytest" and node.func.attr == "raises")
        )
    )


def _called(statement: ast.stmt) -> str | None:
    """`f` of the statement `f()`."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    if (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and not (value.args or value.keywords)
    ):
        return value.func.id
    return None


def _remaining_effect(test: ast.stmt) -> list[ast.stmt]:
    """What of a test later tests may depend on: the call in `assert stack.pop() == 1`."""
    if not isinstance(test, ast.Assert):
        return [test] if effects(test).binds else []
    calls_method = any(
        isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute | ast.Name) for n in ast.walk(test.test)
    )
    return [ast.Expr(test.test)] if calls_method and effects(test).changes else []


def _leaves_early(function: ast.FunctionDef) -> bool:
    return any(map(_has_return, function.body))


def _has_return(statement: ast.stmt) -> bool:
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal):
            return True
        if not isinstance(node, _SCOPES):
            pending.extend(ast.iter_child_nodes(node))
    return False


def _is_main_guard(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.If)
        and isinstance(statement.test, ast.Compare)
        and isinstance(statement.test.left, ast.Name)
        and statement.test.left.id == "__name__"
    )


def _without_message(statements: Sequence[ast.stmt]) -> str:
    last = statements[-1]
    bare = ast.Assert(last.test, None) if isinstance(last, ast.Assert) else last
    return unparse(*statements[:-1], bare)
