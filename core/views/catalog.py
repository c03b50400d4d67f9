"""What the data folder holds: benchmarks, the runs of each, and what could not be read."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from core.store import Manifest, StoreError, read_manifest
from core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One run of the data folder.

    Attributes:
        name: the run's folder, unique in the data folder.
        label: the run's name on screen and in links, unique among the runs of its benchmark: with the
            folder where two share a name.
    """

    name: str
    label: str
    folder: Path
    manifest: Manifest

    @property
    def finished(self) -> bool:
        """Whether the run is whole."""
        return self.manifest.finished is not None


@dataclass(frozen=True, slots=True)
class BenchmarkEntry:
    """One benchmark: the runs that were made on it, and its file if it is here.

    Attributes:
        key: unique in the data folder; stands in links. The name, with the start of the hash where
            two benchmarks share a name.
        runs: finished runs, newest first.
        unfinished: runs that are under way or were stopped.
    """

    key: str
    name: str
    file: Path | None
    runs: tuple[RunEntry, ...]
    unfinished: tuple[RunEntry, ...]

    def first_in_focus(self) -> RunEntry | None:
        """The run to show until one is chosen: the newest, for that is what somebody has just made.

        A run whose tests never failed an assertion says nearly nothing, and comes only after all others.
        """
        telling = [
            run for run in self.runs if not run.manifest.n_cells or run.manifest.outcome_counts.get("F")
        ]
        return next(iter([*telling, *self.runs]), None)


@dataclass(frozen=True, slots=True)
class Catalog:
    """The data folder at a glance.

    Attributes:
        benchmarks: by key, those with the newest runs first.
        damaged: (folder, why) of runs that can't be read.
    """

    benchmarks: tuple[BenchmarkEntry, ...]
    damaged: tuple[tuple[str, str], ...]

    def benchmark(self, key: str | None) -> BenchmarkEntry | None:
        """The benchmark with this key, or None."""
        return next((entry for entry in self.benchmarks if entry.key == key), None)


def read_catalog(workspace: Workspace) -> Catalog:
    """Read the manifests of all runs and the names of all benchmark files."""
    grouped: dict[tuple[str, str], list[tuple[Path, Manifest]]] = defaultdict(list)
    damaged = []
    for folder in workspace.run_dirs():
        try:
            manifest = read_manifest(folder)
        except StoreError as error:
            damaged.append((folder.name, str(error)))
        else:
            grouped[manifest.benchmark, manifest.benchmark_sha256].append((folder, manifest))
    files = {path.stem: path for path in workspace.benchmark_files()}
    names = [name for name, _ in grouped]
    entries = [
        _entry(
            key=name if names.count(name) == 1 else f"{name}@{sha256[:8]}",
            name=name,
            file=files.get(name),
            found=found,
        )
        for (name, sha256), found in grouped.items()
    ]
    entries += [_entry(stem, stem, path, []) for stem, path in files.items() if stem not in names]
    return Catalog(tuple(entries), tuple(damaged))


def _entry(key: str, name: str, file: Path | None, found: list[tuple[Path, Manifest]]) -> BenchmarkEntry:
    labels = [manifest.name for _, manifest in found]
    runs = [
        RunEntry(
            name=folder.name,
            label=manifest.name if labels.count(manifest.name) == 1 else f"{manifest.name} ({folder.name})",
            folder=folder,
            manifest=manifest,
        )
        for folder, manifest in sorted(found, key=lambda pair: pair[1].created, reverse=True)
    ]
    return BenchmarkEntry(
        key=key,
        name=name,
        file=file,
        runs=tuple(run for run in runs if run.finished),
        unfinished=tuple(run for run in runs if not run.finished),
    )
