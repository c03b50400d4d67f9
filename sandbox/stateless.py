"""Whether a source can leave anything behind outside its own namespace, told from its syntax alone.

A program that can't has all its checks answered by one process, each after its code has run again in a new
namespace; any other gets a process per check. A check that can't runs in the long-lived judge; any
other in a fork of it. The answer is a white list: what is not known to be harmless is taken as not.

A hole in here would let a program remember one check in the next, or slow the judge down. It would not
let it forge a pass: what answers calls is still another process than the one that judges. Of checks, which
run in the judge itself, `sandbox.tame` asks for more.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
from collections.abc import Callable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any, Final

from sandbox.flows import keeps_library_to_itself

_MODULES: Final[dict[str, frozenset[str]]] = {
    # module: names in it that are not harmless
    "math": frozenset(),
    "cmath": frozenset(),
    "typing": frozenset(
        {
            "get_type_hints",
            "overload",
            "get_overloads",
            "clear_overloads",
            "ForwardRef",
            "get_args",
            "evaluate_forward_ref",
            "re",
            "io",
        }
    ),
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
    "enum": frozenset(
        {
            "sys",
            "global_enum",
            "global_enum_repr",
            "global_flag_repr",
            "global_str",
            "EnumMeta",
            "EnumType",
        }
    ),
    "dataclasses": frozenset({"sys", "inspect", "builtins", "make_dataclass"}),
    "numbers": frozenset(),
    "abc": frozenset({"ABCMeta"}),
    "__future__": frozenset({"all_feature_names"}),
}
_ONLY: Final = {
    "sys": frozenset({"maxsize", "float_info", "maxunicode"}),
    "numpy": frozenset(
        """
        abs all allclose any append arange argmax argmin argsort array array_equal asarray bool_
        ceil clip concatenate copy cos cross cumprod cumsum diag diff divide dot dtype e empty equal
        exp eye finfo flip float32 float64 floor full gcd hstack identity iinfo inf inner int16
        int32 int64 int8 intersect1d isclose isfinite isinf isin isnan linspace log log10
        log2 logical_and logical_not logical_or matmul max maximum mean median meshgrid min minimum
        mod multiply nan ndarray newaxis nonzero ones ones_like outer percentile pi power prod
        quantile ravel repeat reshape roll rot90 round searchsorted sign sin sort sqrt square
        squeeze stack std subtract sum tan tensordot tile trace transpose tril triu uint8 union1d
        unique var vstack where zeros zeros_like
        """.split()  # noqa: SIM905
    ),
    "numpy.linalg": frozenset(
        """
        LinAlgError cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_power matrix_rank
        multi_dot norm pinv qr slogdet solve svd
        """.split()  # noqa: SIM905
    ),
}
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
    tb_frame tb_next func_globals cache_clear _evaluate touchstone
    """.split()  # noqa: SIM905
)
_SETTERS: Final = frozenset(
    """
    dataclass total_ordering final no_type_check no_type_check_decorator runtime_checkable
    dataclass_transform update_abstractmethods unique verify
    """.split()  # noqa: SIM905
)
_METHODS_DENIED: Final = frozenset(
    """
    __del__ __init_subclass__ __class__ __prepare__ __set_name__ __reduce__ __reduce_ex__
    __subclasshook__ __instancecheck__ __subclasscheck__
    """.split()  # noqa: SIM905
)
_OF_NAMED_TUPLES: Final = frozenset({"_replace", "_asdict", "_fields", "_make"})
_IMPORTS: Final = (ast.Import, ast.ImportFrom)
_NODES_DENIED: Final = (ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith, ast.Await)
_JUDGED: Final = frozenset(
    {ast.Name, ast.Attribute, ast.FunctionDef, ast.ClassDef, ast.MatchClass, *_NODES_DENIED}
)
"""Nodes that may do harm; the others are harmless whatever is in them."""
_SIZE_LIMIT: Final = 50_000
"""Characters that are parsed here: some f-strings take the square of their number."""
_WIDE_LIMIT: Final = 10_000
"""The same where not all are ASCII: a name full of combining marks takes as much, and far longer."""
_LEAVES: Final = frozenset(
    """
    ctx op ops kind type_comment id attr arg name asname module level is_async conversion simple rest
    kwd_attrs tag
    """.split()  # noqa: SIM905
)
"""Fields that hold texts, numbers, contexts or operators."""


def is_stateless(source: str) -> bool:
    """Whether a program can leave nothing behind outside its own namespace."""
    if len(source) > (_SIZE_LIMIT if source.isascii() else _WIDE_LIMIT):
        return False
    try:
        return nodes_are_stateless(all_nodes(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def nodes_are_stateless(
    nodes: list[ast.AST],
    given: frozenset[str] = frozenset(),
    imported: Mapping[str, str] = MappingProxyType({}),
) -> bool:
    """The same of all the nodes of a source; `imported` are the modules among what is given."""
    modules = dict(imported)
    for node in nodes:
        if isinstance(node, _IMPORTS) and not _import_is_harmless(node, modules):
            return False
    bound = bound_names(nodes) | given
    attributes = [node for node in nodes if type(node) is ast.Attribute]
    bases = {id(node.value) for node in attributes}
    own = bound | {node.attr for node in attributes if type(node.ctx) is not ast.Load} | _OF_NAMED_TUPLES
    if not all(_is_harmless(node, bound, modules, bases, own) for node in nodes if type(node) in _JUDGED):
        return False
    return not any(map(_sets_attribute, nodes)) or keeps_library_to_itself(nodes, bound)


def _sets_attribute(node: ast.AST) -> bool:
    """Whether it sets one, or names a function of the library that sets some on what it is given."""
    if type(node) is ast.Attribute:
        return type(node.ctx) is not ast.Load or node.attr in _SETTERS
    return type(node) is ast.ImportFrom and any(alias.name in _SETTERS for alias in node.names)


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
    return all(_is_offered(node.module, alias.name) for alias in node.names)


def _is_offered(module: str, name: str) -> bool:
    """Whether a module offers this to others, and it is harmless.

    A module that another one uses is not offered: `typing.sys.modules` would lead anywhere.
    """
    return not name.startswith("_") and name not in _MODULES[module] and name in _offers(module)


@functools.cache
def _offers(module: str) -> frozenset[str]:
    """What a module names in `__all__`; all but modules of one that has none."""
    found = importlib.import_module(module)
    things = vars(found)
    return frozenset(
        name for name in things.get("__all__", things) if not isinstance(things.get(name), ModuleType)
    )


def all_nodes(tree: ast.AST) -> list[ast.AST]:
    """Every node of a tree but contexts and operators, in no order; much faster than `ast.walk`."""
    nodes: list[ast.AST] = []
    left: list[Any] = [tree]
    while left:
        node = left.pop()
        nodes.append(node)
        kind: Any = type(node)
        for name in _inner_fields(kind):
            value = getattr(node, name, None)
            if type(value) is list:
                left += [item for item in value if isinstance(item, ast.AST)]
            elif value is not None:
                left.append(value)
    return nodes


@functools.cache
def _inner_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that hold nodes or lists of them."""
    if kind in (ast.Constant, ast.MatchSingleton):
        return ()
    leaves = {"names"} if kind in (ast.Global, ast.Nonlocal) else set()
    return tuple(name for name in kind._fields if name not in _LEAVES | leaves)


def bound_names(nodes: list[ast.AST]) -> frozenset[str]:
    """Every name that one of these nodes binds, in whatever scope."""
    names: set[str | None] = set()
    for node in nodes:
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is ast.Store:  # type: ignore[attr-defined]
                names.add(node.id)  # type: ignore[attr-defined]
        elif kind in _BINDERS:
            names.add(_BINDERS[kind](node))
    return frozenset(name for name in names if name is not None)


_BINDERS: Final[dict[type, Callable[[Any], str | None]]] = {
    ast.FunctionDef: lambda node: node.name,
    ast.AsyncFunctionDef: lambda node: node.name,
    ast.ClassDef: lambda node: node.name,
    ast.arg: lambda node: node.arg,
    ast.alias: lambda node: node.asname or node.name,
    ast.ExceptHandler: lambda node: node.name,
    ast.MatchAs: lambda node: node.name,
    ast.MatchStar: lambda node: node.name,
    ast.MatchMapping: lambda node: node.rest,
}


def _is_harmless(
    node: ast.AST, bound: frozenset[str], modules: dict[str, str], bases: set[int], own: frozenset[str]
) -> bool:
    if isinstance(node, ast.Name | ast.Attribute) and _module_of(node, modules):
        # a module is only ever asked for something in it: `math.pi`
        return id(node) in bases and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.Name):
        if node.id.startswith("__"):
            return node.id == "__name__" and isinstance(node.ctx, ast.Load)
        return node.id in bound or node.id in _BUILTINS
    if isinstance(node, ast.Attribute):
        return _may_be_asked_for(node.attr, own) and _attribute_is_harmless(node, modules)
    if isinstance(node, ast.FunctionDef):
        return node.name not in _METHODS_DENIED
    if isinstance(node, ast.ClassDef):
        return not any(keyword.arg in ("metaclass", None) for keyword in node.keywords)
    if isinstance(node, ast.MatchClass):
        return all(name != "__init__" and _may_be_asked_for(name, own) for name in node.kwd_attrs)
    return False


def _module_of(node: ast.expr, modules: dict[str, str]) -> str | None:
    """The module that an expression stands for: one that is imported, or one in it (`numpy.linalg`)."""
    if isinstance(node, ast.Name):
        return modules.get(node.id)
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        inner = f"{modules.get(node.value.id)}.{node.attr}"
        return inner if inner in _MODULES or inner in _ONLY else None
    return None


def _may_be_asked_for(attribute: str, own: frozenset[str]) -> bool:
    """Whether nothing has an attribute of this name that leads further.

    One with an underscore has to be the source's own: `ForwardRef._evaluate` runs a text, and what
    enumerations keep (`_convert_`) leads into modules.
    """
    if attribute in _ATTRIBUTES_DENIED:
        return False
    if attribute.startswith("__"):
        return attribute == "__init__"
    return not attribute.startswith("_") or (attribute in own and not attribute.endswith("_"))


def _attribute_is_harmless(node: ast.Attribute, modules: dict[str, str]) -> bool:
    if not isinstance(node.ctx, ast.Load):
        return isinstance(node.value, ast.Name) and node.value.id == "self"
    module = _module_of(node.value, modules)
    if module in _ONLY:
        return node.attr in _ONLY[module]
    return module is None or _is_offered(module, node.attr)
