from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.wire import BrokenStreamError, Frames, frame, read_frame, write_frame


@given(st.lists(st.binary(max_size=50)), st.integers(min_value=1, max_value=20))
def test_frames_survive_any_cutting_of_the_stream(payloads, step):
    """However the bytes arrive, the same frames come out."""
    stream = b"".join(map(frame, payloads))
    frames, found = Frames(), []
    for start in range(0, len(stream), step):
        frames.feed(stream[start : start + step])
        while (payload := frames.next()) is not None:
            found.append(payload)
    assert found == payloads


def test_an_absurd_length_breaks_the_stream():
    """A length beyond the limit is refused before anything is gathered."""
    frames = Frames()
    frames.feed(b"\xff\xff\xff\xff")
    with pytest.raises(BrokenStreamError):
        frames.next()


def test_who_is_trusted_may_send_longer_frames():
    """The limit is that of who reads."""
    payload = b"x" * 20
    strict, patient = Frames(10), Frames(20)
    strict.feed(frame(payload))
    patient.feed(frame(payload))
    assert patient.next() == payload
    with pytest.raises(BrokenStreamError):
        strict.next()


def test_the_end_of_a_stream_is_an_error_in_the_middle_of_a_frame():
    """A frame written is read; a stream that ends inside one is broken."""
    reading, writing = os.pipe()
    write_frame(writing, b"whole")
    os.write(writing, frame(b"half")[:-1])
    os.close(writing)
    frames = Frames()
    assert read_frame(reading, frames) == b"whole"
    with pytest.raises(BrokenStreamError):
        read_frame(reading, frames)
    os.close(reading)
