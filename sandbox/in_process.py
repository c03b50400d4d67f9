"""Which checks can only be judged in the program's own process, told from their source.

Nothing that a program does has a say in it. The rule, on purpose small (`needs_program`):

1. it builds an object of a program's class (by what the caller says of the entry point, else by the usual
   spelling of class names) and compares it with or adds it to something else of the program's
   (`Point(1) == Point(1)`, `f() == [Point(1)]`, `f() in (Color.RED, Color.BLUE)`; never `Point(1) == 3`), or
   asks whether something is one (`isinstance(f(), Point)`, `type(f()) is Point`, `f() in Color`);
2. it looks at a function as an object (`f.__name__`, `f.__doc__`, `import inspect`), takes an object apart by
   the library (`dataclasses.asdict`), or changes or runs what belongs to the program's process
   (`redirect_stdout`, `sys.stdout = ...`, `unittest.mock`, `asyncio`);
3. it defines a class of its own and hands it, or something made with it, to the program.

A class of the support that a check shares with the program (`shares_classes`: `f(ListNode(1))`) is the
program's in that check: a prompt's classes are there twice, in the support and in what continues the prompt.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from typing import Final

_OF_A_PROCESS: Final = frozenset(
    """
    inspect asyncio unittest.mock contextlib.redirect_stdout contextlib.redirect_stderr dataclasses.asdict
    dataclasses.astuple dataclasses.fields dataclasses.replace dataclasses.is_dataclass
    """.split()  # noqa: SIM905
)
"""Modules, and names of modules, that work on the process which calls them."""
_ITS_MODULES: Final = {name.partition(".")[0] for name in _OF_A_PROCESS}
Names = Collection[str]


def needs_program(nodes: list[ast.AST], of_program: Names, classes: Names) -> bool:
    """Whether a check has to be judged in the program's process.

    Args:
        nodes: all of it.
        of_program: names that are the program's.
        classes: those of them that are classes.
    """
    built = _Built(nodes, classes)
    for node in nodes:
        if _reaches_into_process(node):
            return True
        if isinstance(node, ast.Attribute) and node.attr.startswith("__") and _names(node.value, of_program):
            return True
        if classes and _uses_as_a_whole(node, built, {*of_program, *built.names}):
            return True
    own = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    return hands_over(nodes, own, of_program) or _is_base(nodes, own, of_program)


def shares_classes(nodes: list[ast.AST], support: ast.Module, of_program: Names) -> frozenset[str]:
    """Classes of the support that a check hands to the program, or asks the program's values about."""
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    named = {node.name for node in support.body if isinstance(node, ast.ClassDef)}
    classes = {name for name in named if not used.isdisjoint({name, *_makers(support.body, {name})})}
    shared: set[str] = set()
    while more := {
        name for name in classes - shared if _shares(nodes, name, support, {*of_program, *shared})
    }:
        shared |= more
    return frozenset(shared)


def _shares(nodes: list[ast.AST], name: str, support: ast.Module, of_program: Names) -> bool:
    """Whether objects of this one class of the support go to the program, or may come from it."""
    makers = _makers(support.body, {name})
    built = _Built(nodes, {name}, makers)
    others = {*of_program, *built.names}
    return hands_over(nodes, {name, *makers}, of_program) or any(
        _uses_as_a_whole(node, built, others) for node in nodes
    )


def aliases(nodes: list[ast.AST], of_program: Names) -> set[str]:
    """Other names that the check gives to the program's functions, `candidate` above all."""
    return {"candidate"} | _assigned(nodes, lambda value: _mentions(value, of_program))


def hands_over(nodes: list[ast.AST], own: Names, of_program: Names) -> bool:
    """Whether one of these classes, or something made with it, may be given to the program in a call."""
    if not own:
        return False
    made = {*own, *_makers(nodes, own)}
    made |= _assigned(nodes, lambda value: _mentions(value, made))
    callees = {*of_program, *aliases(nodes, of_program)} - made
    for node in nodes:
        if isinstance(node, ast.Call) and _mentions(node.func, callees):
            given: list[ast.expr] = [*node.args, *(keyword.value for keyword in node.keywords)]
            if any(_mentions(value, made) for value in given):
                return True
    return False


class _Built:
    """What in a check stands for objects of the program's classes.

    Attributes:
        classes: their names.
        makers: names of functions that call one.
        names: names that such objects are given, and `makers`.
    """

    def __init__(self, nodes: list[ast.AST], classes: Names, makers: Names = ()) -> None:
        self.classes = classes
        self.makers = {*makers, *_makers(nodes, classes)}
        self.names = set(self.makers)
        self.names |= _assigned(nodes, self.holds)

    def holds(self, node: ast.expr) -> bool:
        """Whether it is such an object, or a container that shows one."""
        if isinstance(node, ast.Call | ast.Subscript):
            called = node.func if isinstance(node, ast.Call) else node.value
            return _names(called, self.classes) or (
                isinstance(node, ast.Call) and _names(called, self.makers)
            )
        is_member = (
            isinstance(node, ast.Attribute) and node.attr.isupper() and _names(node.value, self.classes)
        )
        return is_member or _names(node, self.names) or any(map(self.holds, _shown(node)))


def _uses_as_a_whole(node: ast.AST, built: _Built, of_program: Names) -> bool:
    if isinstance(node, ast.Call):
        is_test = _names(node.func, {"isinstance", "issubclass"})
        return is_test and any(_mentions(arg, built.classes) for arg in node.args[1:])
    if isinstance(node, ast.BinOp):
        pairs = [(node.left, node.right)]
    elif isinstance(node, ast.Compare):
        is_in = isinstance(node.ops[0], ast.In | ast.NotIn)
        pairs = [(node.left, node.comparators[0])] if is_in and built.holds(node.left) else list(_pairs(node))
        if any(_asks_for_class(node, left, right, built.classes) for left, right in _neighbours(node)):
            return True
    else:
        return False
    return any(
        any(map(built.holds, pair)) and all(_mentions(side, of_program) for side in pair) for pair in pairs
    )


def _asks_for_class(node: ast.Compare, left: ast.expr, right: ast.expr, classes: Names) -> bool:
    """Whether it asks what class something is of, or whether an enumeration has it."""
    if any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
        return _names(right, classes) and not isinstance(left, ast.Constant)
    kinds = [side for side in (left, right) if _is_kind(side)]
    return bool(kinds) and any(_names(side, classes) for side in (left, right))


def _is_kind(node: ast.expr) -> bool:
    """Whether it is `type(x)` or `x.__class__`."""
    if isinstance(node, ast.Call):
        return _names(node.func, {"type"}) and len(node.args) == 1
    return isinstance(node, ast.Attribute) and node.attr == "__class__"


def _neighbours(node: ast.Compare) -> Iterator[tuple[ast.expr, ast.expr]]:
    return pairwise((node.left, *node.comparators))


def _pairs(node: ast.Compare) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a comparison compares as a whole: identity, and membership in an object, work through handles."""
    for operator, (left, right) in zip(node.ops, _neighbours(node), strict=True):
        if isinstance(operator, ast.In | ast.NotIn):
            items = right.elts if isinstance(right, ast.List | ast.Tuple | ast.Set) else []
            yield from ((left, item) for item in items)
        elif not isinstance(operator, ast.Is | ast.IsNot):
            yield left, right


def _shown(node: ast.AST) -> list[ast.expr]:
    """The items of a list, tuple, set or dict that is written out."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return node.elts
    if isinstance(node, ast.Dict):
        return [item for item in (*node.keys, *node.values) if item is not None]
    return [node.elt] if isinstance(node, ast.ListComp | ast.SetComp) else []


def _makers(nodes: Collection[ast.AST], classes: Names) -> set[str]:
    """Functions among the nodes that call one of the classes."""
    return {
        node.name
        for node in nodes
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(inner, ast.Call) and _names(inner.func, classes) for inner in ast.walk(node))
    }


def _reaches_into_process(node: ast.AST) -> bool:
    """Whether it imports what works on its own process only, or replaces a stream or a builtin of it."""
    if isinstance(node, ast.Import):
        return any(alias.name in _OF_A_PROCESS for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        wanted = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        return not _OF_A_PROCESS.isdisjoint(wanted)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if isinstance(node.ctx, ast.Store):
            return node.value.id in {"sys", "builtins"}
        return node.value.id in _ITS_MODULES and f"{node.value.id}.{node.attr}" in _OF_A_PROCESS
    return False


def _is_base(nodes: list[ast.AST], own: Names, of_program: Names) -> bool:
    """Whether a class of the check's own extends one of the program's."""
    callees = {*of_program, *aliases(nodes, of_program)}
    return bool(own) and any(
        _mentions(base, callees) for node in nodes if isinstance(node, ast.ClassDef) for base in node.bases
    )


def _assigned(nodes: list[ast.AST], wanted: Callable[[ast.expr], bool]) -> set[str]:
    """Names that are given such a value somewhere in the check."""
    return {
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and wanted(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _mentions(node: ast.AST, names: Names) -> bool:
    return any(_names(inner, names) for inner in ast.walk(node))


def _names(node: ast.AST, names: Names) -> bool:
    return isinstance(node, ast.Name) and node.id in names
