"""Programs that give odd objects, under checks of every shape: nothing passes here that Python would fail."""

from __future__ import annotations

import functools
import warnings
from types import CodeType

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sandbox.contract import Outcome

SUPPORT = "import collections, copy, functools, math, operator"
METHODS = {
    "__eq__": ("True", "False", "1 / 0", "NotImplemented"),
    "__ne__": ("True", "False"),
    "__hash__": ("7", "3"),
    "__bool__": ("True", "False", "1 / 0"),
    "__len__": ("0", "1"),
    "__lt__": ("True",),
    "__gt__": ("True",),
    "__contains__": ("True", "False"),
    "__class__": ("int", "bool", "str"),
    "__dict__": ("{'value': 7}",),
    "__str__": ("'7'", "''"),
    "__repr__": ("'7'",),
    "__int__": ("7",),
    "__float__": ("7.0",),
    "__index__": ("7",),
    "__abs__": ("0",),
    "__sub__": ("0", "self"),
    "__rsub__": ("0",),
    "__call__": ("self", "True"),
    "__iter__": ("iter([])", "iter([7])"),
    "__getitem__": ("7 if given[0] == 0 else [][0]",),
    "__getattr__": ("self", "True"),
    "__enter__": ("self",),
    "__exit__": ("True",),
    "startswith": ("True",),
    "value": ("7",),
    "next": ("None", "self"),
}
"""Methods that a class may have, and what they may give."""
PROPERTIES = frozenset({"__class__", "__dict__", "value", "next"})
"""Those of them that are properties."""
NO_SAY = (
    "__eq__", "__ne__", "__hash__", "__bool__", "__lt__", "__gt__", "__class__", "__int__", "__float__",
    "__index__", "__abs__", "__sub__", "__rsub__", "__contains__", "startswith",
)  # fmt: skip
"""Methods by which no object that a function gave may decide a check: Python has to agree without them."""
NAMES = ("Thing", "int", "str", "bool", "list")
BASES = (*[""] * 6, "metaclass=Meta", "int", "str", "list")
BENEATH = {"int": "7", "str": "'7'", "list": "[7]"}
"""The values of such objects: an object of a subclass counts as the plain value that it holds."""
LYING_PROCESS = "import sys\nsys.modules['sandbox.program']._defaults = lambda kind: 3\n"
"""Has the process say of every class that it leaves truth and equality as Python has them."""
LYING_CLASS = """
class Meta(type):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = lambda self: hash(int)
    __instancecheck__ = lambda self, other: True
"""
GIVEN = {
    "a new one": "def f(*given): return make()",
    "always the same": "kept = make()\ndef f(*given): return kept",
    "one for each argument": "kept = {}\ndef f(*given): return kept.setdefault(given, make())",
    "of a class of its own": "def f(*given): return make() if given == (1,) else another()",
    "in a list": "def f(*given): return [make(), make()]",
    "in a tuple": "def f(*given): return (7, make())",
    "its class": "def f(*given): return type(make())",
    "a function": "def f(*given): return make",
    "nothing": "def f(*given): return None",
}
AROUND = """
class Solution:
    held = property(lambda self: f(1))
    def g(self, *given): return f(*given)
    def __enter__(self): return f(1)
    def __exit__(self, *given): pass
    def __iter__(self): return iter([f(1), f(2)])
    def __getitem__(self, key): return f(key)
"""
SUBJECTS = ("f(1)", "f(2)", "Solution().g(1)", "Solution().g(2)", "Solution().held", "Solution()[1]")
PLACES = (*["{}"] * 12, "{}.next", "{}.value", "{}[0]", "{}()", "copy.copy({})", "(lambda y: y)({})")
HOLDERS = (*["{}"] * 10, "[{}]", "({}, 1)", "{{'a': {}}}", "{{{}}}", "{{{}: 1}}")
QUESTIONS = (
    """
{x} | bool({x}) | bool({x}) == True | {x} is True | {x} is None | {x} == None | {x}.__bool__()
operator.truth({x}) | {x} == 7 | 7 == {x} | {x} == [7] | {x} == 'a' | {x}.__eq__(7) | operator.eq({x}, 7)
{x} in [7] | {x} in {{7: 1}} | {x} != 3 | 3 != {x} | {x} not in [3] | {x} not in {{3}} | {x}.__ne__(3)
[3].count({x}) == 0 | {{3: 1}}.get({x}) is None | {x} == {y} | {x} != {y} | {x} is {y} | {x} is not {y}
{x} in [{y}] | {x} in {y} | len({{{x}, {y}}}) == 2 | len({{{x}, {y}}}) == 1 | {x} == 7 == {y}
[{x}] == [{y}] | ({x}, 1) != ({y}, 2) | {x} > 3 | 3 < {x} < 9 | {x} < {y}
max({x}, 3) == 7 | sorted([{x}, 3]) == [3, 7] | abs({x} - 7) < 1e-6 | math.isclose({x}, 7) | round({x}) == 7
int({x}) == 7 | float({x}) == 7 | [0] * 7 == [0] * {x} | {x} - 7 == 0 | type({x}) is int | type({x}) == int
type({x}) in (int, str) | type({x}) is not str | type({x}) is type({y}) | type({x}) != type({y})
type({x}).__name__ == 'int' | type({x}).__name__ != 'str' | type({x})() == 7 | isinstance({x}, int)
isinstance({x}, object) | not isinstance({x}, str) | isinstance({x}, type({y})) | issubclass(type({x}), int)
callable({x}) | hasattr({x}, 'value') | not hasattr({x}, 'other') | {x}.value == 7 | str({x}) == '7'
str({x}) != '3' | repr({x}) == '7' | f'{{{x}}}' == '7' | '%d' % {x} == '7' | '%s' % ({x},) == '7'
vars({x}) == {{'value': 7}} | {x}.__dict__ == {{'value': 7}} | {x}.startswith('a') | len({x}) == 0
len({x}) == 1 | list({x}) == [7] | [*{x}] == [] | 7 in {x} | 3 not in {x} | {x}[0] == 7
all({x} for _ in 'ab') | any([{x}]) | all([{x}, {y}]) | list(filter(None, [{x}]))
list(map(bool, [{x}])) == [True] | [1 for _ in 'a' if {x}] == [1] | (1 if {x} else 0) == 1 | {x} and {y}
{x} or {y} | not ({x} and False) | not not {x} | (z := {x}) | (z := {x}) == 7 | (z := {x}) and z
functools.reduce(lambda a, b: b, [{x}, {y}]) | {x} is {y} is {x}
collections.Counter([{x}]) == collections.Counter([7])
collections.Counter([{x}, {y}]).most_common(1)[0][1] == 2 | all(Solution()) | list(Solution()) == [7, 7]
3 not in Solution() | len(set(Solution())) == 2 | {x}.next.next
""".strip()
    .replace("\n", " | ")
    .split(" | ")
)
STATEMENTS = (
    *["assert {q}"] * 20,
    *["assert not {q}"] * 5,
    "assert ({q}) == True",
    "assert ({q}) is not None, 'none'",
    "assert (lambda: {q})()",
    "if {q}: pass\nelse: raise AssertionError",
    "if not ({q}): raise AssertionError",
    "found = False\nif {q}: found = True\nassert found",
    "found = False\nwhile {q}:\n    found = True\n    break\nassert found",
    "found = {q}\nassert found",
    "found = {q}\nassert found if found else None",
    "def check(condition):\n    assert condition\ncheck({q})",
    "def check(condition):\n    if not condition: raise AssertionError\ncheck({q})",
    "match {q}:\n    case 7 | True: pass\n    case _: raise AssertionError",
    "match {q}:\n    case int() | str(): pass\n    case _: raise AssertionError",
    "match {q}:\n    case None | False: raise AssertionError\n    case _: pass",
    "try: assert {q}\nexcept (AttributeError, TypeError): raise AssertionError",
    "with Solution() as held: assert {q} and held",
)


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A program, and what Python is to be asked in its place: a pass needs each of them to pass."""
    base, name = draw(st.sampled_from(BASES)), draw(st.sampled_from(NAMES))
    lies = draw(st.lists(st.sampled_from(list(METHODS)), max_size=3, unique=True) | st.just(NO_SAY))
    methods = {method: draw(st.sampled_from(METHODS[method])) for method in lies}
    value = BENEATH.get(base, "")
    ways = [way for way in GIVEN.values() if "kept" not in way or not value]  # a plain value has no identity
    give = draw(st.just(GIVEN["a new one"]) | st.sampled_from(ways)) + AROUND
    program = _made(base, name, methods, value) + give
    if value:
        return program, [f"make = another = lambda: {value}\n" + give]
    honest = {method: gives for method, gives in methods.items() if method not in NO_SAY}
    reading = _made("", name, honest | {"__bool__": "True"}, value) + give
    if draw(st.integers(0, 4)) == 0:
        return LYING_PROCESS + program, [reading]
    return program, [program, reading]


def _made(base: str, name: str, methods: dict[str, str], value: str) -> str:
    """The part of a program that makes objects of a class."""
    body = ""
    for method, gives in methods.items():
        decorator = "        @property\n" if method in PROPERTIES else ""
        body += f"{decorator}        def {method}(self, *given): return {gives}\n"
    return (
        f"{LYING_CLASS}\ndef define():\n    class {name}({base}):\n        pass\n{body}    return {name}\n"
        f"Made = define()\nmake = lambda: Made({value})\nanother = lambda: define()({value})\n"
    )


@st.composite
def checks(draw: st.DrawFn) -> list[str]:
    """Checks that ask every question, each of something that the program gives."""
    asked = []
    for question in QUESTIONS:
        x, y = (draw(st.sampled_from(PLACES)).format(draw(st.sampled_from(SUBJECTS))) for _ in "xy")
        holder = draw(st.sampled_from(HOLDERS))
        condition = question.format(x=holder.format(x), y=holder.format(y))
        asked.append(draw(st.sampled_from(STATEMENTS)).format(q=condition))
    return asked


def passes(program: str, check: str) -> bool:
    """Whether Python runs a check of this program to its end."""
    namespace: dict[str, object] = {"__name__": "__main__"}
    try:
        for source in (SUPPORT, program, check):
            exec(_compiled(source), namespace)
    except Exception:  # noqa: BLE001 - whatever keeps a check from passing
        return False
    return True


@functools.lru_cache(maxsize=100)
def _compiled(source: str) -> CodeType:
    with warnings.catch_warnings(action="ignore"):
        return compile(source, "<python>", "exec", dont_inherit=True)


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=list(HealthCheck), phases=[Phase.reuse, Phase.generate])
@given(programs(), checks())
def test_no_object_passes_a_check_that_python_would_fail(judge, told, asked):
    """A check passes only if it does in Python, also when no method of the object has a say in it."""
    program, readings = told
    results = judge(program, *asked, support=SUPPORT)
    passed = [
        check
        for check, result in zip(asked, results, strict=True)
        if result.outcome is Outcome.PASSED and not result.in_process
    ]
    with warnings.catch_warnings(action="ignore"):
        holes = [check for check in passed if not all(passes(reading, check) for reading in readings)]
    assert holes == []
