"""What errors say to people."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import InputError, message


def test_an_error_of_the_system_names_its_file_and_what_is_wrong(tmp_path: Path) -> None:
    """The file comes first, as in every other message, and Python's number of the error is gone."""
    missing = tmp_path / "missing"
    with pytest.raises(OSError) as caught:
        missing.open()
    assert message(caught.value) == f"{missing}: {os.strerror(2)}"


@pytest.mark.parametrize("error", [InputError("x: expected y"), OSError("no file is named")])
def test_other_errors_say_what_they_say(error: Exception) -> None:
    """A message that was written for people, and one of the system without a file, stay as they are."""
    assert message(error) == str(error)
