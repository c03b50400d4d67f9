"""The C library, for calls that Python has no name for."""

from __future__ import annotations

import ctypes
import os
import platform
from typing import Final

LIBC: Final = ctypes.CDLL(None, use_errno=True)
MACHINE: Final = platform.machine()
LINUX: Final = os.uname().sysname == "Linux"


def problem(what: str) -> str:
    """Why the last call failed, for a person."""
    return f"{what}: {os.strerror(ctypes.get_errno())}"


def prctl(option: int, *arguments: int) -> int:
    """prctl(2); -1 and errno on failure."""
    values = [ctypes.c_ulong(argument) for argument in (*arguments, 0, 0, 0, 0)[:4]]
    return int(LIBC.prctl(ctypes.c_int(option), *values))
