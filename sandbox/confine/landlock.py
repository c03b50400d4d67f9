"""Landlock: which files the process may open (Linux 5.13; signals and abstract sockets since 6.12).

Source: https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct

from sandbox.confine.libc import LIBC, LINUX, problem

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL_DEVICE = 1 << 14, 1 << 15
_FILE_RIGHTS = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
_BIND_TCP_CONNECT_TCP = 3
_SCOPE_SOCKETS_AND_SIGNALS = 3

_DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")


def abi() -> int:
    """The version of Landlock that the kernel speaks; 0 if none."""
    if not LINUX:
        return 0
    return max(0, int(LIBC.syscall(_CREATE_RULESET, None, 0, 1)))


def restrict(readable: list[str], writable: str) -> str | None:
    """Let this process read below `readable` and write below `writable` only.

    Returns:
        What is missing and why, or None.
    """
    version = abi()
    if version < 1:
        return "files of this user can be read: the kernel has no Landlock"
    handled = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)) - 1
    attributes = struct.pack(
        "=QQQ",
        handled,
        _BIND_TCP_CONNECT_TCP if version >= 4 else 0,
        _SCOPE_SOCKETS_AND_SIGNALS if version >= 6 else 0,
    )
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = int(LIBC.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(size), 0))
    if ruleset < 0:
        return problem("Landlock refused")
    try:
        for path in readable:
            _allow(ruleset, path, (_READ_FILE | _READ_DIR | _EXECUTE) & handled)
        for path in _DEVICES:
            _allow(ruleset, path, (_READ_FILE | _WRITE_FILE) & handled)
        _allow(ruleset, writable, handled & ~(_EXECUTE | _IOCTL_DEVICE))
        if LIBC.syscall(_RESTRICT_SELF, ruleset, 0) != 0:
            return problem("Landlock refused")
    finally:
        os.close(ruleset)
    return None


def _allow(ruleset: int, path: str, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError, PermissionError):
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not stat.S_ISDIR(os.fstat(fd).st_mode):
                rights &= _FILE_RIGHTS
            LIBC.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, fd), 0)
        finally:
            os.close(fd)
