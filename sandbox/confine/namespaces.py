"""Namespaces: own users, processes, network, mounts and IPC (Linux).

Source: namespaces(7), user_namespaces(7).
"""

from __future__ import annotations

import ctypes
import os
import struct

from sandbox.confine.libc import LIBC, LINUX, prctl, problem

_NEWNS, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = (
    0x00020000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
_MS_NOSUID, _MS_NODEV, _MS_REC, _MS_PRIVATE = 2, 4, 16384, 1 << 18
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE, _MOUNT_ATTR_RDONLY = 442, -100, 0x8000, 1
_PR_SET_CHILD_SUBREAPER = 36
_FIRST_COUNTED_USER = 60_000
_INSIDE = _NEWUTS | _NEWIPC | _NEWPID | _NEWNET


_adopts = False


def enter() -> str | None:
    """Move this process's children into namespaces of their own; what is missing and why, or None.

    A user namespace keeps the user's number, so files open as before, and takes its power over
    processes outside away. The first child that is forked afterwards is process 1 in there: when it
    ends, the kernel ends all others.
    """
    if not LINUX:
        return "network and processes are not separate: not a Linux"
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        # the kernel counts processes by the real user and never those of root; files go by the effective one
        os.setresuid(_FIRST_COUNTED_USER + os.urandom(1)[0], 0, 0)
    if LIBC.unshare(_NEWUSER | _INSIDE) != 0:
        reason = problem("network and processes are not separate: unshare")
        return None if user == 0 and LIBC.unshare(_INSIDE) == 0 else reason
    for name, text in (
        ("setgroups", "deny"),
        ("gid_map", f"{group} {group} 1"),
        ("uid_map", f"{user} {user} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123 - pathlib would be in every program's process
            file.write(text)
    return None


def adopt() -> None:
    """Become the parent of every orphan below; for the child of a process 1 that does nothing but watch."""
    global _adopts
    _adopts = prctl(_PR_SET_CHILD_SUBREAPER, 1) == 0


def alone() -> bool:
    """Whether all processes in sight, a process 1 that can't be killed aside, descend from this one."""
    return os.getpid() == 1 or (_adopts and os.getppid() == 1)


def own_mounts(path: str, size_mb: int) -> tuple[str | None, str | None]:
    """Take mounts of its own for this process, all read-only but a small file system in memory at `path`.

    Landlock guards what is in files. Their modes, owners, times and attributes only a read-only mount does.

    Returns:
        What is missing of the first and of the second, and why.
    """
    changeable, unlimited = (
        "modes and times of this user's other files can be changed",
        "the size of all files together is not limited",
    )
    if LIBC.unshare(_NEWNS) != 0 or LIBC.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None) != 0:
        return problem(changeable), problem(unlimited)
    read_only = struct.pack("=QQQQ", _MOUNT_ATTR_RDONLY, 0, 0, 0)
    closed = LIBC.syscall(
        _MOUNT_SETATTR, _AT_FDCWD, b"/", _AT_RECURSIVE, read_only, ctypes.c_size_t(len(read_only))
    )
    missing = None if closed == 0 else problem(changeable)
    options = f"size={size_mb}m,nr_inodes=4096,mode=0700".encode()
    if LIBC.mount(b"scratch", path.encode(), b"tmpfs", _MS_NOSUID | _MS_NODEV, options) != 0:
        return missing, problem(unlimited)
    return missing, None
