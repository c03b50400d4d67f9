"""Runs on disk: Parquet written by pyarrow, read through DuckDB; no server and no lock file.

`RunWriter` and `write_scores_run` write a run, `open_run` reads one. DESIGN.md, "Runs on disk",
has the files; `core.store.tables` their columns.
"""

from core.store.files import StoreError, WrongRunError
from core.store.manifest import (
    Manifest,
    benchmark_sha256,
    installed_versions,
    read_manifest,
    suites_sha256,
)
from core.store.run import Contents, Run, open_run
from core.store.tables import CellDetail, FlakyCell, SolutionOutcomes
from core.store.writer import RunWriter, now, write_scores_run

__all__ = [
    "CellDetail",
    "Contents",
    "FlakyCell",
    "Manifest",
    "Run",
    "RunWriter",
    "SolutionOutcomes",
    "StoreError",
    "WrongRunError",
    "benchmark_sha256",
    "installed_versions",
    "now",
    "open_run",
    "read_manifest",
    "suites_sha256",
    "write_scores_run",
]
