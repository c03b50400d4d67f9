"""A small data folder made by hand: eight problems, six solutions each, three verifiers, every outcome.

The verdicts are written down, not executed, so that each page has something to show of each kind: a
verifier that is right, one that an invalid test fools, one without signal.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.formats.touchstone import write_benchmark
from core.model import (
    Assertion,
    Benchmark,
    Limits,
    Origin,
    Outcome,
    Problem,
    Solution,
    TestSuite,
    VerifierKind,
)
from core.store import (
    CellDetail,
    Manifest,
    RunWriter,
    SolutionOutcomes,
    benchmark_sha256,
    installed_versions,
    suites_sha256,
    write_scores_run,
)
from core.workspace import Workspace
from sandbox.contract import Isolation

BENCHMARK = "tiny"
HOSTILE = "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>"
_NAMES = ("add_all", "largest", "count_vowels", "is_sorted", "dedupe", "clamp", "median", "rotate")
_REFERENCE_SCORES = (1.0, 0.8, 0.6, 0.4, 0.2, 0.0)


@dataclass(frozen=True)
class Verdicts:
    """A verifier's verdicts: one string of outcome letters for each solution, best solution first."""

    run: str
    name: str
    rows: dict[str, tuple[str, ...]]


def build_workspace(root: Path) -> Workspace:
    """Write the benchmark and four finished runs below `root`."""
    workspace = Workspace(root)
    benchmark = make_benchmark()
    write_benchmark(benchmark, workspace.benchmark_file(BENCHMARK))
    for verdicts in (_oracle(), _careless(), _smoke()):
        _write_run(workspace, benchmark, verdicts)
    write_scores_run(
        workspace.run_dir("reward-model"),
        name="reward model",
        verifier="reward model",
        benchmark=benchmark,
        scores={
            problem.task_id: {
                solution.id: 3.0 - place * (1 if position % 3 else -1) + 0.1 * position
                for place, solution in enumerate(benchmark.solutions[problem.task_id])
            }
            for position, problem in enumerate(benchmark.problems)
        },
    )
    return workspace


def make_benchmark() -> Benchmark:
    """The problems and their solutions, in reference order."""
    problems = tuple(
        Problem(
            task_id=f"Tiny/{index}",
            prompt=f'def {name}(values):\n    """Exercise {index}: {name.replace("_", " ")}.\n\n'
            f'    >>> {name}([1, 2, 3])\n    {index + 6}\n    {HOSTILE if index == 2 else ""}\n    """\n',
            entry_point=name,
            reference_solution=_program(name, index, 0),
            reference_tests=(Assertion(f"assert {name}([1, 2, 3]) == {index + 6}"),),
            metadata={"difficulty": "easy"},
        )
        for index, name in enumerate(_NAMES)
    )
    solutions = {
        problem.task_id: tuple(
            Solution(
                id="reference" if place == 0 else f"sample-{place}",
                code=_program(_NAMES[index], index, place),
                source="reference" if place == 0 else "model-a" if place % 2 else "mutant",
                reference_score=score,
                reference_rank=float(place + 1),
                mean_seconds=0.01 * (place + 1),
            )
            for place, score in enumerate(_REFERENCE_SCORES)
        )
        for index, problem in enumerate(problems)
    }
    return Benchmark(BENCHMARK, problems, solutions)


def _program(name: str, index: int, place: int) -> str:
    changed = {
        0: f"    return sum(values) + {index}",
        1: f"    return sum(values) + {index} if len(values) > 1 else 0",
        2: f"    return sum(values[1:]) + {index}",
        3: f"    return max(values) + {index}",
        4: "    while values:\n        pass\n    return 0",
        5: "    return values.total()",
    }[place]
    return f"def {name}(values):\n    # a quick way to {name.replace('_', ' ')}\n{changed}\n"


def _oracle() -> Verdicts:
    """Mostly right: each test passes the better solutions."""
    rows = ("PPPPPPPP", "PPPPPPPF", "PPPPFFPF", "PPFFFFPF", "TTPFTTFT", "EEEEEEEE")
    other = ("PPPPPPPP", "PPPPPPPP", "PPPPFFPF", "PPFFFFPF", "TTPFTTFT", "EEMEOEEE")
    return Verdicts(
        "oracle-1", "typed inputs", {f"Tiny/{at}": other if at in (3, 6) else rows for at in range(8)}
    )


def _careless() -> Verdicts:
    """On half of the problems an invalid test puts a wrong solution first."""
    wrong = ("PPFPF", "PPPPP", "PFPPF", "FFPIF", "TTTTI", "EEEEC")
    right = ("PPPPP", "PPPPF", "PPFFF", "PFFFF", "TTTTT", "EEEEE")
    return Verdicts(
        "careless-1", "model-a tests", {f"Tiny/{at}": wrong if at % 2 else right for at in range(8)}
    )


def _smoke() -> Verdicts:
    """Runs without an error: tells only the crashing ones apart, and on two problems nothing at all."""
    some = ("PP", "PP", "PP", "PP", "TT", "EE")
    nothing = ("PP", "PP", "PP", "PP", "PP", "PP")
    return Verdicts("smoke-1", "smoke", {f"Tiny/{at}": nothing if at in (2, 5) else some for at in range(8)})


def _write_run(workspace: Workspace, benchmark: Benchmark, verdicts: Verdicts) -> None:
    suites = tuple(_suite(problem, verdicts) for problem in benchmark.problems)
    manifest = Manifest(
        name=verdicts.name,
        verifier=verdicts.name,
        verifier_kind=VerifierKind.TESTS,
        benchmark=benchmark.name,
        benchmark_sha256=benchmark_sha256(benchmark),
        tests_sha256=suites_sha256(suites),
        isolation=Isolation(
            "process",
            ("memory, time and output limits", "no new privileges"),
            ("files of this user can be read",),
            versions={"python": "3.11"},
        ),
        created="2026-01-05T09:30:00+00:00",
        limits=Limits(),
        versions=installed_versions(),
        command=("run", "--benchmark", BENCHMARK),
    )
    folder = workspace.run_dir(verdicts.run)
    with RunWriter.create(folder, manifest, benchmark.problems, benchmark.solutions, suites) as writer:
        for problem, suite in zip(benchmark.problems, suites, strict=True):
            writer.append(_outcomes(problem.task_id, benchmark, suite, verdicts))
        writer.finish()


def _suite(problem: Problem, verdicts: Verdicts) -> TestSuite:
    index = int(problem.task_id.rpartition("/")[2])
    count = len(verdicts.rows[problem.task_id][0])
    tests = tuple(
        Assertion(
            f"assert {problem.entry_point}({list(range(1, at + 3))}) == {sum(range(1, at + 3)) + index}",
            Origin(verdicts.name, "sampled"),
        )
        for at in range(count)
    )
    if verdicts.run != "careless-1":
        return TestSuite(problem.task_id, tests)
    return TestSuite(
        problem.task_id,
        tests,
        unparsed=(("assert add(1, 2 == ", "'(' was never closed"),),
        response=f"Let me think about {problem.entry_point}.\n{HOSTILE}\n"
        + "\n".join(t.source for t in tests),
    )


def _outcomes(
    task_id: str, benchmark: Benchmark, suite: TestSuite, verdicts: Verdicts
) -> list[SolutionOutcomes]:
    return [
        SolutionOutcomes(
            task_id=task_id,
            solution_id=solution.id,
            outcomes=np.array([Outcome.from_letter(letter) for letter in row], dtype=np.uint8),
            seconds=np.array([3.0 if letter == "T" else 0.012 for letter in row], dtype=np.float32),
            details=tuple(
                _detail(task_id, solution, at, Outcome.from_letter(letter), suite)
                for at, letter in enumerate(row)
                if letter != "P"
            ),
        )
        for solution, row in zip(benchmark.solutions[task_id], verdicts.rows[task_id], strict=True)
    ]


def _detail(task_id: str, solution: Solution, at: int, outcome: Outcome, suite: TestSuite) -> CellDetail:
    test = suite.tests[at]
    assert isinstance(test, Assertion)
    expected = test.source.rpartition("== ")[2]
    common = (task_id, solution.id, at, outcome)
    match outcome:
        case Outcome.ASSERTION_FAILED:
            return CellDetail(*common, f"{expected} expected", str(int(expected) - 1), expected)
        case Outcome.RUNTIME_ERROR:
            message = "AttributeError: 'list' object has no attribute 'total'"
            return CellDetail(*common, message, stdout="starting\n" * 3, line=3)
        case Outcome.TIME_LIMIT:
            return CellDetail(*common, "did not end within 3.0 s")
        case _:
            return CellDetail(*common, outcome.name.lower().replace("_", " "))
