"""HumanEval+ and MBPP+ as they are released on the hub: rows of the exact layout, written small."""

from __future__ import annotations

import json
import math

from core.formats import load
from core.formats.evalplus_checks import looped_inputs
from sandbox.values import loads

ASSERTION = """\
import numpy as np

def is_floats(x) -> bool:
    # check if it is float; List[float]; Tuple[float]
    if isinstance(x, float):
        return True
    return False

def assertion(out, exp, atol):
    exact_match = out == exp

    if atol == 0 and is_floats(exp):
        atol = 1e-6
    if not exact_match and atol != 0:
        np.testing.assert_allclose(out, exp, atol=atol)
    else:
        assert exact_match
"""
CHECK = f"""

{ASSERTION}

def check(candidate):
    inputs = [[1, 0.5], [-2, inf], [(1, 2), {{3}}]]
    results = [True, False, False]
    for i, (inp, exp) in enumerate(zip(inputs, results)):
        assertion(candidate(*inp), exp, 1e-06)
"""
SCRIPT = f"""{ASSERTION}

inputs = [[[(1, 2)], 1], [[], 0]]
results = [[(1, 2)], []]
for i, (inp, exp) in enumerate(zip(inputs, results)):
    assertion(first(*inp), exp, 0)
"""


def test_humanevalplus_gives_its_inputs() -> None:
    """Each input of the loop is a call of its own, types and tolerance kept; there is no test of all."""
    row = {
        "task_id": "HumanEval/0",
        "prompt": "def near(a, b):\n",
        "canonical_solution": "    return True\n",
        "entry_point": "near",
        "test": CHECK,
    }
    loaded = load(json.dumps(row).encode())
    assert not loaded.errors
    found = loaded.inputs["HumanEval/0"]
    assert [loads(call) for call in found.calls] == [[1, 0.5], [-2, math.inf], [(1, 2), {3}]]
    assert found.tolerance == 1e-6
    assert loaded.problems[0].reference_tests == ()


def test_mbppplus_gives_its_inputs() -> None:
    """MBPP+ keeps its three tests as loaded, and brings the inputs that a build makes tests of."""
    row = {
        "task_id": 2,
        "code": "def first(values, n):\n    return values[:n]",
        "prompt": "Write a function to take the first values.",
        "source_file": "x.ipynb",
        "test_imports": [],
        "test_list": ["assert first([(1, 2)], 1) == [(1, 2)]"],
        "test": SCRIPT,
    }
    loaded = load(json.dumps(row).encode())
    assert not loaded.errors
    assert [loads(call) for call in loaded.inputs["Mbpp/2"].calls] == [[[(1, 2)], 1], [[], 0]]
    assert loaded.inputs["Mbpp/2"].tolerance == 0.0


def test_other_tests_have_no_looped_inputs() -> None:
    """Single assertions, computed inputs, and text that is no Python are left to the other readers."""
    assert looped_inputs("def check(candidate):\n    assert candidate(1) == 2\n") is None
    computed = "inputs = make()\nfor inp in inputs:\n    assert f(inp)\n"
    assert looped_inputs(computed) is None
    assert looped_inputs("inputs = [") is None
