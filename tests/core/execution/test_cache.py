"""The cache of finished cells: what it keeps, shares and survives."""

import multiprocessing
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.execution.cache import CellCache, FinishedCell, content_key, remove_cache
from sandbox.contract import CheckResult, Outcome

PROGRAM = content_key("program")


def cells(n: int, program: bytes = PROGRAM) -> dict[bytes, CheckResult]:
    """Some results under the keys of their cells."""
    return {
        content_key("cell", i): CheckResult(
            Outcome(i % 7), i / 100, f"m{i}" if i % 7 else "", line=i if i % 7 else None
        )
        for i in range(n)
    }


def put(cache: CellCache, results: dict[bytes, CheckResult], program: bytes = PROGRAM) -> None:
    """Keep results and commit."""
    cache.keep(FinishedCell(program, cell, result) for cell, result in results.items())
    cache.commit()


def test_kept_cells_are_found_again(tmp_path: Path) -> None:
    """Another cache on the same file finds the committed cells, and only those asked for."""
    results = cells(20)
    troubles: list[str] = []
    put(CellCache(tmp_path / "c", troubles.append), results)
    other = CellCache(tmp_path / "c", troubles.append)
    assert other.known(PROGRAM, results) == results
    some = list(results)[3:5]
    assert other.known(PROGRAM, some) == {key: results[key] for key in some}
    assert other.known(content_key("another"), results) == {}
    assert troubles == []


def test_internal_errors_are_not_kept(tmp_path: Path) -> None:
    """A cell that could not be judged is run again next time."""
    cache = CellCache(tmp_path / "c", print)
    put(cache, {b"a": CheckResult(Outcome.INTERNAL_ERROR), b"b": CheckResult(Outcome.PASSED)})
    assert cache.known(PROGRAM, [b"a", b"b"]) == {b"b": CheckResult(Outcome.PASSED)}


def test_uncommitted_cells_are_not_in_the_file(tmp_path: Path) -> None:
    """Cells count from their commit on; closing commits."""
    cache = CellCache(tmp_path / "c", print)
    cache.keep([FinishedCell(PROGRAM, b"a", CheckResult(Outcome.PASSED))])
    assert CellCache(tmp_path / "c", print).known(PROGRAM, [b"a"]) == {}
    cache.close()
    assert list(CellCache(tmp_path / "c", print).known(PROGRAM, [b"a"])) == [b"a"]


@settings(max_examples=30, deadline=None)
@given(
    outcome=st.sampled_from([o for o in Outcome if o not in (Outcome.INTERNAL_ERROR, Outcome.PASSED)]),
    texts=st.tuples(*[st.text(st.characters(), max_size=20)] * 4),
    line=st.none() | st.integers(0, 10**6),
    microseconds=st.integers(0, 10**9),
    in_process=st.booleans(),
)
def test_any_result_survives(
    tmp_path_factory: pytest.TempPathFactory,
    outcome: Outcome,
    texts: tuple[str, ...],
    line: int | None,
    microseconds: int,
    in_process: bool,
) -> None:
    """Whatever a result says is found again as it was."""
    message, actual, expected, stdout = texts
    result = CheckResult(
        outcome, microseconds / 1e6, message, actual, expected, stdout, line=line, in_process=in_process
    )
    cache = CellCache(tmp_path_factory.mktemp("any") / "c", print)
    put(cache, {b"k": result})
    assert cache.known(PROGRAM, [b"k"]) == {b"k": result}


def write_many(path: str, own: int) -> None:
    """Keep cells of a program of its own and of one that all writers share, in many commits."""
    troubles: list[str] = []
    cache = CellCache(Path(path), troubles.append)
    for cell, result in cells(60).items():
        cache.keep([FinishedCell(content_key("own", own), cell, result), FinishedCell(PROGRAM, cell, result)])
        cache.commit()
    cache.close()
    assert troubles == []


def test_several_processes_write_at_once(tmp_path: Path) -> None:
    """Processes that write at the same time lose nothing and disturb nobody."""
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(str(tmp_path / "c"), i)) for i in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 4
    cache = CellCache(tmp_path / "c", print)
    for key in [PROGRAM, *(content_key("own", i) for i in range(4))]:
        assert cache.known(key, cells(60)) == cells(60)
    with sqlite3.connect(tmp_path / "c") as connection:
        assert connection.execute("SELECT count(*) FROM cells").fetchall() == [(300,)]


def test_no_cache_file_is_moved_aside(tmp_path: Path) -> None:
    """A file that is no database is moved aside with a message, and a new cache takes its place."""
    (tmp_path / "c").write_bytes(b"this is a thesis, not a database" * 100)
    troubles: list[str] = []
    cache = CellCache(tmp_path / "c", troubles.append)
    put(cache, cells(5))
    assert cache.known(PROGRAM, cells(5)) == cells(5)
    aside = list(tmp_path.glob("c.damaged-*"))
    assert [path.read_bytes()[:9] for path in aside] == [b"this is a"]
    assert len(troubles) == 1
    assert "damaged" in troubles[0]


def test_damage_found_while_running(tmp_path: Path) -> None:
    """Pages overwritten in a live cache are noticed; what comes afterwards is kept in a new file."""
    path = tmp_path / "c"
    troubles: list[str] = []
    first = CellCache(path, print)
    put(first, {content_key(i): CheckResult(Outcome.RUNTIME_ERROR, 0, "m" * 300) for i in range(500)})
    first.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    cache = CellCache(path, troubles.append)
    assert cache.known(PROGRAM, [content_key(1)]) == {}
    put(cache, cells(5))
    assert cache.usable
    assert CellCache(path, print).known(PROGRAM, cells(5)) == cells(5)
    assert len(list(tmp_path.glob("c.damaged-*"))) == 1
    assert len(troubles) == 1


def test_two_find_the_same_damage(tmp_path: Path) -> None:
    """The second process to find the damage uses the new file of the first, and moves nothing."""
    path = tmp_path / "c"
    first = CellCache(path, print)
    put(first, {content_key(i): CheckResult(Outcome.RUNTIME_ERROR, 0, "m" * 300) for i in range(500)})
    first.close()
    one, two = CellCache(path, print), CellCache(path, print)
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    for cache in (one, two):
        assert cache.known(PROGRAM, [content_key(1)]) == {}
    put(one, {b"a": CheckResult(Outcome.PASSED)})
    put(two, {b"b": CheckResult(Outcome.PASSED)})
    assert set(CellCache(path, print).known(PROGRAM, [b"a", b"b"])) == {b"a", b"b"}
    assert len(list(tmp_path.glob("c.damaged-*"))) == 1


def test_full_disk_gives_the_cache_up(tmp_path: Path) -> None:
    """When nothing more can be written, the cache says so, raises nothing, and keeps what it had."""
    troubles: list[str] = []
    cache = CellCache(tmp_path / "c", troubles.append)
    put(cache, cells(5))
    cache._connected().execute("PRAGMA max_page_count = 5")  # SQLite's own "disk is full"
    put(cache, {content_key(i): CheckResult(Outcome.RUNTIME_ERROR, 0, f"{i}" * 300) for i in range(999)})
    assert not cache.usable
    assert len(troubles) == 1
    assert "full" in troubles[0]
    assert cache.known(PROGRAM, cells(5)) == {}
    assert CellCache(tmp_path / "c", print).known(PROGRAM, cells(5)) == cells(5)


def test_folder_in_its_place_gives_the_cache_up(tmp_path: Path) -> None:
    """A path that can't be opened leaves a cache that finds nothing and says why."""
    (tmp_path / "c").mkdir()
    troubles: list[str] = []
    cache = CellCache(tmp_path / "c", troubles.append)
    put(cache, cells(3))
    assert cache.known(PROGRAM, cells(3)) == {}
    assert "going on without this cache" in troubles[0]


def test_cache_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    """A file of an unknown version is neither used nor moved."""
    with sqlite3.connect(tmp_path / "c") as connection:
        connection.execute("PRAGMA user_version = 99")
    troubles: list[str] = []
    assert not CellCache(tmp_path / "c", troubles.append).usable
    assert "version 99" in troubles[0]
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_busy_cache_is_written_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process holds the file, cells wait in memory for the next commit."""
    monkeypatch.setattr("core.execution.cache._BUSY_SECONDS", 0.05)
    troubles: list[str] = []
    cache = CellCache(tmp_path / "c", troubles.append)
    holder = sqlite3.connect(tmp_path / "c", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    put(cache, cells(3))
    assert "trying again later" in troubles[0]
    holder.execute("ROLLBACK")
    holder.close()
    cache.commit()
    assert cache.known(PROGRAM, cells(3)) == cells(3)


def test_senseless_rows_are_not_found(tmp_path: Path) -> None:
    """A row that can't be a result is as good as none: the cell is run again."""
    cache = CellCache(tmp_path / "c", print)
    put(cache, {b"a": CheckResult(Outcome.RUNTIME_ERROR, 1.0, "m"), b"b": CheckResult(Outcome.PASSED)})
    with sqlite3.connect(tmp_path / "c") as connection:
        connection.execute("UPDATE cells SET detail = x'00' WHERE cell = ?", (b"a",))
        connection.execute("UPDATE cells SET outcome = 12 WHERE cell = ?", (b"b",))
    assert cache.known(PROGRAM, [b"a", b"b"]) == {}


def test_removing_takes_every_file(tmp_path: Path) -> None:
    """Removing a cache leaves nothing of it, and does nothing where there is none."""
    cache = CellCache(tmp_path / "c", print)
    put(cache, cells(3))
    cache.close()
    remove_cache(tmp_path / "c")
    remove_cache(tmp_path / "c")
    assert list(tmp_path.iterdir()) == []
