from __future__ import annotations

import itertools
import os
import time

from sandbox.tidy import tidy


def test_a_directory_is_as_if_nobody_had_used_it(tmp_path):
    """Files, folders without permissions, links, the directory's own mode and its times are taken back."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "file").write_text("x")
    (tmp_path / "link").symlink_to("nowhere")
    (tmp_path / "inner").chmod(0)
    os.utime(tmp_path, (77, 77))
    tmp_path.chmod(0)
    tidy(str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    assert tmp_path.stat().st_mode & 0o777 == 0o700
    assert tmp_path.stat().st_mtime == 0


def test_links_are_not_followed(tmp_path):
    """What a link in the directory points to stays."""
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "kept").write_text("x")
    (inside / "link").symlink_to(outside)
    tidy(str(inside))
    assert [path.name for path in outside.iterdir()] == ["kept"]


def test_an_untouched_directory_is_left_alone(tmp_path, monkeypatch):
    """A mark is settled once later changes can be told from it; then nothing is done until there is one."""
    now = itertools.count(100.0)
    monkeypatch.setattr("sandbox.tidy.time.monotonic", lambda: next(now))
    first = tidy(str(tmp_path))
    settled = tidy(str(tmp_path), first)
    assert (first.settled, settled.settled) == (False, True)
    assert tidy(str(tmp_path), settled) is settled
    time.sleep(0.05)  # a change within a step of the file system's clock would bear the same time
    (tmp_path / "file").write_text("x")
    os.utime(tmp_path, (0, 0))
    changed = tidy(str(tmp_path), settled)
    assert list(tmp_path.iterdir()) == []
    assert (changed.settled, changed.changed > settled.changed) == (False, True)


def test_a_change_right_after_the_last_one_is_seen(tmp_path):
    """Until a mark is settled, a directory is looked at even if it seems not to have changed."""
    mark = tidy(str(tmp_path))
    (tmp_path / "file").write_text("x")
    tidy(str(tmp_path), mark._replace(changed=tmp_path.stat().st_ctime_ns))
    assert list(tmp_path.iterdir()) == []
