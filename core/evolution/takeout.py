"""Evolved suites for others: EvolveCoder's layout, Touchstone's tests, prompts for RL trainers."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.evolution.filters import FilterCounts, Rules, filter_trial
from core.evolution.patterns import Trial
from core.formats.support import support_source
from core.formats.touchstone import suite_row, write_rows
from core.llm import Generation, Kind, preview
from core.model import Assertion, Benchmark, Problem, Solution, TestSuite

__all__ = ["Layout", "TakenOut", "pool", "take_out"]


class Layout(enum.StrEnum):
    """What is written.

    EVOLVECODER: `id, question, tests`, as the released data set. TOUCHSTONE: a tests file of ours, with the
    tests' origins. PROMPTS: one row a problem for an RL trainer: `prompt` (messages), and what
    `core.verifiers.reward.SuiteReward` needs: `tests`, `entry_point`, `support`.
    """

    EVOLVECODER = "evolvecoder"
    TOUCHSTONE = "touchstone"
    PROMPTS = "prompts"


@dataclass(frozen=True, slots=True)
class TakenOut:
    """What was written.

    Attributes:
        counts: of the filter.
        written: problems in the file.
        left_out: tests of other kinds than assertions, which only Touchstone's layout can hold.
    """

    counts: FilterCounts
    written: int
    left_out: int


def take_out(trials: Iterable[Trial], path: Path, layout: Layout, rules: Rules) -> TakenOut:
    """Filter suites and write those that stay, one problem a line, the whole file or none."""
    counts = FilterCounts()
    seen = Counter[str]()

    def rows() -> Iterator[Mapping[str, Any]]:
        for trial in trials:
            filtered = filter_trial(trial, rules)
            counts.add(filtered)
            left = filtered.after
            if filtered.dropped is not None or not left.tests:
                continue
            sources = [test.source for test in left.tests if isinstance(test, Assertion)]
            if layout is Layout.TOUCHSTONE:
                seen["written"] += 1
                yield suite_row(TestSuite(left.task_id, left.tests))
                continue
            seen["left_out"] += len(left.tests) - len(sources)
            if sources:
                seen["written"] += 1
                yield _row(left.problem, sources, layout)

    write_rows(path, rows())
    return TakenOut(counts, seen["written"], seen["left_out"])


def pool(
    problems: Iterable[Problem], solutions: Mapping[str, Iterable[Solution]], name: str
) -> tuple[Benchmark, dict[str, int]]:
    """A benchmark with every solution there is, the reference among them, and how many each model wrote.

    Nothing is run and nothing dropped: the pool is as it was sampled. Where two solutions of a problem
    have one id, the later one's gets its model's name and a number.
    """
    found: dict[str, tuple[Solution, ...]] = {}
    kept = []
    for problem in problems:
        mine: dict[str, Solution] = {}
        if problem.reference_solution:
            mine["reference"] = Solution("reference", problem.reference_solution, "reference", 1.0, 1.0)
        for solution in solutions.get(problem.task_id, ()):
            if solution.source == "reference" and "reference" in mine:
                continue
            place = next(name for name in _names(solution) if name not in mine)
            mine[place] = Solution(place, solution.code, solution.source)
        if len(mine) > int("reference" in mine):
            kept.append(problem)
            found[problem.task_id] = tuple(mine.values())
    counts = Counter(solution.source for many in found.values() for solution in many)
    return Benchmark(name, tuple(kept), found), dict(counts)


def _names(solution: Solution) -> Iterator[str]:
    yield solution.id
    number = 0
    while True:
        yield f"{solution.source}/{solution.id}/{number}" if number else f"{solution.source}/{solution.id}"
        number += 1


def _row(problem: Problem, sources: list[str], layout: Layout) -> dict[str, Any]:
    if layout is Layout.EVOLVECODER:
        return {"id": problem.task_id, "question": problem.prompt, "tests": sources}
    return {
        "prompt": preview(Generation(Kind.SOLUTIONS, ""), problem),
        "task_id": problem.task_id,
        "data_source": str(problem.metadata.get("source") or "touchstone"),
        "entry_point": problem.entry_point or "",
        "question": problem.prompt,
        "support": support_source(problem.prompt, problem.entry_point),
        "tests": sources,
    }
