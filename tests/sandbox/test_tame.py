from __future__ import annotations

import ast

import pytest

from sandbox.stateless import all_nodes
from sandbox.tame import is_tame

TAME = [
    "assert f(1) == 2",
    "import math\nfrom typing import List\nfor x in range(3):\n    assert math.isclose(f(x), 1.0)",
    "assert type(f(1)) == int and type(f(2)) is type(1)",
    "import numpy as np\nassert np.unique(f([1])).size == 1",
    "import numpy as np\nassert np.linalg.norm(f([1])) == 1.0",
    "import numpy.linalg as la\nassert la.norm(f([1])) == 1.0",
    "import copy\nx = [[1]]\ny = copy.deepcopy(x)\nf(x)\nassert x == y",
    "assert math.isclose(f(1), 1.0)",
]
WILD = [
    "class A: pass",
    "A = type('A', (), {})",
    "A = type(type(1))",
    "make = type\nassert make(f(1)) == int",
    "import enum\nA = enum.Enum('A', 'x')",
    "from dataclasses import dataclass",
    "import abc",
    "def plant(self): self.x = 1",
    "math._x",
    "math.sys",
    "import numpy as np\nx = np.ndarray(1, object, buffer=np.array([1]))",
    "import numpy as np\nx = np.zeros(9)\nx.resize(1, refcheck=False)",
    "import numpy as np\nx = np.zeros(1, 'V8').dtype.type(b'12345678', dtype=[('a', 'O')])",
    "import numpy as np\nx = np.linalg.linalg",
    "import numpy as np\nx = np.linalg",
    "import numpy.linalg as la\nx = la.linalg",
    "import collections\nx = collections.abc",
    "from collections import abc",
]


@pytest.mark.parametrize("source", TAME)
def test_an_ordinary_check_runs_in_the_judge(source):
    """A check that makes no class and changes nothing of others needs no fork of the judge."""
    assert is_tame(all_nodes(ast.parse(source)), frozenset({"f", "math"}), {"math": "math"})


@pytest.mark.parametrize("source", WILD)
def test_a_check_that_could_change_the_judge_does_not(source):
    """A check that makes classes, sets attributes or looks under a module's surface runs in a fork."""
    assert not is_tame(all_nodes(ast.parse(source)), frozenset({"f", "math"}), {"math": "math"})
