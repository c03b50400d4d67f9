"""What the hostile programs reach for: a secret file, listeners, a folder outside, System V memory."""

from __future__ import annotations

import ctypes
import os
import platform
import secrets
import shutil
import socket
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

SECRET_NAME = "TOUCHSTONE_PLANTED_SECRET"


class Surroundings:
    """Plants everything on entry and takes it all away on exit.

    Attributes:
        places: what each placeholder of the programs stands for.
    """

    def __init__(self, *, lethal: bool = False) -> None:
        """`lethal`: programs that kill everyone really do so; only for private process namespaces."""
        self.lethal = lethal
        self.places: Mapping[str, str] = {}
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="touchstone-outside-"))
        self._stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o777)  # whatever user a backend runs as, only the backend is in the way
        self.mark = "touchstone-mark-" + secrets.token_hex(6)
        self.key = secrets.randbelow(2**30) + 1
        secret = self.folder / "secret"
        secret.write_text("the secret\n", encoding="utf-8")
        secret.chmod(0o644)
        self.planted = self.folder / "planted"
        self.planted.mkdir()
        (self.planted / "kept").write_text("kept\n", encoding="utf-8")
        os.environ[SECRET_NAME] = secrets.token_hex(8)
        self._stack.callback(os.environ.pop, SECRET_NAME, None)
        self._listeners = self._listen()
        self.places = {
            "SECRET_FILE": str(secret),
            "SECRET_NAME": SECRET_NAME,
            "WITNESS": str(self.folder / "witness"),
            "PLANTED_FOLDER": str(self.planted),
            "LISTENER_PORT": str(self._listeners["tcp"].getsockname()[1]),
            "UNIX_SOCKET": str(self.folder / "socket"),
            "MARK": self.mark,
            "IPC_KEY": str(self.key),
            "KILL_SIGNAL": "9" if self.lethal else "0",
        }
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _listen(self) -> dict[str, socket.socket]:
        found: dict[str, socket.socket] = {}
        for name, family, kind in (
            ("tcp", socket.AF_INET, socket.SOCK_STREAM),
            ("udp", socket.AF_INET, socket.SOCK_DGRAM),
            ("unix", socket.AF_UNIX, socket.SOCK_STREAM),
            ("abstract", socket.AF_UNIX, socket.SOCK_STREAM),
        ):
            found[name] = self._stack.enter_context(socket.socket(family, kind))
            found[name].setblocking(False)
        found["tcp"].bind(("127.0.0.1", 0))
        found["udp"].bind(("127.0.0.1", found["tcp"].getsockname()[1]))
        found["unix"].bind(str(self.folder / "socket"))
        (self.folder / "socket").chmod(0o777)
        found["abstract"].bind("\0" + self.mark)
        for name in ("tcp", "unix", "abstract"):
            found[name].listen(64)
        return found

    def reached(self) -> list[str]:
        """The listeners that somebody got through to since the last call."""
        got = []
        for name, listener in self._listeners.items():
            with suppress(BlockingIOError):
                if name == "udp":
                    listener.recv(100)
                else:
                    listener.accept()[0].close()
                got.append(name)
        return got

    def left_behind(self) -> list[str]:
        """Files, memory segments and keys that the programs left, each in a phrase; takes them away."""
        found = [f"file {path}" for path in self.folder.iterdir() if path.name == "witness"]
        if [path.name for path in self.planted.iterdir()] != ["kept"]:
            found.append("the planted folder was changed")
        for path in (Path("/tmp") / self.mark, Path("/dev/shm") / self.mark):
            if path.exists():
                found.append(f"file {path}")
                path.unlink()
        libc = ctypes.CDLL(None)
        if (segment := libc.shmget(self.key, 0, 0)) >= 0:
            found.append("System V shared memory")
            libc.shmctl(segment, 0, None)
        with suppress(OSError, AttributeError):
            if ctypes.CDLL("librt.so.1").mq_unlink(b"/" + self.mark.encode()) == 0:
                found.append("POSIX message queue")
        keyctl = {"x86_64": 250, "aarch64": 219}.get(platform.machine())
        if keyctl and (key := libc.syscall(keyctl, 10, -4, b"user", self.mark.encode(), 0)) >= 0:
            found.append("key in the kernel's keyring")
            libc.syscall(keyctl, 9, key, -4)
        return found
