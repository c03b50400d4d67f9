"""Writes data folders of any size for the bench of the pages: `python -m tests.bench.generate OUT`.

A benchmark with 64 solutions a problem and two verifiers with 35 tests each: what EvolveCoder-22K has at
21,642 problems. Outcomes come from a seeded random model in which a solution passes a test when its
quality exceeds the test's difficulty, so that all metrics are somewhere in the middle; the second
verifier is noisier and has more invalid tests. The prompts, programs and tests are plain text of
ordinary length and run nowhere. A detail is written for the first cell that each solution fails only.
As after `run`, the metrics are kept beside each run.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core.formats.touchstone import write_benchmark
from core.model import Assertion, Benchmark, Outcome, Problem, Solution, TestSuite, VerifierKind
from core.store import CellDetail, Manifest, RunWriter, SolutionOutcomes, installed_versions, now, open_run
from core.views.measured import measures
from core.workspace import Workspace
from sandbox.contract import Isolation

EVOLVECODER_22K = 21_642
SOLUTIONS, TESTS = 64, 35
_PART = 128
_SEED = 7
_MARGIN = 0.3  # by which a test spares the best solution
_NON_ASSERTION = (Outcome.RUNTIME_ERROR, Outcome.TIME_LIMIT, Outcome.COMPILE_ERROR)


@dataclass(frozen=True)
class Verifier:
    """One of the random verifiers.

    Attributes:
        noise: spread of the chance in each cell; solutions differ in quality by up to 1.
        invalid: share of tests that fail every good solution.
    """

    name: str
    noise: float
    invalid: float


VERIFIERS = (Verifier("careful", 0.15, 0.02), Verifier("noisy", 0.4, 0.08))


class GeneratedSolutions(Mapping[str, tuple[Solution, ...]]):
    """The solutions of each problem, made when they are asked for: 1.4 million would not fit."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self._places = {problem.task_id: place for place, problem in enumerate(problems)}

    def __getitem__(self, task_id: str) -> tuple[Solution, ...]:
        return _solutions(self._places[task_id])

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def generate(
    root: Path, n_problems: int, *, name: str | None = None, benchmark_file: bool = True
) -> Workspace:
    """Write the data folder; the benchmark's own file only where it is wanted (700 MB at 21,642)."""
    workspace = Workspace(root)
    problems = tuple(_problem(place) for place in range(n_problems))
    benchmark = Benchmark(name or f"generated-{n_problems}", problems, GeneratedSolutions(problems))
    if benchmark_file:
        write_benchmark(benchmark, workspace.benchmark_file(benchmark.name))
    for verifier in VERIFIERS:
        _write_run(workspace, benchmark, verifier)
    return workspace


def quality(place: int) -> npt.NDArray[np.float64]:
    """Reference score of each solution of a problem, best first; multiples of 1/20, the first is 1."""
    drawn = np.random.default_rng((_SEED, place)).beta(0.8, 0.9, SOLUTIONS - 1)
    return np.concatenate([[1.0], np.sort(np.round(drawn * 20) / 20)[::-1]])


def outcomes(place: int, verifier: Verifier) -> npt.NDArray[np.uint8]:
    """Pass matrix of one problem, shape (SOLUTIONS, TESTS)."""
    rng = np.random.default_rng((_SEED, place, VERIFIERS.index(verifier)))
    quality_of = quality(place)
    quality_of[0] += _MARGIN
    difficulty = rng.beta(1.2, 1.6, TESTS)
    passed = quality_of[:, None] + rng.normal(0, verifier.noise, (SOLUTIONS, TESTS)) >= difficulty
    invalid = rng.random(TESTS) < verifier.invalid
    passed[:, invalid] = quality_of[:, None] < difficulty[invalid]
    failed = rng.choice(
        np.array([Outcome.ASSERTION_FAILED, *_NON_ASSERTION, Outcome.INTERNAL_ERROR], dtype=np.uint8),
        (SOLUTIONS, TESTS),
        p=[0.8, 0.14, 0.04, 0.015, 0.005],
    )
    return np.where(passed, np.uint8(Outcome.PASSED), failed)


@lru_cache(maxsize=4)
def _solutions(place: int) -> tuple[Solution, ...]:
    scores = quality(place)
    return tuple(
        Solution(
            id="reference" if number == 0 else f"sample-{number}",
            code=_program(place, number),
            source="reference" if number == 0 else f"model-{number % 4}",
            reference_score=float(score),
            reference_rank=float(1 + np.sum(scores > score)),
            mean_seconds=0.01,
        )
        for number, score in enumerate(scores)
    )


def _problem(place: int) -> Problem:
    name = f"transform_{place}"
    return Problem(
        task_id=f"Generated/{place}",
        prompt=f'def {name}(values, step={place % 13}):\n    """Return the values moved by a step.\n\n'
        f"    Each value is multiplied by {place % 97}, then the step is added; values that are no number\n"
        f'    stay as they are. An empty list gives an empty list.\n    """\n',
        entry_point=name,
        reference_solution=_program(place, 0),
        metadata={"difficulty": ("easy", "medium", "hard")[place % 3]},
    )


def _program(place: int, number: int) -> str:
    return (
        f"def transform_{place}(values, step={place % 13}):\n"
        f"    # attempt {number} of a model that explains itself\n"
        f"    moved = []\n    for index, value in enumerate(values):\n"
        f"        if not isinstance(value, (int, float)):\n            moved.append(value)\n"
        f"            continue\n        if index % {number + 2} == {number % 5}:\n"
        f"            value = value - {number}\n"
        f"        moved.append(value * {place % 97} + step)\n    return moved\n"
    )


def _suite(place: int, verifier: Verifier) -> TestSuite:
    base = VERIFIERS.index(verifier) * TESTS
    return TestSuite(
        f"Generated/{place}",
        tuple(
            Assertion(
                f"assert transform_{place}([{base + at}, {at * 3}, 'x']) == "
                f"[{(base + at) * (place % 97) + place % 13}, {at * 3 * (place % 97) + place % 13}, 'x']"
            )
            for at in range(TESTS)
        ),
    )


def _rows(place: int, verifier: Verifier) -> list[SolutionOutcomes]:
    matrix = outcomes(place, verifier)
    seconds = np.random.default_rng((_SEED, place)).exponential(0.01, matrix.shape).astype(np.float32)
    task_id = f"Generated/{place}"
    rows = []
    for solution, codes, times in zip(_solutions(place), matrix, seconds, strict=True):
        failed = np.flatnonzero(codes)[:1].tolist()
        details = tuple(
            CellDetail(
                task_id, solution.id, at, Outcome(int(codes[at])), "[3, 4] == [3, 5]", "[3, 4]", "[3, 5]"
            )
            for at in failed
        )
        rows.append(SolutionOutcomes(task_id, solution.id, codes, times, details=details))
    return rows


def _write_run(workspace: Workspace, benchmark: Benchmark, verifier: Verifier) -> None:
    count = len(benchmark.problems)
    manifest = Manifest(
        name=verifier.name,
        verifier=verifier.name,
        verifier_kind=VerifierKind.TESTS,
        benchmark=benchmark.name,
        benchmark_sha256=_made_up_sha256(f"benchmark {count}"),
        tests_sha256=_made_up_sha256(f"tests {verifier.name} {count}"),
        isolation=Isolation("fake", ("nothing was executed",), full=True),
        created=now(),
        versions=installed_versions(),
        command=("python", "-m", "tests.bench.generate"),
    )
    suites = [_suite(place, verifier) for place in range(count)]
    folder = workspace.run_dir(f"{verifier.name}-1")
    with RunWriter.create(folder, manifest, benchmark.problems, benchmark.solutions, suites) as writer:
        for start in range(0, count, _PART):
            places = range(start, min(count, start + _PART))
            writer.append([row for place in places for row in _rows(place, verifier)])
        writer.finish()
    measures(open_run(folder), "nan")


def _made_up_sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def main() -> None:
    """Write the data folder that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="data folder to write; missing or empty")
    parser.add_argument("--problems", type=int, default=EVOLVECODER_22K)
    parser.add_argument("--benchmark-file", action="store_true", help="also write the benchmark as JSONL")
    options = parser.parse_args()
    start = time.perf_counter()
    generate(options.out, options.problems, benchmark_file=options.benchmark_file)
    print(
        f"{options.out}: {options.problems:,} problems in {time.perf_counter() - start:.0f} s",
        file=sys.stderr,
    )


if __name__ == "__main__":
    main()
