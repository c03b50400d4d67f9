"""How a harness goes about it, told from its syntax (HarnessLLM, section 4.3 and appendix B.3).

The paper asks a model; this asks the syntax tree, with the paper's categories:

generators
    `dynamic` if the inputs come out of code: a loop or comprehension over something that is not written
    out as a literal, random numbers, itertools, a text or list repeated or joined, a call of a helper
    that is itself dynamic. `hardcoded` otherwise: literals, whatever they are wrapped in.
checkers, any number of them
    `reference`: the output is compared with something computed from the input by a loop, a recursion, or
    a function of the harness itself.
    `hardcoded`: the output is compared with a literal where the input is known to be a certain one (an
    `if` on the input, or a table looked up by it).
    `invariant`: any other condition on the output is asserted.

It reads names and data flow within one function and knows nothing of what values are; a model's
answer may be asked for beside it.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Iterable, Mapping, Sequence

from core.formats.assertions import parse_quietly
from core.hunting.answers import CHECK

__all__ = ["CheckerStrategy", "GeneratorStrategy", "checker_strategies", "generator_strategies"]

_LOOPS = (ast.For, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_RANDOM = frozenset({"random", "rng", "secrets", "itertools", "product", "permutations", "combinations"})
_LITERALS = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict)
_TRIVIAL = frozenset(
    """
    len sorted set list tuple str int float sum max min abs split strip splitlines map isinstance type
    range all any enumerate zip reversed lower upper round dict bool join get items keys values next readline
    """.split()  # noqa: SIM905
)
"""Calls that make nothing new out of an input: comparing the output with these is an invariant."""

Functions = Mapping[str, ast.FunctionDef]


class GeneratorStrategy(enum.StrEnum):
    """How inputs are made."""

    HARDCODED = "hardcoded"
    DYNAMIC = "dynamic"


class CheckerStrategy(enum.StrEnum):
    """How outputs are judged."""

    HARDCODED = "hardcoded"
    INVARIANT = "invariant"
    REFERENCE = "reference"


def generator_strategies(code: str, names: Sequence[str]) -> tuple[GeneratorStrategy, ...]:
    """The strategy of each generator; () for a code that is no Python."""
    functions = _functions(code)
    if functions is None:
        return ()
    return tuple(
        GeneratorStrategy.DYNAMIC
        if name in functions and _is_dynamic(functions[name], functions, frozenset({name}))
        else GeneratorStrategy.HARDCODED
        for name in names
    )


def checker_strategies(code: str) -> tuple[CheckerStrategy, ...]:
    """The strategies of `check_output`, in the order of `CheckerStrategy`; () if it uses none."""
    functions = _functions(code)
    if functions is None or CHECK not in functions:
        return ()
    found = _Checker(functions[CHECK], functions, _tables(code)).strategies()
    return tuple(one for one in CheckerStrategy if one in found)


def _functions(code: str) -> Functions | None:
    try:
        return {node.name: node for node in parse_quietly(code) if isinstance(node, ast.FunctionDef)}
    except SyntaxError:
        return None


def _tables(code: str) -> set[str]:
    """Names at the top that hold literals of more than one value."""
    return {
        target.id
        for node in parse_quietly(code)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.List | ast.Tuple | ast.Dict)
        and _is_literal(node.value, set())
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _is_dynamic(function: ast.FunctionDef, functions: Functions, seen: frozenset[str]) -> bool:
    literals = _literal_names(function)
    for node in _body(function):
        if isinstance(node, ast.For | ast.comprehension) and not _is_literal(node.iter, literals):
            return True
        if isinstance(node, ast.While):
            return True
        if isinstance(node, ast.Name) and node.id in _RANDOM:
            return True
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and _repeats(node):
            return True
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            if called == "range":
                return True
            new = called in functions and called not in seen
            if new and _is_dynamic(functions[called], functions, seen | {called}):
                return True
    return False


def _repeats(node: ast.BinOp) -> bool:
    """Whether a product is a text or list repeated, rather than a number."""
    return any(
        isinstance(side, ast.List | ast.Tuple | ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str | bytes))
        for side in (node.left, node.right)
    )


def _literal_names(function: ast.FunctionDef) -> set[str]:
    """Variables that are given nothing but literals."""
    given: dict[str, bool] = {}
    for node in _body(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    given[target.id] = given.get(target.id, True) and _is_literal(node.value, set())
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            given[node.target.id] = False
    return {name for name, literal in given.items() if literal}


def _is_literal(node: ast.expr, literals: set[str]) -> bool:
    """Whether an expression is written out: literals, or a variable that holds one."""
    if isinstance(node, ast.Name):
        return node.id in literals
    if isinstance(node, ast.Constant):
        return True
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return all(_is_literal(item, literals) for item in node.elts)
    if isinstance(node, ast.Dict):
        return all(_is_literal(item, literals) for item in [*node.keys, *node.values] if item is not None)
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand, literals)
    return False


def _body(function: ast.FunctionDef) -> Iterable[ast.AST]:
    for statement in function.body:
        yield from ast.walk(statement)


class _Checker:
    """Follows the input and the output through one check."""

    def __init__(self, check: ast.FunctionDef, functions: Functions, tables: set[str]) -> None:
        names = [argument.arg for argument in check.args.posonlyargs + check.args.args]
        self._check = check
        self._functions = functions
        self._input = set(names[:1])
        self._output = set(names[1:2])
        self._computed: set[str] = set()
        self._tables = set(tables)
        self._found: set[CheckerStrategy] = set()

    def strategies(self) -> set[CheckerStrategy]:
        for _ in range(3):  # a variable may be used above where it is seen to depend on something
            self._follow(self._check.body, in_loop=False)
        self._judge(self._check.body, known_input=False)
        return self._found

    def _follow(self, statements: Sequence[ast.stmt], *, in_loop: bool) -> None:
        """Note which variables come from the input, from the output, or from a computation on the input."""
        for statement in statements:
            looping = in_loop or isinstance(statement, ast.For | ast.While)
            if (
                isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign)
                and statement.value is not None
            ):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                self._assign(targets, statement.value, in_loop=in_loop)
            elif isinstance(statement, ast.For):
                self._assign([statement.target], statement.iter, in_loop=False)
            elif isinstance(statement, ast.Expr) and in_loop and isinstance(statement.value, ast.Call):
                func = statement.value.func
                if isinstance(func, ast.Attribute):  # expected.append(...)
                    self._assign([func.value], statement.value, in_loop=True)
            elif isinstance(statement, ast.FunctionDef):
                self._functions = {**self._functions, statement.name: statement}
                continue
            for block in _blocks(statement):
                self._follow(block, in_loop=looping)

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr, *, in_loop: bool) -> None:
        names = {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
        names -= self._input_parameters()
        if self._mentions(value, self._output):
            self._output |= names
            return
        if (isinstance(value, ast.Dict) and value.keys) or self._mentions(value, self._tables):
            self._tables |= names
            return
        if self._computes(value) or (in_loop and names and not self._parses(value)):
            self._computed |= names
        if self._mentions(value, self._input) or in_loop:
            self._input |= names

    def _input_parameters(self) -> set[str]:
        return {argument.arg for argument in self._check.args.args}

    def _computes(self, node: ast.AST) -> bool:
        """Whether an expression computes something of its own out of the input."""
        if self._mentions(node, self._computed):
            return True
        return any(
            isinstance(inner, ast.Call)
            and isinstance(inner.func, ast.Name)
            and inner.func.id in self._functions
            and self._mentions(inner, self._input)
            and not self._mentions(inner, self._output)
            for inner in ast.walk(node)
        )

    def _parses(self, value: ast.expr) -> bool:
        """Whether a value in a loop is only taken apart: `n = int(line)`."""
        calls = [node for node in ast.walk(value) if isinstance(node, ast.Call)]
        arithmetic = any(isinstance(node, ast.BinOp | ast.BoolOp | ast.Compare) for node in ast.walk(value))
        return not arithmetic and all(_called(call) in _TRIVIAL for call in calls)

    def _judge(self, statements: Sequence[ast.stmt], *, known_input: bool) -> None:
        for statement in statements:
            if isinstance(statement, ast.Assert):
                self._asserted(statement.test, known_input=known_input)
            elif isinstance(statement, ast.If):
                known = known_input or self._pins_input(statement.test)
                raises = any(
                    isinstance(node, ast.Raise) for inner in statement.body for node in ast.walk(inner)
                )
                if raises and not known:
                    self._asserted(statement.test, known_input=known_input)
                self._judge(statement.body, known_input=known)
                self._judge(statement.orelse, known_input=known_input)
                continue
            elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
                self._called_with_output(statement.value)
            if not isinstance(statement, ast.FunctionDef):
                for block in _blocks(statement):
                    self._judge(block, known_input=known_input)

    def _called_with_output(self, call: ast.Call) -> None:
        """`np.testing.assert_allclose(a, b)`, or a helper of the harness that does the checking."""
        name = _called(call)
        if name.startswith("assert"):
            for argument in call.args or [call]:
                self._asserted(argument, known_input=False)
        elif name in self._functions and self._mentions(call, self._output):
            self._found.add(CheckerStrategy.INVARIANT)

    def _asserted(self, test: ast.expr, *, known_input: bool) -> None:
        if self._computes(test) or _has_loop_result(test):
            self._found.add(CheckerStrategy.REFERENCE)
        elif (known_input and _compares_with_literal(test)) or self._mentions(test, self._tables):
            self._found.add(CheckerStrategy.HARDCODED)
        else:
            self._found.add(CheckerStrategy.INVARIANT)

    def _pins_input(self, test: ast.expr) -> bool:
        """Whether a condition says which input it is: `s == "abc"`, `s in TABLE`."""
        return any(
            isinstance(node, ast.Compare)
            and isinstance(node.ops[0], ast.Eq | ast.In)
            and self._mentions(node.left, self._input)
            and not self._mentions(node, self._output)
            and (_is_literal(node.comparators[0], set()) or self._mentions(node.comparators[0], self._tables))
            for node in ast.walk(test)
        )

    @staticmethod
    def _mentions(node: ast.AST, names: set[str]) -> bool:
        return any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(node))


def _has_loop_result(test: ast.expr) -> bool:
    """`output == [x * 2 for x in xs]`: a comparison whose one side is a comprehension that computes."""
    return (
        isinstance(test, ast.Compare)
        and isinstance(test.ops[0], ast.Eq)
        and any(
            isinstance(side, ast.ListComp | ast.SetComp | ast.DictComp)
            for side in (test.left, *test.comparators)
        )
    )


def _compares_with_literal(test: ast.expr) -> bool:
    return any(
        isinstance(node, ast.Compare)
        and any(isinstance(side, _LITERALS) for side in (node.left, *node.comparators))
        for node in ast.walk(test)
    )


def _called(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of statements within a statement."""
    blocks = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
    handlers = [handler.body for handler in getattr(statement, "handlers", [])]
    return [block for block in [*blocks, *handlers] if block]
