"""Answers on disk: a line each, appended as they come; beside them what failed.

OUT                     one row an answer, in a format that `core.formats` loads
OUT.job/failures.jsonl  one row a request without an answer, with the reason
OUT.job/empty.jsonl     answers without any text, as they came: each is a failure too
OUT.job/                progress and log of the job (`core.jobs`)
"""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Self

from core.errors import InputError
from core.files import replacing
from core.jobs import job_folder
from core.llm.asks import Ask, Key, Kind
from core.llm.client import Answer
from core.llm.costs import Totals
from core.llm.parsing import NoRewardError, reward_in
from core.model import Benchmark

__all__ = ["AnswerFile", "Failure", "FailureList", "answer_row", "failures", "row_line"]


@dataclass(frozen=True, slots=True)
class Failure:
    """A request that has no answer.

    Attributes:
        subject: the solution's id or the mode, "" where the request is about the problem alone.
        reason: for a person.
        when: UTC, ISO 8601.
    """

    task_id: str
    subject: str
    sample: int
    reason: str
    when: str

    @property
    def key(self) -> Key:
        """As `Ask.key`."""
        return (self.task_id, self.subject, self.sample)


def failures(out: Path) -> tuple[Failure, ...]:
    """The requests for this file that have no answer."""
    return tuple(FailureList(job_folder(out)).read().values())


class FailureList:
    """The failures of one file of answers."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "failures.jsonl"

    def read(self) -> dict[Key, Failure]:
        """The latest failure of each request; a line that was cut off is left out."""
        found: dict[Key, Failure] = {}
        if self._path.exists():
            for line in self._path.read_text(encoding="utf-8").splitlines():
                try:
                    failure = Failure(**json.loads(line))
                except (ValueError, TypeError):
                    continue
                found[failure.key] = failure
        return found

    def add(self, ask: Ask, reason: str) -> None:
        """Append one."""
        failure = Failure(*ask.key, reason, _now())
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(row_line(asdict(failure)))

    def keep(self, line: str) -> None:
        """Append an answer without text as it came: its reasoning and usage would be lost else."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_name("empty.jsonl").open("ab") as stream:
            stream.write(line.encode("utf-8", "backslashreplace"))

    def keep_only(self, answered: set[Key]) -> int:
        """Drop those that have an answer now; returns how many are left."""
        left = [failure for key, failure in self.read().items() if key not in answered]
        if self._path.exists():
            with replacing(self._path) as beside:
                beside.write_text("".join(row_line(asdict(one)) for one in left), encoding="utf-8")
        return len(left)


class AnswerFile:
    """A file of answers that is being written; use as a context manager.

    Attributes:
        request: what every answer in it is asked with.
        known: the requests that have an answer.
        totals: what those answers used.
    """

    def __init__(self, path: Path, request: Mapping[str, Any]) -> None:
        """Open `path` to go on with it.

        Args:
            path: the file; it may be missing.
            request: what the answers in it must have been asked with.

        Raises:
            InputError: it holds something else.
        """
        self._path = path
        self.request = dict(request)
        self.known: set[Key] = set()
        self.totals = Totals()
        self._end = 0
        self._stream: IO[bytes] | None = None
        for row in self._rows():
            _same_request(path, row["request"], request)
            self.known.add(_key(row))
            self.totals.add(row)

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        stream = self._path.open("ab", buffering=0)
        stream.truncate(self._end)  # a line that was being written when the process was killed
        self._stream = stream
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def append(self, ask: Ask, row: dict[str, Any], line: str) -> None:
        """Write one answer as `line`; it is on the disk when this returns."""
        assert self._stream is not None
        data = line.encode("utf-8", "backslashreplace")  # a lone surrogate, as JSON escapes it
        if self._stream.write(data) != len(data):
            raise OSError(f"{self._path}: the disk is full")
        os.fsync(self._stream.fileno())
        self.known.add(ask.key)
        self.totals.add(row)

    def _rows(self) -> Iterator[dict[str, Any]]:
        if not self._path.exists():
            return
        with self._path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if not line.endswith(b"\n"):
                    return
                try:
                    row = json.loads(line)
                except ValueError:
                    raise InputError(f"{self._path}:{number}: no JSON; choose another file") from None
                if not isinstance(row, dict) or not isinstance(row.get("request"), dict):
                    raise InputError(f"{self._path}:{number}: was not generated; choose another file")
                self._end += len(line)
                yield row


def answer_row(benchmark: Benchmark, ask: Ask, answer: Answer, request: Mapping[str, Any]) -> dict[str, Any]:
    """The row of one answer, in the format of its kind.

    Tests and harnesses have `response`, solutions `completion`; rewards are rows of the flat format
    of Scoring Verifiers. `truncated` and `empty` mark answers that are not whole, `unparsed` says why
    an answer holds no reward.
    """
    row: dict[str, Any] = {"task_id": ask.problem.task_id, "sample": ask.sample}
    kind = ask.generation.kind
    if kind is Kind.SOLUTIONS:
        row |= {"id": f"{ask.generation.model}/{ask.mode}/{ask.sample}", "completion": answer.text}
        row |= {"source": ask.generation.model, "mode": ask.mode}
    elif kind is Kind.REWARDS:
        row |= _reward_row(benchmark, ask, answer)
    else:
        row["response"] = answer.text
        if ask.solution is not None:
            row["shown_solution"] = ask.solution.id
    if answer.reasoning:
        row["reasoning"] = answer.reasoning
    return row | {
        "answered_by": answer.model,
        "finish_reason": answer.finish_reason,
        "truncated": answer.finish_reason == "length",
        "empty": not answer.text.strip(),
        "usage": dict(answer.usage),
        "seconds": answer.seconds,
        "when": _now(),
        "request": dict(request),
    }


def _reward_row(benchmark: Benchmark, ask: Ask, answer: Answer) -> dict[str, Any]:
    assert ask.solution is not None
    row: dict[str, Any] = {
        "dataset": benchmark.name,
        "solution_id": ask.solution.id,
        "output": ask.solution.code,
        "ground_average_test_score": ask.solution.reference_score,
        "rank": ask.solution.reference_rank,
    }
    try:
        reward = reward_in(ask.generation.method, answer.text)
    except NoRewardError as error:
        return row | {"reward": {"reward_score": None, "response": answer.text}, "unparsed": str(error)}
    return row | {"reward": {"reward_score": reward, "response": answer.text}}


def _key(row: Mapping[str, Any]) -> Key:
    subject = row.get("mode") or row.get("solution_id") or row.get("shown_solution") or ""
    return (str(row.get("task_id")), str(subject), int(row.get("sample") or 0))


def _same_request(path: Path, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    for name in sorted({*before, *now} - {"base_url"}):  # a server may have moved
        if before.get(name) != now.get(name):
            raise InputError(
                f"{path}: holds answers that were asked with {name} {before.get(name)!r}, not "
                f"{now.get(name)!r}; choose another file, or ask with the same"
            )


def row_line(value: Mapping[str, Any]) -> str:
    """A row as a line of the file."""
    return json.dumps(value, ensure_ascii=False) + "\n"


def _now() -> str:
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
