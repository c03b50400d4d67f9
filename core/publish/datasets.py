"""Data sets out: benchmark, suites and verdicts of a run in Touchstone's and other people's formats.

    touchstone/         BENCHMARK.benchmark.jsonl, RUN.tests.jsonl, RUN.filtered.jsonl
    scoring-verifiers/  BENCHMARK.ranked.jsonl, RUN.flat.jsonl
    evalplus/           BENCHMARK.problems.jsonl, BENCHMARK.samples.jsonl, RUN.inputs.jsonl, RUN.results.json
    evolvecoder/        RUN.pipeline.jsonl, RUN.tests.jsonl, RUN.filtered.jsonl
    outcomes/           RUN.parquet: a row a cell
    scores/             RUN.parquet: a row a solution
    README.md           which file is what, and what its format has no place for

`datasets` loads the folder: the Parquet files are its configurations.
"Filtered" is the paper's final filter of suites (EvolveCoder, section 2.3) with its own numbers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from core.evolution.filters import Rules, filter_trial
from core.evolution.sources import open_trials
from core.files import replacing
from core.formats import load
from core.formats.touchstone import write_benchmark, write_solutions, write_suites
from core.model import Benchmark, Problem, Solution, TestCase, TestSuite, VerifierKind
from core.publish import foreign
from core.publish.escape import label
from core.publish.parquet import CellWriter, write_scores
from core.publish.source import BenchmarkRuns
from core.store import Manifest, Run, benchmark_sha256, open_run
from core.views.runs import RunSummary
from core.words import quantity

_ABOUT: Final = (
    "A benchmark, what verifiers say about its solutions, and their tests. Made by Touchstone.",
    "",
    "A *cell* is one solution under one test. Outcomes of cells are letters: P passed, F assertion failed,",
    "E runtime error, T time limit, M memory limit, O output limit, C compile error, I missing verdict",
    "(never counted as failed). *Filtered* suites are what the final filter of EvolveCoder leaves",
    "(section 2.3).",
    "",
    "JSON and JSONL files are read by Touchstone, and by the projects that their folders are named after.",
)
_LOADED: Final = (
    'Parquet files are configurations for `datasets`: `load_dataset(FOLDER, NAME, split="test")`, where NAME',
    "is `scores-RUN` or `outcomes-RUN`.",
)
_FOLDERS: Final = {
    "touchstone": "the benchmark with its scored solutions, and each run's tests, in Touchstone's own format",
    "scoring-verifiers": "ranked solutions, and each run's scores, as *Scoring Verifiers* released theirs",
    "evalplus": "problems, solutions, each run's inputs and verdicts, as EvalPlus reads them",
    "evolvecoder": "each run's pass matrix and suites, as EvolveCoder's pipeline and data set have them",
    "outcomes": "the outcome of every cell of a run, as Parquet",
    "scores": "each solution's score and rank beside the reference's, as Parquet",
}
_ROWS: Final = {
    ".samples.jsonl": "solution",
    ".flat.jsonl": "solution",
    ".jsonl": "problem",
    ".json": "problem",
}
Add = Callable[[str, Mapping[str, Any] | None], None]


@dataclass(slots=True)
class Written:
    """What was written.

    Attributes:
        files: paths below the folder.
        rows: file -> rows.
        left_out: file -> problems, solutions or tests that its format has no place for, in words.
        parquet: name of a configuration for `datasets` -> its file.
    """

    folder: Path
    files: list[Path] = field(default_factory=list)
    rows: Counter[str] = field(default_factory=Counter)
    left_out: dict[str, Counter[str]] = field(default_factory=dict)
    parquet: dict[str, str] = field(default_factory=dict)

    def skip(self, name: str, what: str, n: int = 1) -> None:
        """Count what a file has no place for."""
        if n:
            self.left_out.setdefault(name, Counter())[what] += n


def benchmark_of(runs: BenchmarkRuns, files: Iterable[Path]) -> tuple[Benchmark, bool]:
    """The benchmark of some runs, and whether its reference tests are known.

    A run keeps no reference tests: they are taken from the file of the same content, if it is among
    `files`.
    """
    manifest = runs.runs[0].manifest
    for path in files:
        found = load(path, expect="benchmark").benchmark
        if found is not None and benchmark_sha256(found) == manifest.benchmark_sha256:
            return found, True
    pairs = list(open_run(runs.runs[0].folder).problems())
    solutions = {problem.task_id: theirs for problem, theirs in pairs}
    return Benchmark(runs.name, tuple(problem for problem, _ in pairs), solutions), False


def write_benchmark_files(benchmark: Benchmark, name: str, written: Written) -> None:
    """A benchmark in Touchstone's, Scoring-Verifiers' and EvalPlus' formats."""
    stem = label(name)
    own = f"touchstone/{stem}.benchmark.jsonl"
    with _file(written, own) as path:
        write_benchmark(benchmark, path)
    written.rows[own] = len(benchmark.problems)
    samples = f"evalplus/{stem}.samples.jsonl"
    with _file(written, samples) as path:
        write_solutions(benchmark.solutions, path)
    written.rows[samples] = sum(map(len, benchmark.solutions.values()))
    ranked, problems = f"scoring-verifiers/{stem}.ranked.jsonl", f"evalplus/{stem}.problems.jsonl"
    with _rows(written, ranked, problems) as add:
        for problem in benchmark.problems:
            solutions = benchmark.solutions[problem.task_id]
            row = foreign.ranked_row(problem, problem.reference_tests, solutions)
            add(ranked, row)
            if row is not None:
                written.skip(ranked, "solutions", len(solutions) - len(row["all_solutions"]))
            row, lost = foreign.evalplus_row(problem, problem.reference_tests)
            add(problems, row)
            written.skip(problems, "reference tests", lost if row is not None else 0)


def write_run_files(summary: RunSummary, written: Written) -> None:
    """A run's suites and verdicts in the four formats; its scores alone if it ran no tests."""
    run = open_run(summary.folder)
    stem = label(summary.name)
    flat = f"scoring-verifiers/{stem}.flat.jsonl"
    if not summary.manifest.n_cells:
        with _rows(written, flat) as add:
            for (problem, solutions), scores in zip(run.problems(), _scores(run), strict=True):
                for row in _flat_rows(run.manifest, problem, solutions, (), scores):
                    add(flat, row)
        return
    pipeline, tests = f"evolvecoder/{stem}.pipeline.jsonl", f"evolvecoder/{stem}.tests.jsonl"
    filtered, inputs = f"evolvecoder/{stem}.filtered.jsonl", f"evalplus/{stem}.inputs.jsonl"
    own_tests, own_filtered = f"touchstone/{stem}.tests.jsonl", f"touchstone/{stem}.filtered.jsonl"
    kept: list[TestSuite] = []
    results: dict[str, list[dict[str, Any]]] = {}
    with _rows(written, flat, pipeline, tests, filtered, inputs) as add:
        for trial, scores in zip(open_trials(summary.folder), _scores(run), strict=True):
            problem = trial.problem
            after = filter_trial(trial, Rules()).after
            if after.tests:
                kept.append(TestSuite(trial.task_id, tuple(after.tests)))
                add(filtered, foreign.released_row(problem, after.tests))
            for row in _flat_rows(run.manifest, problem, trial.solutions, trial.tests, scores):
                add(flat, row)
            add(pipeline, foreign.pipeline_row(problem, trial.solutions, trial.tests, trial.outcomes))
            add(tests, foreign.released_row(problem, trial.tests))
            row, lost = foreign.evalplus_row(problem, trial.tests)
            add(inputs, row)
            written.skip(inputs, "tests", lost if row is not None else 0)
            results[trial.task_id] = foreign.evalplus_results(trial.solutions, trial.outcomes, trial.tests)
    with _file(written, own_tests) as path:
        write_suites(run.suites(), path)
    written.rows[own_tests] = summary.manifest.n_problems
    if kept:
        with _file(written, own_filtered) as path:
            write_suites(kept, path)
        written.rows[own_filtered] = len(kept)
    written.skip(own_filtered, "problems dropped by the filter", summary.manifest.n_problems - len(kept))
    name = f"evalplus/{stem}.results.json"
    with _file(written, name) as path:
        text = json.dumps(
            {"date": summary.manifest.created, "hash": summary.manifest.tests_sha256, "eval": results}
        )
        path.write_text(text, encoding="utf-8")
    written.rows[name] = len(results)


def write_tables(summary: RunSummary, written: Written) -> None:
    """A run's cells and scores as Parquet."""
    stem = label(summary.name)
    name = f"scores/{stem}.parquet"
    with _file(written, name) as path:
        write_scores(open_run(summary.folder), path)
    written.rows[name] = summary.manifest.n_solutions
    written.parquet[f"scores-{stem}"] = name
    if summary.manifest.n_cells:
        name = f"outcomes/{stem}.parquet"
        with _file(written, name) as path, CellWriter(path) as writer:
            for trial in open_trials(summary.folder):
                writer.add(trial)
        written.rows[name] = summary.manifest.n_cells
        written.parquet[f"outcomes-{stem}"] = name


def write_card(written: Written, notes: Sequence[str] = ()) -> None:
    """`README.md` of the folder: the files, what was left out, and what `datasets` has to know."""
    lines = []
    if written.parquet:
        lines += ["---", "configs:"]
        for name, file in sorted(written.parquet.items()):
            lines += [f"- config_name: {name}", "  data_files:", "  - split: test", f"    path: {file}"]
        lines += ["---", ""]
    there = {path.relative_to(written.folder).as_posix() for path in written.files}
    lines += ["# Data", "", *_ABOUT, *(_LOADED if written.parquet else ()), ""]
    lines += [*notes, ""] if notes else []
    lines += ["## Folders", "", "| folder | what its files are |", "| --- | --- |"]
    folders = {name.partition("/")[0] for name in there}
    lines += [f"| `{name}/` | {what} |" for name, what in _FOLDERS.items() if name in folders]
    lines += [
        "",
        "## Files",
        "",
        "*Left out*: what the file's format has no place for, or what would not read back the same.",
        "",
        "| file | what a row is | rows | left out |",
        "| --- | --- | ---: | --- |",
    ]
    for name in sorted(there | set(written.left_out)):
        lost = ", ".join(_lost(what, n) for what, n in written.left_out.get(name, Counter()).items())
        rows = f"{written.rows[name]:,}" if name in there else "not written"
        lines.append(f"| `{name}` | {_row_of(name)} | {rows} | {lost} |")
    with _file(written, "README.md") as path:
        path.write_text("\n".join([*lines, ""]), encoding="utf-8")


def _lost(what: str, n: int) -> str:
    """So many of what was left out, "problems dropped by the filter" as "1 problem dropped by the filter"."""
    things, space, more = what.partition(" dropped")
    return f"{quantity(n, things.removesuffix('s'))}{space}{more}"


def _row_of(name: str) -> str:
    folder, _, file = name.partition("/")
    ending = next((ending for ending in _ROWS if file.endswith(ending)), "")
    return _ROWS.get(ending) or {"outcomes": "cell", "scores": "solution"}.get(folder, "")


def _scores(run: Run) -> Iterator[list[float]]:
    """The scores of each problem's solutions, in the order of the benchmark; NaN where there is none."""
    found = run.score_arrays()
    edges = np.searchsorted(found["position"], np.arange(run.manifest.n_problems + 1))
    for start, end in pairwise(edges):
        yield found["score"][start:end].tolist()


def _flat_rows(
    manifest: Manifest,
    problem: Problem,
    solutions: Sequence[Solution],
    tests: Sequence[TestCase],
    scores: Sequence[float],
) -> Iterator[Mapping[str, Any] | None]:
    reward = manifest.verifier_kind is VerifierKind.REWARD
    assertions = foreign.assertions_of(problem, tests)
    for solution, score in zip(solutions, scores, strict=True):
        known = None if np.isnan(score) else score
        yield foreign.flat_row(manifest.benchmark, problem, solution, assertions, known, reward=reward)


@contextmanager
def _file(written: Written, name: str) -> Iterator[Path]:
    with replacing(written.folder / name) as beside:
        yield beside
    written.files.append(written.folder / name)


@contextmanager
def _rows(written: Written, *names: str) -> Iterator[Add]:
    """Several files of JSON lines at once; a row that is None is counted, a file without rows removed."""
    with ExitStack() as stack:
        files: dict[str, IO[str]] = {}
        for name in names:
            path = stack.enter_context(_file(written, name))
            files[name] = stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))

        def add(name: str, row: Mapping[str, Any] | None) -> None:
            if row is None:
                written.skip(name, "solutions" if name.endswith(".flat.jsonl") else "problems")
                return
            files[name].write(json.dumps(row, allow_nan=False) + "\n")
            written.rows[name] += 1

        yield add
    for name in names:
        if not written.rows[name]:
            (written.folder / name).unlink()
            written.files.remove(written.folder / name)
