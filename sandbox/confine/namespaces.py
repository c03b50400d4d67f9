"""Namespaces: own users, processes, network, mounts and IPC (Linux).

Source: namespaces(7), user_namespaces(7).
"""

from __future__ import annotations

import os

from sandbox.confine.libc import LIBC, LINUX, prctl, problem

_NEWNS, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = (
    0x00020000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
_MS_NOSUID, _MS_NODEV, _MS_REC, _MS_PRIVATE = 2, 4, 16384, 1 << 18
_MNT_DETACH = 2
_PR_SET_CHILD_SUBREAPER = 36
_FIRST_COUNTED_USER = 60_000
_INSIDE = _NEWNS | _NEWUTS | _NEWIPC | _NEWPID | _NEWNET


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


def mount_scratch(path: str, size_mb: int) -> str | None:
    """Put a small file system in memory at `path`, seen by this mount namespace only."""
    if LIBC.mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None) != 0:
        return problem("the size of all files together is not limited")
    options = f"size={size_mb}m,nr_inodes=4096,mode=0700".encode()
    if LIBC.mount(b"scratch", path.encode(), b"tmpfs", _MS_NOSUID | _MS_NODEV, options) != 0:
        return problem("the size of all files together is not limited")
    return None


def unmount(path: str) -> None:
    """Take the file system at `path` away again."""
    LIBC.umount2(path.encode(), _MNT_DETACH)
