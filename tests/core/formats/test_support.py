"""What the sources of a problem say about its entry point."""

import pytest

from core.formats.support import entry_is_class


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
