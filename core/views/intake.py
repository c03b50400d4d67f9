"""Files that come into the data folder: what one is, what is wrong with it, and where it is kept."""

from __future__ import annotations

import hashlib
import itertools
import shutil
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BufferedReader, BytesIO
from pathlib import Path

import pandas as pd

from core.errors import InputError
from core.files import replacing, sha256
from core.formats import CheckReport, FormatError, Loaded, RowError, load, report
from core.formats.errors import by_reason
from core.formats.touchstone import write_benchmark
from core.workspace import Workspace, safe_name

_ERRORS_SHOWN = 500
_CHUNK = 2**20
_RUNNABLE = ("suites", "flat", "answers")
_ELSEWHERE = {
    "benchmark": "Load it on the Overview, then run tests on it.",
    "problems": "Load it on the Overview, then build a benchmark with it on the Benchmark page.",
    "solutions": "Load it on the Overview, then build a benchmark with it on the Benchmark page.",
    "results": "Results of another evaluation can't be shown here yet; the samples that they are about can "
    "be given as solutions.",
    "evaluated": "The Evolve commands take it: `python -m core evolve filter FILE`.",
    "flat": "Scores that are there already: give the file on the Run page, or measure it alone with "
    "`python -m core score FILE`.",
    "pairs": "Give it on the Bugs page, to hunt with it.",
}
"""Where a file belongs that is of no use where it was given, by its kind."""


@dataclass(frozen=True, slots=True)
class Report:
    """A file's validation as it is shown.

    Attributes:
        format: name of its format, "" if it can't be read at all.
        partial: rows with something to mend of which the rest is used.
        problems: columns line, field, message; the first 500.
        usable: whether there is anything in it to work with.
        fatal: why the file can't be read at all; "" if it can.
    """

    file: str
    format: str
    rows: int
    valid: int
    partial: int
    n_errors: int
    problems: pd.DataFrame
    warnings: tuple[str, ...]
    usable: bool = False
    fatal: str = ""

    def in_words(self) -> str:
        """What is wrong, a line each."""
        return "\n".join(
            f"line {line}, {field or 'row'}: {message}" for line, field, message in self.problems.to_numpy()
        )


@dataclass(frozen=True, slots=True)
class Intake:
    """What became of a file that was given to the app.

    Attributes:
        saved: where its content is kept now; None if it could not be used.
        kind: "benchmark", "tests", "problems" or "solutions"; "" if it could not be used.
        advice: what to do next, one sentence.
    """

    report: Report
    saved: Path | None
    kind: str
    advice: str


def check_tests(path: Path, benchmark: Path | None) -> Report:
    """Validate a tests file against the benchmark that it is for."""
    try:
        found = report(path, benchmark)
    except FormatError as error:
        return _unreadable(path, error)
    shown = _shown(path, found)
    if found.kind in _RUNNABLE:
        return shown
    fatal = f"{path.name}: of the kind {found.kind} ({found.format}); expected a verifier's tests or scores"
    if advice := _ELSEWHERE.get(found.kind):
        fatal += f". {advice}"
    return replace(shown, usable=False, fatal=fatal)


def take_in(workspace: Workspace, path: Path) -> Intake:
    """Find out what a file is and keep it where its kind belongs.

    A benchmark with scored solutions is kept as Touchstone's own JSONL, tests as they are.
    """
    try:
        loaded = load(path)
    except FormatError as error:
        return Intake(_unreadable(path, error), None, "", "")
    found = _shown(path, loaded)
    if not found.usable:
        return Intake(found, None, "", "Mend the rows named below and give the file again.")
    return _keep(workspace, path, loaded, found)


def keep_upload(workspace: Workspace, name: str, content: BytesIO | BufferedReader) -> Path:
    """Keep an uploaded file in the uploads folder, whatever its name says.

    Its folder is called after its content: equal content is kept once, and two users may upload
    different files of one name.
    """
    digest = hashlib.file_digest(content, "sha256").hexdigest()
    content.seek(0)
    path = workspace.upload_file(name, digest[:16])
    if not path.exists():
        with replacing(path) as beside, beside.open("wb") as kept:
            shutil.copyfileobj(content, kept, _CHUNK)
    return path


def named_path(text: str) -> Path:
    """The file that a user names.

    Raises:
        InputError: there is no such file.
    """
    path = Path(text.strip()).expanduser()
    if not path.is_file():
        raise InputError(f"{path}: there is no such file on the machine that runs Touchstone")
    return path


def _keep(workspace: Workspace, path: Path, loaded: Loaded, found: Report) -> Intake:
    stem = safe_name(path.name.split(".")[0])
    benchmark = loaded.benchmark
    if benchmark is not None:
        target = _placed(workspace.benchmark_file(stem), lambda beside: write_benchmark(benchmark, beside))
        return Intake(found, target, "benchmark", "Now run a verifier's tests on it.")
    if loaded.pairs:
        return Intake(found, None, "", _ELSEWHERE["pairs"])
    if loaded.suites or loaded.answers:
        target = _placed(
            workspace.tests_dir / safe_name(path.name), lambda beside: shutil.copyfile(path, beside)
        )
        advice = "Choose it on the Run page."
        if loaded.answers:
            advice = "Choose it on the Run page to rank solutions by it, or on the Bugs page to hunt with it."
        return Intake(found, target, "tests", advice)
    if loaded.kind in {"problems", "solutions"}:
        folder = workspace.problems_dir if loaded.kind == "problems" else workspace.solutions_dir
        target = _placed(folder / safe_name(path.name), lambda beside: shutil.copyfile(path, beside))
        return Intake(found, target, loaded.kind, "Build a benchmark with it on the Benchmark page.")
    return Intake(found, None, "", _ELSEWHERE.get(loaded.kind, "This kind of file can't be shown here."))


def _placed(target: Path, write: Callable[[Path], object]) -> Path:
    """Write a file as `target`; where another one of that name is, the new one's name gets a number."""
    stem, dot, ending = target.name.partition(".")
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(f".{target.name}.{uuid.uuid4().hex}.new")
    try:
        write(new)
        content = sha256(new)
        for number in itertools.count(1):
            path = target if number == 1 else target.with_name(f"{stem}-{number}{dot}{ending}")
            if path.exists() and sha256(path) == content:
                return path
            if not path.exists():
                new.replace(path)
                return path
    finally:
        new.unlink(missing_ok=True)
    raise AssertionError("unreachable")


def _shown(path: Path, found: CheckReport | Loaded) -> Report:
    return Report(
        file=path.name,
        format=found.format,
        rows=found.rows,
        valid=found.valid,
        partial=found.partial,
        n_errors=len(found.errors),
        problems=_table(found.errors),
        warnings=tuple(map(str, by_reason(found.warnings)[:_ERRORS_SHOWN])),
        usable=found.usable,
    )


def _unreadable(path: Path, error: FormatError) -> Report:
    return Report(path.name, "", 0, 0, 0, 0, _table(()), (), fatal=str(error).replace(str(path), path.name))


def _table(errors: tuple[RowError, ...]) -> pd.DataFrame:
    rows = [(error.line, error.field, error.message) for error in errors[:_ERRORS_SHOWN]]
    return pd.DataFrame(rows, columns=["line", "field", "message"])
