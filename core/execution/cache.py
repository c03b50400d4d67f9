"""Finished cells, kept by content: a program's check is run once, whichever run asks for it.

One SQLite file in WAL mode, which several processes share. A cell's key is two hashes of 16
bytes: of the program with everything that shapes its process, and of the check with its time
limit. What can't be read or written never stops a run: the cache says so and is left out.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

from sandbox.contract import CheckResult, Outcome

CellKey: TypeAlias = bytes
ProgramKey: TypeAlias = bytes
OnTrouble: TypeAlias = Callable[[str], None]

_VERSION = 1
_BUSY_SECONDS = 30.0
_MOST_PENDING = 200_000
_LONGEST_PLAIN = 100  # characters; compressing fewer takes longer than it saves
_IN_PROCESS = 16  # added to the outcome's code
_SCHEMA = """
CREATE TABLE IF NOT EXISTS programs (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS cells (
    program INTEGER NOT NULL, cell BLOB NOT NULL, outcome INTEGER NOT NULL, microseconds INTEGER NOT NULL,
    detail BLOB, PRIMARY KEY (program, cell)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class FinishedCell:
    """A cell to be kept."""

    program: ProgramKey
    cell: CellKey
    result: CheckResult


def content_key(*parts: object) -> bytes:
    """16 bytes that stand for the JSON of `parts`."""
    return blake2b(json.dumps(parts, default=str).encode(), digest_size=16).digest()


class CellCache:
    """The cache file. Threads may share one CellCache, processes the file.

    Attributes:
        usable: False once the file can't be used any more; then nothing is found or kept.
    """

    def __init__(self, path: Path, on_trouble: OnTrouble) -> None:
        self.path = path
        self.usable = False
        self._on_trouble = on_trouble
        self._lock = threading.RLock()
        self._pending: list[FinishedCell] = []
        self._connection: sqlite3.Connection | None = None
        self._identity: tuple[int, int] | None = None
        try:
            self._open()
        except (sqlite3.Error, OSError) as error:
            self._recover(error)

    def known(self, program: ProgramKey, cells: Iterable[CellKey]) -> dict[CellKey, CheckResult]:
        """What is kept of these cells of one program."""
        wanted = set(cells)
        with self._lock:
            if not self.usable:
                return {}
            try:
                rows = (
                    self._connected()
                    .execute(
                        "SELECT cell, outcome, microseconds, detail FROM cells "
                        "WHERE program = (SELECT id FROM programs WHERE key = ?)",
                        (program,),
                    )
                    .fetchall()
                )
            except sqlite3.Error as error:
                self._recover(error)
                return {}
        found = {}
        for cell, outcome, microseconds, detail in rows:
            if cell in wanted and (result := _result(outcome, microseconds, detail)) is not None:
                found[cell] = result
        return found

    def keep(self, cells: Iterable[FinishedCell]) -> None:
        """Take finished cells; `commit` makes them last. Cells with INTERNAL_ERROR are not kept."""
        with self._lock:
            if self.usable:
                self._pending += [c for c in cells if c.result.outcome is not Outcome.INTERNAL_ERROR]

    def commit(self) -> None:
        """Write what was taken since the last commit, in one transaction."""
        with self._lock:
            if not self.usable or not self._pending:
                return
            try:
                self._write()
            except sqlite3.OperationalError as error:
                if _is_busy(error) and len(self._pending) < _MOST_PENDING:
                    self._on_trouble(f"{self.path}: another process holds the cache; trying again later")
                    return
                self._recover(error)
            except sqlite3.Error as error:
                self._recover(error)
            else:
                return
            if self.usable:
                try:
                    self._write()
                except sqlite3.Error as error:
                    self._give_up(error)

    def close(self) -> None:
        """Commit and close the file."""
        with self._lock:
            self.commit()
            self._disconnect()
            self.usable = False

    def _write(self) -> None:
        connection = self._connected()
        keys = dict.fromkeys(c.program for c in self._pending)
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(
                "INSERT OR IGNORE INTO programs (key) VALUES (?)", [(key,) for key in keys]
            )
            connection.executemany(
                "INSERT OR REPLACE INTO cells SELECT id, ?, ?, ?, ? FROM programs WHERE key = ?",
                [(c.cell, *_columns(c.result), c.program) for c in self._pending],
            )
        self._pending.clear()

    def _open(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._connection = connection
        stat = self.path.stat()
        self._identity = stat.st_dev, stat.st_ino
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version not in (0, _VERSION):
            raise sqlite3.NotSupportedError(f"version {version} of the cache, this program writes {_VERSION}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if version == 0:
            connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;")
        self.usable = True

    def _recover(self, error: Exception) -> None:
        """After an error: a damaged file is moved aside and a new one begun, else the cache is given up."""
        self._disconnect()
        self.usable = False
        if not _is_damage(error):
            self._give_up(error)
            return
        try:
            self._move_aside(error)
            self._open()
        except (sqlite3.Error, OSError) as second:
            self._give_up(second)

    def _move_aside(self, error: Exception) -> None:
        stat = self.path.stat()
        if (stat.st_dev, stat.st_ino) != self._identity:
            return  # another process did it already
        aside = self.path.with_name(
            f"{self.path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
        )
        self.path.rename(aside)
        for path in _files(self.path)[1:]:
            path.unlink(missing_ok=True)
        self._on_trouble(
            f"{self.path}: the cache is damaged ({error}); moved to {aside.name}, starting a new one"
        )

    def _give_up(self, error: Exception) -> None:
        self._disconnect()
        self.usable = False
        self._pending.clear()
        self._on_trouble(f"{self.path}: going on without this cache: {error}")

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _connected(self) -> sqlite3.Connection:
        if self._connection is None:
            raise sqlite3.ProgrammingError("the cache is closed")
        return self._connection


def remove_cache(path: Path) -> None:
    """Remove a cache file that nobody has open, if there is one."""
    for file in _files(path):
        file.unlink(missing_ok=True)


def _files(path: Path) -> tuple[Path, Path, Path]:
    return path, Path(f"{path}-wal"), Path(f"{path}-shm")


def _columns(result: CheckResult) -> tuple[int, int, str | bytes | None]:
    detail: str | bytes | None = None
    texts = (result.message, result.actual, result.expected, result.stdout, result.line, result.value)
    if any(texts):
        detail = json.dumps(texts)
        if len(detail) > _LONGEST_PLAIN:
            detail = zlib.compress(detail.encode(), 1)
    code = int(result.outcome) + (_IN_PROCESS if result.in_process else 0)
    return code, round(result.seconds * 1e6), detail


def _result(code: Any, microseconds: Any, detail: str | bytes | None) -> CheckResult | None:
    """A row as a result; None if it makes no sense, so that the cell is run again."""
    try:
        if isinstance(detail, bytes):
            detail = zlib.decompress(detail).decode()
        texts = json.loads(detail) if detail is not None else ("", "", "", "", None)
        message, actual, expected, stdout, line, *value = texts
        return CheckResult(
            outcome=Outcome(code % _IN_PROCESS),
            seconds=microseconds / 1e6,
            message=message,
            actual=actual,
            expected=expected,
            stdout=stdout,
            value=value[0] if value else None,
            line=line,
            in_process=code >= _IN_PROCESS,
        )
    except (TypeError, ValueError, zlib.error):
        return None


def _is_damage(error: Exception) -> bool:
    return _code(error) in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _is_busy(error: sqlite3.Error) -> bool:
    return _code(error) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


def _code(error: Exception) -> int:
    """SQLite's primary result code; 0 for errors that are not SQLite's."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF
