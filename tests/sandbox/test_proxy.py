from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from sandbox.proxy import NotPlainDataError, Proxy, update_in_place


class Recorder:
    """A remote that remembers what it was asked."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.asked: list[object] = []

    def ask(self, operation: str, *arguments: object) -> object:
        """Give the same answer to everything."""
        self.asked.append((operation, *arguments))
        return self.answer

    def call(self, target: object, args: object, kwargs: object) -> object:
        """Give the same answer to every call."""
        self.asked.append(("call", target, args, kwargs))
        return self.answer


def test_what_is_asked_of_a_proxy_is_forwarded():
    """Calls, attributes and protocols become requests."""
    remote = Recorder(3)
    proxy = Proxy(remote, "f", "function")
    assert (proxy(1, a=2), proxy.x, len(proxy), proxy[0]) == (3, 3, 3, 3)
    proxy.y = 4
    assert remote.asked == [
        ("call", "f", (1,), {"a": 2}),
        ("get", "f", "x"),
        ("do", "f", "len", []),
        ("do", "f", "getitem", [0]),
        ("set", "f", "y", 4),
    ]


@pytest.mark.parametrize(
    "use",
    [bool, hash, lambda p: p == 1, lambda p: p != 1, lambda p: p < 1, lambda p: p in (1, 2), lambda p: {p}],
)
def test_a_proxy_takes_part_in_no_comparison(use):
    """Nothing is asked of the program; the error names the type."""
    remote = Recorder(True)
    with pytest.raises(NotPlainDataError, match="type Liar"):
        use(Proxy(remote, 1, "Liar"))
    assert remote.asked == []


@pytest.mark.parametrize(("use", "answer"), [(str, 1), (repr, None), (len, True), (lambda p: 1 in p, 1)])
def test_an_answer_of_the_wrong_type_is_an_error(use, answer):
    """What Python wants as str, int or bool has to be exactly that."""
    with pytest.raises(TypeError):
        use(Proxy(Recorder(answer), 1, "A"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([3, 1], [1, 3]), ([1], []), ([[1], [2]], [[1, 5], [2]]), ({"a": [1]}, {"b": 2, "a": [1, 2]}),
        ({1}, {2}), (deque([1]), deque([2, 3])), (bytearray(b"a"), bytearray(b"bc")),
    ],
)  # fmt: skip
def test_arguments_are_updated_in_place(before, after):
    """The object stays the same one and gets the new content, in the new order."""
    update_in_place(before, after)
    assert before == after
    assert list(before) == list(after)


def test_inner_lists_and_arrays_keep_their_identity():
    """A list inside a list is updated, not replaced; an array gets new items."""
    inner = [1]
    update_in_place([inner, 2], [[1, 2], 3])
    assert inner == [1, 2]
    array = np.zeros(2)
    update_in_place(array, np.ones(2))
    assert array.tolist() == [1, 1]
