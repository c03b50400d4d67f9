"""A backend's folder for the processes it starts, and the end of folders that a killed controller left.

Whoever has a folder holds a lock on the folder itself, which the kernel lets go of when its holder ends, in
whatever way. So a folder that can be locked belongs to nobody.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

PREFIX: Final = "touchstone-sandbox-"


class Scratch:
    """An empty folder under the system's folder for temporary files; abandoned ones there are removed first.

    Attributes:
        path: of the folder.
    """

    def __init__(self) -> None:
        _remove_abandoned(Path(tempfile.gettempdir()))
        while True:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            self._lock = _locked(self.path)
            if self._lock is not None and self.path.exists():
                return
            self.close()  # another start took it for abandoned before it was locked

    def close(self) -> None:
        """Remove the folder and what is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def _remove_abandoned(folder: Path) -> None:
    for path in folder.glob(f"{PREFIX}*"):
        lock = _locked(path)
        if lock is not None:
            shutil.rmtree(path, ignore_errors=True)
            os.close(lock)


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock of a folder; None if somebody else has it, or it is not ours."""
    import fcntl

    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            if os.fstat(descriptor).st_uid == os.geteuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return descriptor
        except OSError:
            pass
        os.close(descriptor)
    return None
