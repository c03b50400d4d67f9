"""What is published: finished runs, by benchmark, hunts, and tables. Nothing here runs a program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import InputError
from core.hunting.folder import Hunt, is_hunt, open_hunt
from core.progress import OnProgress, Progress
from core.publish.given import SUFFIX, Given, read_given
from core.store import read_manifest
from core.views.runs import RunSummary, Undefined, summarise_run


@dataclass(frozen=True, slots=True)
class BenchmarkRuns:
    """One benchmark and the runs on it.

    Attributes:
        name: unique among the benchmarks of a source.
        runs: at least one; their labels are unique among them.
    """

    name: str
    runs: tuple[RunSummary, ...]

    @property
    def tested(self) -> tuple[RunSummary, ...]:
        """The runs that ran tests."""
        return tuple(run for run in self.runs if run.manifest.n_cells)


@dataclass(frozen=True, slots=True)
class Source:
    """Everything that figures, tables and the report are made from."""

    benchmarks: tuple[BenchmarkRuns, ...]
    hunts: tuple[Hunt, ...] = ()
    given: tuple[Given, ...] = ()
    undefined: Undefined = "nan"

    @property
    def runs(self) -> tuple[RunSummary, ...]:
        """All runs."""
        return tuple(run for benchmark in self.benchmarks for run in benchmark.runs)


def gather(
    paths: Sequence[Path], *, undefined: Undefined = "nan", on_progress: OnProgress = lambda _: None
) -> Source:
    """Read runs and hunts from their folders, and tables (CSV) that figures are made from.

    Raises:
        InputError: a folder holds neither, or what is not finished, or is named twice; a table is of no kind.
        StoreError: a run can't be read.
    """
    summaries, hunts, given = [], [], []
    seen: set[Path] = set()
    for at, path in enumerate(paths):
        on_progress(Progress("reading", at, len(paths), "folders", message=path.name))
        if path.resolve() in seen:
            raise InputError(f"{path}: is named twice; expected each run once")
        seen.add(path.resolve())
        if path.suffix == SUFFIX:
            given.append(read_given(path))
            continue
        if is_hunt(path):
            hunts.append(_finished_hunt(path))
            continue
        if not path.exists():
            raise InputError(f"{path}: there is no such file or folder")
        if not path.is_dir():
            raise InputError(f"{path}: expected the folder of a finished run or hunt, or a table ({SUFFIX})")
        manifest = read_manifest(path)
        if manifest.finished is None:
            raise InputError(f"{path}: the run is not finished; `run --resume` goes on with it")
        summaries.append(summarise_run(path.name, manifest.name, path, undefined=undefined))
    return Source(grouped(summaries), tuple(hunts), tuple(given), undefined)


def grouped(summaries: Sequence[RunSummary]) -> tuple[BenchmarkRuns, ...]:
    """Runs by benchmark, in the order given, each best Top-1 first; shared names are told apart."""
    found: dict[tuple[str, str], list[RunSummary]] = {}
    for summary in summaries:
        found.setdefault((summary.manifest.benchmark, summary.manifest.benchmark_sha256), []).append(summary)
    names = [name for name, _ in found]
    return tuple(
        BenchmarkRuns(
            name if names.count(name) == 1 else f"{name}@{sha256[:8]}",
            _labelled(sorted(runs, key=lambda run: -_top1(run))),
        )
        for (name, sha256), runs in found.items()
    )


def _labelled(runs: Sequence[RunSummary]) -> tuple[RunSummary, ...]:
    labels = [run.label for run in runs]
    return tuple(
        run if labels.count(run.label) == 1 else replace(run, label=f"{run.label} ({run.name})")
        for run in runs
    )


def _top1(run: RunSummary) -> float:
    value = run.evaluation.metrics["top1"].value
    return value if value == value else -1.0


def _finished_hunt(path: Path) -> Hunt:
    hunt = open_hunt(path)
    if not hunt.record.finished:
        raise InputError(f"{path}: the hunt is not finished; the same command goes on with it")
    return hunt
