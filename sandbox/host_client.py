"""The judge's end of the control channel to the host."""

from __future__ import annotations

import functools
import json
import os
import socket
from collections.abc import Sequence
from typing import Any, Final

from sandbox.wire import BrokenStreamError

_ANSWER_BYTES: Final = 4096


class HostClient:
    """The judge's end of the control channel.

    The socket to a program process stays open until the host has killed it: hung up on before, the process
    would wake up only to end itself.

    Attributes:
        outputs: descriptors of the files that catch the program's stdout and stderr.
        marked: whether something had them that may do anything to them; the next program gets new ones.
    """

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._channel: socket.socket | None = None
        self.marked = False
        control.send(_request("hello"))
        self.outputs = self._given_outputs()

    def spawn(self, limits: dict[str, int], stdin: int | None) -> socket.socket:
        """A socket to a new program process; the one before is gone with all it started."""
        ours, theirs = socket.socketpair()
        with theirs:
            given = [theirs.fileno()] if stdin is None else [theirs.fileno(), stdin]
            if self.marked:
                socket.send_fds(self._control, [_request("spawn", renew=True, **limits)], given)
                for output in self.outputs:
                    os.close(output)
                self.outputs = self._given_outputs()
            else:
                self._ask(_request("spawn", renew=False, **limits), given)
        self.hang_up()
        self._channel = ours
        return ours

    def fate(self) -> dict[str, Any]:
        """End the program process and say how it ended: wait status (or None) and peak memory."""
        answer: dict[str, Any] = json.loads(self._ask(_request("fate")))
        return answer

    def end(self) -> None:
        """End the program process and all that it started."""
        self._ask(_request("end"))
        self.hang_up()

    def hang_up(self) -> None:
        """Close the socket to the last program process; if it is still there, it ends by itself."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None

    def _given_outputs(self) -> list[int]:
        _, outputs, _, _ = socket.recv_fds(self._control, _ANSWER_BYTES, 2)
        if len(outputs) != 2:
            raise BrokenStreamError("the host is gone")
        return outputs

    def _ask(self, request: bytes, given: Sequence[int] = ()) -> bytes:
        socket.send_fds(self._control, [request], given)
        answer = self._control.recv(_ANSWER_BYTES)
        if not answer:
            raise BrokenStreamError("the host is gone")
        return answer


@functools.lru_cache(maxsize=64)
def _request(operation: str, **limits: int) -> bytes:
    return json.dumps({"op": operation, **limits}).encode()
