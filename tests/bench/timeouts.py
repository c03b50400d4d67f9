"""Compares the two kinds of time limit: `python -m tests.bench.timeouts BENCHMARK TESTS ...`.

Each tests file is run on the benchmark twice with an empty cache: every test may take the same seconds, and
every test may take a multiple of what the reference solution takes on it. Printed are the seconds of both
and the cells whose outcome differs.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from core import formats
from core.execution import ExecutionRequest, execute
from core.formats import Loaded
from core.model import Benchmark, Limits
from core.store import Run, open_run
from sandbox import open_sandbox
from sandbox.contract import Outcome, Sandbox


def main() -> None:
    """Read the options, run both ways, print the table and the differing cells."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("benchmark", type=Path)
    parser.add_argument("tests", type=Path, nargs="+")
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--factor", type=float, default=4.0, help="EvalPlus takes 4 (default)")
    parser.add_argument("--floor", type=float, default=0.5, help="the least limit, in seconds (default 0.5)")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    benchmark = formats.load(options.benchmark, expect="benchmark").benchmark
    assert benchmark is not None
    print(
        f"{options.seconds:g} s for every test, or {options.factor:g} x the reference's time on it, ", end=""
    )
    print(f"at least {options.floor:g} s and at most {options.seconds:g} s; {options.workers} workers\n")
    print("| tests | cells | fixed, s | by factor, s | time limits fixed | by factor | outcomes differ |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    notes: list[str] = []
    with open_sandbox(workers=options.workers) as sandbox, tempfile.TemporaryDirectory() as scratch:
        for path in options.tests:
            loaded = formats.load(path, benchmark=benchmark)
            runs = {}
            for name, factor in (("fixed", None), ("factor", options.factor)):
                out = Path(scratch) / f"{path.stem}-{name}"
                request = _request(benchmark, loaded, out, sandbox, options, factor)
                started = time.perf_counter()
                runs[name] = open_run(execute(request)), time.perf_counter() - started
            notes += _compared(path.stem, runs)
    print("", *notes, sep="\n")


def _request(
    benchmark: Benchmark,
    loaded: Loaded,
    out: Path,
    sandbox: Sandbox,
    options: argparse.Namespace,
    factor: float | None,
) -> ExecutionRequest:
    known = {problem.task_id for problem in benchmark.problems}
    return ExecutionRequest(
        benchmark=benchmark,
        suites=tuple(suite for suite in loaded.suites if suite.task_id in known),
        out=out,
        verifier=out.name,
        sandbox=sandbox,
        limits=Limits(seconds=options.seconds),
        timeout_factor=factor,
        timeout_floor=options.floor,
    )


def _compared(name: str, runs: dict[str, tuple[Run, float]]) -> list[str]:
    (fixed, fixed_seconds), (scaled, scaled_seconds) = runs["fixed"], runs["factor"]
    notes, kinds, cells = [], Counter[str](), 0
    for task_id in fixed.task_ids():
        one, other = fixed.matrix(task_id).outcomes, scaled.matrix(task_id).outcomes
        cells += one.size
        for row, column in np.argwhere(one != other).tolist():
            kind = f"{Outcome(one[row, column]).letter} to {Outcome(other[row, column]).letter}"
            kinds[kind] += 1
            notes.append(f"{name}: {task_id}, solution {row + 1}, test {column + 1}: {kind}")
    limits = [run.outcome_totals().get(Outcome.TIME_LIMIT.letter, 0) for run in (fixed, scaled)]
    differ = f"{sum(kinds.values())}" + "".join(f", {kind}: {count}" for kind, count in kinds.items())
    row = (name, cells, f"{fixed_seconds:.1f}", f"{scaled_seconds:.1f}", *limits, differ)
    print("| " + " | ".join(map(str, row)) + " |", flush=True)
    return notes


if __name__ == "__main__":
    main()
