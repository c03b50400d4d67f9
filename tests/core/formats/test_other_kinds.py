"""Files that are of no kind that holds rows."""

import bz2
import io
import lzma
import pickle
import tarfile
import zipfile

import pytest

from core.formats import FormatError, load

LINE = '{"task_id": "T", "tests": ["assert f() == 1"]}\n'


def zipped() -> bytes:
    """A ZIP archive with a file of tests."""
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr("tests.jsonl", LINE)
    return kept.getvalue()


def tarred() -> bytes:
    """A tar archive with a file of tests."""
    kept = io.BytesIO()
    with tarfile.open(fileobj=kept, mode="w") as archive:
        member = tarfile.TarInfo("tests.jsonl")
        member.size = len(LINE)
        archive.addfile(member, io.BytesIO(LINE.encode()))
    return kept.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (zipped(), "ZIP archive or an Excel workbook"),
        (tarred(), "tar archive"),
        (bz2.compress(LINE.encode()), "bzip2"),
        (lzma.compress(LINE.encode()), "xz"),
        (pickle.dumps([LINE]), "pickle"),
        (LINE.encode("utf-16"), "UTF-16; expected UTF-8"),
        (LINE.encode("utf-16-be"), "UTF-16 or UTF-32"),
        (b"task_id,tests\nT,assert f() == 1\n", "a table as CSV"),
        (b'\xef\xbb\xbf"task_id";"tests"\n', "a table as CSV"),
        (b"\n<!DOCTYPE html><html></html>", "web page"),
        (b"version https://git-lfs.github.com/spec/v1\n", "Git LFS"),
    ],
)
def test_a_file_without_rows_is_called_by_its_name(content: bytes, said: str) -> None:
    """The message says what the file is, not at which byte reading it as JSON failed."""
    with pytest.raises(FormatError, match=said) as raised:
        load(content, name="tests.jsonl")
    assert str(raised.value).startswith("tests.jsonl: ")


def test_text_is_read_whatever_it_begins_with() -> None:
    """A mark of UTF-8, blank lines and a bad first line are no other kind of file."""
    for before in ("\ufeff", "\n\n", "oops\n"):
        assert len(load((before + LINE).encode()).suites) == 1
