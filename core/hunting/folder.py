"""A hunt on disk.

    <hunt>/hunt.json              what was run: inputs' hashes, options, limits, sandbox, counts, results
    <hunt>/pairs.parquet          one row per pair
    <hunt>/answers-*.parquet      one row per answer: its class, its fault, its strategies
    <hunt>/inputs-*.parquet       one row per answer and input: outputs, outcomes, what fired

A part of the answers is written after the part of their inputs, each beside and renamed: an answer that is
there is whole, and one that is not is run again. The record is not called manifest.json, so that no
reader of runs takes a hunt for one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from core.errors import InputError
from core.files import replacing, write_json
from core.hunting.model import AnswerKind, Finding, InputTrial
from core.hunting.record import RECORD, HuntRecord, record_in
from core.hunting.rows import (
    ANSWERS,
    INPUTS,
    PAIRS,
    answer_row,
    finding_of,
    input_row,
    pair_of,
    pair_row,
    trial_of,
)
from core.jobs import strangers, told
from core.model import Pair
from core.store import now
from core.store.files import encodable

__all__ = ["Hunt", "HuntRecord", "HuntWriter", "is_hunt", "open_hunt", "refuse_foreign"]


class HuntWriter:
    """Writes a hunt, and goes on with one that was interrupted.

    Attributes:
        done: (pair_id, index) of the answers that are there.
    """

    def __init__(self, folder: Path, record: HuntRecord, pairs: Sequence[Pair]) -> None:
        """Open the folder.

        Raises:
            InputError: it holds something else, or a hunt of other files or with other options.
        """
        refuse_foreign(folder)
        before = record_in(folder)
        wanted = json.loads(json.dumps(dict(record.identity)))
        if before is not None and dict(before.identity) != wanted:
            other = [key for key in wanted if before.identity.get(key) != wanted[key]]
            raise InputError(
                f"{folder}: holds a hunt with another {', '.join(other) or 'identity'}; expected a new folder"
            )
        self._folder = folder
        self.record = before or record
        self.done: set[tuple[str, int]] = set()
        folder.mkdir(parents=True, exist_ok=True)
        for path in _parts(folder, "answers"):
            table = _table(path, columns=["pair_id", "answer_index"])
            self.done |= set(zip(*(table[name].to_pylist() for name in table.column_names), strict=True))
        if before is None:
            write_json(folder / RECORD, asdict(record))
        if not (folder / "pairs.parquet").exists():
            _write(folder / "pairs.parquet", [pair_row(pair) for pair in pairs], PAIRS)

    def append(self, findings: Sequence[Finding]) -> None:
        """Write the next part."""
        number = 1 + max((_number(path) for path in _parts(self._folder, "answers")), default=-1)
        rows = [input_row(finding, trial) for finding in findings for trial in finding.trials]
        _write(self._folder / f"inputs-{number:05}.parquet", rows, INPUTS)
        _write(self._folder / f"answers-{number:05}.parquet", [answer_row(one) for one in findings], ANSWERS)
        self.done |= {(one.pair_id, one.index) for one in findings}

    def finish(
        self, result: Mapping[str, Any], intervals: Mapping[str, Any], seconds: float, notes: Sequence[str]
    ) -> None:
        """Say that it is finished and what came of it."""
        spent = self.record.seconds + seconds
        self.record = replace(
            self.record, finished=now(), result=result, intervals=intervals, seconds=spent, notes=notes
        )
        write_json(self._folder / RECORD, _without_nan(asdict(self.record)))


@dataclass(frozen=True, slots=True)
class Hunt:
    """A hunt that was written, finished or not."""

    folder: Path
    record: HuntRecord

    @property
    def kind(self) -> AnswerKind:
        """What its answers are."""
        return AnswerKind(self.record.identity["kind"])

    @property
    def loss(self) -> str:
        """A sentence on answers that the record counts and the folder lacks; "" if it has them all."""
        wanted = self.record.result.get("n_answers")
        there = sum(
            _table(path, columns=["answer_index"]).num_rows for path in _parts(self.folder, "answers")
        )
        if not isinstance(wanted, int) or there == wanted:
            return ""
        return (
            f"{self.folder}: {RECORD} counts {wanted} answers, the folder has {there}: a file "
            "answers-*.parquet is missing, and what is shown is about the rest. The command that made the "
            "hunt runs what is missing again."
        )

    def pairs(self) -> tuple[Pair, ...]:
        """Its pairs, in the order of their file."""
        return tuple(pair_of(row) for row in _table(self.folder / "pairs.parquet").to_pylist())

    def answers(self) -> list[dict[str, Any]]:
        """One row per answer, without its text and code: `class` is the key of its class."""
        wanted = [name for name in ANSWERS.names if name not in {"text", "code"}]
        return self._rows("answers", wanted)

    def texts(self) -> dict[str, dict[int, str]]:
        """The answers as they came, by pair_id and index."""
        found: dict[str, dict[int, str]] = {}
        for row in self._rows("answers", ("pair_id", "answer_index", "text")):
            found.setdefault(row["pair_id"], {})[row["answer_index"]] = row["text"]
        return found

    def inputs(self, columns: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """One row per answer and input, with these columns; all of them if not given."""
        return self._rows("inputs", list(columns) if columns else INPUTS.names)

    def findings(self) -> list[Finding]:
        """Every answer with its inputs, outputs cut as they are kept."""
        trials: dict[tuple[str, int], list[InputTrial]] = {}
        for row in self.inputs():
            trials.setdefault((row["pair_id"], row["answer_index"]), []).append(trial_of(row))
        return [
            finding_of(row, tuple(trials.get((row["pair_id"], row["answer_index"]), ())))
            for row in self._rows("answers", ANSWERS.names)
        ]

    def finding(self, pair_id: str, index: int) -> Finding | None:
        """One answer with its inputs; None if there is none."""
        chosen = [("pair_id", "==", pair_id), ("answer_index", "==", index)]
        for path in _parts(self.folder, "answers"):
            rows = _table(path, filters=chosen).to_pylist()
            if rows:
                inputs = path.with_name(path.name.replace("answers", "inputs"))
                trials = _table(inputs, filters=chosen).to_pylist()
                return finding_of(rows[0], tuple(map(trial_of, trials)))
        return None

    def _rows(self, name: str, columns: Sequence[str]) -> list[dict[str, Any]]:
        """Rows of the parts that are whole: those whose answers are there."""
        rows: list[dict[str, Any]] = []
        for path in _parts(self.folder, "answers"):
            part = path.with_name(path.name.replace("answers", name))
            rows += _table(part, columns=list(columns)).to_pylist()
        return rows


def _table(path: Path, **options: Any) -> pa.Table:
    """A part of a hunt. InputError, naming it, if it is missing or damaged."""
    try:
        return pq.read_table(path, **options)
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"{path}: this part of the hunt can't be read ({type(error).__name__})") from error


def refuse_foreign(folder: Path) -> None:
    """Refuse a folder that holds something else than a hunt.

    Raises:
        InputError: it does, or it is a file.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; expected a new folder or a hunt to go on with")
    if not folder.is_dir() or is_hunt(folder):
        return
    if others := strangers(folder):
        raise InputError(f"{folder}: has {others[0]!r} in it; expected a new folder or a hunt to go on with")


def is_hunt(folder: Path) -> bool:
    """Whether this folder holds a hunt."""
    return (folder / RECORD).is_file()


def open_hunt(folder: Path) -> Hunt:
    """Open a hunt.

    Raises:
        InputError: there is none in this folder.
    """
    record = record_in(folder)
    if record is None:
        raise InputError(f"{folder}: holds no hunt: {told(folder) or f'expected a folder with {RECORD}'}")
    return Hunt(folder, record)


def _parts(folder: Path, name: str) -> list[Path]:
    return sorted(
        path for path in folder.glob(f"{name}-*.parquet") if re.fullmatch(r".*-\d{5,}\.parquet", path.name)
    )


def _number(part: Path) -> int:
    return int(part.stem.rpartition("-")[2])


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and value != value else value


def _write(path: Path, rows: Iterable[Mapping[str, Any]], schema: pa.Schema) -> None:
    table = pa.Table.from_pylist(
        [{key: _kept(value) for key, value in row.items()} for row in rows], schema=schema
    )
    with replacing(path) as beside:
        pq.write_table(table, beside, compression="zstd")


def _kept(value: Any) -> Any:
    return encodable(value) if isinstance(value, str) else value
