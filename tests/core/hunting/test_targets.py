import pytest

from core.hunting.targets import TOLERANCE, same_output, signature_of, target_job
from core.model import Pair, ProblemKind
from sandbox.contract import CallsJob, Limits
from sandbox.values import dumps

FUNCTION, STDIO = ProblemKind.FUNCTION, ProblemKind.STDIO


def pair(buggy: str, good: str = "def f(*a): return a") -> Pair:
    """A pair with this buggy program."""
    return Pair("p", "", FUNCTION, good, buggy, "f")


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ((1, [2, (3,)]), [1, (2, [3])], True),
        ({"k": (1,)}, {"k": [1]}, True),
        (1.0, 1, True),
        (True, 1, True),
        (0.1 + 0.2, 0.3, True),
        (1.0, 1.0 + 3 * TOLERANCE, False),
        (float("nan"), float("nan"), True),
        ([1, 2], [2, 1], False),
        ({1, 2}, {2, 1}, True),
        ({1, 2}, [1, 2], False),
        ("a ", "a", False),
        ("1", 1, False),
        (None, 0, False),
        (None, None, True),
        (iter([1, 2]), [1, 2], True),
        ([], (), True),
    ],
)
def test_returned_values_are_compared_by_the_stated_rule(a: object, b: object, same: bool) -> None:
    """Lists and tuples alike at any depth, numbers within the tolerance, everything else as Python does."""
    assert same_output(dumps(a), dumps(b), FUNCTION) is same


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("1\n2\n", "1\n2", True),
        (" 1 \n2", "1\n 2 ", True),
        ("1 2", "1\n2", False),
        ("1\n\n2", "1\n2", False),
        ("", "\n", True),
        ("1.0", "1", False),
    ],
)
def test_printed_text_is_compared_line_by_line(a: str, b: str, same: bool) -> None:
    """Only blanks at the ends of lines and of the text do not count."""
    assert same_output(a, b, STDIO) is same


def test_texts_that_are_no_values_are_not_the_same() -> None:
    """What can't be read equals nothing but itself."""
    assert not same_output("{", "[1]", FUNCTION)
    assert same_output("{", "{", FUNCTION)


@pytest.mark.parametrize(
    ("program", "given", "expected"),
    [
        ("def f(a, b): pass", {"b": 2, "a": 1}, [1, 2]),
        ("def f(a, b=5): pass", {"a": 1}, [1]),
        ("def f(a, b=5, c=6): pass", {"a": 1, "c": 2}, None),
        ("def f(a, b): pass", {"a": 1}, None),
        ("def f(a): pass", {"a": 1, "z": 2}, [1]),
        ("f = lambda a, b: a", {"b": 2, "a": 1}, [1, 2]),
        ("def f(a, *, k): pass", {"k": 2, "a": 1}, [1, 2]),
        ("class Solution:\n    def f(self, a): pass", {"a": 1}, [1]),
        ("class Solution:\n    @staticmethod\n    def f(a): pass", {"a": 1}, [1]),
    ],
)
def test_named_arguments_go_to_their_places(
    program: str, given: dict[str, int], expected: list[int] | None
) -> None:
    """Arguments are ordered by f's signature; one that is missing can't be made up."""
    signature = signature_of(pair(program))

    assert signature is not None
    assert signature.arguments(given) == expected


def test_a_signature_that_f_hides_is_taken_from_g() -> None:
    """Where f is no Python, g's names stand."""
    found = signature_of(pair("def f(", good="def f(left, right): pass"))

    assert found is not None
    assert found.positional == ("left", "right")


def test_a_method_is_called_through_a_new_object() -> None:
    """The job of a method calls a wrapper behind the program, whose lines stay where they are."""
    program = "class Solution:\n    def f(self, a):\n        return a"
    job = target_job(pair(program), "k", ["[1]"], Limits(), buggy=True)

    assert isinstance(job, CallsJob)
    assert job.program.startswith(program + "\n")
    scope: dict[str, object] = {}
    exec(job.program, scope)
    assert scope[job.entry_point](7) == 7  # type: ignore[operator]
