"""The Parquet files of a run: opened with errors that name them, and which positions each may hold."""

from __future__ import annotations

import glob
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from core.store.files import StoreError

AGAIN = "remove the run's folder and run it again: finished cells are in the cache"


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a table written in parts, and the positions it may hold rows of."""

    path: Path
    low: int
    high: int


def duckdb_name(path: Path) -> str:
    """A path as DuckDB wants it: its file names are patterns."""
    return glob.escape(str(path))


def joined(column: pa.ChunkedArray) -> pa.Array:
    """A column's chunks as one array."""
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def parts_of(folder: Path, name: str, schema: pa.Schema) -> list[Part]:
    """The files of a table written in parts, in the order of their names; those without rows left out."""
    parts = []
    for path in sorted(folder.glob(f"{name}-*.parquet")):
        footer = footer_of(path, schema)
        groups = [footer.row_group(i).column(0).statistics for i in range(footer.num_row_groups)]
        if groups:
            parts.append(Part(path, min(g.min for g in groups), max(g.max for g in groups)))
    return parts


def footer_of(path: Path, schema: pa.Schema) -> pq.FileMetaData:
    """A file's footer; StoreError if it can't be read or lacks a column of `schema`."""
    with reading(path):
        footer = pq.read_metadata(path)
        missing = set(schema.names) - set(footer.schema.to_arrow_schema().names)
    if missing:
        raise StoreError(f"{path}: has no column {min(missing)}")
    return footer


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn what goes wrong while `path` is read into a StoreError that names it."""
    try:
        yield
    except FileNotFoundError as error:
        raise StoreError(f"{path}: not found; the run is damaged or half-written; {AGAIN}") from error
    except (OSError, pa.ArrowException, duckdb.Error) as error:
        raise StoreError(f"{path}: can't be read: {error}") from error
