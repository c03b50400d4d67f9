"""No new privileges, no capabilities, and a memory that other processes can't read."""

from __future__ import annotations

import ctypes
import struct

from sandbox.confine.libc import LIBC, LINUX, prctl, problem

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITY_VERSION_3 = 0x20080522
_HIGHEST_CAPABILITY = 63


def drop() -> str | None:
    """Give up every capability for good; what is missing and why, or None."""
    if not LINUX:
        return "privileges stay as they are: not a Linux"
    if prctl(_PR_SET_NO_NEW_PRIVS, 1) != 0:
        return problem("no_new_privs refused")
    prctl(_PR_SET_DUMPABLE, 0)
    prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    for capability in range(_HIGHEST_CAPABILITY + 1):
        prctl(_PR_CAPBSET_DROP, capability)
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0))
    if LIBC.capset(header, ctypes.create_string_buffer(24)) != 0:
        return problem("capabilities can't be dropped")
    return None


def die_with_parent(signal_number: int) -> None:
    """Ask the kernel for a signal when the parent ends (Linux; nothing elsewhere)."""
    if LINUX:
        prctl(_PR_SET_PDEATHSIG, signal_number)
