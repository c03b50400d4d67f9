from __future__ import annotations

import os

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
    """A mark is given once changes can be told from it, and any change is seen by it."""
    assert tidy(str(tmp_path)) == 0
    monkeypatch.setattr("sandbox.tidy.time.time_ns", lambda: tmp_path.stat().st_ctime_ns + 10**9)
    mark = tidy(str(tmp_path))
    assert mark == tidy(str(tmp_path), mark) == tmp_path.stat().st_ctime_ns
    (tmp_path / "file").write_text("x")
    os.utime(tmp_path, (0, 0))
    tidy(str(tmp_path), mark - 1)
    assert list(tmp_path.iterdir()) == []
