"""A hunt on disk that is not whole any more."""

import json
from pathlib import Path

import pytest

from core.errors import InputError
from core.hunting.folder import HuntWriter, open_hunt
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


def test_a_lost_part_is_told_and_made_again(tmp_path: Path) -> None:
    """A folder with fewer answers than its record counts says so; nothing is written over what is left."""
    write_hunts(Workspace(tmp_path))
    folder = Workspace(tmp_path).run_dir("tiny-harness")
    hunt = open_hunt(folder)
    findings = hunt.findings()
    writer = HuntWriter(folder, hunt.record, hunt.pairs())
    writer.append(findings[:1])
    assert "counts 7 answers, the folder has 8" in open_hunt(folder).loss
    (folder / "answers-00000.parquet").unlink()
    assert "counts 7 answers, the folder has 1" in open_hunt(folder).loss
    HuntWriter(folder, hunt.record, hunt.pairs()).append(findings[1:])
    assert open_hunt(folder).loss == ""
    assert len(open_hunt(folder).findings()) == 7


IDENTITY = {"kind": "harness", "pairs": "p", "answers": "a", "repeat": 1, "seed": 42}


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({}, "expected the object `identity`"),
        ([], "expected an object, found list"),
        ({"identity": {}}, "identity.kind: expected str, found None"),
        ({"identity": {**IDENTITY, "kind": "x"}}, "identity.kind: expected harness or io, found 'x'"),
        ({"identity": {**IDENTITY, "seed": "1"}}, "identity.seed: expected int, found '1'"),
        ({"identity": IDENTITY, "result": []}, "result: expected dict, found []"),
    ],
)
def test_a_record_that_is_none_is_named(tmp_path: Path, record: object, said: str) -> None:
    """The message has the file, the field and what was expected."""
    (tmp_path / "hunt.json").write_text(json.dumps(record), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        open_hunt(tmp_path)
    assert f"{tmp_path / 'hunt.json'}: is no record of a hunt: {said}" in str(caught.value)
