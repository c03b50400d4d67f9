"""The C library, for calls that Python has no name for."""

from __future__ import annotations

import ctypes
import os
from typing import Final

LIBC: Final = ctypes.CDLL(None, use_errno=True)
MACHINE: Final = os.uname().machine
LINUX: Final = os.uname().sysname == "Linux"


def problem(what: str) -> str:
    """Why the last call failed, for a person."""
    return f"{what}: {os.strerror(ctypes.get_errno())}"


if LINUX:
    LIBC.prctl.argtypes = [ctypes.c_int] + [ctypes.c_ulong] * 4


def prctl(option: int, first: int = 0, second: int = 0) -> int:
    """Call prctl; -1 and errno on failure."""
    return int(LIBC.prctl(option, first, second, 0, 0))
