"""Frames: four bytes of length, then that many bytes. Nothing is believed about what is inside."""

from __future__ import annotations

import os
import struct
from typing import Final

FRAME_LIMIT: Final = 24 * 1024 * 1024
"""Bytes of one frame; a longer one is a broken stream."""
_LENGTH: Final = struct.Struct(">I")


class BrokenStreamError(ConnectionError):
    """The other side is gone, or what it sends are no frames."""


def frame(payload: bytes) -> bytes:
    """The payload with its length in front."""
    return _LENGTH.pack(len(payload)) + payload


def write_frame(fd: int, payload: bytes) -> None:
    """Write one frame to a blocking descriptor."""
    data = frame(payload)
    while (written := os.write(fd, data)) < len(data):
        data = data[written:]


class Frames:
    """Cuts a stream of bytes into frames, as they come."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    @property
    def waiting(self) -> bool:
        """Whether there is more, a whole frame or a part of one."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> None:
        """Take bytes that came."""
        self._buffer += data

    def next(self) -> bytearray | None:
        """The next whole frame, or None if more bytes are needed.

        Raises:
            BrokenStreamError: the length is beyond the limit.
        """
        buffer = self._buffer
        if len(buffer) < 4:
            return None
        (length,) = _LENGTH.unpack_from(buffer)
        if length > FRAME_LIMIT:
            raise BrokenStreamError(f"a frame of {length} bytes")
        if len(buffer) < 4 + length:
            return None
        payload = buffer[4 : 4 + length]
        del buffer[: 4 + length]
        return payload


def read_frame(fd: int, frames: Frames) -> bytearray:
    """Wait for one frame on a blocking descriptor.

    Raises:
        BrokenStreamError: the stream ended.
    """
    while (payload := frames.next()) is None:
        data = os.read(fd, 1 << 16)
        if not data:
            raise BrokenStreamError("the stream ended")
        frames.feed(data)
    return payload
