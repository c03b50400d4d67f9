from __future__ import annotations

from collections import deque
from unittest.mock import ANY

import numpy as np
import pytest

from sandbox.proxy import (
    Defaults,
    Function,
    Instance,
    Part,
    Proxy,
    Result,
    is_callable,
    kind_of,
    truth_of,
    update_in_place,
)


class Recorder:
    """A remote that remembers what it was asked."""

    def __init__(self, answer: object) -> None:
        self.answer = answer
        self.asked: list[object] = []

    def ask(self, gives: type[Proxy], operation: str, *arguments: object) -> object:
        """Give the same answer to everything."""
        self.asked.append((gives, operation, *arguments))
        return self.answer

    def call(self, gives: type[Proxy], target: object, args: object, kwargs: object) -> object:
        """Give the same answer to every call."""
        self.asked.append((gives, "call", target, args, kwargs))
        return self.answer

    def refuse(self, target: object, kind: str) -> None:
        """End the check as no `except Exception` could prevent."""
        raise KeyboardInterrupt(f"type {kind}")


def test_what_is_asked_of_a_class_is_forwarded():
    """Calls, attributes and protocols become requests, and say what may be done with what comes back."""
    remote = Recorder(3)
    proxy = Part(remote, "Stack", "type")
    assert (proxy(1, a=2), proxy.x, len(proxy), proxy[0]) == (3, 3, 3, 3)
    proxy.y = 4
    assert remote.asked == [
        (Instance, "call", "Stack", (1,), {"a": 2}),
        (Part, "get", "Stack", "x"),
        (Part, "do", "Stack", "len", []),
        (Part, "do", "Stack", "getitem", [0]),
        (Part, "set", "Stack", "y", 4),
    ]


COMPARISONS = [
    bool, hash, lambda p: p == 1, lambda p: p != 1, lambda p: p < 1, lambda p: p in (1, 2), lambda p: {p},
    lambda p: isinstance(p, int), abs, round, float, lambda p: 0.3 - p, lambda p: p / 2,
]  # fmt: skip
OPERATORS = [len, list, iter, lambda p: p[0], lambda p: 1 in p, lambda p: p - 1, next, sorted]


@pytest.mark.parametrize(
    ("use", "kind"),
    [
        (use, kind)
        for use in COMPARISONS
        for kind in (Result, Part, Instance)
        if (use, kind) != (bool, Instance)
    ],
)
def test_a_proxy_takes_part_in_no_comparison(use, kind):
    """Nothing is asked of the program; the check is over, and the reason names the type."""
    remote = Recorder(True)
    with pytest.raises(KeyboardInterrupt, match="type Liar"):
        use(kind(remote, 1, "Liar"))
    assert remote.asked == []


@pytest.mark.parametrize("use", [*OPERATORS, lambda p: p.startswith, lambda p: p.items, lambda p: p.tolist])
def test_what_a_function_gave_cannot_stand_for_plain_data(use):
    """Its text aside, no operator and no attribute of plain data is left to what a function gave."""
    remote = Recorder(True)
    with pytest.raises(KeyboardInterrupt, match="type Liar"):
        use(Result(remote, 1, "Liar"))
    assert remote.asked == []


def test_what_a_function_gave_can_be_called_and_has_attributes_of_its_own():
    """A closure or a tree that a function gives can be used as one."""
    remote = Recorder(3)
    assert (Result(remote, 1, "Tree").left, Result(remote, 2, "function")(4)) == (3, 3)
    assert remote.asked == [(Result, "get", 1, "left"), (Result, "call", 2, (4,), {})]


def test_what_a_function_gave_has_a_text_and_fields():
    """They come as plain data and are compared as such."""
    remote = Recorder("Point(1)")
    assert (str(Result(remote, 1, "Point")), repr(Result(remote, 1, "Point"))) == ("Point(1)", "Point(1)")
    assert f"{Result(remote, 1, 'Point'):>9}" == "Point(1)"
    assert vars(Result(Recorder({"x": 1}), 1, "Point")) == {"x": 1}
    with pytest.raises(TypeError):
        str(Result(Recorder(5), 1, "Liar"))


def test_an_object_is_itself_alone_where_its_class_says_nothing_else():
    """Nothing is asked: it compares as `object()` does, and as one with each of its stand-ins."""
    remote = Recorder(True)
    one = Part(remote, 1, "Node", Defaults.EQUALITY)
    again, other = Result(remote, 1, "Node", Defaults.EQUALITY), Result(remote, 2, "Node", Defaults.EQUALITY)
    twin = Part(remote, 1, "Node", Defaults.EQUALITY)
    assert one == again and not one != again and {one, twin} == {one}  # noqa: SIM202
    assert one != other and not one == other  # noqa: SIM201
    assert again != None and [again] != [None]  # noqa: E711
    assert remote.asked == []


def test_an_object_that_a_function_gave_is_true_in_conditions_only():
    """What is asserted of a function is plain data: an object is no answer to `assert is_prime(7)`."""
    remote = Recorder(True)
    for kind in (Result, Part):
        assert truth_of(kind(remote, 1, "Node", Defaults.TRUTH))
        with pytest.raises(KeyboardInterrupt, match="type Node"):
            bool(kind(remote, 1, "Node", Defaults.TRUTH))
    assert (truth_of([]), truth_of(3)) == (False, True)
    assert remote.asked == []


@pytest.mark.parametrize(
    "use",
    [
        lambda node: node == 3,
        lambda node: node != 3,
        lambda node: node in ["Node", None],
        lambda node: node == ANY,
        hash,
    ],
)
def test_an_object_that_a_function_gave_does_not_stand_beside_plain_data(use):
    """It is an error that names its type, also where Python would find them different."""
    remote = Recorder(True)
    with pytest.raises(KeyboardInterrupt, match="type Node"):
        use(Result(remote, 1, "Node", Defaults.TRUTH | Defaults.EQUALITY))
    assert remote.asked == []


def test_the_type_of_an_object_is_named_like_no_type_of_plain_data():
    """Its name tells types apart; a class that calls itself `int` is refused where the name is asked for."""
    remote = Recorder(True)
    assert kind_of(Result(remote, 1, "Node")).__name__ == "Node"
    with pytest.raises(TypeError):
        kind_of(Result(remote, 1, "Node"))()
    for name in ("int", "bool", "list", "ndarray", "NoneType"):
        with pytest.raises(KeyboardInterrupt, match=f"type {name}"):
            kind_of(Result(remote, 1, name))
    assert kind_of(Instance(remote, 1, "Counter")).__name__ == "Counter"


def test_a_class_with_a_truth_or_an_equality_of_its_own_decides_for_neither_side():
    """What leaves only one of them as it is ends the check where the other one is asked for."""
    remote = Recorder(True)
    true, same = Part(remote, 1, "A", Defaults.TRUTH), Part(remote, 2, "B", Defaults.EQUALITY)
    for use in (
        lambda: true == None,  # noqa: E711
        lambda: hash(true),
        lambda: truth_of(same),
        lambda: same == true,
        lambda: true != same,
    ):
        with pytest.raises(KeyboardInterrupt):
            use()
    assert remote.asked == []


def test_the_test_asks_its_own_instance_whether_it_is_true():
    """A class under test may say that an object of it is empty."""
    assert not Instance(Recorder(False), 1, "Stack")
    with pytest.raises(TypeError):
        bool(Instance(Recorder(1), 1, "Stack"))


def test_the_type_of_an_object_is_told_by_its_name():
    """Two objects of one class have one type, which is none of the test's, whatever the name."""
    a, b, c = (kind_of(Result(Recorder(None), number, name)) for number, name in enumerate(["A", "A", "B"]))
    assert a == b
    assert c not in (a, int)
    assert (a.__name__, kind_of(3)) == ("A", int)


def test_two_classes_of_one_name_are_two_types():
    """The program says which of its classes of that name an object's is."""
    first, again, second = (
        kind_of(Result(Recorder(None), number, "A", Defaults.NONE, which))
        for number, which in enumerate([0, 0, 1])
    )
    assert first is again
    assert first is not second
    assert first.__name__ == second.__name__


@pytest.mark.parametrize("use", [lambda p: p.startswith("a"), lambda p: p.isdigit(), lambda p: "a" in p])
def test_what_a_method_gave_answers_no_yes_or_no_question_of_plain_data(use):
    """Of objects only the one that the check made itself is asked what it contains."""
    remote = Recorder(True)
    with pytest.raises(KeyboardInterrupt):
        use(Part(remote, 1, "Liar"))
    assert remote.asked == []
    assert "a" in Instance(remote, 1, "Set")


def test_arithmetic_with_plain_data_gives_no_plain_data():
    """Vector times two may be a vector, vector times vector a number; an object less 0.3 is not zero."""
    vector = Instance(Recorder(None), 1, "Vector")
    assert type(Instance(Recorder(vector), 1, "Vector") * 2) is Instance
    assert Instance(Recorder(5), 1, "Vector") * vector == 5
    for use in (lambda p: p - 0.3, lambda p: -p):
        with pytest.raises(KeyboardInterrupt):
            use(Instance(Recorder(0.0), 1, "Zero"))


def test_a_function_is_itself_and_true_without_being_asked():
    """Against plain data a function answers as Python's do; whether two are one only the program knows."""
    remote = Recorder(True)
    function = Function(remote, "f", "function")
    assert function == function and not function != function  # noqa: SIM202
    assert function and function != 0 and function != 0 and function not in [None, "f"]
    assert function == ANY
    for use in (
        lambda f: f == Function(remote, "g", "function"),
        lambda f: f != Result(remote, 1, "Liar"),
        hash,
    ):
        with pytest.raises(KeyboardInterrupt, match="type function"):
            use(function)
    assert remote.asked == []


def test_whether_an_object_can_be_called_is_asked():
    """Every proxy could be called; the program knows which of its objects can."""
    assert is_callable(len)
    assert not is_callable(3)
    assert is_callable(Result(Recorder(True), 1, "function"))
    assert not is_callable(Result(Recorder(False), 1, "Tree"))


@pytest.mark.parametrize(("use", "answer"), [(str, 1), (repr, None), (len, True)])
def test_an_answer_of_the_wrong_type_is_an_error(use, answer):
    """What Python wants as str, int or bool has to be exactly that."""
    with pytest.raises(TypeError):
        use(Part(Recorder(answer), 1, "A"))


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
