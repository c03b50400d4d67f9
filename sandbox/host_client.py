"""The judge's end of the control channel to the host."""

from __future__ import annotations

import json
import socket
from typing import Any

from sandbox.wire import BrokenStreamError


class HostClient:
    """The judge's end of the control channel.

    Attributes:
        outputs: descriptors of the files that catch the program's stdout and stderr.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        _, self.outputs, _, _ = self._ask({"op": "hello"}, 2)

    def spawn(self, limits: dict[str, Any], stdin: int | None) -> socket.socket:
        """A socket to a new program process; the one before is gone with all it started."""
        ours, theirs = socket.socketpair()
        with theirs:
            given = [theirs.fileno()] + ([] if stdin is None else [stdin])
            self._ask({"op": "spawn", **limits}, 0, given)
        return ours

    def fate(self) -> dict[str, Any]:
        """End the program process and say how it ended: wait status (or None) and peak memory."""
        answer: dict[str, Any] = json.loads(self._ask({"op": "fate"}, 0)[0])
        return answer

    def end(self) -> None:
        """End the program process and all that it started."""
        self._ask({"op": "end"}, 0)

    def _ask(
        self, request: dict[str, Any], descriptors: int, given: list[int] | None = None
    ) -> tuple[bytes, list[int], int, Any]:
        socket.send_fds(self._control, [json.dumps(request).encode()], given or [])
        answer = socket.recv_fds(self._control, 4096, max(descriptors, 1))
        if not answer[0] or len(answer[1]) != descriptors:
            raise BrokenStreamError("the host is gone")
        return answer
