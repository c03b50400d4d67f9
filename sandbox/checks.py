"""Prepares a check: rewritten, compiled, and with what its source says about how to judge it.

A check is judged in the judge, where the program never ran, unless its own source asks for something
that only exists in the program's process. That is decided here, from the source alone; nothing that a
program does has a say in it. The rule, on purpose small (`_needs_program`):

1. it builds objects of the program's classes, by the usual spelling of class names, and compares,
   adds or tests them as a whole (`Point(1, 2) == Point(1, 2)`, `isinstance(f(), Point)`);
2. it looks at a function as an object (`f.__name__`, `f.__doc__`, `import inspect`);
3. it defines a class of its own and so may hand its instances to the program.
"""

from __future__ import annotations

import ast
import builtins
import functools
from dataclasses import dataclass
from types import CodeType
from typing import Final

from sandbox.rewrite import rewrite
from sandbox.stateless import all_nodes, bound_names, tree_is_stateless
from sandbox.verdict import CHECK_FILE

_BUILTIN_NAMES: Final = frozenset(dir(builtins))
_SIZE_LIMIT: Final = 8_000_000


@dataclass(frozen=True, slots=True)
class PreparedCheck:
    """A check, ready to run.

    Attributes:
        code: compiled with its assertions rewritten; None if it does not compile.
        error: why it does not compile.
        free: names it uses that neither it nor the builtins bind; the entry point's is not among them.
        tame: whether it can run in the long-lived judge.
        in_process: whether it has to be judged in the program's own process.
    """

    code: CodeType | None
    error: str = ""
    free: tuple[str, ...] = ()
    tame: bool = False
    in_process: bool = False


@dataclass(frozen=True, slots=True)
class PreparedSupport:
    """Helper code of a problem, compiled; `error` says why it could not be."""

    code: CodeType | None
    error: str = ""
    tame: bool = True
    names: frozenset[str] = frozenset()


@functools.lru_cache(maxsize=64)
def prepare_support(source: str) -> PreparedSupport:
    """Compile the support source of a problem."""
    try:
        tree = ast.parse(source)
        code = compile(tree, "<support>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return PreparedSupport(None, f"support: {type(error).__name__}: {error}")
    return PreparedSupport(code, "", tree_is_stateless(tree), bound_names(all_nodes(tree)))


@functools.lru_cache(maxsize=4096)
def prepare(source: str, entry_point: str | None, support: str) -> PreparedCheck:
    """Prepare a check; the same source is prepared once."""
    helper = prepare_support(support)
    if helper.code is None:
        return PreparedCheck(None, helper.error)
    if len(source) > _SIZE_LIMIT:
        return PreparedCheck(None, f"check is longer than {_SIZE_LIMIT} characters")
    try:
        tree = ast.parse(source)
        nodes = all_nodes(tree)
        used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        free = used - bound_names(nodes) - helper.names - _BUILTIN_NAMES - {entry_point}
        of_program = free | ({entry_point} if entry_point else set())
        in_process = _needs_program(nodes, of_program)
        given = helper.names | of_program
        endless = any(isinstance(node, ast.While) for node in nodes)
        tame = not endless and helper.tame and tree_is_stateless(tree, given)
        code = compile(
            rewrite(tree, of_program | _aliases(nodes, of_program), source),
            CHECK_FILE,
            "exec",
            dont_inherit=True,
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return PreparedCheck(None, f"check: {type(error).__name__}: {error}")
    return PreparedCheck(code, "", tuple(sorted(free)), tame, in_process)


def _aliases(nodes: list[ast.AST], of_program: frozenset[str] | set[str]) -> set[str]:
    """Other names that the check gives to the program's functions, `candidate` above all."""
    names = {"candidate"}
    for node in nodes:
        if isinstance(node, ast.Assign) and any(
            isinstance(inner, ast.Name) and inner.id in of_program for inner in ast.walk(node.value)
        ):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


def _needs_program(nodes: list[ast.AST], of_program: frozenset[str] | set[str]) -> bool:
    classes = {name for name in of_program if _is_class_name(name)}
    objects = classes and {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and _builds(node.value, classes)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            return True
        if isinstance(node, ast.Import) and any(alias.name == "inspect" for alias in node.names):
            return True
        if isinstance(node, ast.ImportFrom) and node.module == "inspect":
            return True
        if isinstance(node, ast.Attribute) and node.attr.startswith("__") and _names(node.value, of_program):
            return True
        if classes and _uses_as_a_whole(node, classes, objects or set()):
            return True
    return False


def _uses_as_a_whole(node: ast.AST, classes: set[str], objects: set[str]) -> bool:
    if isinstance(node, ast.Compare):
        operands = [node.left]
        for operator, right in zip(node.ops, node.comparators, strict=True):
            # identity and membership work through handles
            if isinstance(operator, ast.Is | ast.IsNot):
                operands = operands[:-1]
            elif not isinstance(operator, ast.In | ast.NotIn):
                operands.append(right)
    elif isinstance(node, ast.BinOp):
        operands = [node.left, node.right]
    elif isinstance(node, ast.Assert):
        operands = [node.test]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
        return any(_names(inner, classes) for arg in node.args[1:] for inner in ast.walk(arg))
    else:
        return False
    return any(_builds(operand, classes) or _names(operand, objects) for operand in operands)


def _builds(node: ast.AST, classes: set[str]) -> bool:
    return isinstance(node, ast.Call) and _names(node.func, classes)


def _names(node: ast.AST, names: frozenset[str] | set[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in names


def _is_class_name(name: str) -> bool:
    return name[:1].isupper() and any(character.islower() for character in name)
