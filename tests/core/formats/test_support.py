"""What the sources of a problem say about its entry point."""

import pytest

from core.formats import support
from core.formats.support import entry_is_class, support_source


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        (("def Extract(lst):\n    return [x[0] for x in lst]",), False),
        (("class Extract:\n    pass",), True),
        (("", "def Extract(lst):\n    '''First items.'''\n"), False),
        (("class Extract: pass", "def Extract(lst):\n"), True),
        (("Write a function to extract every first element.",), None),
        (("def other(): pass",), None),
    ],
)
def test_the_first_definition_says_what_an_entry_point_is(
    sources: tuple[str, ...], said: bool | None
) -> None:
    """A reference solution or prompt that defines the name decides; prose and other names say nothing."""
    assert entry_is_class("Extract", sources) is said


SOLUTION = "class Node:\n    pass\n\nclass Solution:\n    def depth(self, root: Node) -> int:\n"


@pytest.mark.parametrize(
    ("entry_point", "source", "found"),
    [
        ("Solution().depth", SOLUTION, ("Solution", "Solution().depth")),
        ("Solution().depth", "Prose.", ("Solution", "Solution().depth")),
        ("depth", SOLUTION, ("Solution", "Solution().depth")),
        ("Solution", SOLUTION, ("Solution", "Solution")),
        ("depth", "def depth(root):\n", ("depth", "depth")),
        ("depth", "Prose.", ("depth", "depth")),
        ("depth", f"{SOLUTION}        pass\ndef depth(): pass\n", ("depth", "depth")),
    ],
)
def test_a_method_is_tested_through_the_class_that_has_it(
    entry_point: str, source: str, found: tuple[str, str]
) -> None:
    """What a program has to define is the class, and the prompt's sketch of it is no helper of the tests."""
    assert support.tested(entry_point, source) == found
    assert f"class {found[0]}" not in support_source(source, found[0])
