"""A hunt on disk that is not whole any more."""

from pathlib import Path

import pytest

from core.errors import InputError
from core.hunting.folder import open_hunt
from core.workspace import Workspace
from tests.hunts import write_hunts


@pytest.mark.parametrize("damage", [b"garbage", None])
def test_a_damaged_part_is_named(tmp_path: Path, damage: bytes | None) -> None:
    """Pairs that are no Parquet, or gone, end in a message with the part's path."""
    write_hunts(Workspace(tmp_path))
    part = next(tmp_path.glob("runs/*/pairs.parquet"))
    part.unlink()
    if damage is not None:
        part.write_bytes(damage)
    with pytest.raises(InputError, match=r"pairs\.parquet: this part of the hunt can't be read"):
        open_hunt(part.parent).pairs()
