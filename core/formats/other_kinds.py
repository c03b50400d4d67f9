"""Kinds of file that hold no rows Touchstone reads, known by their first bytes, and what to bring instead."""

from __future__ import annotations

import re

__all__ = ["SNIFFED", "other_kind"]

SNIFFED = 4096
"""Bytes to look at."""

_ROWS = "JSON lines, a JSON array or Parquet, plain or as .gz or .zst"
_STARTS = (
    (b"PK\x03\x04", f"a ZIP archive or an Excel workbook; expected {_ROWS}: unpack it, or save the sheet so"),
    (b"\xd0\xcf\x11\xe0", f"an Excel workbook; expected {_ROWS}: save the sheet so"),
    (b"BZh", f"compressed with bzip2; expected {_ROWS}: unpack it"),
    (b"\xfd7zXZ", f"compressed with xz; expected {_ROWS}: unpack it"),
    (b"7z\xbc\xaf", f"a 7z archive; expected {_ROWS}: unpack it"),
    (b"\x80", f"a pickle of Python, which is never opened: it could run anything; expected {_ROWS}"),
    (b"\xff\xfe", f"text in UTF-16; expected UTF-8, as {_ROWS}: save it as UTF-8"),
    (b"\xfe\xff", f"text in UTF-16; expected UTF-8, as {_ROWS}: save it as UTF-8"),
    (b"ARROW1", f"an Arrow file; expected {_ROWS}: `to_parquet` of its data set writes one"),
    (
        b"version https://git-lfs",
        "a pointer of Git LFS and not the file itself; `git lfs pull` fetches it",
    ),
    (b"<", f"a web page or XML, as a download without a login gives; expected {_ROWS}"),
)
_TAR = slice(257, 262)
_COLUMNS = re.compile(rb'"?[A-Za-z_][\w .+@-]*"?([,;\t])"?[A-Za-z_][\w .+@-]*"?(\1|\r|\n|$)')


def other_kind(head: bytes) -> str:
    """What a file that begins with `head` is, and what was expected; "" if it may be read."""
    for start, what in _STARTS:
        if head.lstrip(b" \r\n\t").startswith(start):
            return what
    if head[_TAR] == b"ustar":
        return f"a tar archive; expected {_ROWS}: unpack it"
    if b"\0" in head[:2]:
        return f"text in UTF-16 or UTF-32, or no text at all; expected UTF-8, as {_ROWS}: save it as UTF-8"
    if _COLUMNS.match(head.removeprefix(b"\xef\xbb\xbf")):
        return (
            f"a table as CSV; expected {_ROWS}: pandas writes one of it with "
            '`to_json(FILE, orient="records", lines=True)`'
        )
    return ""
