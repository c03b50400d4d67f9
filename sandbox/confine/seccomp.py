"""seccomp: which system calls the process may make (Linux, x86_64 and aarch64).

A list of what is denied, because programs may use all of Python. Denied calls fail with EPERM, so a
program sees a PermissionError. Source: seccomp(2), and linux/filter.h for the little machine.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import struct
from collections.abc import Callable
from typing import Final

from sandbox.confine.libc import LINUX, MACHINE, prctl, problem

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW: Final = 0x7FFF0000
_KILL: Final = 0x80000000
_EPERM: Final = 0x00050000 | errno.EPERM
_ENOSYS: Final = 0x00050000 | errno.ENOSYS
_NUMBER, _ARCH, _FIRST, _SECOND = 0, 4, 16, 24  # offsets in seccomp_data; low words of arguments
_CLONE_THREAD: Final = 0x00010000
_X32_BIT: Final = 0x40000000
_AUDIT_ARCH: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# name: (x86_64, aarch64); None where the architecture has no such call
CALLS: Final[dict[str, tuple[int | None, int | None]]] = {
    # network
    "socket": (41, 198), "connect": (42, 203), "accept": (43, 202), "bind": (49, 200), "listen": (50, 201),
    "accept4": (288, 242),
    # other processes
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440), "process_mrelease": (448, 448), "tkill": (200, 130),
    "setpriority": (141, 140), "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118), "sched_setattr": (314, 274), "ioprio_set": (251, 30),
    "migrate_pages": (256, 238), "move_pages": (279, 239),
    # mounts and namespaces
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268), "fsopen": (430, 430), "fsconfig": (431, 431),
    "fsmount": (432, 432), "fspick": (433, 433), "move_mount": (429, 429), "open_tree": (428, 428),
    "mount_setattr": (442, 442), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    # doors into the kernel
    "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "reboot": (169, 142), "swapon": (167, 224), "swapoff": (168, 225),
    "acct": (163, 89), "quotactl": (179, 60), "syslog": (103, 116), "settimeofday": (164, 170),
    "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "sethostname": (170, 161), "setdomainname": (171, 162), "personality": (135, 92), "iopl": (172, None),
    "ioperm": (173, None), "modify_ldt": (154, None), "fanotify_init": (300, 262), "memfd_secret": (447, 447),
    # waits for the disks of the whole machine
    "sync": (162, 81), "syncfs": (306, 267),
    # memory shared by name
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
}  # fmt: skip
_CLONE: Final = {"x86_64": 56, "aarch64": 220}
_CLONE3: Final = 435
_NEW_PROCESS: Final = {"x86_64": (57, 58, 59, 322), "aarch64": (221, 281)}  # fork, vfork, execve, execveat
_KILL_CALL: Final = {"x86_64": 62, "aarch64": 129}
_TGKILL: Final = {"x86_64": 234, "aarch64": 131}
_SIGQUEUE: Final = {"x86_64": (129, 297), "aarch64": (138, 240)}
_PRLIMIT: Final = {"x86_64": 302, "aarch64": 261}

_PID_PLACE: Final = 0x7EDCBA98  # where the pid of the sealed process goes

Instruction = tuple[int, int, int, int]


def deny_base() -> str | None:
    """Deny what no program here needs; what is missing and why, or None."""
    return _install(_deny_list()) if _known() else f"system calls are not filtered: {_unknown()}"


class Seal:
    """The filter that goes on every process before it runs a program, made ahead but for its pid.

    It denies signals to others and, without `processes`, new processes and programs.
    """

    def __init__(self, processes: int) -> None:
        self._places: list[ctypes.c_uint32] = []
        self._lay: Callable[[], int] = lambda: -1
        if _known():
            program = _seal_list(processes, _PID_PLACE)
            self._code, self._header = _pack(program)
            self._places = [
                ctypes.c_uint32.from_buffer(self._code, 8 * line + 4)
                for line, step in enumerate(program)
                if step[3] == _PID_PLACE
            ]
            numbers = _MODE_FILTER, ctypes.addressof(self._header), 0, 0
            self._lay = functools.partial(
                ctypes.CDLL(None).prctl, ctypes.c_int(_PR_SET_SECCOMP), *map(ctypes.c_ulong, numbers)
            )

    def lay(self, pid: int) -> bool:
        """Lay the filter on this process; whether the kernel took it."""
        for place in self._places:
            place.value = pid
        return bool(self._lay() == 0)


def _known() -> bool:
    return LINUX and MACHINE in _AUDIT_ARCH


def _unknown() -> str:
    return f"no filter is written for {os.uname().sysname} on {MACHINE}"


def _head() -> list[Instruction]:
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, _AUDIT_ARCH[MACHINE]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if MACHINE == "x86_64":
        program += [(_AT_LEAST, 0, 1, _X32_BIT), (_RETURN, 0, 0, _ENOSYS)]
    return program


def _on(number: int, *then: Instruction) -> list[Instruction]:
    """When the call has this number do `then`, which must end by returning."""
    return [(_EQUAL, 0, len(then), number), *then]


def _deny_list() -> list[Instruction]:
    column = 0 if MACHINE == "x86_64" else 1
    program = _head()
    for numbers in CALLS.values():
        number = numbers[column]
        if number is not None:
            program += _on(number, (_RETURN, 0, 0, _EPERM))
    only_myself = [
        (_LOAD, 0, 0, _FIRST),
        (_EQUAL, 0, 1, 0),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _EPERM),
    ]
    program += _on(_PRLIMIT[MACHINE], *only_myself)
    return [*program, (_RETURN, 0, 0, _ALLOW)]


def _seal_list(processes: int, pid: int) -> list[Instruction]:
    program = _head()
    # glibc falls back to clone, whose flags a filter can read
    program += _on(_CLONE3, (_RETURN, 0, 0, _ENOSYS))
    if processes == 0:
        for number in _NEW_PROCESS[MACHINE]:
            program += _on(number, (_RETURN, 0, 0, _EPERM))
        only_threads = [
            (_LOAD, 0, 0, _FIRST),
            (_ANY_BIT, 0, 1, _CLONE_THREAD),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _EPERM),
        ]
        program += _on(_CLONE[MACHINE], *only_threads)
        only_myself = [
            (_LOAD, 0, 0, _FIRST),
            (_EQUAL, 0, 1, pid),
            (_RETURN, 0, 0, _ALLOW),
            (_EQUAL, 0, 1, 0),
            (_RETURN, 0, 0, _ALLOW),
            (_RETURN, 0, 0, _EPERM),
        ]
        for number in (_KILL_CALL[MACHINE], _TGKILL[MACHINE], *_SIGQUEUE[MACHINE]):
            program += _on(number, *only_myself)
    return [*program, (_RETURN, 0, 0, _ALLOW)]


def _pack(program: list[Instruction]) -> tuple[ctypes.Array[ctypes.c_char], ctypes.Array[ctypes.c_char]]:
    """The instructions, and the struct sock_fprog { unsigned short len; struct sock_filter *filter; }."""
    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *line) for line in program))
    return code, ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(code)))


def _install(program: list[Instruction]) -> str | None:
    code, header = _pack(program)
    assert len(code)
    if prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(header)) != 0:
        return problem("system calls are not filtered")
    return None
