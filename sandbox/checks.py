"""Prepares a check: rewritten, compiled, and with what its source says about how to judge it.

A check is judged in the judge, where the program never ran, unless its own source asks for something
that only exists in the program's process; `sandbox.in_process` decides that.

Names that a check uses without importing them are looked for in the support, then in the standard library
(`_own_imports`: `math.isclose`, `Counter`), and only then in the program.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import math
import sys
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import CodeType
from typing import Final

from sandbox.in_process import aliases, needs_program, shares_classes
from sandbox.proxy import is_class_name
from sandbox.remote import constant_request
from sandbox.rewrite import rewrite, rewrite_questions
from sandbox.stateless import all_nodes, bound_names
from sandbox.tame import imported_modules, is_tame
from sandbox.values import dumps
from sandbox.verdict import ANSWER, CHECK_FILE

_BUILTIN_NAMES: Final = frozenset(dir(builtins))
_SIZE_LIMIT: Final = 8_000_000
_KNOWN: Final = {
    **{name: "math" for name in dir(math) if callable(getattr(math, name)) and name[0] != "_"},
    **dict.fromkeys(("Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"), "collections"),
    **dict.fromkeys(("date", "timedelta"), "datetime"),
    **{name: "typing" for name in typing.__all__ if name[0].isupper()},
    "Decimal": "decimal", "Fraction": "fractions", "reduce": "functools",
}  # fmt: skip
"""Names of the standard library that checks use without importing them, and their modules."""
_FREE_MODULES: Final = (sys.stdlib_module_names - {"antigravity", "this"}) | {"np", "numpy"}
_REPEATING: Final = (
    ast.For, ast.While, ast.comprehension, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef,
)  # fmt: skip
"""What may ask more than once for what stands in it."""


@dataclass(frozen=True, slots=True)
class PreparedCheck:
    """A check, ready to run.

    Attributes:
        code: compiled with its assertions rewritten; None if it does not compile.
        error: why it does not compile.
        free: names it uses that neither it nor the builtins bind; the entry point's is among them if it is
            not only called (`f is not None`, `candidate = f`).
        tame: whether it can run in the long-lived judge.
        in_process: whether it has to be judged in the program's own process.
        seeded: modules that it, or the support, may ask for random numbers.
        request: the one constant call that it makes of the program, as `RemoteProgram.constant` takes it; the
            code asks for the answer under the name `ANSWER`.
    """

    code: CodeType | None
    error: str = ""
    free: tuple[str, ...] = ()
    tame: bool = False
    in_process: bool = False
    seeded: tuple[str, ...] = ()
    request: bytes | None = None


@dataclass(frozen=True, slots=True)
class PreparedSupport:
    """Helper code of a problem, parsed and compiled; `error` says why not, `modules` what it imports."""

    code: CodeType | None
    error: str = ""
    tree: ast.Module = field(default_factory=lambda: ast.Module([], []))
    tame: bool = True
    names: frozenset[str] = frozenset()
    modules: Mapping[str, str] = field(default_factory=dict)


@functools.lru_cache(maxsize=64)
def prepare_support(source: str) -> PreparedSupport:
    """Compile the support source of a problem."""
    try:
        tree = ast.parse(source)
        nodes = all_nodes(tree)
        code = compile(rewrite_questions(tree, source), "<support>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return PreparedSupport(None, f"support: {type(error).__name__}: {error}")
    modules = imported_modules(nodes)
    return PreparedSupport(code, "", tree, is_tame(nodes, frozenset(), {}), bound_names(nodes), modules)


@functools.lru_cache(maxsize=4096)
def prepare(
    source: str, entry_point: str | None, support: str, entry_is_class: bool | None = None
) -> PreparedCheck:
    """Prepare a check; the same source is prepared once."""
    helper = prepare_support(support)
    if helper.code is None:
        return PreparedCheck(None, helper.error)
    if len(source) > _SIZE_LIMIT:
        return PreparedCheck(None, f"check is longer than {_SIZE_LIMIT} characters")
    try:
        tree = ast.parse(source)
        nodes = all_nodes(tree)
        free = _free(nodes, entry_point, helper.names)
        imports = _own_imports(nodes, free, entry_point)
        if imports:
            tree.body[:0] = imports
            nodes = all_nodes(tree)
            free = _free(nodes, entry_point, helper.names)
        entry = {entry_point} if entry_point else set()
        shared = shares_classes(nodes, helper.tree, free | entry)
        free |= shared
        of_program = free | entry
        classes = shared | {name for name in of_program if is_class_name(name)}
        if entry_point and entry_is_class is not None:
            classes = classes | {entry_point} if entry_is_class else classes - {entry_point}
        in_process = needs_program(nodes, of_program, classes)
        given = helper.names | of_program
        endless = any(isinstance(node, ast.While) for node in nodes)
        tame = not endless and helper.tame and is_tame(nodes, given, helper.modules)
        rewritten = rewrite(tree, of_program | aliases(nodes, of_program), source, helper.names)
        request = None
        asked_for = free | {entry_point} if entry_point and _is_not_only_called(nodes, entry_point) else free
        if entry_point and tame and not in_process and not free and not classes:
            request = _take_out_constant_call(nodes, entry_point)
        code = compile(rewritten, CHECK_FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return PreparedCheck(None, f"check: {type(error).__name__}: {error}")
    seeded = tuple(module for module in ("random", "numpy") if _mentions_random(module, source + support))
    return PreparedCheck(code, "", tuple(sorted(asked_for)), tame, in_process, seeded, request)


def _mentions_random(module: str, text: str) -> bool:
    return "random" in text and (module in text or (module == "numpy" and "np." in text))


def _take_out_constant_call(nodes: list[ast.AST], entry_point: str) -> bytes | None:
    """The request of the only call of the entry point, if each of its arguments is a literal.

    The call becomes one that asks for the answer.
    """
    uses = [node for node in nodes if _names(node, {entry_point})]
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.func in uses]
    if len(uses) != 1 or not calls or entry_point in bound_names(nodes):
        return None
    if any(isinstance(node, _REPEATING) for node in nodes):
        return None
    (call,) = calls
    keywords = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    if len(keywords) != len(call.keywords):
        return None
    try:
        args = dumps([ast.literal_eval(arg) for arg in call.args])
        kwargs = dumps({name: ast.literal_eval(value) for name, value in keywords.items()})
    except (ValueError, TypeError, RecursionError):
        return None
    answer = ast.copy_location(ast.Name(ANSWER, ast.Load()), call)
    call.func, call.args, call.keywords = answer, [], []
    return constant_request(entry_point, args, kwargs)


def _free(nodes: list[ast.AST], entry_point: str | None, given: frozenset[str]) -> frozenset[str]:
    used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return frozenset(used - bound_names(nodes) - given - _BUILTIN_NAMES - {entry_point})


def _is_not_only_called(nodes: list[ast.AST], entry_point: str) -> bool:
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    uses = (node for node in nodes if isinstance(node, ast.Name) and node.id == entry_point)
    return any(isinstance(node.ctx, ast.Load) and id(node) not in called for node in uses)


def _own_imports(nodes: list[ast.AST], free: frozenset[str], entry_point: str | None) -> list[ast.stmt]:
    """Imports for free names that mean the standard library (or numpy), whatever the program calls so.

    A module is one whose every use is to read something that the module has. Single functions and
    classes are only taken for the library's in a check that has an entry point to test besides them.
    """
    if any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in nodes):
        return []
    imports: list[ast.stmt] = []
    tested = any(isinstance(node, ast.Name) and node.id == entry_point for node in nodes)
    for name in sorted(free):
        if name in _FREE_MODULES and _is_module(name, nodes):
            module = ast.alias("numpy", name) if name == "np" else ast.alias(name)
            imports.append(ast.Import([module]))
        elif tested and name in _KNOWN:
            imports.append(ast.ImportFrom(_KNOWN[name], [ast.alias(name)], 0))
        elif tested and name == "datetime":
            imports.append(ast.ImportFrom(name, [ast.alias(name)], 0))
    return [ast.fix_missing_locations(statement) for statement in imports]


def _is_module(name: str, nodes: list[ast.AST]) -> bool:
    attributes = [node for node in nodes if isinstance(node, ast.Attribute) and _names(node.value, {name})]
    uses = sum(_names(node, {name}) for node in nodes)
    if uses != len(attributes) or not all(isinstance(node.ctx, ast.Load) for node in attributes):
        return False
    if name in ("np", "numpy"):
        return True
    try:
        module = importlib.import_module(name)
    except ImportError:
        return False
    return all(hasattr(module, node.attr) for node in attributes)


def _names(node: ast.AST, names: set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names
