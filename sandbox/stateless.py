"""Whether a source can leave anything behind outside its own namespace, told from its syntax alone.

A program that can't has all its checks answered by one process, each after its code has run again in a new
namespace; any other gets a process per check. A check that can't runs in the long-lived judge; any
other in a fork of it. The answer is a white list: what is not known to be harmless is taken as not.

A hole in here would let a program remember one check in the next, or slow the judge down. It would not
let it forge a pass: what answers calls is still another process than the one that judges.
"""

from __future__ import annotations

import ast
import builtins
from typing import Final

_MODULES: Final[dict[str, frozenset[str]]] = {
    # module: names in it that are not harmless
    "math": frozenset(),
    "cmath": frozenset(),
    "typing": frozenset({"get_type_hints", "overload", "ForwardRef", "re", "io"}),
    "collections": frozenset(),
    "collections.abc": frozenset(),
    "re": frozenset({"purge", "template", "enum", "functools", "copyreg"}),
    "itertools": frozenset(),
    "functools": frozenset(
        {"update_wrapper", "wraps", "singledispatch", "singledispatchmethod", "GenericAlias"}
    ),
    "operator": frozenset({"attrgetter", "methodcaller"}),
    "string": frozenset({"Formatter", "Template"}),
    "heapq": frozenset(),
    "bisect": frozenset(),
    "copy": frozenset({"copyreg", "dispatch_table"}),
    "datetime": frozenset({"sys"}),
    "fractions": frozenset({"sys", "math", "numbers", "operator", "re"}),
    "statistics": frozenset({"sys", "random"}),
    "hashlib": frozenset({"algorithms_available", "algorithms_guaranteed"}),
    "random": frozenset(),
    "enum": frozenset({"sys"}),
    "dataclasses": frozenset({"sys", "inspect", "builtins"}),
    "numbers": frozenset(),
    "abc": frozenset(),
    "__future__": frozenset(),
}
_ONLY: Final = {"sys": frozenset({"maxsize", "float_info", "maxunicode"})}
"""Modules of which only these names are harmless."""
_BUILTINS: Final = frozenset(
    """
    abs all any ascii bin bool bytearray bytes callable chr classmethod complex dict divmod enumerate
    filter float format frozenset hash hex int isinstance issubclass iter len list map max min next
    object oct ord pow print property range repr reversed round set slice sorted staticmethod str sum
    super tuple type zip NotImplemented Ellipsis
    """.split()  # noqa: SIM905
) | {
    name
    for name, thing in vars(builtins).items()
    if isinstance(thing, type) and issubclass(thing, BaseException)
}
_ATTRIBUTES_DENIED: Final = frozenset(
    """
    register mro gi_frame gi_code cr_frame cr_code ag_frame f_globals f_locals f_back f_builtins f_code
    tb_frame tb_next func_globals cache_clear
    """.split()  # noqa: SIM905
)
_METHODS_DENIED: Final = frozenset(
    {"__del__", "__init_subclass__", "__class__", "__prepare__", "__set_name__"}
)
_NODES_DENIED: Final = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
_SIZE_LIMIT: Final = 200_000


def is_stateless(source: str) -> bool:
    """Whether a program can leave nothing behind outside its own namespace."""
    if len(source) > _SIZE_LIMIT:
        return False
    try:
        return tree_is_stateless(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def tree_is_stateless(tree: ast.Module, given: frozenset[str] = frozenset()) -> bool:
    """The same of a parsed source; `given` are names that others put into its namespace."""
    nodes = list(ast.walk(tree))
    modules: dict[str, str] = {}
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom) and not _import_is_harmless(node, modules):
            return False
    bound = bound_names(nodes) | given
    bases = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    return all(_is_harmless(node, bound, modules, bases) for node in nodes)


def _import_is_harmless(node: ast.Import | ast.ImportFrom, modules: dict[str, str]) -> bool:
    if isinstance(node, ast.Import):
        for alias in node.names:
            if not (alias.name in _MODULES or alias.name in _ONLY) or (
                "." in alias.name and alias.asname is None
            ):
                return False
            modules[alias.asname or alias.name] = alias.name
        return True
    if node.level or node.module not in _MODULES:
        return False
    denied = _MODULES[node.module]
    return not any(
        alias.name in denied or alias.name.startswith("_") or f"{node.module}.{alias.name}" in _MODULES
        for alias in node.names
    )


def bound_names(nodes: list[ast.AST]) -> frozenset[str]:
    """Every name that one of these nodes binds, in whatever scope."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name)
        elif (isinstance(node, ast.ExceptHandler) and node.name) or (
            isinstance(node, ast.MatchAs | ast.MatchStar) and node.name
        ):
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            names.add(node.rest)
    return frozenset(names)


def _is_harmless(node: ast.AST, bound: frozenset[str], modules: dict[str, str], bases: set[int]) -> bool:
    if isinstance(node, _NODES_DENIED):
        return False
    if isinstance(node, ast.Name):
        if node.id in modules:
            # a module is only ever asked for something in it: `math.pi`
            return id(node) in bases and isinstance(node.ctx, ast.Load)
        if node.id.startswith("__"):
            return node.id == "__name__" and isinstance(node.ctx, ast.Load)
        return node.id in bound or node.id in _BUILTINS
    if isinstance(node, ast.Attribute):
        return _attribute_is_harmless(node, modules)
    if isinstance(node, ast.FunctionDef):
        return node.name not in _METHODS_DENIED
    if isinstance(node, ast.ClassDef):
        return not any(keyword.arg == "metaclass" for keyword in node.keywords)
    if isinstance(node, ast.MatchClass):
        return not any(name.startswith("__") for name in node.kwd_attrs)
    return True


def _attribute_is_harmless(node: ast.Attribute, modules: dict[str, str]) -> bool:
    if node.attr.startswith("__") and node.attr != "__init__":
        return False
    if node.attr in _ATTRIBUTES_DENIED:
        return False
    if isinstance(node.ctx, ast.Load):
        if isinstance(node.value, ast.Name) and node.value.id in modules:
            module = modules[node.value.id]
            if module in _ONLY:
                return node.attr in _ONLY[module]
            return not node.attr.startswith("_") and node.attr not in _MODULES[module]
        return True
    return isinstance(node.value, ast.Name) and node.value.id == "self"
