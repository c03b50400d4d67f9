from __future__ import annotations

from collections.abc import Callable

import pytest

from sandbox.checks import prepare
from tests.sandbox.conftest import Judge

NODES = """
class ListNode:
    def __init__(self, val=0, next=None):
        self.val = val
        self.next = next

class Point:
    def __init__(self, x):
        self.x = x
    def __eq__(self, other):
        return type(other) is type(self) and self.x == other.x
"""
BUILD = """
def build(items):
    head = None
    for item in reversed(items):
        head = ListNode(item, head)
    return head
"""
REVERSE = """
def reverse(head):
    before = None
    while head:
        head.next, before, head = before, head, head.next
    return before

def middle(p, q):
    return Point((p.x + q.x) / 2)
"""
WALK = """
def walk(node):
    items = []
    while node:
        items.append(node.val)
        node = node.next
    return items
"""


@pytest.mark.parametrize(
    "source",
    [
        "assert f(1) == 2",
        "assert f(1) == f(2)",
        "candidate = f\nassert candidate([1.0], 0.3) == True",
        "assert isinstance(f(1), int)",
        "s = Stack()\ns.push(1)\nassert s.pop() == 1",
        "assert len(Stack([1])) == 1",
        "assert Stack([1]).size == 1",
        "def check(candidate):\n    assert candidate(1) == 2\ncheck(f)",
        "assert MAX == 3",
        "assert Find_Max([1]) == Find_Max([2])",
        "assert Strongest('a') == 'b'",
        "p = Point(1)\nassert p == 3 and 3 + p == [4]",
        "assert Stack()",
        "assert 3 in Stack(1) and f(1) in [f(2), 3]",
        "assert f(1) not in [Point]",
        "class Probe:\n    holds = f(1) == 2\nassert Probe.holds",
        "class T:\n    def test(self):\n        assert f(1) == 2\nT().test()",
        "try:\n    f(1)\nexcept ValueError:\n    pass\nelse:\n    assert False",
        "import sys\nassert f(1) < sys.maxsize",
        "from contextlib import suppress\nwith suppress(ValueError):\n    f(1)",
        "assert f(1) == Color.RED.value or f(2) == Color.red",
        "import unittest\nassert f(1)",
        "assert f(1) == Point",
        "assert type(f(1)) == int and type(f(1)).__name__ == 'Point'",
        "assert Find_Max([1])[0] == f(1)[0] and f(1).x == g(1).x",
        "assert f(g(1)) == 1 and f(1) == f(2) + 1",
        "def build(items):\n    return Node(items)\nassert f(build([1])).val == 1",
        "def walk(node: Node):\n    return [node.val]\nassert walk(f()) == walk(g())",
        "import dataclasses\nassert dataclasses.dataclass",
        "assert f(1) == g(2) and identity(1) == from_rows([[1]])",
    ],
)
def test_plain_checks_are_judged_apart(source):
    """What needs only calls, plain values and handles is judged outside the program's process."""
    assert not prepare(source, "f", "").in_process


@pytest.mark.parametrize(
    "source",
    [
        "assert Point(1) == Point(1)",
        "p = Point(1)\nassert p == Point(2)",
        "assert Point(1) + Point(2) == 3",
        "assert Point(1).moved(1) == Point(2)",
        "assert f(1) == Point(1)",
        "assert Point(1) in [Point(1), Point(2)]",
        "assert f(1) not in (Color.RED, Color.BLUE)",
        "assert isinstance(f(), Point)",
        "assert f.__name__ == 'f'",
        "import inspect\nassert inspect.signature(f)",
        "from inspect import signature",
        "class Node:\n    pass\nassert f(Node())",
        "class Node:\n    pass\nnodes = [Node()]\ng = f\nassert g(*nodes)",
        "class Node(Base):\n    pass\nassert Node().x",
        "assert f() == Color.RED",
        "import asyncio\nassert asyncio.run(f()) == 3",
        "from unittest.mock import patch\nwith patch('builtins.input', return_value='3'):\n    assert f()",
        "from unittest import mock",
        "from contextlib import redirect_stdout",
        "import contextlib\nwith contextlib.redirect_stdout(None):\n    f()",
        "import io, sys\nsys.stdout = io.StringIO()\nf()",
        "assert f(2) == [Point(0), Point(1)]",
        "assert {'a': f()} == {'a': (Point(0), 1)}",
        "expected = [Point(0)]\nassert f() == expected",
        "assert f(3) == [Point(i) for i in range(3)]",
        "assert Point(1) in f(3)",
        "assert f() == Color['RED']",
        "assert {f()} == {Color.RED}",
        "assert f() in Color",
        "assert type(f()) is Point or type(f()) == Point",
        "assert f().__class__ is Point",
        "def build(items):\n    return Node(items)\nassert f() == build([1])",
        "from dataclasses import asdict\nassert asdict(f()) == {}",
        "import dataclasses\nassert dataclasses.astuple(f()) == ()",
    ],
)
def test_what_only_the_programs_process_has_is_judged_there(source):
    """Whole objects of the program's classes, functions as objects, and classes of the test."""
    assert prepare(source, "f", "").in_process


SHARED = [
    ("assert reverse(ListNode(1, ListNode(2))).val == 2", "P"),
    ("assert reverse(ListNode(1, ListNode(2))).val == 1", "F"),
    ("assert reverse(None) is None and reverse(None) == None", "P"),
    (WALK + "assert walk(reverse(ListNode(1, ListNode(2)))) == [2, 1]", "P"),
    (WALK + "assert walk(reverse(build([1, 2, 3]))) == [3, 2, 1]", "P"),
    (WALK + "nodes = build([1, 2, 3])\nassert walk(reverse(nodes)) == [1, 2, 3]", "F"),
    ("first = ListNode(1)\nlast = reverse(ListNode(0, first))\nassert last is first and last == first", "P"),
    ("assert isinstance(reverse(ListNode(1)), ListNode)", "P"),
    ("assert middle(Point(0), Point(2)) == Point(1)", "P"),
    ("assert middle(Point(0), Point(2)) == Point(2)", "F"),
]


@pytest.mark.parametrize("helpers_in", ["test", "prompt"])
@pytest.mark.parametrize(("check", "letter"), SHARED)
def test_a_class_of_the_prompt_that_a_test_shares_with_the_program_is_the_programs(
    letters: Callable[..., str], check: str, letter: str, helpers_in: str
) -> None:
    """A prompt's nodes are there twice, in the support and in the program; a test and the program use one."""
    support = NODES + (BUILD if helpers_in == "prompt" else "")
    source = check if helpers_in == "prompt" else BUILD + check
    assert letters(NODES + REVERSE, source, entry_point="reverse", support=support) == letter


OBJECTS = """
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next
NODES = [Node(i) for i in range(4)]
def f(x):
    return NODES[x] if x < 4 else None
def chain(values):
    head = None
    for value in values:
        head = Node(value, head)
    return head
"""


@pytest.mark.parametrize(
    ("check", "letter"),
    [
        ("assert f(1)", "E"),
        ("assert not f(1)", "E"),
        ("assert f(1) and True", "E"),
        ("assert bool(f(1))", "E"),
        ("assert f(1) == 3", "E"),
        ("assert f(1) != 3", "E"),
        ("assert f(1) not in [3]", "E"),
        ("assert f(1) not in {3}", "E"),
        ("assert f(1) == f(1) and f(1) != f(2) and f(1) != None", "P"),
        ("assert f(1) in [f(2), f(1)]", "P"),
        ("assert f(1) == f(2)", "F"),
        ("x = 0\nif f(1):\n    x = 1\nassert x == 1", "P"),
        ("a, n = chain([1, 2]), 0\nwhile a:\n    a, n = a.next, n + 1\nassert n == 2", "P"),
        ("n = chain([1, 2])\nassert [a.value for a in (n, n.next, n.next.next) if a] == [2, 1]", "P"),
        ("assert (1 if f(1) and not f(4) else 2) == 1", "P"),
    ],
)  # fmt: skip
def test_an_object_is_true_in_conditions_and_no_answer_to_an_assertion(
    letters: Callable[..., str], check: str, letter: str
) -> None:
    """A walk along nodes works; an object where plain data is asserted is an error, never a pass."""
    assert letters(OBJECTS, check, entry_point="f") == letter


def test_helpers_of_a_prompt_walk_along_the_programs_objects(letters: Callable[..., str]) -> None:
    """Their conditions are asked as those of the test are."""
    support = "def values(node):\n    found = []\n    while node:\n        found.append(node.value)\n"
    support += "        node = node.next\n    return found"
    checks = ("assert values(chain([1, 2])) == [2, 1]", "assert values(chain([1])) == [2]")
    assert letters(OBJECTS, *checks, entry_point="chain", support=support) == "PF"


def test_a_class_of_the_prompt_that_a_test_keeps_to_itself_stays_the_prompts(judge: Judge) -> None:
    """A program that redefines it changes nothing where no object of it goes from one to the other."""
    program = "class Table:\n    def __init__(self, *a): self.total = 5\ndef f(x): return 5"
    support = "class Table:\n    def __init__(self, items):\n        self.total = sum(items)"
    right, wrong = judge(
        program, "assert f(1) == Table([2, 3]).total", "assert f(1) == Table([3]).total", support=support
    )
    assert (right.outcome.letter, wrong.outcome.letter) == ("P", "F")
    assert not right.in_process


def test_only_the_classes_of_the_prompt_that_a_test_shares_are_the_programs(judge: Judge) -> None:
    """A helper class beside them stays the prompt's, also where the program redefines it."""
    support = NODES + "class Oracle:\n    def right(self, node): return node.val == 3"
    program = NODES + "class Oracle:\n    def right(self, node): return True\ndef f(node): return node"
    checks = ("assert Oracle().right(f(ListNode(3)))", "assert Oracle().right(f(ListNode(1)))")
    assert [result.outcome.letter for result in judge(program, *checks, support=support)] == ["P", "F"]
    nested = "class Outer:\n    def __init__(self, inner): self.inner = inner\n" + NODES
    assert prepare("assert f(Outer(ListNode(1)))", "f", nested).free == ("ListNode", "Outer")


METHODS = """
class Answer:
    pass
class Hashed:
    def __hash__(self): return 1
class Solution:
    def is_prime(self, n): return Answer()
    def hashed(self): return Hashed()
"""


@pytest.mark.parametrize(
    ("check", "letter"),
    [
        ("assert Solution().is_prime(8)", "E"),
        ("assert not Solution().is_prime(7)", "E"),
        ("assert Solution().is_prime(8) and True", "E"),
        ("assert all(Solution().is_prime(n) for n in (4, 8))", "E"),
        ("x = 0\nif Solution().is_prime(7):\n    x = 1\nassert x == 1", "P"),
        ("assert hash(Solution().hashed()) != hash(Solution().hashed())", "E"),
        ("assert len({Solution().is_prime(n) for n in (4, 8)}) == 2", "P"),
    ],
)
def test_what_a_method_gave_is_no_answer_to_an_assertion_either(
    letters: Callable[..., str], check: str, letter: str
) -> None:
    """Its truth is asked in conditions alone, and its hash where the class has none of its own."""
    assert letters(METHODS, check, entry_point="Solution") == letter


def test_a_class_that_only_the_prompt_has_is_missed_by_name(judge: Judge) -> None:
    """The message names the class, and what can be handed over."""
    (result,) = judge("def f(x): return x", "assert f(Node()).x", support="class Node:\n    x = 1")
    assert result.outcome.letter == "E"
    assert "the test's own object of type Node can't be given to the program" in result.message


def test_the_support_decides_nothing_for_who_does_not_name_its_classes() -> None:
    """Only a check that shares a class asks the program for it."""
    support = "class Point:\n    pass\ndef origin():\n    return Point()"
    assert prepare("assert f(1) == 1", "f", support).free == ()
    assert prepare("assert f(origin()).x", "f", support).free == ("Point",)
    assert prepare("assert isinstance(f(), Point)", "f", support).in_process
