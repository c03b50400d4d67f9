from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from core.formats.loose_json import read_cut_off, read_whole

_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(_VALUES, st.sampled_from(["", " and that is all", "\n```\n"]))
def test_a_value_is_read_whatever_follows_it(value: object, after: str) -> None:
    """What json wrote is read back, with other text after it."""
    assert (
        read_whole(json.dumps(value, separators=(",", ":")) + (after if _ends_itself(value) else "")) == value
    )


def test_line_breaks_inside_strings_are_read() -> None:
    """A model's literal line break in a string is part of the string."""
    assert read_whole('{"a": "one\ntwo"}') == {"a": "one\ntwo"}


def test_a_list_that_is_cut_off_gives_its_whole_items() -> None:
    """The items before the cut are there, the broken one is left out."""
    assert read_cut_off('[{"a": 1}, {"a": 2}, "brok') == [{"a": 1}, {"a": 2}]


def test_what_is_no_json_is_nothing() -> None:
    """Text that begins with no value, or nests beyond reason, gives None."""
    assert [read_whole("no"), read_whole("[" * 100_000), read_cut_off("no")] == [None, None, None]


def _ends_itself(value: object) -> bool:
    return isinstance(value, str | list | dict)
